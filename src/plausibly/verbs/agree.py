"""How far annotators agree, every measure with its interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import polars as pl

from plausibly.analysis.figures import Figure, agreement_figure
from plausibly.analysis.report import DRAWN
from plausibly.errors import StudyError, about, option
from plausibly.io.frames import Source, as_table
from plausibly.measures.agreement import (
    JACCARD,
    Agreement,
    MeasureName,
    agreement,
    check_names,
    measure_names,
)
from plausibly.measures.jaccard import Sides, parse_sides
from plausibly.measures.resampling import GROUPS, Resampling
from plausibly.ratings.sources import Ratings, read_ratings, without_checks
from plausibly.study.made import Made, making
from plausibly.study.results import Result, text_table
from plausibly.study.verb import verb
from plausibly.tables import ITEMS


@dataclass(frozen=True, eq=False, repr=False)
class Agreed(Result):
    """How far annotators agree on each question.

    Args:
        questions: By question, every measure with interval and n.
        scores: The same numbers as a table: question, measure, value, low, high, n, reason.
        checks: Ratings of checks that were left out.
        asked: Groups asked for, None for the default.
        missing: How often each word stood where there is no answer.
        notes: How the file was read.
        made: How this came about.
    """

    questions: Mapping[str, Agreement]
    scores: pl.DataFrame
    checks: int = 0
    asked: int | None = None
    missing: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    made: Made = making()

    def as_json(self) -> dict[str, Any]:
        """Return the document of `agree --json`: one question flat, several under `questions`."""
        documents = {question: one.as_json() for question, one in self.questions.items()}
        left_out = {"missing": dict(self.missing)} if self.missing else {}
        if len(documents) > 1:
            return {"questions": documents, **left_out}
        return {**next(iter(documents.values())), **left_out}

    def text(self) -> str:
        """Return the measures as a table for people."""
        header = ("question", "measure", "value", "low", "high", "n", "note")
        own = slice(0 if len(self.questions) > 1 else 1, None)
        return text_table(header[own], [row[own] for row in _rows(self.questions)])

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
        left = f"{self.checks} ratings of checks are left out."
        counted = [f"{q}: {_counted(one, self.asked)}" for q, one in self.questions.items()]
        return (*self.notes, *([left] if self.checks else []), *counted)


def _fitting(chosen: Mapping[str, Any]) -> set[str]:
    """Return the keys of [agree] that mean something next to each other."""
    names = {"separator", "measures", "by", "resample", "resamples", "sides", "seed"}
    measures = chosen.get("measures")
    wanted = measure_names(measures) if isinstance(measures, str) else measures
    if wanted is not None and JACCARD not in wanted:
        names -= {"sides"}
    return names - {"resample", "seed"} if chosen.get("resamples") == 0 else names


@verb(reads={"ratings": "ratings", "items": "items"}, fitting=_fitting, elsewhere=("sides",))
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
    format: str = "long",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> Agreed:
    """Measure how far annotators agree: every measure with its 95 % interval and n.

    A measure without a value shows why. Ratings of checks are left out where the items, or a
    column `kind` of the ratings, tell which they are.

    Args:
        ratings: File or table of ratings.
        items: Items table, whose checks are left out.
        sides: Answers that count as one for soft_jaccard, as '1,2|4,5'; else equal answers.
        separator: Answers are sets with this text between members: adds alpha with MASI.
        measures: Only these measures, as 'a,b' (default: all). Yours, too: a function from ratings
            to a number, or where to import it from (package.module:NAME).
        by: Column of the ratings, such as a survey's: measures are also averaged over its values.
        resample: What intervals take as drawn from more like it (both; items under 6 people).
        resamples: Groups left out in turn (60, fewer on very many ratings); 0 for no intervals.
        seed: How units are put into groups (0).
        format: Form of the file of ratings.
        columns: From our column to the file's, where they differ.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN,
            None and blank ones, between commas.

    Examples:
        plausibly agree answers.csv --sides '1,2|4,5'
        plausibly agree survey.csv --format wide --missing 'not sure' --json

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": ["a", "b"] * 2,
    ...                         "answer": [1, 2, 5, 5]})
    >>> agree(ratings, sides="1,2|4,5", resamples=0).as_json()["soft_jaccard"]["value"]
    1.0
    """
    parsed, wanted = check_request(sides=sides, measures=measures)
    check_drawing(resample=resample, resamples=resamples, seed=seed)
    seed = seed or 0
    imported = read_ratings(ratings, format=format, columns=columns, missing=missing)
    known = imported.items if items is None else as_table(items, ITEMS)
    rated, checks = without_checks(imported.ratings, known)
    questions = agreement(
        rated,
        sides=parsed,
        separator=separator or None,
        measures=wanted,
        by=by,
        resampling=Resampling(resample, resamples, seed),
    )
    return Agreed(
        questions,
        _scores(questions),
        checks,
        resamples,
        missing=imported.missing,
        notes=imported.notes,
    )


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
    """Raise where intervals are left out and yet something is said about how to make them."""
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


def _counted(one: Agreement, asked: int | None) -> str:
    plan = one.resampling
    text = f"{one.ratings} ratings of {one.items} items by {one.annotators} annotators"
    if not plan.resamples:
        return f"{text}; no intervals."
    text += f"; 95 % intervals about {plan.estimand}, {plan.resamples} groups, seed {plan.seed}."
    if asked is None and plan.resamples < GROUPS:
        text += f" So many ratings get fewer than {GROUPS}; --resamples asks for more."
    return text
