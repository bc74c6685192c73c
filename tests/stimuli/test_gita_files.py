"""Files of GITA stories that cannot be used, or only in part, are refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plausibly.cli import run
from plausibly.datasets.gita.stories import story_of
from plausibly.proofreading.stories.checks import check_stories
from worlds.gita import WRITTEN, build_gita

BROKEN: dict[str, Any] = {
    **WRITTEN,
    "type": "order",
    "example_id": "1-O0",
    "sentences": WRITTEN["sentences"][::-1],
    "plausible": False,
    "breakpoint": 3,
    "confl_sents": [1],
}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("s.json", "5", "no stories found"),
        ("s.json", '"x"', "no stories found"),
        ("s.json", "null", "no stories found"),
        ("s.json", "{}", "no stories found"),
        ("s.json", "[]", "no stories found"),
        ("s.json", '{"test": 5}', "no stories found"),
        ("s.json", '{"test": {"1": 5}}', "no stories found"),
        ("s.jsonl", "", "no stories found"),
    ],
)
def test_a_file_without_stories_is_refused(
    name: str, content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert run(["check", "gita", str(path)]) == 1
    assert said in capsys.readouterr().err
    assert run(["build", "gita", str(path), "-o", str(tmp_path / "out")]) == 1
    assert f"{path}:" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("s.jsonl", json.dumps({**WRITTEN, "actor": float("nan")}), "actor is NaN"),
        ("s.jsonl", json.dumps({**WRITTEN, "idx": [float("inf")]}), "idx is [Infinity]"),
        ("s.json", json.dumps({"test": {"1": {"actor": float("nan")}}}), "actor is NaN"),
    ],
)
def test_a_number_that_is_none_is_found_and_not_built_with(
    name: str, content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert run(["check", "gita", str(path)]) == 0
    assert said in capsys.readouterr().out
    assert run(["build", "gita", str(path), "-o", str(tmp_path / "out")]) == 1
    assert f"{path}:" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("changed", "kind", "said"),
    [
        ({"actor": None}, "missing_field", "field 'actor' is empty"),
        ({"objects": None}, "missing_field", "field 'objects' is empty"),
        ({"objects": []}, "missing_field", "field 'objects' is empty"),
        ({"story_id": None}, "missing_field", "field 'story_id' is empty"),
        ({"sentences": None}, "missing_field", "field 'sentences' is empty"),
        ({"sentences": [1, 2, 3, 4, 5]}, "wrong_type", "sentences is [1, 2, 3, 4, 5]"),
        ({"states": {"a": 1}}, "wrong_type", 'states is {"a": 1}, expected one state'),
        ({"breakpoint": "3"}, "wrong_type", 'breakpoint is "3", expected a whole number'),
        ({"breakpoint": None}, "wrong_type", "breakpoint is null"),
        ({"plausible": "no"}, "wrong_type", 'plausible is "no", expected true or false'),
        ({"aug": "no"}, "wrong_type", 'aug is "no", expected true or false'),
        ({"confl_sents": ["1"]}, "wrong_type", 'confl_sents is ["1"]'),
        ({"breakpoint": -1, "confl_sents": []}, "no_breakpoint", "nothing breaks"),
    ],
)
def test_a_field_of_the_wrong_kind_is_found_and_its_story_not_used(
    changed: dict[str, Any], kind: str, said: str
) -> None:
    told = [story_of(WRITTEN), story_of(BROKEN | changed, row=1)]
    found = [f for f in check_stories(told) if (f.row, f.kind, f.severity) == (1, kind, "error")]
    assert any(said in finding.message for finding in found)
    built = build_gita(told)
    assert {rule for _, rule, _ in built.ledger.iter_rows()} == {kind}
    assert built.items.filter(status="written")["item"].to_list() == ["1"]


def test_a_null_id_is_a_warning_and_not_the_name_none() -> None:
    told = [story_of(WRITTEN | {"example_id": None})]
    found = [(f.kind, f.severity) for f in check_stories(told)]
    assert ("missing_field", "warning") in found
    assert build_gita(told).items["story"].unique().to_list() == ["1"]


def test_a_pair_of_states_that_cannot_be_read_is_reported() -> None:
    told = story_of(WRITTEN | {"states": [{"open": [["tazza", "2"], ["tazza", 2]]}, *[{}] * 4]})
    messages = [f.message for f in check_stories([told]) if f.kind == "state_pair"]
    assert messages == [
        'sentence 0: open is [["tazza", "2"], ["tazza", 2]], expected [[entity, code]]'
    ]
