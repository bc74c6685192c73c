"""How far annotators agree, every measure with its interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.analysis.figures import Figure, agreement_figure
from plausibly.analysis.report import DRAWN
from plausibly.errors import StudyError, UnknownName, about, option
from plausibly.io.choices import ReadingChoices
from plausibly.io.frames import Source, as_items
from plausibly.io.wording import plural
from plausibly.measures.agreement import (
    JACCARD,
    Agreement,
    MeasureName,
    agreement,
    check_names,
    measure_names,
)
from plausibly.measures.early import first_answers
from plausibly.measures.jaccard import Sides, parse_sides
from plausibly.measures.questions import (
    SEPARATOR,
    SET,
    QuestionScale,
    question_scales,
    with_codes,
    without_unsure,
)
from plausibly.measures.resampling import GROUPS, Resampling
from plausibly.ratings.kinds import of_kinds
from plausibly.ratings.questions import (
    Questions,
    declared_in_tables,
    options_in_tables,
    questions_in,
    study_questions,
    with_order,
)
from plausibly.ratings.sources import Ratings, left_out_checks, read_ratings, without_checks
from plausibly.study.results import Result, text_table
from plausibly.study.verb import InStudy, verb


@dataclass(frozen=True, eq=False, repr=False)
class Agreed(Result):
    """How far annotators agree on each question.

    Args:
        questions: By question, every measure with interval and n.
        scores: The same numbers as a table: question, measure, value, low, high, n, reason.
        checks: Ratings of checks that were left out.
        asked: Number of groups requested for intervals; None for the default.
        missing: How often each missing answer occurred.
        notes: How the file was read.
        scales: The scale of each question, and why; texts among them.
    """

    questions: Mapping[str, Agreement]
    scores: pl.DataFrame
    checks: int = 0
    asked: int | None = None
    missing: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    scales: Mapping[str, QuestionScale] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the document of `agree --json`: one question flat, several under `questions`."""
        documents = {
            question: {**one.as_json(), **self._scale(question)}
            for question, one in self.questions.items()
        }
        texts = {name: one.reason for name, one in self.scales.items() if name not in documents}
        left_out = {"missing": dict(self.missing)} if self.missing else {}
        if len(documents) > 1 or texts:
            shown = {"left_out": texts} if texts else {}
            return {"questions": documents, **shown, **left_out}
        return {**next(iter(documents.values())), **left_out}

    def _scale(self, question: str) -> dict[str, Any]:
        """Return the scale of a question and the measure that suits it."""
        scale = self.scales.get(question)
        if scale is None:
            return {}
        measured = scale.headline in self.questions[question].measures
        return {**scale.as_json(), "headline": scale.headline if measured else None}

    def text(self) -> str:
        """Return the measures as a table for people."""
        header = ("question", "measure", "value", "low", "high", "n", "note")
        own = slice(0 if len(self.questions) > 1 else 1, None)
        table = text_table(header[own], [row[own] for row in _rows(self.questions)])
        return f"{table}\n{self._by_part()}" if self.parts is not None else table

    def _by_part(self) -> str:
        parts = self.parts if self.parts is not None else pl.DataFrame()
        shown = parts.drop("question") if len(self.questions) == 1 else parts
        return text_table(shown.columns, shown.iter_rows())

    @cached_property
    def parts(self) -> pl.DataFrame | None:
        """Every part of the ratings that `by` makes, a row each; None without it."""
        rows = [
            {"question": question, column: part, **own}
            for question, one in self.questions.items()
            for column, average in one.averages.items()
            for part, own in average.each.items()
        ]
        return pl.DataFrame(rows, infer_schema_length=None) if rows else None

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Every measure with its interval, for each question."""
        several = len(self.questions) > 1
        drawn = []
        for question, agreed in self.questions.items():
            own = self.scores.filter(pl.col("question") == question).rename({"measure": "name"})
            one = agreement_figure(
                own.to_dicts(), estimand=DRAWN[agreed.resampling.units or "both"]
            )
            if one is not None:
                drawn.append(replace(one, name=f"{one.name}-{question}") if several else one)
        return tuple(drawn)

    @property
    def talk(self) -> tuple[str, ...]:
        """What was counted and resampled."""
        counted = [f"{q}: {_counted(one, self.asked)}" for q, one in self.questions.items()]
        return (*self.notes, *left_out_checks(self.checks), *counted, *self.remarks)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Which measure suits each question, and why; which are texts."""
        return tuple(
            f"{name}: {_headline(one, self.questions.get(name))}"
            for name, one in self.scales.items()
        )


OF_A_QUESTION = ("measures", "separator")


def _fitting(chosen: Mapping[str, Any]) -> set[str]:
    """Return the keys of [agree] that mean something next to each other."""
    names = {"separator", "measures", "by", "resample", "resamples", "sides", "seed", "questions"}
    names.add("kinds")
    measures = chosen.get("measures")
    wanted = measure_names(measures) if isinstance(measures, str) else measures
    if wanted is not None and JACCARD not in wanted:
        names -= {"sides"}
    return names - {"resample", "seed"} if chosen.get("resamples") == 0 else names


@verb(
    reads={"ratings": "ratings", "items": "items"},
    fitting=_fitting,
    elsewhere=("sides",),
    unset=("scale", "order"),
    study=InStudy(supplies=study_questions, heeds=("form", "questions")),
)
def agree(
    ratings: Ratings,
    *,
    items: Source | None = None,
    sides: str | None = None,
    separator: str | None = None,
    measures: str | Sequence[str | Callable[..., float]] | None = None,
    by: str | None = None,
    resample: Literal["items", "annotators", "both"] | None = None,
    resamples: int | None = None,
    seed: int | None = None,
    scale: str | Mapping[str, str] | None = None,
    order: str | Sequence[str] | None = None,
    questions: Questions | str | Path | None = None,
    kinds: str | None = None,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    encoding: str | None = None,
) -> Agreed:
    """Measure how far annotators agree: every measure with its 95 % interval and n.

    The headline is Krippendorff's alpha for the scale of each question, with MASI for sets; texts
    are left out. A measure without a value shows why. Ratings of checks are left out if the items,
    or a column `kind` of the ratings, mark them.

    Args:
        ratings: File or table of ratings.
        items: Items table; the check items in it are left out.
        sides: Answers that count as equal for soft_jaccard, as '1,2|4,5' (default: only the same
            answer).
        separator: Text between the members of answers that are sets; adds alpha with MASI.
        measures: Only these measures, as 'a,b' (default: all). You can add your own: a function
            from ratings to a number, or where to import it from (package.module:NAME).
        by: Column of the ratings or the items, such as relation or survey: agreement, mean and time
            are also reported for each of its values, and measures are averaged over them. With
            annotator, the agreement of a person is the mean over all pairs with that person.
        resample: What intervals generalise to: new items, new annotators, or both (default: both,
            or only items if there are fewer than 6 annotators).
        resamples: Number of groups of items or annotators, each left out once to compute intervals
            (default: 60, fewer for very many ratings); 0 for no intervals.
        seed: Seed for dividing units into groups (default: 0).
        scale: nominal, ordinal, interval or text, for all questions or as 'fit=interval,odd=text'
            (default: inferred from the answers).
        order: Answers in ascending order, separated by commas, for ordinal questions in words.
        questions: TOML file, or mapping, with a table for each question: scale, order, sides,
            separator, measures, unsure (answers that count as missing).
        kinds: Kinds of annotators whose ratings count, as person,model, or all (default: all but
            model). The samples of one model count as one annotator next to others.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN,
            None and blank ones, separated by commas.
        encoding: Encoding of a text file, such as cp1252 (default: guessed and reported).

    Examples:
        plausibly agree answers.csv --sides '1,2|4,5'
        plausibly agree ratings.parquet --items items.parquet --by relation

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": ["a", "b"] * 2,
    ...                         "answer": [1, 2, 5, 5]})
    >>> agree(ratings, sides="1,2|4,5", resamples=0).as_json()["soft_jaccard"]["value"]
    1.0
    """
    parsed, wanted = check_request(sides=sides, measures=measures)
    check_drawing(resample=resample, resamples=resamples, seed=seed)
    seed = seed or 0
    imported = read_ratings(
        ratings, format=format, columns=columns, missing=missing, choices=ReadingChoices(encoding)
    )
    imported, whose = of_kinds(imported, kinds)
    if whose.only is not None:  # samples of one model are one cluster: only items are drawn
        resample = "items"
    known = imported.items if items is None else as_items(items)
    rated, checks = without_checks(imported.ratings, known)
    rated, early = first_answers(rated)
    rated = _with_column(rated, known, by)
    tables = with_order(questions_in(questions), order, rated)
    scales = question_scales(rated, facts=declared_in_tables(tables), scale=scale)
    rated, unsure = without_unsure(with_codes(rated, scales), scales)
    asked = _asked(scales, tables, sides=parsed, separator=separator, measures=wanted)
    plan = Resampling(resample, resamples, seed)
    measured: dict[str, Agreement] = {}
    for name, chosen in asked.items():
        own = rated if len(scales) == 1 else rated.filter(pl.col("question") == name)
        measured |= agreement(own, by=by, resampling=plan, **chosen)
    if not measured:
        measured = agreement(rated)  # raises: there are no ratings
    return Agreed(
        measured,
        _scores(measured),
        checks,
        resamples,
        missing={**imported.missing, **unsure},
        notes=(*imported.notes, *early),
        scales=scales,
    )


def _with_column(
    ratings: pl.DataFrame, items: pl.DataFrame | None, column: str | None
) -> pl.DataFrame:
    """Return the ratings with a column of their items, where only those have it."""
    if column is None or column in ratings.columns:
        return ratings
    if items is None or column not in items.columns:
        known = [*ratings.columns, *(items.columns if items is not None else [])]
        raise UnknownName("column", column, list(dict.fromkeys(known)), parameter="by")
    named = items.select("item", pl.col(column).cast(pl.String))
    return ratings.join(named, on="item", how="left", maintain_order="left")


def _asked(
    scales: Mapping[str, QuestionScale], tables: Questions, **common: Any
) -> dict[str, dict[str, Any]]:
    """Return what is asked about each question that is not a text."""
    own = options_in_tables(tables)
    stranger = next((name for name in own if name not in scales), None)
    if stranger is not None:
        raise UnknownName("question", stranger, scales, parameter="questions")
    judged = {
        name: one
        for name, one in scales.items()
        if one.scale != "text" or (len(scales) == 1 and one.source == "inferred")
    }
    if scales and not judged:
        raise StudyError(
            "agreement cannot be measured: all questions are answered in free text.",
            parameter="scale",
        )
    return {name: _about(one, own.get(name, {}), common) for name, one in judged.items()}


def _about(
    scale: QuestionScale, own: Mapping[str, Any], common: Mapping[str, Any]
) -> dict[str, Any]:
    for name in own:
        if name not in OF_A_QUESTION:
            raise UnknownName(f"option of {scale.question}", name, OF_A_QUESTION)
    asked = dict(common)
    sides, measures = check_request(sides=scale.facts.sides, measures=own.get("measures"))
    asked |= {"sides": sides} if sides else {}
    asked |= {"measures": measures} if measures else {}
    separator = own.get("separator") or asked["separator"]
    usual = SEPARATOR if scale.type == SET else None
    return {**asked, "separator": separator or usual}


def check_request(
    *, sides: str | None, measures: str | Sequence[str | Callable[..., float]] | None
) -> tuple[Sides | None, list[MeasureName] | None]:
    """Return the sides and the names of measures asked for; raise if either cannot be read."""
    names = measure_names(measures) if isinstance(measures, str) else measures
    wanted: list[MeasureName] | None = None if names is None else list(names)
    with about("sides"):
        parsed = parse_sides(sides) if sides else None
    if parsed is not None and wanted is not None and JACCARD not in wanted:
        raise StudyError(
            f"{option('sides')} belongs to {JACCARD}, which is not among the measures. "
            f"Add it, or leave out {option('sides')}.",
            parameter="sides",
        )
    with about("measures"):
        return parsed, None if wanted is None else check_names(wanted)


def check_drawing(*, resample: str | None, resamples: int | None, seed: int | None) -> None:
    """Raise if intervals are left out and yet something is said about how to make them."""
    if resamples != 0:
        return
    for name, value in (("resample", resample), ("seed", seed)):
        if value is not None:
            raise StudyError(
                f"{option(name)} is about intervals, and resamples = 0 leaves them out. "
                f"Leave out {option(name)}, or {option('resamples')}.",
                parameter=name,
            )


def _scores(questions: Mapping[str, Agreement]) -> pl.DataFrame:
    rows = [
        {
            "question": question,
            "measure": name,
            "value": measure.value,
            "low": measure.low,
            "high": measure.high,
            "n": measure.n,
            "reason": measure.reason,
        }
        for question, one in questions.items()
        for name, measure in one.measures.items()
    ]
    number, text = pl.Float64(), pl.String()
    kinds = {"question": text, "measure": text, "value": number, "low": number, "high": number}
    return pl.DataFrame(rows, schema={**kinds, "n": pl.Int64(), "reason": text})


def _rows(questions: Mapping[str, Agreement]) -> Iterator[tuple[object, ...]]:
    for question, one in questions.items():
        for name, measure in one.measures.items():
            facts = [f"{key.replace('_', ' ')}: {count}" for key, count in measure.counts.items()]
            note = "; ".join([measure.reason] if measure.reason else facts)
            yield question, name, measure.value, measure.low, measure.high, measure.n, note


def _headline(scale: QuestionScale, measured: Agreement | None) -> str:
    """Return which measure suits a question, as a sentence."""
    if measured is None:
        return f"a text, left out ({scale.reason})."
    if scale.headline is None:
        return f"no headline measure until its scale is declared ({scale.reason})."
    if scale.headline not in measured.measures:
        return f"{scale.scale} ({scale.reason}); {scale.headline} was not asked for."
    return f"{scale.scale} ({scale.reason}), so the headline is {scale.headline}."


def _counted(one: Agreement, asked: int | None) -> str:
    plan = one.resampling
    text = f"{plural(one.ratings, 'rating')} of {plural(one.items, 'item')} by "
    text += plural(one.annotators, "annotator")
    if not plan.resamples:
        return f"{text}; no intervals."
    for_whom = plan.estimand.replace(", ", " and ")
    text += f"; 95 % intervals for {for_whom} ({plan.resamples} groups, seed {plan.seed})."
    if asked is None and plan.resamples < GROUPS:
        text += f" With so many ratings, fewer than {GROUPS} groups are used; "
        text += "--resamples sets their number."
    return text
