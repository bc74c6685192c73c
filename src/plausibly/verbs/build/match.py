"""Any items, paired across two conditions so that they are alike in the columns named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plausibly.io.frames import Source, as_table
from plausibly.stimuli.matching import matched_items, tolerances
from plausibly.tables import ITEMS
from plausibly.verbs.build._items import ItemSet, frequencies_if_any, made_from, with_balance


def build_match(
    *,
    items: Source,
    match: Sequence[str],
    by: str = "condition",
    within: str | None = None,
    language: str = "en",
    seed: int,
) -> ItemSet:
    """Pair items of two conditions that differ in no column by more than allowed.

    Writes items.parquet (with a column match that numbers the pairs), ledger.parquet (items
    without a partner), funnel.json, matching.json and balance.json.

    Args:
        items: Items of any protocol; frequency and length are looked up where words have columns.
        match: COLUMN:TOLERANCE, such as frequency:0.3, length:1 or a column of your own.
        by: Column whose two values are paired.
        within: Column whose values partners must share, such as combination or relation.
        language: Language of the words.
        seed: Same seed, same pairs.

    >>> import polars as pl
    >>> rows = {"item": ["a", "b", "c"], "text": ["x", "y", "z z"], "condition": ["p", "q", "q"]}
    >>> items = pl.DataFrame(rows).with_columns(weight=pl.Series([1.0, 1.2, 9.0]))
    >>> build_match(items=items, match=["weight:0.5"], seed=1).items["item"].to_list()
    ['a', 'b']
    """
    asked = dict(locals())
    table = as_table(items, ITEMS)
    listed = frequencies_if_any(None, language)
    built = matched_items(
        table, tolerances(match), by=by, within=within, frequency=listed, seed=seed
    )
    report: dict[str, Any] = built.documents["matching.json"]
    built = with_balance(built, frequency=listed, lang=language, seed=seed)
    made = made_from("match", asked, files=("items",))
    notes = tuple(
        f"matched by {column}: {one['matches']} pairs, differing by "
        f"{one['mean_difference']:.3g} on average and {one['largest_difference']:.3g} at most."
        for column, one in report.items()
        if one["matches"]
    )
    return ItemSet(
        built.items, built.ledger, "match", built, made, own={"matching": report}, notes=notes
    )
