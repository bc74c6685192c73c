"""What `check gita` finds in both released files."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from plausibly.datasets.gita.stories import Story, read_stories
from plausibly.stimuli.gita.checks import StoryFinding, check_stories, compare_versions

pytestmark = pytest.mark.data

FIRST, REVISED = "GITA_test.json", "gita4calamita_356.jsonl"


@cache
def stories(folder: Path, name: str) -> list[Story]:
    return read_stories(folder / "gita" / name)


def found(folder: Path, name: str, kind: str) -> list[str]:
    """Return the ids of the stories a kind of finding names, each once."""
    return list(dict.fromkeys(f.example for f in findings(folder, name) if f.kind == kind))


@cache
def findings(folder: Path, name: str) -> list[StoryFinding]:
    return check_stories(stories(folder, name))


def test_every_written_story_is_read(data_folder: Path) -> None:
    assert len(stories(data_folder, FIRST)) == len(stories(data_folder, REVISED)) == 356


@pytest.mark.parametrize("name", [FIRST, REVISED])
def test_wrong_ids_types_and_flags_are_found_in_both_versions(data_folder: Path, name: str) -> None:
    repeated = ["39-O0", "41-O0", "58", "60-O0", "82-C0", "86-C0", "98"]
    assert sorted(found(data_folder, name, "repeated_id")) == repeated
    assert "54-O0" in found(data_folder, name, "plausible_with_breakpoint")
    assert found(data_folder, name, "plausible_with_type") == ["18"]
    assert found(data_folder, name, "implausible_without_type") == ["98"]
    assert found(data_folder, name, "id_against_story") == ["82-C0"]
    assert found(data_folder, name, "worker") == ["13-C0"]
    assert found(data_folder, name, "no_conflict_pair") == ["10-C0"]


def test_the_first_version_has_faults_of_its_own(data_folder: Path) -> None:
    assert found(data_folder, FIRST, "repeated_key") == ["98"]
    assert found(data_folder, FIRST, "empty_sentence") == ["69", "74"]
    assert found(data_folder, FIRST, "state_blocks") == ["1-O0", "69", "74"]
    assert found(data_folder, FIRST, "nested_list") == ["2-O0", "2-C0", "105"]
    assert found(data_folder, FIRST, "implausible_without_breakpoint") == ["23"]
    assert found(data_folder, FIRST, "entity") == ["36-C0", "64-C0", "98", "99-O0"]
    assert not found(data_folder, FIRST, "unknown_code")


def test_the_revised_version_has_five_sentences_and_earlier_conflicts(data_folder: Path) -> None:
    kinds = {finding.kind for finding in findings(data_folder, REVISED)}
    absent = {"sentence_count", "empty_sentence", "conflict_not_earlier", "identical"}
    assert not kinds & {*absent, "unknown_state", "repeated_key", "nested_list"}


def test_construction_is_as_counted(data_folder: Path) -> None:
    kinds = Counter(finding.kind for finding in findings(data_folder, REVISED))
    swapped = ["7-O0", "26-O0", "43-O0", "69-O0", "103-O0"]
    assert found(data_folder, REVISED, "not_one_swap") == swapped
    assert kinds["not_one_replaced"] == 117 - 109
    assert kinds["swap_apart_from_conflict"] == 117 - 80
    assert kinds["replaced_apart_from_conflict"] == 2


def test_the_versions_differ_as_counted(data_folder: Path) -> None:
    changes = compare_versions(stories(data_folder, FIRST), stories(data_folder, REVISED))
    fields = Counter(change.message.partition(":")[0] for change in changes)
    assert fields == {"confl_sents": 15, "breakpoint": 8, "sentences": 6, "plausible": 2}
