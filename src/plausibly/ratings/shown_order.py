"""The place at which each item was shown, as Qualtrics exports it ("Display Order")."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

_ONE = re.compile(r"^(?P<stem>.+)_DO_(?P<element>.+)$")
_ALL = re.compile(r"^(?P<stem>.+)_DO$")


def orders_of(columns: Sequence[str], items: Sequence[str]) -> dict[str, pl.Expr]:
    """Return for each item an expression of the place it was shown at, counted from 1.

    `Q2_DO_1` holds the place of row 1 of question 2, `BLOCK_DO_Q3` that of question 3 in its block,
    `BLOCK_DO` a list such as `Q3|Q1`.

    >>> frame = pl.DataFrame({"Q1": ["5"], "Q2": ["4"], "B_DO": ["Q2|Q1"]})
    >>> frame.select(**orders_of(frame.columns, ["Q1", "Q2"])).row(0)
    (2, 1)
    """
    orders: dict[str, pl.Expr] = {}
    for column in columns:
        if match := _ONE.match(column):
            for item in (match["element"], f"{match['stem']}_{match['element']}"):
                if item in items:
                    orders.setdefault(item, pl.col(column).cast(pl.Int64, strict=False))
    blocks = [(column, match["stem"]) for column in columns if (match := _ALL.match(column))]
    for item in items if blocks else ():
        places = [_place(column, [item, item.removeprefix(f"{stem}_")]) for column, stem in blocks]
        orders.setdefault(item, pl.coalesce(places))
    return orders


def _place(column: str, tags: Sequence[str]) -> pl.Expr:
    """Return the place of one of the tags in a list between bars, null if it is in none."""
    shown = pl.col(column).str.split("|").list.eval(pl.element().str.strip_chars().is_in(tags))
    return pl.when(shown.list.any()).then(shown.list.arg_max() + 1).cast(pl.Int64)
