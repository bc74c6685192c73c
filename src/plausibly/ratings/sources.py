"""Ratings as people have them: a file in some form, a frame, or what was read before."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from plausibly.errors import TableError
from plausibly.io import Rows
from plausibly.io.frames import as_frame, as_text
from plausibly.io.imported import Imported
from plausibly.ratings.formats import import_ratings
from plausibly.ratings.long import long_ratings
from plausibly.ratings.people import Naming
from plausibly.tables import ITEMS

Ratings = object  # a path, an Imported, or a Polars, pandas or Arrow frame

KEPT = Naming(keep=True)


def read_ratings(
    source: Ratings,
    *,
    format: str = "long",
    columns: Mapping[str, str] | None = None,
    naming: Naming = KEPT,
) -> Imported:
    """Return the ratings of a file or frame, with the items and annotators it tells about.

    A frame is read as the long form: `question` is "rating" where it is missing, whole floats
    are whole numbers, NaN is missing.

    Args:
        source: A path (str or Path), a Polars, pandas or Arrow table, or what this returned.
        format: Form of the file, such as long, mace or labelstudio.
        columns: From our column to the source's, where they differ.
        naming: What becomes of the ids of people; by default they stay as they are.

    >>> frame = pl.DataFrame({"item": ["t1"], "annotator": ["a"], "score": [4.0]})
    >>> read_ratings(frame, columns={"answer": "score"}).ratings["answer"].to_list()
    ['4']
    """
    if isinstance(source, Imported):
        return source
    if isinstance(source, str | Path):
        return import_ratings(Path(source), form=format, names=columns, naming=naming)
    if format != "long":
        raise TableError(f"ratings: a frame is read as long, not as {format}. Pass the file.")
    return Imported(_from_frame(as_frame(source, where="ratings"), columns or {}))


def _from_frame(frame: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
    missing = [theirs for theirs in columns.values() if theirs not in frame.columns]
    if missing:
        raise TableError(f"ratings: no column {missing[0]!r}. Columns: {', '.join(frame.columns)}.")
    replaced = [ours for ours in columns if ours not in columns.values()]
    frame = frame.drop(replaced, strict=False)
    frame = frame.rename({theirs: ours for ours, theirs in columns.items()})
    texts = [name for name in ("item", "annotator", "question", "answer") if name in frame.columns]
    try:
        frame = frame.with_columns(as_text(frame[name]).alias(name) for name in texts)
    except pl.exceptions.PolarsError as error:
        raise TableError(f"ratings: a key or answer is neither text nor number ({error}).") from (
            error
        )
    return long_ratings(Rows(Path("ratings"), frame, (), lambda rows: [row + 1 for row in rows]))


def origin(source: Ratings, imported: Imported) -> object:
    """Return what a manifest names as the source: the file, or the rows that were passed."""
    return source if isinstance(source, str | Path) else imported.ratings


def without_checks(
    ratings: pl.DataFrame, items: pl.DataFrame | None = None
) -> tuple[pl.DataFrame, int]:
    """Return the ratings of items proper, and how many ratings of checks were left out.

    What is a check is told by the items table, or by a column `kind` of the ratings.
    """
    if items is not None:
        checks = ITEMS.check(items).filter(pl.col("kind") != "item")
        kept = ratings.join(checks.select("item"), on="item", how="anti", maintain_order="left")
    elif "kind" in ratings.columns:
        kept = ratings.filter(ratings["kind"].fill_null("item") == "item")
    else:
        return ratings, 0
    return kept, ratings.height - kept.height
