"""Both released files of GITA survive the way into the other form and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.cli import run
from plausibly.datasets.gita.states import state_source
from plausibly.datasets.gita.stories import read_stories, story_of
from plausibly.stimuli.gita.conversion import first_form, revised_form

pytestmark = pytest.mark.data

FIRST, REVISED = "GITA_test.json", "gita4calamita_356.jsonl"


def text(fields: object) -> str:
    """Return a story as it is written, the order of its fields included."""
    return json.dumps(fields, ensure_ascii=False)


def test_first_to_revised_to_first_gives_the_released_file(data_folder: Path) -> None:
    for story in read_stories(data_folder / "gita" / FIRST):
        turned = json.loads(text(revised_form(story)))
        assert text(first_form(story_of(turned))) == text(story.fields)


def test_revised_to_first_to_revised_gives_the_released_file(data_folder: Path) -> None:
    for story in read_stories(data_folder / "gita" / REVISED):
        turned = json.loads(text(first_form(story)))
        assert text(revised_form(story_of(turned))) == text(story.fields)


def test_conflicts_become_as_flat_as_the_revised_file_has_them(data_folder: Path) -> None:
    first, revised = (read_stories(data_folder / "gita" / name) for name in (FIRST, REVISED))
    differ = []
    for one, other in zip(first, revised, strict=True):
        turned = revised_form(one)
        if (one.breakpoint, one.conflict) == (other.breakpoint, other.conflict):
            assert turned["confl_sents"] == other.fields["confl_sents"]
            if turned["confl_pairs"] != other.fields["confl_pairs"]:
                differ.append(one.example)
    assert not differ


def test_states_read_off_the_blocks_are_marked(data_folder: Path) -> None:
    turned = [revised_form(story) for story in read_stories(data_folder / "gita" / FIRST)]
    assert all((one["states"] is None) != ("states_inferred" in one) for one in turned)
    assert sum(one["states"] is not None for one in turned) == 123
    released = read_stories(data_folder / "gita" / REVISED)
    assert {state_source(story) for story in released} == {"written"}


def test_the_command_builds_each_form_from_the_other_again(
    data_folder: Path, tmp_path: Path
) -> None:
    def built(path: Path, name: str) -> Path:
        assert run(["build", "gita", str(path), "--swaps", "0", "-o", str(tmp_path / name)]) == 0
        return tmp_path / name

    once = built(data_folder / "gita" / FIRST, "a")
    kept = {text(story.fields) for story in read_stories(data_folder / "gita" / FIRST)}
    again = built(once / "revised.jsonl", "b")
    assert (again / "first.json").read_bytes() == (once / "first.json").read_bytes()
    assert (again / "revised.jsonl").read_bytes() == (once / "revised.jsonl").read_bytes()
    stories = read_stories(again / "first.json")
    assert len(stories) == 350
    assert {text(story.fields) for story in stories} <= kept
    released = built(data_folder / "gita" / REVISED, "c")
    back = built(released / "first.json", "d")
    lines = (data_folder / "gita" / REVISED).read_text(encoding="utf-8")
    assert (back / "revised.jsonl").read_text(encoding="utf-8") == lines
