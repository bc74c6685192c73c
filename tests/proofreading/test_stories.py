"""GITA stories: what is irregular in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plausibly.datasets.gita.stories import read_stories
from plausibly.errors import UnknownName
from plausibly.proofreading.stories.checks import check_stories, compare_versions
from plausibly.proofreading.stories.physics import state_findings
from plausibly.proofreading.stories.reading import absent_objects, mental_verbs, strange_actors
from worlds.boxes import TOLD, blocks, fields, stories


def kinds(*told: dict[str, Any]) -> list[tuple[int, str]]:
    return [(finding.row, finding.kind) for finding in check_stories(stories(*told))]


def test_a_sound_story_and_its_variants_have_no_findings() -> None:
    assert kinds(fields(), fields("order"), fields("cloze")) == []


@pytest.mark.parametrize(
    ("kind", "changed", "finding"),
    [
        (None, {"sentences": [""]}, "empty_sentence"),
        (None, {"sentences": list(TOLD[:4])}, "sentence_count"),
        (None, {"length": 6}, "length"),
        (None, {"type": "order"}, "plausible_with_type"),
        (None, {"plausible": False}, "implausible_without_breakpoint"),
        (None, {"states": "shiny"}, "unknown_state"),
        (None, {"worker_id": "cucina"}, "worker"),
        (None, {"confl_sents": [[]]}, "nested_list"),
        (None, {"sentences": [*TOLD[:4], "Ada dorme"]}, "not_declarative"),
        ("order", {"plausible": True}, "plausible_with_breakpoint"),
        ("order", {"type": None}, "implausible_without_type"),
        ("order", {"idx": None}, "implausible_without_idx"),
        ("order", {"confl_sents": [2]}, "conflict_not_earlier"),
        ("order", {"confl_sents": []}, "no_conflict"),
        ("order", {"breakpoint": 9}, "conflict_outside"),
        ("order", {"example_id": "7-C0"}, "id_against_type"),
        ("order", {"example_id": "7"}, "id_against_type"),
        ("order", {"example_id": "8-O0"}, "id_against_story"),
        ("order", {"actor": "Eva"}, "actor_differs"),
        ("order", {"objects": "scatola, tappo"}, "objects_differ"),
        ("order", {"sentences": [*TOLD[:4], "Ada sposta il tappo."]}, "not_one_swap"),
        ("order", {"confl_sents": [1], "breakpoint": 2}, "swap_apart_from_conflict"),
        ("order", {"story_id": 8, "example_id": "8-O0"}, "no_original"),
        ("cloze", {"confl_pairs": []}, "no_conflict_pair"),
        ("cloze", {"confl_pairs": [[2], [3]]}, "conflict_pair_differs"),
        ("cloze", {"sentences": list(reversed(TOLD))}, "not_one_replaced"),
    ],
)
def test_every_irregularity_is_found(
    kind: str | None, changed: dict[str, Any], finding: str
) -> None:
    told = [fields(kind, **changed)] if kind is None else [fields(), fields(kind, **changed)]
    assert (len(told) - 1, finding) in kinds(*told)


def test_a_repeated_id_is_reported_on_each_of_its_stories() -> None:
    found = kinds(fields(), fields("order"), fields("cloze", example_id="7-O0"))
    assert [row for row, kind in found if kind == "repeated_id"] == [1, 2]


def test_a_repeated_key_is_read_twice_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "stories.json"
    first, second = json.dumps(fields()), json.dumps(fields("order"))
    path.write_text(f'{{"test": {{"7": {first}, "7": {second}}}}}')
    told = read_stories(path)
    assert [story.kind for story in told] == [None, "order"]
    found = [(f.row, f.kind) for f in check_stories(told)]
    assert (0, "repeated_key") in found
    assert (1, "repeated_key") in found
    assert (1, "key_against_id") in found


def test_blocks_are_checked_against_sentences_attributes_and_entities() -> None:
    good = fields(states=[blocks() for _ in TOLD], objects="scatola", actor="scatola")
    assert {kind for _, kind in kinds(good)} == {"no_states_told", "object_form"}
    odd = blocks(open=("scatole", 9)) | {"shiny": [["scatola", 1]]}
    del odd["wet"]
    bad = good | {"states": [odd, *(blocks() for _ in range(5))]}
    found = {kind for _, kind in kinds(bad)}
    assert found == {
        "state_blocks",
        "unknown_attribute",
        "missing_attribute",
        "unknown_code",
        "entity",
        "entity_left_out",
        "object_form",
    }


def test_versions_are_compared_story_by_story() -> None:
    here = stories(fields(), fields("order"))
    there = stories(fields(), fields("order", breakpoint=2, confl_sents=[1]))
    found = compare_versions(here, there)
    assert [(f.row, f.message.partition(":")[0]) for f in found] == [
        (1, "breakpoint"),
        (1, "confl_sents"),
    ]


def test_verbs_of_the_mind_are_flagged_for_a_reader() -> None:
    thinking = fields(sentences=["Ada pensa alla scatola.", *TOLD[1:]])
    found = list(mental_verbs(stories(thinking, fields()), lang="it"))
    assert [(f.row, f.kind, f.severity) for f in found] == [(0, "mental_verb", "note")]
    with pytest.raises(UnknownName, match="Known: en, it"):
        list(mental_verbs(stories(fields()), lang="xx"))


def test_an_object_no_sentence_names_is_flagged() -> None:
    found = list(absent_objects(stories(fields(objects="scatole, tappo, martello"))))
    assert [f.message for f in found] == ["the object 'martello' is in no sentence"]


def opened(*places: int, code: int = 2, **flags: Any) -> dict[str, Any]:
    """Return a story whose box is open-closed by codes at places, everything else as it is."""
    states = [blocks() for _ in TOLD]
    states[0] = blocks(open=("scatola", 3))
    for place in places:
        states[place] = blocks(open=("scatola", code))
    return fields(states=states, **flags)


def test_a_plausible_story_whose_states_clash_is_found() -> None:
    [found] = state_findings(stories(opened(2)))
    assert (found.kind, found.severity) == ("states_contradict", "warning")
    assert found.message == (
        "sentence 2 needs open of 'scatola' to be true, sentence 0 leaves it false"
    )
    assert not list(state_findings(stories(opened(2, code=1))))


def test_an_implausible_story_without_a_clash_or_with_one_elsewhere_is_found() -> None:
    broken: dict[str, Any] = {
        "plausible": False,
        "breakpoint": 2,
        "confl_sents": [0],
        "type": "order",
    }
    assert not list(state_findings(stories(opened(2, **broken))))
    [none] = state_findings(stories(opened(2, code=1, **broken)))
    assert none.kind == "no_contradiction"
    [other] = state_findings(stories(opened(3, **broken)))
    assert other.kind == "contradiction_elsewhere"


def test_what_a_story_as_its_author_writes_it_lacks_is_no_finding() -> None:
    four = {name: fields()[name] for name in ("story_id", "actor", "objects", "sentences")}
    assert not [one for one in check_stories(stories(four)) if one.kind == "missing_field"]
    five = {**four, "plausible": True}
    assert [one for one in check_stories(stories(five)) if one.kind == "missing_field"]


def test_actors_and_entities_that_cannot_be_are_found() -> None:
    kinds = {one.kind for one in strange_actors(stories(fields(actor="Zenobia")))}
    assert kinds == {"absent_actor", "agent_not_first"}
    twice = fields(objects="scatola, tappo, scatola")
    assert "object_twice" in {one.kind for one in check_stories(stories(twice))}
    states = [blocks() for _ in TOLD]
    states[1] = {**states[1], "open": [["scatola", 1], ["scatola", 2]]}
    assert "entity_twice" in {one.kind for one in check_stories(stories(fields(states=states)))}
    other = fields("order", states="power")
    said = check_stories(stories(fields(states="open"), other))
    assert "state_differs" in {one.kind for one in said}
