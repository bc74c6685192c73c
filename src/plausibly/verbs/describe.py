"""Means and shares of answers, with intervals for new items and new annotators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import polars as pl

from plausibly.errors import StudyError, UnknownName, option
from plausibly.io.choices import ReadingChoices
from plausibly.io.frames import Source, as_table
from plausibly.measures.contrasts import Contrast, paired_contrasts
from plausibly.measures.crossed import CrossedMean, Rated, crossed_mean, crossed_shares, rated
from plausibly.measures.scales import scale_of
from plausibly.ratings.sources import Ratings, read_ratings, without_checks
from plausibly.study.made import Made, making
from plausibly.study.results import Result, text_table
from plausibly.study.verb import Output, verb
from plausibly.tables import ITEMS

Scale = Literal["nominal", "ordinal", "interval", "text"]
SCALES: tuple[str, ...] = get_args(Scale)
MOST_SHARES = 50  # different answers up to which a nominal question has a row for each
NUMBERS = ("items", "annotators", "ratings", "value", "low", "high")


@dataclass(frozen=True, slots=True)
class DescribedRow:
    """One mean, or the share of one answer, in one cell.

    Args:
        by: From a column to its value in the cell.
        mean: The number with its interval.
        answer: The answer whose share it is; None for a mean.
    """

    by: Mapping[str, str]
    mean: CrossedMean
    answer: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the row as `describe --json` prints it."""
        share = {} if self.answer is None else {"answer": self.answer}
        return {"by": dict(self.by), **share, **self.mean.as_json()}


@dataclass(frozen=True, slots=True)
class Description:
    """What the answers to one question are like.

    Args:
        scale: nominal, ordinal, interval or text.
        reason: Why the question is on that scale.
        rows: Means, or shares of each answer, by cell.
        contrasts: Differences between cells, paired within groups of items.
    """

    scale: str
    reason: str
    rows: tuple[DescribedRow, ...] = ()
    contrasts: tuple[Mapping[str, Any], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the part of `describe --json` about one question."""
        return {
            "scale": self.scale,
            "reason": self.reason,
            "rows": [row.as_json() for row in self.rows],
            "contrasts": [dict(one) for one in self.contrasts],
        }


@dataclass(frozen=True, eq=False, repr=False)
class Described(Result):
    """Means and shares by question and cell.

    Args:
        means: question, answer, one column for each part, then items to high and the method.
        questions: The same by question, with scale and contrasts.
        weigh: What counts once: items or ratings.
        missing: How often each missing answer occurred.
        notes: How the file was read, and what was left out.
        made: How this came about.
    """

    means: pl.DataFrame
    questions: Mapping[str, Description]
    weigh: str
    missing: Mapping[str, int]
    notes: tuple[str, ...] = ()
    made: Made = making()

    def as_json(self) -> dict[str, Any]:
        """Return the document of `describe --json`."""
        left_out = {"missing": dict(self.missing)} if self.missing else {}
        questions = {name: one.as_json() for name, one in self.questions.items()}
        return {"weigh": self.weigh, "questions": questions, **left_out}

    def text(self) -> str:
        """Return the means as a table, then the contrasts."""
        shown = self.means.drop("method", "warning")
        columns = [name for name in shown.columns if shown[name].null_count() < shown.height]
        parts = [text_table(columns, shown.select(columns).iter_rows())]
        header = ("question", "of", "against", "value", "low", "high", "p")
        rows = [
            (name, *(one.get(column) for column in header[1:]))
            for name, description in self.questions.items()
            for one in description.contrasts
        ]
        return "\n".join([*parts, text_table(header, rows)] if rows else parts)

    @property
    def talk(self) -> tuple[str, ...]:
        """Which scale each question is on, and what the intervals are about."""
        scales = [f"{name}: {one.scale} ({one.reason})." for name, one in self.questions.items()]
        cautions = sorted({str(text) for text in self.means["warning"].drop_nulls()})
        once = f"Every {self.weigh.removesuffix('s')} counts once."
        about = "95 % intervals, for new items and new annotators unless a warning says otherwise."
        return (*self.notes, *scales, f"{once} {about}", *(f"Warning: {one}." for one in cautions))


@verb(
    reads={"ratings": "ratings", "items": "items"},
    output=Output("means", help="File for the table of means."),
)
def describe(
    ratings: Ratings,
    *,
    items: Source | None = None,
    by: str | Sequence[str] | None = None,
    question: str | None = None,
    scale: str | Mapping[str, str] | None = None,
    order: str | Sequence[str] | None = None,
    bounds: str | Sequence[float] | None = None,
    weigh: Literal["items", "ratings"] = "items",
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    encoding: str | None = None,
) -> Described:
    """Describe answers: means or shares in every cell, with intervals, and paired contrasts.

    Intervals generalise to new items and new annotators (two-way robust variance, Welch's t);
    with fewer than 5 annotators, to new items only. Shares and scales with ends get their limits
    on the logit scale. Where items come in groups (column item_group), cells of one column are
    also contrasted within groups.

    Args:
        ratings: File or table of ratings.
        items: Items table, for columns such as condition and item_group; its checks are dropped.
        by: Columns that split the ratings into cells, separated by commas.
        question: Describe only this question.
        scale: nominal, ordinal or interval, for all questions or as 'fit=interval,odd=nominal'
            (default: inferred from the answers).
        order: Answers in ascending order, separated by commas, for ordinal questions in words.
        bounds: Least and greatest value of a scale with ends, as '0,100'.
        weigh: What counts once in a mean: every item or every rating.
        format: Format of the file of ratings.
        columns: From our column to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas.
        encoding: Encoding of a text file, such as cp1252 (default: guessed and reported).

    Examples:
        plausibly describe ratings.parquet --items items.parquet --by condition
        plausibly describe answers.csv --bounds 0,100 --json

    >>> table = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": ["a", "b"] * 2,
    ...                       "answer": [1, 2, 3, 4]})
    >>> describe(table).as_json()["questions"]["rating"]["rows"][0]["value"]
    2.5
    """
    imported = read_ratings(
        ratings, format=format, columns=columns, missing=missing, choices=ReadingChoices(encoding)
    )
    known = imported.items if items is None else as_table(items, ITEMS)
    table, checks = without_checks(imported.ratings, known)
    parts = _listed(by)
    table = _with_columns(table, known, parts)
    chosen = _chosen(table, question)
    ends, ranks = _bounds(bounds), _listed(order)
    questions = {
        name: _described(
            table.filter(pl.col("question") == name),
            _wanted_scale(scale, name),
            parts=parts,
            order=ranks,
            bounds=ends,
            weigh=weigh,
        )
        for name in chosen
    }
    left = [f"{checks} ratings of checks are dropped."] if checks else []
    return Described(
        _means(questions, parts),
        questions,
        weigh,
        imported.missing,
        (*imported.notes, *left),
    )


def _listed(names: str | Sequence[str] | None) -> list[str]:
    if names is None:
        return []
    parts = names.split(",") if isinstance(names, str) else names
    return [str(name).strip() for name in parts if str(name).strip()]


def _bounds(bounds: str | Sequence[float] | None) -> tuple[float, float] | None:
    if bounds is None:
        return None
    ends = bounds.split(",") if isinstance(bounds, str) else list(bounds)
    try:
        low, high = map(float, ends)
    except (TypeError, ValueError) as error:
        what = f"{option('bounds')} must be two numbers, as '0,100'; got {bounds!r}."
        raise StudyError(what, parameter="bounds") from error
    return low, high


def _with_columns(
    table: pl.DataFrame, items: pl.DataFrame | None, parts: Sequence[str]
) -> pl.DataFrame:
    """Return the ratings with the columns of their items that are needed."""
    needed = [*parts, "item_group"]
    more = [] if items is None else [n for n in needed if n in items.columns]
    more = [name for name in more if name not in table.columns]
    if items is not None and more:
        table = table.join(items.select("item", *more), on="item", how="left")
    for name in parts:
        if name not in table.columns:
            own = {*table.columns, *(() if items is None else items.columns)}
            raise UnknownName("column", name, own, parameter="by")
    return table


def _chosen(table: pl.DataFrame, question: str | None) -> list[str]:
    names = sorted(table["question"].unique().to_list())
    if question is not None and question not in names:
        raise UnknownName("question", question, names, parameter="question")
    return names if question is None else [question]


def _wanted_scale(scale: str | Mapping[str, str] | None, question: str) -> str | None:
    """Return the scale that was declared for a question, None where none was."""
    if isinstance(scale, str) and "=" in scale:
        pairs = (part.partition("=") for part in _listed(scale))
        scale = {name: one for name, _, one in pairs}
    wanted = scale.get(question) if isinstance(scale, Mapping) else scale
    if wanted is not None and wanted not in SCALES:
        raise UnknownName("scale", str(wanted), SCALES, parameter="scale")
    return wanted


def _described(
    table: pl.DataFrame,
    declared: str | None,
    *,
    parts: Sequence[str],
    order: Sequence[str],
    bounds: tuple[float, float] | None,
    weigh: str,
) -> Description:
    inferred = scale_of(table, order=order)
    name, reason = (declared, "declared") if declared else (inferred.scale, inferred.reason)
    if name == "ask":
        raise StudyError(
            f"question {table['question'][0]!r}: {inferred.reason}. Declare its scale with "
            f"{option('scale')}: nominal, ordinal or interval.",
            parameter="scale",
        )
    if name == "text":
        return Description(name, f"{reason}; texts are not described")
    answers = sorted(table["answer"].drop_nulls().unique().to_list())
    nominal = name == "nominal"
    if nominal and len(answers) > MOST_SHARES:
        return Description(name, f"{reason}; {len(answers)} different answers are not listed")
    place = {answer: float(rank) for rank, answer in enumerate(answers if nominal else order)}
    if not nominal and order:
        place = {answer: rank + 1 for answer, rank in place.items()}
    if place:
        number = pl.col("answer").replace_strict(place, default=None, return_dtype=pl.Float64)
        table = table.with_columns(value=number)
    rows = tuple(_rows(table, parts, answers if nominal else None, bounds=bounds, weigh=weigh))
    contrasts = tuple(_contrasts(table, parts, answers if nominal else None, bounds))
    return Description(name, reason, rows, contrasts)


def _rows(
    table: pl.DataFrame,
    parts: Sequence[str],
    answers: Sequence[str] | None,
    *,
    bounds: tuple[float, float] | None,
    weigh: str,
) -> Iterator[DescribedRow]:
    for by, cell in _cells(table, parts):
        codes = rated(cell)
        if answers is None:
            yield DescribedRow(by, crossed_mean(codes, weigh=weigh, bounds=bounds))
        else:
            for answer, share in crossed_shares(codes, answers=answers, weigh=weigh).items():
                yield DescribedRow(by, share, answer)


def _cells(
    table: pl.DataFrame, parts: Sequence[str]
) -> Iterator[tuple[dict[str, str], pl.DataFrame]]:
    if not parts:
        yield {}, table
        return
    filled = table.with_columns(pl.col(list(parts)).cast(pl.String).fill_null("none"))
    for values, cell in sorted(filled.partition_by(list(parts), as_dict=True).items()):
        yield dict(zip(parts, map(str, values), strict=True)), cell


def _contrasts(
    table: pl.DataFrame,
    parts: Sequence[str],
    answers: Sequence[str] | None,
    bounds: tuple[float, float] | None,
) -> Iterator[Mapping[str, Any]]:
    """Yield the difference of every two cells of one column, paired within groups of items."""
    if len(parts) != 1 or "item_group" not in table.columns:
        return
    known = table.drop_nulls(["value", "item_group", parts[0]])
    names = sorted(known[parts[0]].cast(pl.String).unique().to_list())
    if len(names) < 2:
        return
    cell = known[parts[0]].cast(pl.String).replace_strict(names, range(len(names)))
    condition = cell.cast(pl.Int64).to_numpy()
    codes = rated(known)
    if answers is None:
        yield from _documents(paired_contrasts(codes, condition, names=names, bounds=bounds))
        return
    for code, answer in enumerate(answers):
        share: Rated = replace(codes, value=(codes.value == code).astype(np.float64))
        found = paired_contrasts(share, condition, names=names, bounds=(0.0, 1.0))
        yield from ({"answer": answer, **one} for one in _documents(found))


def _documents(contrasts: Sequence[Contrast]) -> Iterator[dict[str, Any]]:
    return (one.as_json() for one in contrasts)


def _means(questions: Mapping[str, Description], parts: Sequence[str]) -> pl.DataFrame:
    rows = [
        {
            "question": name,
            "answer": row.answer,
            **{part: row.by[part] for part in parts},
            **{number: getattr(row.mean, number) for number in NUMBERS},
            "method": row.mean.method,
            "warning": row.mean.warning or row.mean.reason,
        }
        for name, description in questions.items()
        for row in description.rows
    ]
    text, count, number = pl.String(), pl.Int64(), pl.Float64()
    schema: dict[str, pl.DataType] = {
        "question": text,
        "answer": text,
        **dict.fromkeys(parts, text),
    }
    schema |= dict.fromkeys(NUMBERS[:3], count) | dict.fromkeys(NUMBERS[3:], number)
    return pl.DataFrame(rows, schema={**schema, "method": text, "warning": text})
