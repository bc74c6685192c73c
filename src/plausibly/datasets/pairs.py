"""Pairs of a head and a dependent in a relation, as SP-10K's files and people's own have them."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.datasets.headers import spelt
from plausibly.datasets.items import is_items, judged_items
from plausibly.datasets.sp10k import FREQUENT_PER_HEAD, PER_HEAD, RELATIONS
from plausibly.domain import as_number
from plausibly.errors import Problem, TableError, listed, option
from plausibly.io import read_bytes, read_cells, read_rows, suffix_of
from plausibly.io.cells import separator_of
from plausibly.io.decoding import as_utf8

WORDS = ("relation", "head", "dependent")
SOURCES = ("frequent", "random")
_SCHEMA = {**dict.fromkeys(WORDS, pl.String()), "score": pl.Float64(), "source": pl.String()}


def read_pair_table(path: Path, *, relation: str | None = None) -> pl.DataFrame:
    """Return relation, head, dependent, score and source (both null if the file has none).

    Items of a study have their name next to it, in a column `item`.

    Args:
        path: A table with a header; a file without one, of two or three columns; or a folder of
            such files named after their relations.
        relation: The relation of all pairs of a file without header; its name says it otherwise.

    Raises:
        TableError: With FILE:LINE for each of the first bad rows.
    """
    if path.is_dir():
        files = [path / f"{name}.tsv" for name in RELATIONS if (path / f"{name}.tsv").is_file()]
        if not files:
            raise TableError(
                f"{path}: no file of a relation in this folder ({', '.join(RELATIONS)}.tsv)."
            )
        return pl.concat([read_pair_table(file) for file in files])
    if suffix_of(path) in (".csv", ".tsv") and not _has_header(path):
        pairs = _headerless(path, relation or _named(path)).with_columns(_halves())
    else:
        pairs = _with_header(path, relation)
    if pairs.is_empty():
        raise TableError(f"{path}: no pairs in it. Expected relation, head, dependent.")
    return pairs


def _has_header(path: Path) -> bool:
    first = next((cells for _, cells in _cells(path) if any(cells)), [])
    if not first:
        raise TableError(f"{path}: the file is empty. Expected pairs.")
    return {"head", "dependent"} <= {cell.casefold() for cell in first}


def _cells(path: Path) -> list[tuple[int, list[str]]]:
    """Return line and cells of every record, whatever sign stands between cells."""
    content = as_utf8(path, read_bytes(path))
    usual = "\t" if suffix_of(path) == ".tsv" else ","
    return read_cells(path, separator=separator_of(content, usual), content=content)


def relation_named(path: Path) -> str | None:
    """Return the relation that the name of a file states, if any.

    >>> relation_named(Path("dobj_annotation.tsv")), relation_named(Path("mine.tsv"))
    ('dobj', None)
    """
    name = path.name.partition(".")[0].removesuffix("_annotation")
    return name if name in RELATIONS else None


def _named(path: Path) -> str:
    name = relation_named(path)
    if name is None:
        raise TableError(
            f"{path}: the relation of the pairs is not named. Pass {option('relation')}, or a "
            "header line relation, head, dependent."
        )
    return name


def _headerless(path: Path, relation: str) -> pl.DataFrame:
    rows: list[tuple[str, str, str, float | None, None]] = []
    problems: list[str] = []
    for line, cells in _cells(path):
        if not any(cells):
            continue
        score = as_number(cells[2]) if len(cells) == 3 else None
        if len(cells) not in (2, 3) or not all(cells[:2]) or (len(cells) == 3 and score is None):
            problems.append(f"{path}:{line}: not a head, a dependent (and a score)")
        else:
            rows.append((relation, cells[0], cells[1], score, None))
    if problems:
        raise TableError(listed(problems, total=len(problems), noun="bad row"))
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _with_header(path: Path, relation: str | None) -> pl.DataFrame:
    rows = judged_items(spelt(read_rows(path), (*WORDS, "score")))
    frame = rows.frame
    if "relation" not in frame.columns and relation is not None:
        frame = frame.with_columns(relation=pl.lit(relation))
    missing = [name for name in WORDS if name not in frame.columns]
    if missing:
        raise TableError(
            f"{path}: no column {missing[0]!r}. Expected relation, head, dependent. "
            f"Columns found: {', '.join(rows.frame.columns)}."
        )
    text = frame.select(pl.col(WORDS).cast(pl.String))
    problems = [
        Problem(row, f"no {name}") for name in WORDS for row in text[name].is_null().arg_true()
    ]
    score = frame["score"] if "score" in frame.columns else pl.Series([None] * frame.height)
    number = score.cast(pl.Float64, strict=False)
    bad = score.is_not_null() & (number.is_null() | ~number.is_finite())
    problems += [Problem(row, f"score {score[row]!r} is not a number") for row in bad.arg_true()]
    rows.reject(problems, count=len({problem.row for problem in problems}))
    pairs = text.with_columns(score=number, source=_source(frame))
    return pairs.with_columns(frame["item"].cast(pl.String)) if is_items(frame) else pairs


def _source(frame: pl.DataFrame) -> pl.Series:
    """Return which half each pair is of, where its table says so: in `source`, or as condition."""
    if "source" in frame.columns:
        return frame["source"].cast(pl.String)
    if is_items(frame) and "condition" in frame.columns:
        halves = frame["condition"].cast(pl.String)
        return pl.select(pl.when(halves.is_in(SOURCES)).then(halves)).to_series()
    return pl.Series([None] * frame.height, dtype=pl.String)


def _halves() -> pl.Expr:
    """Return which half a pair is of: SP-10K has heads of four pairs, two of each half."""
    of_head = pl.len().over("relation", "head")
    place = pl.int_range(pl.len()).over("relation", "head")
    row = pl.int_range(pl.len()).over("relation")
    whole = (of_head.eq(PER_HEAD) & (row % PER_HEAD).eq(place)).all()
    half = pl.when(place < FREQUENT_PER_HEAD).then(pl.lit(SOURCES[0])).otherwise(pl.lit(SOURCES[1]))
    return pl.when(whole).then(half).alias("source")
