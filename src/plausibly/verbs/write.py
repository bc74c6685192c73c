"""Ratings as a file of another format."""

from __future__ import annotations

from pathlib import Path

from plausibly.io.frames import Source, as_table
from plausibly.ratings.formats import export_ratings
from plausibly.ratings.sources import Ratings, read_ratings
from plausibly.study.verb import verb
from plausibly.tables import ITEMS


@verb()
def write(
    ratings: Ratings,
    output: str | Path,
    *,
    format: str = "long",
    items: Source | None = None,
) -> Path:
    """Write ratings in another format, and return where.

    Args:
        ratings: File or table of ratings.
        output: File to write.
        format: Format to write.
        items: Items table, for formats that carry items.

    Examples:
        plausibly write ratings.parquet --format crowdkit -o answers.csv
        plausibly write ratings.parquet --format labelstudio --items items.csv -o tasks.json

    >>> import tempfile
    >>> import polars as pl
    >>> frame = pl.DataFrame({"item": ["t1"], "annotator": ["a"], "answer": [4]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(frame, f"{folder}/r.csv", format="crowdkit").read_text().split()
    ['task,worker,label', 't1,a,4']
    """
    known = None if items is None else as_table(items, ITEMS)
    export_ratings(read_ratings(ratings).ratings, Path(output), form=format, items=known)
    return Path(output)
