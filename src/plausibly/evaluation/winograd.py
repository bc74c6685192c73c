"""Winograd questions answered by comparing two scores (Zhang et al. 2019, section 6, Table 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import polars as pl

from plausibly.domain import as_number
from plausibly.errors import TableError, UnknownName, listed
from plausibly.io import read_cells, read_rows, suffix_of

NoAnswer = Literal["equal", "either-missing"]
POLICIES: tuple[NoAnswer, ...] = get_args(NoAnswer)
ANSWERS = ("A", "B")
UNKNOWN = ("", "NA")
SCORES = {
    "question": pl.String(),
    "score_a": pl.Float64(),
    "score_b": pl.Float64(),
    "answer": pl.String(),
}


@dataclass(frozen=True, slots=True)
class Winograd:
    """How many questions were answered right, wrong and not at all.

    >>> result = Winograd(correct=36, wrong=19, none=17)
    >>> round(result.a_p or 0, 3), round(result.a_o or 0, 3)
    (0.655, 0.618)
    """

    correct: int
    wrong: int
    none: int

    @property
    def total(self) -> int:
        """How many questions there are."""
        return self.correct + self.wrong + self.none

    @property
    def a_p(self) -> float | None:
        """The share of right answers among the questions answered; None if none was."""
        answered = self.correct + self.wrong
        return self.correct / answered if answered else None

    @property
    def a_o(self) -> float | None:
        """The share of right answers if an unanswered question is a coin flip."""
        return (self.correct + 0.5 * self.none) / self.total if self.total else None

    def as_json(self) -> dict[str, float | int | None]:
        """Return the result with the keys of `winograd --json`."""
        return {
            "correct": self.correct,
            "wrong": self.wrong,
            "none": self.none,
            "a_p": self.a_p,
            "a_o": self.a_o,
        }


def winograd(scores: pl.DataFrame, *, no_answer: NoAnswer = "equal") -> Winograd:
    """Return how often the candidate with the higher score is the right one.

    Args:
        scores: question, score_a, score_b (null = not known) and answer (A or B).
        no_answer: When there is no answer: on `equal` scores, a score that is not known counting
            as 0 and never winning; or also when `either-missing`, a known score of 0 being the
            released way of writing a missing pair.
    """
    if no_answer not in POLICIES:
        raise UnknownName("policy for no answer", no_answer, POLICIES)
    counts = (
        scores.with_columns(predicted=_predicted(no_answer))
        .select(
            correct=(pl.col("predicted") == pl.col("answer")).sum(),
            wrong=(pl.col("predicted") != pl.col("answer")).sum(),
            none=pl.col("predicted").is_null().sum(),
        )
        .row(0)
    )
    return Winograd(*map(int, counts))


def _predicted(no_answer: NoAnswer) -> pl.Expr:
    """Return A, B or null for each question, from the scores alone."""
    a, b = pl.col("score_a"), pl.col("score_b")
    # An unknown score is 0, but lower than any known score below 0.
    low_a, low_b = a.fill_null(pl.min_horizontal(b, 0.0)), b.fill_null(pl.min_horizontal(a, 0.0))
    by_score = (
        pl.when((low_a > low_b) | (b.is_null() & (a < 0)))
        .then(pl.lit("A"))
        .when((low_b > low_a) | (a.is_null() & (b < 0)))
        .then(pl.lit("B"))
    )
    if no_answer == "equal":
        return by_score
    missing = (a.fill_null(0) == 0) | (b.fill_null(0) == 0)
    return pl.when(~missing).then(by_score)


def read_scores(path: Path) -> pl.DataFrame:
    """Return question, score_a, score_b and answer from a file whose columns go by position.

    The columns are question, score of A, score of B, a label (ignored, and it may be left out)
    and the right answer. A header line is allowed; an empty score or NA is not known.

    Raises:
        TableError: With FILE:LINE for each of the first bad rows, and their number.
    """
    records = [record for record in _records(path) if any(record[1])]
    if records and _is_header(records[0][1]):
        records = records[1:]
    if not records:
        raise TableError(f"{path}: no questions. Expected question, score A, score B, answer.")
    widths = Counter(len(cells) for _, cells in records)
    width = max(widths, key=lambda size: (widths[size], size))
    problems: list[str] = []
    seen: set[str] = set()
    for line, cells in records:
        problem = _problem(cells, width, seen)
        if problem:
            problems.append(f"{path}:{line}: {problem}")
        seen.add(cells[0])
    if problems:
        raise TableError(listed(problems, total=len(problems), noun="bad row"))
    return pl.DataFrame(
        [
            (cells[0], as_number(cells[1]), as_number(cells[2]), cells[-1].upper())
            for _, cells in records
        ],
        schema=SCORES,
        orient="row",
    )


def _records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield each row's line and cells, without the spaces around them."""
    # The published score files end in .txt and hold commas.
    suffix = ".csv" if path.suffix == ".txt" else suffix_of(path)
    if suffix not in (".csv", ".tsv"):
        rows = read_rows(path)
        rows.reject([])
        lines = rows.locate(range(rows.frame.height))
        for line, row in zip(lines, rows.frame.cast(pl.String).iter_rows(), strict=True):
            yield line, [(cell or "").strip() for cell in row]
        return
    yield from read_cells(path)


def _is_header(cells: Sequence[str]) -> bool:
    """Tell whether a first line names columns: neither scores nor an answer stand in it."""
    return (
        len(cells) > 3
        and cells[-1].upper() not in ANSWERS
        and not any(cell in UNKNOWN or as_number(cell) is not None for cell in cells[1:3])
    )


def _problem(cells: Sequence[str], width: int, seen: set[str]) -> str | None:
    """Return what is wrong with a row, or None."""
    if len(cells) not in (4, 5) or len(cells) != width:
        return f"{len(cells)} columns, expected question, score A, score B, (label,) answer"
    if not cells[0]:
        return "no question"
    if cells[0] in seen:
        return f"more than one row for question {cells[0]!r}"
    for name, cell in zip("AB", cells[1:3], strict=True):
        if cell not in UNKNOWN and as_number(cell) is None:
            return f"score {name} {cell!r} is not a number"
    if cells[-1].upper() not in ANSWERS:
        return f"answer {cells[-1]!r} is not A or B"
    return None
