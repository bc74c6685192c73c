"""Means and shares of answers, with intervals for new items and new annotators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.analysis.description import DescribedRow, Description
from plausibly.analysis.figures import Figure
from plausibly.analysis.in_study import arguments, joined, splitting
from plausibly.analysis.item_values import item_values
from plausibly.analysis.members import member_shares, member_values, with_members
from plausibly.analysis.paired import cell_contrasts, cells
from plausibly.analysis.question_figures import question_figure
from plausibly.domain import as_number
from plausibly.errors import StudyError, UnknownName, option
from plausibly.io import make_folder
from plausibly.io.choices import ReadingChoices
from plausibly.io.frames import Source, as_table
from plausibly.measures.crossed import crossed_mean, crossed_shares, rated
from plausibly.measures.early import first_answers
from plausibly.measures.question_facts import QuestionFacts
from plausibly.measures.questions import (
    BEST,
    SET,
    QuestionScale,
    question_scales,
    with_codes,
    without_unsure,
)
from plausibly.ratings.questions import (
    Questions,
    declared_in_tables,
    questions_in,
    study_questions,
)
from plausibly.ratings.sources import Ratings, read_ratings, without_checks
from plausibly.study.made import Made, making
from plausibly.study.results import Result, put_document, put_table, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Output, Places, verb
from plausibly.tables import ITEMS

MOST_SHARES = 50  # different answers up to which a nominal question has a row for each
DOCUMENT, MEANS, ITEM_VALUES = "describe.json", "describe/means.parquet", "describe/items.parquet"
ANSWERED = ("answer", "value")
NUMBERS = ("items", "annotators", "ratings", "value", "low", "high")


@dataclass(frozen=True, eq=False, repr=False)
class Described(Result):
    """Means and shares by question and cell.

    Args:
        means: question, answer, one column for each part, then items to high and the method.
        questions: The same by question, with scale and contrasts.
        weigh: What counts once: items or ratings.
        missing: How often each missing answer occurred.
        notes: How the file was read, and what was left out.
        items: question, item, the parts, answer (null: the mean), its rank, ratings, value.
        made: How this came about.
    """

    means: pl.DataFrame
    questions: Mapping[str, Description]
    weigh: str
    missing: Mapping[str, int]
    notes: tuple[str, ...] = ()
    items: pl.DataFrame = field(default_factory=pl.DataFrame)
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

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Means or shares of every question, over the items they come from."""
        drawn = []
        for name, one in self.questions.items():
            values = self.items.filter(pl.col("question") == name) if self.items.width else None
            if values is not None:
                drawn.append(question_figure(name, name, one.as_json(), values, {})[0])
        return tuple(one for one in drawn if one is not None)

    @property
    def talk(self) -> tuple[str, ...]:
        """Which scale each question is on, and what the intervals are about."""
        scales = [f"{name}: {one.scale} ({one.reason})." for name, one in self.questions.items()]
        cautions = sorted({str(text) for text in self.means["warning"].drop_nulls()})
        once = f"Every {self.weigh.removesuffix('s')} counts once."
        about = "95 % intervals, for new items and new annotators unless a warning says otherwise."
        return (*self.notes, *scales, f"{once} {about}", *(f"Warning: {one}." for one in cautions))


def _in_study(work: Work, places: Places) -> None:
    """Describe every question of a study; one whose scale is not decided has the reason."""
    tables, chosen = arguments(work, places)
    chosen |= study_questions(work)
    known = as_table(tables["items"], ITEMS) if "items" in tables else None
    table, _ = without_checks(joined(read_ratings(tables["ratings"]).ratings, known), known)
    columns, unsplit = splitting(table)
    by, asked = chosen.pop("by", columns), chosen.pop("question", None)
    results: dict[str, Described | str] = {}
    for name in _chosen(table, asked):
        try:
            results[name] = describe(**tables, **chosen, by=by, question=name)
        except StudyError as error:
            error.within("describe")
            results[name] = str(error)
    described = {name: one for name, one in results.items() if isinstance(one, Described)}
    questions = {name: one.questions[name] for name, one in described.items()}
    reasons: dict[str, dict[str, Any]] = {
        name: {"scale": None, "reason": one, "rows": [], "contrasts": []}
        for name, one in results.items()
        if isinstance(one, str)
    }
    missing = next((dict(one.missing) for one in described.values() if one.missing), {})
    document = {
        "weigh": chosen["weigh"],
        "by": _listed(by),
        "unsplit": unsplit if work.parameters.get("by") is None else "",
        "questions": {
            name: reasons[name] if name in reasons else questions[name].as_json()
            for name in results
        },
        **({"missing": missing} if missing else {}),
    }
    make_folder(work.path(MEANS).parent)
    put_document(document, work.path(DOCUMENT))
    put_table("means", _means(questions, _listed(by)), work.path(MEANS))
    put_table("values", _items(questions), work.path(ITEM_VALUES))


@verb(
    reads={"ratings": "ratings", "items": "items"},
    output=Output("means", help="File for the table of means."),
    study=InStudy(
        run=_in_study, outputs=(DOCUMENT, MEANS, ITEM_VALUES), heeds=("form", "questions")
    ),
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
    questions: Questions | str | Path | None = None,
    weigh: Literal["items", "ratings"] = "items",
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    encoding: str | None = None,
) -> Described:
    """Describe answers: means or shares in every cell, with intervals, and paired contrasts.

    Intervals generalise to new items and new annotators (two-way robust variance, Welch's t);
    with fewer than 5 annotators, to new items only. Shares and scales with ends get their limits
    on the logit scale. Where items come in groups (column item_group), cells of the first column
    are also contrasted within groups, in each cell of the other columns. A study describes every
    question by condition and by language, where these vary.

    Args:
        ratings: File or table of ratings.
        items: Items table, for columns such as condition and item_group; its checks are dropped.
        by: Columns that split the ratings into cells, separated by commas.
        question: Describe only this question.
        scale: nominal, ordinal or interval, for all questions or as 'fit=interval,odd=nominal'
            (default: inferred from the answers).
        order: Answers in ascending order, separated by commas, for ordinal questions in words.
        bounds: Least and greatest value of a scale with ends, as '0,100'.
        questions: TOML file, or mapping, with a table for each question: scale, order, bounds,
            unsure (answers that count as missing).
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
    table, early = first_answers(table)
    parts = _listed(by)
    table = _with_columns(table, known, parts)
    chosen, tables = _chosen(table, question), questions_in(questions)
    declared = {
        name: _with_defaults(declared_in_tables(tables).get(name), _listed(order), _bounds(bounds))
        for name in chosen
    }
    scales = question_scales(table, facts=declared, scale=scale)
    asked = table.filter(pl.col("question").is_in(chosen))
    asked, unsure = without_unsure(asked, scales, words=True)
    asked = with_codes(asked, scales)
    described = {
        name: _described(
            asked.filter(pl.col("question") == name), scales[name], parts=parts, weigh=weigh
        )
        for name in chosen
    }
    left = [f"{checks} ratings of checks are dropped."] if checks else []
    return Described(
        _means(described, parts),
        described,
        weigh,
        {**imported.missing, **unsure},
        (*imported.notes, *left, *early),
        _items(described),
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
        if name in ANSWERED:
            what = f"{option('by')} names {name!r}, which is what is described. Name other columns."
            raise StudyError(what, parameter="by")
        if name not in table.columns:
            own = {*table.columns, *(() if items is None else items.columns)}
            raise UnknownName("column", name, own, parameter="by")
    return table


def _chosen(table: pl.DataFrame, question: str | None) -> list[str]:
    names = sorted(table["question"].unique().to_list())
    if question is not None and question not in names:
        raise UnknownName("question", question, names, parameter="question")
    return names if question is None else [question]


def _with_defaults(
    facts: QuestionFacts | None, order: Sequence[str], bounds: tuple[float, float] | None
) -> QuestionFacts:
    """Return what is declared about a question, over what holds for all of them."""
    own = facts or QuestionFacts()
    return replace(own, order=own.order or tuple(order), bounds=own.bounds or bounds)


def _described(
    table: pl.DataFrame, scale: QuestionScale, *, parts: Sequence[str], weigh: str
) -> Description:
    scale.require()
    name, reason, bounds = scale.scale, scale.reason, _ends(scale)
    if name == "text":
        return Description(name, f"{reason}; texts are not described")
    if scale.type in (SET, BEST):
        named, members = with_members(table)
        rows = tuple(_members(named, members, scale.type, parts, weigh))
        return Description(name, reason, rows, (), member_values(named, parts, members, scale.type))
    answers = sorted(table["answer"].drop_nulls().unique().to_list())
    nominal = name == "nominal"
    if nominal and len(answers) > MOST_SHARES:
        return Description(name, f"{reason}; {len(answers)} different answers are not listed")
    if nominal:
        place = {answer: float(rank) for rank, answer in enumerate(answers)}
        number = pl.col("answer").replace_strict(place, default=None, return_dtype=pl.Float64)
        table = table.with_columns(value=number)
    listed = answers if nominal else None
    rows = tuple(_rows(table, parts, listed, bounds=bounds, weigh=weigh))
    contrasts = tuple(cell_contrasts(table, parts, listed, bounds))
    items = item_values(table, parts, mean=not nominal, most_answers=MOST_SHARES)
    return Description(name, reason, rows, contrasts, items)


def _ends(scale: QuestionScale) -> tuple[float, float] | None:
    """Return the ends of a scale: as declared, or the first and last of its ordered answers."""
    if scale.facts.bounds is not None or scale.scale != "ordinal":
        return scale.facts.bounds
    codes = [*(scale.codes or {}).values()]
    numbers = [*codes] if codes else [as_number(one) for one in scale.facts.order]
    known = [number for number in numbers if number is not None]
    whole = len(known) == len(numbers) and len(known) > 1
    return (min(known), max(known)) if whole else None


def _rows(
    table: pl.DataFrame,
    parts: Sequence[str],
    answers: Sequence[str] | None,
    *,
    bounds: tuple[float, float] | None,
    weigh: str,
) -> Iterator[DescribedRow]:
    for by, cell in cells(table, parts):
        codes = rated(cell)
        if answers is None:
            yield DescribedRow(by, crossed_mean(codes, weigh=weigh, bounds=bounds))
        else:
            for answer, share in crossed_shares(codes, answers=answers, weigh=weigh).items():
                yield DescribedRow(by, share, answer)


def _members(
    table: pl.DataFrame, members: Sequence[str], kind: str, parts: Sequence[str], weigh: str
) -> Iterator[DescribedRow]:
    """Yield the share of each option of a set, or of each candidate."""
    for by, cell in cells(table, parts):
        for member, shares in member_shares(cell, members, kind):
            mean = crossed_mean(rated(shares), weigh=weigh, bounds=(0.0, 1.0))
            yield DescribedRow(by, mean, member)


def _items(questions: Mapping[str, Description]) -> pl.DataFrame:
    """Return the items of all questions that are described by numbers."""
    tables = [one.items for one in questions.values() if one.items.width]
    return pl.concat(tables) if tables else pl.DataFrame()


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
