"""Pairs of stories: one that can happen and a variant of it, to choose between."""

from __future__ import annotations

import polars as pl

from plausibly.errors import StudyError
from plausibly.io.ranks import ranks
from plausibly.tables import ITEMS

ORDER_SEED = 1
FIRST, SECOND = "first", "second"
_LEFT = ("sentences", "translation", "breakpoint", "conflict")  # about one story alone


def paired(items: pl.DataFrame) -> pl.DataFrame:
    """Return one item per written variant: the columns one and other, and which can happen.

    The right answer, `expected`, is `first` for half of the variants of each condition, as
    language models are asked about each pair in both orders.

    Args:
        items: Stories and their variants, as `build_gita` returns them.

    Raises:
        StudyError: If no story has a written variant.
    """
    written = items.filter(pl.col("status") == "written")
    whole = written.filter(pl.col("condition") == "plausible").select("story", whole="text")
    broken = written.filter(pl.col("condition") != "plausible")
    pairs = broken.join(whole.unique("story", keep="first", maintain_order=True), on="story")
    if pairs.is_empty():
        raise StudyError("choice: no story has a variant that somebody wrote. Write one first.")
    drawn = pairs.with_columns(ranks(pairs["item"], seed=ORDER_SEED).alias("__rank"))
    is_first = (pl.col("__rank").rank("ordinal").over("condition") % 2 == 1).alias("__first")
    drawn = drawn.with_columns(is_first).with_columns(
        item_group="story",
        expected=pl.when("__first").then(pl.lit(FIRST)).otherwise(pl.lit(SECOND)),
        one=pl.format("A: {}", pl.when("__first").then("whole").otherwise("text")),
        other=pl.format("B: {}", pl.when("__first").then("text").otherwise("whole")),
    )
    drawn = drawn.with_columns(text=pl.concat_str("one", "other", separator=" "))
    return ITEMS.sort(ITEMS.check(drawn.drop("whole", "__rank", "__first", *_LEFT)))
