"""`plausibly score` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.cli import run
from plausibly.datasets.gita import CONFLICT, STATE, STORY
from worlds.gita import chain, harness, stories, write

KEYS = {
    *("rules", "accuracy", "accuracy_cloze", "accuracy_order", "accuracy_plausible"),
    *("consistency", "consistency_cloze", "consistency_order"),
    *("verifiability", "verifiability_cloze", "verifiability_order", "ties", "intervals"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path, chain(stories(4), {STORY: [0], CONFLICT: [1], STATE: [2]}))


@pytest.mark.parametrize("rules", ["gita-2024", "calamita", "clean"])
def test_every_fixed_key_is_there(
    folder: Path, capsys: pytest.CaptureFixture[str], rules: str
) -> None:
    assert run(["score", "gita", str(folder), "--rules", rules, "--resamples", "50", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document) >= KEYS
    assert document["rules"] == rules
    assert document["consistency"] == 7 / 8
    assert set(document["intervals"]["consistency"]) == {"value", "n", "low", "high", "method"}
    counted = {metric: one["n"] for metric, one in document["intervals"].items()}
    assert counted == {
        **document["n"],
        **dict.fromkeys(("balanced_accuracy", "mcc"), counted["accuracy"]),
    }


def test_clean_is_the_default_and_people_get_tables(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", "gita", str(folder), "--resamples", "0", "--differences"]) == 0
    said = capsys.readouterr()
    assert "rules: clean" in said.err
    assert "spread" in said.out
    assert "verifiability_order" in said.out


def test_differences_are_part_of_the_document(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["score", "gita", str(folder), "--differences", "--resamples", "0", "--json"]
    assert run(command) == 0
    table = json.loads(capsys.readouterr().out)["differences"]
    assert {"metric", "gita-2024", "calamita", "clean", "spread"} == set(table[0])


def test_a_missing_task_is_null_and_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "physical_state.jsonl").unlink()
    assert run(["score", "gita", str(folder), "--resamples", "0"]) == 0
    assert "no file for physical_state" in capsys.readouterr().err


def test_strict_turns_a_note_into_a_failure(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["score", "gita", str(folder), "--resamples", "0", "--json", "--strict"]
    assert run(arguments) == 0
    (folder / f"{STATE}.jsonl").write_text("")
    capsys.readouterr()
    assert run(arguments) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["notes"]
    assert "score gita: physical_state" in said.err


def test_stories_can_be_named(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    told = write(tmp_path_factory.mktemp("stories"), {"stories": stories(4)}) / "stories.jsonl"
    (folder / "story_class.jsonl").unlink()
    command = ["score", "gita", str(folder), "--stories", str(told), "--resamples", "0", "--json"]
    assert run(command) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["accuracy"] is None
    assert document["consistency"] == 7 / 8


def test_an_empty_folder_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "gita", str(tmp_path), "--json"]) == 1
    assert capsys.readouterr().out == ""


def test_trip_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.jsonl"
    states: dict[str, object] = {
        f"{when}_{side}": {} for when in ("preconditions", "effects") for side in ("label", "pred")
    }
    line = {"story_label": 1, "story_pred": 1, "conflict_label": [0, 1], "conflict_pred": [0, 1]}
    path.write_text(json.dumps(line | states))
    assert run(["score", "gita-trip", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "pairs": 1,
        "accurate": 1,
        "consistent": 1,
        "verifiable": 0,
    }
    assert run(["score", "gita-trip", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[2].split() == ["1", "1", "1", "0"]


STRANGE: tuple[object, ...] = (
    None,
    "x",
    "",
    -1,
    0,
    1.5,
    True,
    [],
    {},
    [1],
    [[]],
    ["x"],
    [{}],
    {"a": 1},
    10**400,
)


@pytest.mark.parametrize("form", ["trimmed", "harness", "doc"])
@pytest.mark.parametrize("value", STRANGE, ids=lambda value: str(value)[:12])
def test_a_field_of_another_type_is_read_or_named_on_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str], form: str, value: object
) -> None:
    for task in (STORY, CONFLICT, STATE):
        path = folder / f"{task}.jsonl"
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        if form != "trimmed":
            lines = [harness(task, line) for line in lines]
        for field in lines[1]["doc"] if form == "doc" else {*lines[1], "options", "arguments"}:
            broken = json.loads(json.dumps(lines))
            (broken[1]["doc"] if form == "doc" else broken[1])[field] = value
            path.write_text("\n".join(map(json.dumps, broken)))
            code = run(["score", "gita", str(folder), "--resamples", "0", "--json"])
            said = capsys.readouterr()
            assert code == 0 or f"{task}.jsonl:2: " in said.err, (field, said.err)
            assert "not foreseen" not in said.err
        path.write_text("\n".join(map(json.dumps, lines)))
