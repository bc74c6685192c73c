"""Laws of the generated crowd of PAP's example: seeded, and of the kinds there are."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.protocols.pap.crowd import deal, generate_crowd
from plausibly.protocols.pap.made_up import example_items
from plausibly.ratings.simulated.kinds import MIX

ITEMS = example_items(seed=3, per_cell=1)
NAMES = ITEMS.filter(pl.col("kind") == "item")["item"].to_list()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), target=st.integers(1, 6), batch=st.integers(1, 30))
def test_nobody_rates_an_item_twice_and_every_item_is_dealt_as_often_as_wanted(
    seed: int, target: int, batch: int
) -> None:
    batches = deal(NAMES, target, batch, np.random.default_rng(seed))
    assert all(len(set(one)) == len(one) <= batch for one in batches)
    assert sorted(item for one in batches for item in one) == sorted(NAMES * target)
    ratings, _ = generate_crowd(ITEMS, seed=seed, target=target, batch=batch)
    assert ratings.select("item", "annotator").is_unique().all()
    assert set(ratings["answer"]) <= {"1", "2", "3", "4", "5"}


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_same_seed_gives_the_same_crowd(seed: int) -> None:
    first, second = (generate_crowd(ITEMS, seed=seed) for _ in range(2))
    assert all(one.equals(other) for one, other in zip(first, second, strict=True))


def test_straight_liners_give_one_answer_and_careful_people_never_the_middle() -> None:
    ratings, people = generate_crowd(ITEMS, seed=1, batch=5)
    of_kind = {
        kind: ratings.join(people.filter(simulated_kind=kind), on="annotator", how="semi")
        for kind in MIX
    }
    assert all(own.height for own in of_kind.values())
    liners = of_kind["straight-liner"].group_by("annotator").agg(pl.col("answer").n_unique())
    assert set(liners["answer"]) == {1}
    assert "3" not in set(of_kind["careful"]["answer"])
