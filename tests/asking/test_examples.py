"""Examples in prompts: what they show, whom they spare, and what they do not depend on."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.asking import gita
from plausibly.asking.cases import Case, limited
from plausibly.datasets.gita import CONFLICT, OPTIONS, STATE, STORY, TASKS
from plausibly.errors import StudyError
from worlds.gita import data_folder


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    return gita.read_cases(data_folder(tmp_path_factory.mktemp("stories"), 20))


def test_a_set_has_one_story_of_each_kind_and_three_states(cases: list[Case]) -> None:
    sets = gita.shot_sets(cases, shots=3, implausible=None, sets=3, seed=1)
    assert len({tuple(one[STORY].items) for one in sets.values()}) == 3
    for one in sets.values():
        shown = [slot[0] for slot in one[STORY].slots]
        assert {case.kind for case in shown} == {"plausible", "order", "cloze"}
        assert len({case.traits[STORY] for case in shown}) == 3
        assert len({case.cluster for case in shown}) == 3
        for task in (CONFLICT, STATE):
            assert all(slot[0].kind != "plausible" for slot in one[task].slots)


@pytest.mark.parametrize("implausible", [0, 1, 2, 3])
def test_the_composition_is_as_asked(cases: list[Case], implausible: int) -> None:
    [made] = gita.shot_sets(cases, shots=3, implausible=implausible, sets=1, seed=4).values()
    broken = [slot[0] for slot in made[STORY].slots if slot[0].kind != "plausible"]
    assert len(broken) == implausible


def test_more_implausible_examples_than_examples_is_refused(cases: list[Case]) -> None:
    with pytest.raises(StudyError, match="0 to 3"):
        gita.shot_sets(cases, shots=3, implausible=4, sets=1, seed=1)


@given(seed=st.integers(0, 50), order=st.randoms(use_true_random=False))
def test_only_the_clashing_example_is_swapped_whatever_the_order(
    cases: list[Case], seed: int, order: object
) -> None:
    mixed = list(cases)
    order.shuffle(mixed)  # type: ignore[attr-defined]
    [made] = gita.shot_sets(cases, shots=3, implausible=2, sets=1, seed=seed).values()
    [again] = gita.shot_sets(mixed, shots=3, implausible=2, sets=1, seed=seed).values()
    for task in TASKS:
        usual = [slot[0].item for slot in made[task].slots]
        assert usual == again[task].items
        for case in cases:
            shown = made[task].shots_for(case)
            assert [one.item for one in again[task].shots_for(case)] == [s.item for s in shown]
            assert case.cluster not in {one.cluster for one in shown}
            assert len({one.cluster for one in shown}) == 3
            other = [a for a, b in zip(shown, usual, strict=True) if a.item != b]
            clash = [slot[0] for slot in made[task].slots if slot[0].cluster == case.cluster]
            assert len(other) == len(clash)


@given(
    few=st.integers(1, 60), many=st.integers(1, 60), seed=st.integers(0, 9), clustered=st.booleans()
)
def test_a_smaller_limit_is_a_part_of_a_larger_one(
    cases: list[Case], few: int, many: int, seed: int, *, clustered: bool
) -> None:
    few, many = min(few, many), max(few, many)
    chosen = limited(cases, few, seed=seed, clustered=clustered)
    larger = limited(list(reversed(cases)), many, seed=seed, clustered=clustered)
    assert chosen == larger[: len(chosen)]
    assert len(chosen) == min(few, len(cases))


def test_single_cases_are_drawn_from_more_clusters_than_whole_ones(cases: list[Case]) -> None:
    whole, single = (limited(cases, 12, seed=1, clustered=one) for one in (True, False))
    assert len({case.cluster for case in whole}) == 4
    assert len({case.cluster for case in single}) > 6


def test_coverage_shows_every_pair_and_state_there_is(cases: list[Case]) -> None:
    [made] = gita.covering_sets(cases, sets=1, seed=1).values()
    shown = [slot[0] for slot in made[CONFLICT].slots]
    for task in (CONFLICT, STATE):
        there = {case.truth[task] for case in cases if task in case.truth}
        assert {case.truth[task] for case in shown} == there
    kinds = [slot[0].kind for slot in made[STORY].slots]
    assert abs(2 * kinds.count("plausible") - len(kinds)) <= 1


@pytest.mark.data
@pytest.mark.parametrize("model", ["gemma-2-9b-it", "Meta-Llama-3.1-8B"])
def test_the_published_draws_are_drawn_again(data_folder: Path, model: str) -> None:
    """All three tasks of both released models showed exactly the examples drawn here."""
    cases = {case.line["row"]: case for case in gita.read_cases(data_folder, flagged=True)}
    for task in TASKS:
        path = data_folder / "gita" / "llm_outputs" / model / f"{task}.jsonl.gz"
        lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        drawn = gita.published_shots([cases[line["row"]] for line in lines])
        assert [[one.line["row"] for one in shots] for shots in drawn] == [
            line["shots"] for line in lines
        ]


@pytest.mark.data
def test_the_published_stories_have_what_every_task_needs(data_folder: Path) -> None:
    cases = gita.read_cases(data_folder)
    counts = {task: sum(task in case.truth for case in cases) for task in TASKS}
    assert counts == {STORY: 356, CONFLICT: 239, STATE: 239}
    assert all(
        case.truth[task] in OPTIONS[task] for case in cases for task in TASKS & case.truth.keys()
    )
    assert len({case.item for case in cases}) == 356
