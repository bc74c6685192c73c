"""Concreteness norms: how concrete people find words (Brysbaert et al., 2014)."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.datasets.catalogue import locate
from plausibly.errors import Problem, TableError
from plausibly.io import Rows, read_rows

FILE = "brysbaert2014_concreteness.tsv"
COLUMNS = {"word": "Word", "concreteness": "Conc.M", "pos": "Dom_Pos"}
POS = ("noun", "verb")


def read_norms(path: Path) -> pl.DataFrame:
    """Return every row of a norm file as word, concreteness, pos, with unchanged spelling.

    Parts of speech are kept as text, including `#N/A`; a `.txt` file, as published by the authors,
    is read as tab-separated.

    Raises:
        TableError: With FILE:LINE for every row without a word or a number.
    """
    return _rows(path)[1]


def read_rated(path: Path) -> pl.DataFrame:
    """Return one rating for each word and part of speech: word, concreteness, pos.

    Of words that differ only in case, the lower-case one counts, or else the first.

    Raises:
        TableError: With FILE:LINE for every row without a word or a number, or with another rating
            of a word than the row before; for a file that rates no noun and no verb.
    """
    rows, rated = _rows(path)
    _require_pos(path, rated["pos"])
    return _distinct(rows, rated)


def _rows(path: Path) -> tuple[Rows, pl.DataFrame]:
    rows = read_rows(path, suffix=".tsv" if path.suffix == ".txt" else None)
    missing = [theirs for theirs in COLUMNS.values() if theirs not in rows.frame.columns]
    if missing:
        raise TableError(
            f"{path}: no column {missing[0]!r}. Norms need the columns "
            f"{', '.join(COLUMNS.values())}. "
            f"Columns found: {', '.join(rows.frame.columns)}."
        )
    rated = rows.frame.select(
        word=pl.col("Word").cast(pl.String),
        concreteness=pl.col("Conc.M").cast(pl.Float64, strict=False),
        pos=pl.col("Dom_Pos").cast(pl.String),
    )
    _reject(rows, rated)
    return rows, rated


def _require_pos(path: Path, found: pl.Series) -> None:
    if found.is_empty():
        raise TableError(f"{path}: no words. Expected rows of {', '.join(COLUMNS.values())}.")
    if not found.str.to_lowercase().is_in(POS).any():
        some = ", ".join(found.drop_nulls().unique().sort().head(5)) or "nothing"
        raise TableError(
            f"{path}: none of {found.len()} rows has Noun or Verb in Dom_Pos (found: {some}). "
            "This column distinguishes nouns from verbs."
        )


def _distinct(rows: Rows, rated: pl.DataFrame) -> pl.DataFrame:
    """Return one row per word and part of speech; raise if two rows rate it differently."""
    folded, pos = pl.col("word").str.to_lowercase(), pl.col("pos").str.to_lowercase()
    spelt = pl.coalesce(pl.col("word").filter(pl.col("word") == folded).first(), pl.first("word"))
    words = rated.with_row_index("row").filter(pl.col("word") == spelt.over(folded))
    words = words.with_columns(
        pl.first("row", "concreteness").over(folded, pos).name.prefix("first_")
    )
    other = words.filter(pl.col("concreteness") != pl.col("first_concreteness"))
    lines = rows.locate(other["first_row"].to_list())
    problems = [
        Problem(
            row["row"],
            f"{row['word']!r} ({(row['pos'] or 'no Dom_Pos').lower()}) is rated "
            f"{row['concreteness']} here and {row['first_concreteness']} on line {line}",
        )
        for row, line in zip(other.iter_rows(named=True), lines, strict=True)
    ]
    rows.reject(problems)
    kept = words.filter(pl.col("row") == pl.col("first_row"))
    return kept.select(folded, "concreteness", "pos").sort("word", "pos")


def _reject(rows: Rows, rated: pl.DataFrame) -> None:
    number = rated["concreteness"].is_finite().fill_null(False)
    given = rows.frame["Conc.M"]
    problems = [
        Problem(row, f"Conc.M {given[row]!r} is not a number") for row in (~number).arg_true()
    ]
    problems += [Problem(row, "no Word") for row in rated["word"].is_null().arg_true()]
    rows.reject(problems, count=len({problem.row for problem in problems}))


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    """Return the published norms of the data folder."""
    return file_tables(locate(folder, "norms", FILE))


def file_tables(path: Path) -> dict[str, pl.DataFrame]:
    """Return the norms of one file: one rating for each word and part of speech."""
    return {"norms": read_rated(path)}
