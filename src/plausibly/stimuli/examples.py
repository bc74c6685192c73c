"""Sentences behind items: what a corpus shows where it attests them."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.errors import TableError
from plausibly.io import read_table
from plausibly.stimuli.in_study import EXAMPLES_FILE as FILE
from plausibly.tables import EXAMPLES

_WORDS = ("head", "dependent", "object")
_ORDER = ("rank", *_WORDS, "document", "place")


def examples_near(counts: object) -> Path | None:
    """Return the sentences `extract` left in the folder of its counts, if there are any.

    Args:
        counts: A file of counts or triples, the folder it is in, or a table, which has none.
    """
    if not isinstance(counts, str | Path):
        return None
    path = Path(counts)
    file = (path if path.is_dir() else path.parent) / FILE
    return file if file.is_file() else None


def sentences_behind(attested: pl.DataFrame, examples: Path) -> pl.DataFrame:
    """Return the sentences in which items are attested: item, rank, document, sentence, place.

    Words are the same whatever their case, as builders take them; ranks of an item count from 1.
    A column `corpus`, which merged counts have, is kept.

    Args:
        attested: item, relation, head, dependent and, for triples, object.
        examples: The sentences `extract --examples` has kept.
    """
    rows = _rows(examples)
    schema = rows.collect_schema()
    extra = [column for column in ("corpus",) if column in schema]
    wanted = attested.select("item", "relation", *_keys(attested.columns)).unique()
    found = (
        rows.with_columns(*_keys(schema.names()))
        .join(wanted.lazy(), on=["relation", *(f"{word}_key" for word in _WORDS)])
        .select("item", *_ORDER, "sentence", *extra)
        .collect(engine="streaming")
        .sort("item", *_ORDER, *extra)
    )
    return found.select(
        "item",
        (pl.int_range(pl.len()).over("item") + 1).cast(pl.Int64).alias("rank"),
        "document",
        "sentence",
        "place",
        *extra,
    )


def _keys(columns: list[str]) -> list[pl.Expr]:
    """Return the words without case, nothing for the object of a pair."""
    empty = pl.lit("", dtype=pl.String)
    words = {word: pl.col(word) if word in columns else empty for word in _WORDS}
    return [
        one.fill_null("").str.to_lowercase().alias(f"{word}_key") for word, one in words.items()
    ]


def _rows(path: Path) -> pl.LazyFrame:
    if path.suffix != ".parquet":
        return read_table(path, EXAMPLES).lazy()
    try:
        schema = pl.read_parquet_schema(path)
    except (pl.exceptions.ComputeError, OSError) as error:
        raise TableError(f"{path}: not a Parquet file ({error}).") from error
    for column, kind in EXAMPLES.schema.items():
        if column not in schema:
            raise TableError(
                f"{path}: no column {column!r}; sentences of 'plausibly extract --examples K' are "
                f"expected here. Columns found: {', '.join(schema)}."
            )
        if schema[column] != kind:
            raise TableError(f"{path}: column {column!r} holds {schema[column]}, expected {kind}.")
    return pl.scan_parquet(path)
