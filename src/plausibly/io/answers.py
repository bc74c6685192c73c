"""Turns rows with answers into ratings: counts missing answers and keeps every number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from plausibly.errors import Problem, TableError, option
from plausibly.io.dialect import AMBIGUOUS, COMMAS, two_readings, with_points
from plausibly.io.duplicates import with_retest_items, without_duplicates
from plausibly.io.files import check_rows
from plausibly.io.imported import Imported, values_of
from plausibly.io.labelled import without_labels
from plausibly.io.missing import MISSING, Missing
from plausibly.io.rows import Rows
from plausibly.tables import RATINGS

EMPTY = "empty"
_POINTS = "Write numbers as 1234.5 in the whole column"
# Cells meant as numbers that do not read as one: decimal commas, thousands separators, infinity,
# and dates that a spreadsheet made of a number.
_MEANT = (
    r"(?i)^\s*([+-]?\d+,\d+|[+-]?(inf|infinity|nan)|[+-]?[\d.]+e[+-]?\d+"
    r"|[+-]?\d{1,3}([.,' \x{a0}\x{202f}\x{2019}]\d{3})+([.,]\d+)?"
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ].*)?|\d{1,2}[-. ][a-z]{3}([-. ]\d{2,4})?)\s*$"
)


class NoAnswers(TableError):
    """A file in which nobody answered anything."""


def imported_answers(
    rows: Rows, missing: Missing = MISSING, *, empty: bool = False, column: str | None = None
) -> Imported:
    """Return the ratings of rows that have item, annotator, question and answer.

    Exact copies of a row are dropped and counted.
    Missing answers are left out and counted; items and annotators without any other answer are
    reported as silent. `value` is the number an answer stands for, unless `rows` has that column.

    Args:
        rows: The rows of a file.
        missing: Which answers count as missing.
        empty: Whether to accept a file without ratings.
        column: The column of `rows` that names the file's column each answer came from.

    Raises:
        TableError: With FILE:LINE for each of the first broken rows, and their number.
    """
    rows = _without_blank_rows(rows)
    numeric = ("answer", *_numeric(rows))
    doubtful = [two_readings(rows, name) for name in numeric]
    rows = with_points(rows, numeric)
    frame, labelled = without_labels(_without_words(rows, missing), missing)
    rows = replace(rows, frame=frame)
    marked = missing.marks(rows.frame["answer"])
    codes = missing.codes(rows.frame)
    marked |= codes
    kept = rows.filtered(~marked)
    if "value" not in kept.frame.columns:
        valued = kept.frame.with_columns(value=values_of(kept.frame["answer"]))
        kept = replace(kept, frame=valued)
    kept, left = without_duplicates(kept)
    ambiguous = [
        Problem(row, f"{cells.name} {cells[row]!r} can be read in two ways. {_POINTS}")
        for cells in (
            one.filter(~marked).filter(left) for one in doubtful if one.null_count() < len(one)
        )
        for row in cells.is_not_null().arg_true()
    ]
    ratings = check_rows(kept, RATINGS, also=[*_unreadable(kept.frame, column), *ambiguous])
    words = rows.frame["answer"].filter(marked).fill_null("").str.strip_chars().to_list()
    counts = dict(sorted(Counter(word or EMPTY for word in words).items()))
    if ratings.is_empty() and not empty:
        raise NoAnswers(f"{rows.path}: {_nothing(counts)}")
    silent = rows.frame.filter(marked)
    return Imported(
        ratings,
        silent_items=_only_in(silent, ratings, "item"),
        silent_annotators=_only_in(silent, ratings, "annotator"),
        missing=counts,
        notes=(
            *kept.notes,
            *_labelled(labelled),
            *_missing_note(counts),
            *_coded(rows.frame["answer"].filter(codes)),
            *_doubts(missing.doubtful(ratings)),
        ),
    )


def with_retests(imported: Imported) -> Imported:
    """Return what was read with an items table that has the items judged again, too."""
    if imported.items is None:
        return imported
    return replace(imported, items=with_retest_items(imported.ratings, imported.items))


def merged(path: Path, parts: Sequence[Imported]) -> Imported:
    """Return several files of one source as if they were one file."""
    counts: Counter[str] = Counter()
    for part in parts:
        counts.update(part.missing)
    tables = [part.ratings for part in parts]
    if not any(table.height for table in tables):
        raise TableError(f"{path}: {_nothing(counts)}")
    ratings = pl.concat(tables, how="diagonal")
    items, people = ({*ratings[column].to_list()} for column in ("item", "annotator"))
    return Imported(
        ratings,
        silent_items=tuple(sorted({i for part in parts for i in part.silent_items} - items)),
        silent_annotators=tuple(
            sorted({one for part in parts for one in part.silent_annotators} - people)
        ),
        missing=dict(sorted(counts.items())),
        notes=(*_missing_note(counts), *_doubts(MISSING.doubtful(ratings))),
    )


def _without_blank_rows(rows: Rows) -> Rows:
    """Return the rows without those that name neither item nor annotator and have no answer."""
    blank = rows.frame.select(
        pl.all_horizontal(
            pl.col(c).cast(pl.String).str.strip_chars().fill_null("") == ""
            for c in ("item", "annotator", "answer")
        )
    ).to_series()
    return rows.filtered(~blank) if blank.any() else rows


def _numeric(rows: Rows) -> list[str]:
    kinds = {**RATINGS.optional, **RATINGS.schema}
    return [c for c, dtype in kinds.items() if dtype != pl.String and c in rows.frame.columns]


def _without_words(rows: Rows, missing: Missing) -> pl.DataFrame:
    """Return the rows with missing values of numeric columns set to null."""
    texts = [c for c in _numeric(rows) if rows.frame[c].dtype == pl.String]
    return rows.frame.with_columns(
        pl.when(~missing.marks(rows.frame[column])).then(pl.col(column)).alias(column)
        for column in texts
    )


def _unreadable(frame: pl.DataFrame, column: str | None) -> list[Problem]:
    """Return unreadable answers that were meant as numbers, in questions answered by numbers."""
    meant = frame["answer"].str.contains(_MEANT).fill_null(value=False)
    if not meant.any():
        return []
    marked = frame.select("question", "answer", meant=meant, number=values_of(frame["answer"]))
    odd = pl.col("meant") & pl.col("number").is_null()
    in_numbers = pl.col("number").is_not_null().any() | odd.all()
    places = frame[column] if column else pl.Series(["answer"]).new_from_index(0, frame.height)
    rows = marked.select(odd & in_numbers.over("question")).to_series().arg_true()
    advice = _advice(frame["answer"], frame["answer"].gather(rows))
    return [
        Problem(row, f"{places[row]} {frame['answer'][row]!r} is not a number. {advice}")
        for row in rows
    ]


def _advice(answers: pl.Series, unread: pl.Series) -> str:
    """Return advice on answers that are not numbers; following it makes all of them readable."""
    commas = unread.str.contains(COMMAS).all()
    if commas and not answers.str.contains(AMBIGUOUS).any():
        return f"Write 4.5 for 4,5, or read the file with {option('decimal')} ','"
    if commas:
        return "Write 4.5 for 4,5, and 1234 for 1,234"
    return f"Fix it, or name it in {option('missing')}"


def _only_in(silent: pl.DataFrame, ratings: pl.DataFrame, column: str) -> tuple[str, ...]:
    names = silent.select(pl.col(column).cast(pl.String)).to_series().drop_nulls()
    heard = set(ratings[column].to_list())
    return tuple(sorted(name for name in set(names.to_list()) if name not in heard))


def _nothing(counts: Mapping[str, int]) -> str:
    if not counts:
        return "no ratings, only a header. Is this the right file?"
    shown = ", ".join(f"{word} {count}" for word, count in counts.items())
    return f"no ratings: every answer is missing ({shown}). See {option('missing')}."


def _missing_note(counts: Mapping[str, int]) -> list[str]:
    if not counts:
        return []
    shown = ", ".join(f"{word}: {count}" for word, count in counts.items())
    total = sum(counts.values())
    amount = "1 answer is" if total == 1 else f"{total} answers are"
    return [f"{amount} missing and left out ({shown})."]


def _labelled(numbers: Mapping[str, str]) -> list[str]:
    if not numbers:
        return []
    shown = ", ".join(f"{answer!r} as {number}" for answer, number in numbers.items())
    return [f"Labelled numbers are read as numbers: {shown}."]


def _coded(answers: pl.Series) -> list[str]:
    if answers.is_empty():
        return []
    codes = ", ".join(answers.str.strip_chars().unique().sort())
    return [
        f"{codes} is read as no answer, because all other answers are on a scale of a few points."
    ]


def _doubts(counts: Mapping[str, int]) -> list[str]:
    if not counts:
        return []
    shown = ", ".join(f"{word!r}: {count}" for word, count in counts.items())
    words = ",".join(counts)
    return [f'Kept as answers: {shown}. If they are not answers, treat "{words}" as missing.']
