"""Laws of generated crowds: seeded, within the plan, and of the kinds that were asked for."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.errors import StudyError, UnknownName
from plausibly.protocols.pap.made_up import example_items
from plausibly.ratings.crowd import KINDS, CrowdPlan, generate_crowd

ITEMS = example_items(seed=3, per_cell=1)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), target=st.integers(1, 6), batch=st.integers(1, 30))
def test_nobody_rates_an_item_twice_and_no_item_gets_more_than_the_target(
    seed: int, target: int, batch: int
) -> None:
    crowd = generate_crowd(ITEMS, seed=seed, plan=CrowdPlan(target=target, batch=batch))
    rated = crowd.ratings.join(ITEMS.filter(pl.col("kind") == "item"), on="item", how="semi")
    assert rated.select("item", "annotator").is_unique().all()
    assert rated.group_by("item").len()["len"].max() <= target  # type: ignore[operator]
    per_person = rated.group_by("annotator").len()["len"]
    assert per_person.max() <= batch  # type: ignore[operator]
    assert set(crowd.ratings["answer"]) <= {"1", "2", "3", "4", "5"}


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_same_seed_gives_the_same_crowd(seed: int) -> None:
    first, second = generate_crowd(ITEMS, seed=seed), generate_crowd(ITEMS, seed=seed)
    assert first.ratings.equals(second.ratings)
    assert first.annotators.equals(second.annotators)


def test_without_dropouts_every_item_gets_exactly_the_target() -> None:
    crowd = generate_crowd(ITEMS, seed=1, mix={"careful": 1.0}, plan=CrowdPlan(target=10))
    rated = crowd.ratings.join(ITEMS.filter(pl.col("kind") == "item"), on="item", how="semi")
    assert set(rated.group_by("item").len()["len"].to_list()) == {10}


def test_straight_liners_give_one_answer_and_careful_people_never_the_middle() -> None:
    liners = generate_crowd(ITEMS, seed=1, mix={"straight-liner": 1.0}).ratings
    assert set(liners.group_by("annotator").agg(pl.col("answer").n_unique())["answer"]) == {1}
    careful = generate_crowd(ITEMS, seed=1, mix={"careful": 1.0}).ratings
    assert "3" not in set(careful["answer"])


def test_every_kind_occurs_in_the_default_mix() -> None:
    crowd = generate_crowd(ITEMS, seed=1, plan=CrowdPlan(batch=5))
    assert set(crowd.annotators["simulated_kind"]) == set(KINDS)


def test_a_mix_must_name_known_kinds_and_sum_to_one() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'careful'"):
        generate_crowd(ITEMS, seed=1, mix={"carefull": 1.0})
    with pytest.raises(StudyError, match=r"must sum to 1; got 0\.9"):
        generate_crowd(ITEMS, seed=1, mix={"careful": 0.9})
