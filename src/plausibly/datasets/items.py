"""Items of a study as what models judge: they keep their names, and checks are left out."""

from __future__ import annotations

import polars as pl

from plausibly.errors import Problem
from plausibly.io import Rows

MARKS = frozenset({"item", "text", "kind"})
ITEM = "item"


def is_items(frame: pl.DataFrame) -> bool:
    """Return whether a table is an items table, whose own names of items are kept.

    >>> is_items(pl.DataFrame({"item": ["t1"], "text": ["A dog eats."], "kind": ["item"]}))
    True
    """
    return set(frame.columns) >= MARKS


def judged_items(rows: Rows) -> Rows:
    """Return the rows of an items table that are to be judged; every row of another table.

    Raises:
        TableError: If an item has no name, or two have the same.
    """
    if not is_items(rows.frame):
        return rows
    own = rows.filtered((rows.frame["kind"] == ITEM).fill_null(False))
    names = own.frame[ITEM]
    problems = [Problem(row, "no item") for row in names.is_null().arg_true()]
    again = ~names.is_first_distinct() & names.is_not_null()
    problems += [
        Problem(row, f"more than one row for item {names[row]!r}") for row in again.arg_true()
    ]
    own.reject(problems)
    return own
