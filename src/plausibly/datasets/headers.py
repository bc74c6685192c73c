"""Columns by name as people write them: headers in any case, cells with blanks around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from plausibly.io import Rows


def spelt(rows: Rows, names: Sequence[str]) -> Rows:
    """Return the rows with these columns under these names, however the header spells them.

    A column that has the name already keeps it; blanks around cells of these columns are left out,
    and a cell of nothing else is empty.
    """
    frame = rows.frame
    wanted = [name for name in names if name not in frame.columns]
    other = {column.strip().casefold(): column for column in reversed(frame.columns)}
    frame = frame.rename({other[name]: name for name in wanted if name in other})
    texts = [name for name in names if frame.schema.get(name) == pl.String]
    bare = pl.col(texts).str.strip_chars()
    cleaned = pl.when(bare != "").then(bare).name.keep()
    return replace(rows, frame=frame.with_columns(cleaned) if texts else frame)
