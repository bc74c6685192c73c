"""What two items share puts them on one side of a split."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.errors import StudyError, UnknownName
from plausibly.releasing.splits import split_items

SHARES = {"train": 0.8, "test": 0.2}


def items_of(nouns: list[str], verbs: list[str] | None = None) -> pl.DataFrame:
    names = [f"t{place}" for place in range(len(nouns))]
    frame = pl.DataFrame({"item": names, "noun": nouns})
    return frame if verbs is None else frame.with_columns(verb=pl.Series(verbs))


@given(st.lists(st.sampled_from("abcdefghijklmno"), min_size=30, max_size=60), st.integers(0, 5))
def test_no_value_is_on_two_sides(nouns: list[str], seed: int) -> None:
    items = items_of(nouns)
    if items["noun"].value_counts()["count"].max() > 0.8 * items.height:  # type: ignore[operator]
        return
    split = split_items(items, shares=SHARES, by=("noun",), seed=seed)
    sides = split.group_by("noun").agg(pl.col("split").n_unique())
    assert sides["split"].max() == 1
    assert split.drop("split").equals(items)
    again = split_items(items.reverse(), shares=SHARES, by=("noun",), seed=seed)
    assert again.sort("item").equals(split.sort("item"))


def test_a_chain_of_shared_values_is_one_group() -> None:
    items = items_of(["a", "a", "b", "c"], ["x", "y", "y", "z"])
    shares = {"train": 0.75, "test": 0.25}
    split = split_items(items, shares=shares, by=("noun", "verb"), seed=1)
    assert split["split"].to_list() == ["train", "train", "train", "test"]


def test_sizes_come_close_to_their_shares() -> None:
    items = items_of([f"n{place // 2}" for place in range(200)])
    sizes = dict(
        split_items(items, shares=SHARES, by=("noun",), seed=3).group_by("split").len().iter_rows()
    )
    assert sizes == {"train": 160, "test": 40}


def test_what_cannot_be_split_says_so() -> None:
    with pytest.raises(StudyError, match="are linked by noun"):
        split_items(items_of(["a"] * 9 + ["b"]), shares=SHARES, by=("noun",), seed=1)
    with pytest.raises(StudyError, match="sum to 1"):
        split_items(items_of(["a", "b"]), shares={"train": 0.5}, by=("noun",), seed=1)
    with pytest.raises(UnknownName, match="unknown column of items 'head'"):
        split_items(items_of(["a", "b"]), shares=SHARES, by=("head",), seed=1)


def test_checks_are_on_no_side() -> None:
    items = items_of(["a", "b", "c", "d", "e"]).with_columns(
        kind=pl.Series(["item"] * 4 + ["check"])
    )
    split = split_items(items, shares={"train": 0.5, "test": 0.5}, by=("noun",), seed=1)
    assert split["split"].null_count() == 1
    assert split["split"][4] is None
    assert sorted(split["split"].drop_nulls()) == ["test", "test", "train", "train"]
