"""`plausibly check` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.cli import run
from worlds.gita import WRITTEN

PAIR = {
    "sentence1": "A kettle boils water.",
    "sentence2": "An old kettle boils water.",
    "modifier": "old",
    "noun": "kettle",
    "idx": 0,
}
STORY = {"row": 4, **WRITTEN}


def written(folder: Path, name: str, document: object) -> str:
    path = folder / name
    path.write_text(json.dumps(document))
    return str(path)


def test_pairs_are_reported_as_one_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train = written(tmp_path, "train.json", [PAIR, {**PAIR, "idx": 1, "sentence2": "Old."}])
    val = written(tmp_path, "val.json", [{**PAIR, "idx": 2}])
    assert run(["check", "adept", train, val, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {name: report[name] for name in ("pairs", "exact", "exceptions")} == {
        "pairs": 3,
        "exact": 2,
        "exceptions": [1],
    }
    assert report["duplicates"] == report["cross_split"] == [[0, 2]]
    assert {"idx", "kind", "message"} == set(report["problems"][0])


def test_problems_fail_only_when_strict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "train.json", [{**PAIR, "sentence2": "Old."}])
    assert run(["check", "adept", path]) == 0
    assert "not_by_rule" in capsys.readouterr().out
    assert run(["check", "adept", path, "--strict"]) == 1
    assert "check adept: idx " in capsys.readouterr().err
    assert run(["check", "adept", written(tmp_path, "good.json", [PAIR]), "--strict"]) == 0


def test_a_pair_that_cannot_be_read_is_named_by_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "train.json"
    path.write_text("[\n" + json.dumps(PAIR) + ",\n" + json.dumps({**PAIR, "noun": None}) + "\n]")
    assert run(["check", "adept", str(path), "--json"]) == 0
    (problem, *_) = json.loads(capsys.readouterr().out)["problems"]
    assert "noun" in problem["message"]
    assert run(["check", "adept", str(path), "--strict"]) == 1


def test_stories_are_reported_by_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "stories.jsonl"
    path.write_text(json.dumps({**STORY, "plausible": False}) + "\n")
    assert run(["check", "gita", str(path), "--json"]) == 0
    [finding] = json.loads(capsys.readouterr().out)
    message = finding.pop("message")
    assert finding == {
        "row": 4,
        "example_id": "1",
        "kind": "implausible_without_breakpoint",
        "severity": "error",
    }
    assert message
    assert run(["check", "gita", str(path), "--strict"]) == 1


def test_sound_stories_pass_strictly_and_versions_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, other = tmp_path / "stories.jsonl", tmp_path / "other.jsonl"
    path.write_text(json.dumps(STORY) + "\n")
    other.write_text(json.dumps({**STORY, "sentences": STORY["sentences"][::-1]}) + "\n")
    assert run(["check", "gita", str(path), "--strict", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert run(["check", "gita", str(path), "--against", str(other), "--json"]) == 0
    assert [f["kind"] for f in json.loads(capsys.readouterr().out)] == ["version"]
