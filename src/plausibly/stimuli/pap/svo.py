"""The triples PAP is built from: reading, checking, and columns that mark triples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import make_dataclass
from pathlib import Path

import polars as pl

from plausibly.errors import Problem, TableError
from plausibly.io import check_rows, read_rows
from plausibly.tables import SVO, Table

# Values of a column that marks triples, in upper or lower case; an empty cell marks nothing.
YES = ("1", "1.0", "true", "yes")
NO = ("0", "0.0", "false", "no", "")
CORPUS = "corpus"
BY_CORPUS = Table(
    "svo",
    make_dataclass("TripleOfCorpus", [(CORPUS, str)], bases=(SVO.row,), frozen=True, kw_only=True),
    key=(*SVO.key, CORPUS),
)
"""Triples counted in several corpora, as `counts merge` writes them."""

_ANSWERS = {**dict.fromkeys(YES, True), **dict.fromkeys(NO, False)}


def read_svo(path: Path, *, marks: Sequence[str] = ()) -> pl.DataFrame:
    """Return the triples of a file, sorted by key; counts of several corpora are added up.

    Args:
        path: The file; its suffix determines its type.
        marks: Columns that mark triples to leave out.

    Raises:
        TableError: With FILE:LINE for each of the first rows that cannot be used: a count that
            is not a whole number above 0, a mark that is neither yes nor no, or a broken contract.
    """
    rows = read_rows(path)
    if rows.frame.is_empty() or not set(SVO.schema) <= set(rows.frame.columns):
        check_rows(rows, SVO)
        raise TableError(f"{path}: no triples. Expected rows of subject, verb, object and count.")
    _require(rows.frame, marks, place=str(path))
    problems = _problems(rows.frame, marks)
    if problems:
        # Counts are checked here already, so the contract must not report a row again.
        rest = SVO.arrange(rows.frame.with_columns(count=pl.lit(1, dtype=pl.Int64)))
        problems += SVO.problems(rest, most=rest.height) if SVO.count_problems(rest) else []
        problems += [Problem(row, "no count") for row in rows.frame["count"].is_null().arg_true()]
        rows.reject(problems, count=len({problem.row for problem in problems}))
    return added_up(check_rows(rows, BY_CORPUS)) if _several(rows.frame) else check_rows(rows, SVO)


def _several(triples: pl.DataFrame) -> bool:
    """Return whether triples occur more than once and rows name their corpus."""
    keyed = {CORPUS, *SVO.key} <= set(triples.columns)
    return keyed and bool(triples.select(SVO.key).is_duplicated().any())


def added_up(triples: pl.DataFrame) -> pl.DataFrame:
    """Return every triple once, with its count over all corpora and their names.

    >>> triple = {"subject": "dog", "verb": "eat", "object": "bone"}
    >>> news, wiki = {"count": 2, "corpus": "news"}, {"count": 3, "corpus": "wiki"}
    >>> added_up(pl.DataFrame([triple | news, triple | wiki])).row(0)
    ('dog', 'eat', 'bone', 5, 'news, wiki')
    """
    others = [name for name in triples.columns if name not in (*SVO.key, CORPUS)]
    whole = [name for name in others if triples.schema[name].is_integer()]
    sums = triples.group_by(SVO.key).agg(
        *(pl.col(name).sum() if name in whole else pl.col(name).first() for name in others),
        pl.col(CORPUS).sort().unique(maintain_order=True).str.join(", "),
    )
    return SVO.sort(sums.select(triples.columns))


def checked_svo(svo: pl.DataFrame, *, marks: Sequence[str] = ()) -> pl.DataFrame:
    """Return a table of triples sorted by key; raise as `read_svo` does, naming the row."""
    _require(svo, marks, place="svo")
    problems = sorted(_problems(svo, marks)) if "count" in svo.columns else []
    if problems:
        count = len({problem.row for problem in problems})
        raise TableError(
            f"svo: {count} of {svo.height} rows cannot be used "
            f"(first: row {problems[0].row + 1}: {problems[0].message})."
        )
    return added_up(BY_CORPUS.check(svo)) if _several(svo) else SVO.sort(SVO.check(svo))


def marked(values: pl.Series) -> pl.Series:
    """Return which triples a column marks, null if a cell is neither yes nor no.

    >>> marked(pl.Series(["Yes", "0", None, "maybe"])).to_list()
    [True, False, False, None]
    """
    texts = values.cast(pl.String).fill_null("").str.strip_chars().str.to_lowercase()
    return texts.replace_strict(_ANSWERS, default=None, return_dtype=pl.Boolean)


def left_out(triples: pl.DataFrame, column: str) -> pl.Series:
    """Return which triples to leave out: those a column marks, or with all occurrences counted.

    `extract` counts how many of a triple's occurrences are negated, modal, questions or have a
    particle; a triple is left out only if all are. A column of 0 and 1, or yes and no, marks.

    >>> counts = pl.DataFrame({"count": [3, 3, 2], "negated": [3, 1, 0]})
    >>> left_out(counts, "negated").to_list()
    [True, False, False]
    """
    if _counts(triples, column):
        return (triples[column] >= triples["count"]).fill_null(False)
    return marked(triples[column]).fill_null(False)


def _counts(triples: pl.DataFrame, column: str) -> bool:
    values = triples[column]
    return values.dtype.is_integer() and bool((values > 1).any()) and bool((values >= 0).all())


def _require(triples: pl.DataFrame, marks: Sequence[str], *, place: str) -> None:
    missing = [column for column in marks if column not in triples.columns]
    if missing:
        raise TableError(
            f"{place}: no column {missing[0]!r} that marks triples to leave out. "
            f"Columns found: {', '.join(triples.columns)}. Triples counted by 'plausibly extract' "
            "have negated, modal, question and particle; others may mark them with 1 and 0."
        )


def _plainly(value: object) -> object:
    return value.to_list() if isinstance(value, pl.Series) else value


def _problems(triples: pl.DataFrame, marks: Sequence[str]) -> list[Problem]:
    """Return every invalid count and mark; the contract reports missing counts."""
    given = triples["count"]
    good = given.is_null()
    if given.dtype.is_numeric() or given.dtype == pl.String:
        whole = given.cast(pl.Int64, strict=False)
        same = whole.cast(pl.Float64) == given.cast(pl.Float64, strict=False)
        good |= (same & (whole >= 1)).fill_null(False)
    found = [
        Problem(row, f"count {_plainly(given[row])!r} is not a whole number above 0")
        for row in (~good).arg_true()
    ]
    for column in marks:
        if _counts(triples, column):
            continue
        odd = marked(triples[column]).is_null()
        found += [
            Problem(row, f"{column} {triples[column][row]!r} is neither yes nor no. Use 1 or 0")
            for row in odd.arg_true()
        ]
    return found
