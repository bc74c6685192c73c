"""Events to be judged: subject, verb and object, labelled or not."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.datasets.events import WORDS, read_event_rows
from plausibly.datasets.headers import spelt
from plausibly.datasets.items import is_items, judged_items
from plausibly.errors import Problem, TableError


def read_events(path: Path) -> pl.DataFrame:
    """Return item, subject, verb and object of every event of a file, each event once.

    A table has the columns subject, verb and object, or a column `event` (or item) of three words
    as PAP is released, or no header and the label in front; other columns, a label among them,
    are left alone. Items of a study keep their names.

    Raises:
        TableError: With FILE:LINE for each of the first rows that are not three words.
    """
    rows = judged_items(spelt(read_event_rows(path), (*WORDS, "event")))
    frame = rows.frame
    if set(WORDS) <= set(frame.columns):
        words = frame.select(pl.col(WORDS).cast(pl.String))
    else:
        named = () if is_items(frame) else ("event", "item")
        whole = next((name for name in named if name in frame.columns), None)
        if whole is None:
            raise TableError(
                f"{path}: no column 'subject'. Expected {', '.join(WORDS)}, or event. "
                f"Columns found: {', '.join(frame.columns)}."
            )
        parts = frame[whole].cast(pl.String).str.split(" ")
        three = parts.list.len().eq(len(WORDS)).fill_null(False)
        problems = [
            Problem(n, f"{whole} {frame[whole][n]!r} is not three words")
            for n in (~three).arg_true()
        ]
        rows.reject(problems)
        words = pl.DataFrame({name: parts.list.get(n) for n, name in enumerate(WORDS)})
    empty = [
        Problem(row, f"no {name}") for name in WORDS for row in words[name].is_null().arg_true()
    ]
    rows.reject(empty, count=len({problem.row for problem in empty}))
    if words.is_empty():
        raise TableError(f"{path}: no events in it.")
    if is_items(frame):
        return words.with_columns(frame["item"].cast(pl.String))
    events = words.with_columns(item=pl.concat_str(WORDS, separator=" "))
    return events.unique("item", maintain_order=True)
