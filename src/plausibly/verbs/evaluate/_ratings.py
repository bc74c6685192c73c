"""What models answered next to what people answered, who come first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import StudyError
from plausibly.evaluation.people import sentence_by_sentence
from plausibly.evaluation.report import WHOLE
from plausibly.io.frames import Source, as_table
from plausibly.io.predicted import predictions_table
from plausibly.measures.alternative_annotator import (
    EPSILON,
    FEWEST,
    GenuinePeople,
    alternative_annotator,
    genuine_people,
)
from plausibly.measures.departures import said_by_item
from plausibly.measures.model_agreement import (
    AgreementSums,
    agreement_sums,
    model_agreement,
    model_correlation,
)
from plausibly.measures.question_facts import QuestionFacts
from plausibly.measures.questions import question_scales
from plausibly.measures.raters_worth import raters_worth, worth_of_shares
from plausibly.ratings.kinds import of_kinds
from plausibly.ratings.questions import (
    Questions,
    declared_in_tables,
    facts_of_study,
    questions_in,
)
from plausibly.ratings.sources import Ratings, read_ratings, without_checks
from plausibly.study.results import Result, text_table
from plausibly.study.settings import FILE
from plausibly.tables import ITEMS, SCORES
from plausibly.verbs.evaluate._departures import (
    ModelDepartures,
    departure_notes,
    departure_tables,
    model_departures,
)
from plausibly.verbs.evaluate._labels import RESAMPLES
from plausibly.verbs.evaluate._ways import (
    WAYS_HEADER,
    MeanOverWays,
    ModelWithPeople,
    over_ways,
    span_of,
)

MOST_ANSWERS = 11
"""A question with more different numbers for answers is compared by them."""


@dataclass(frozen=True, eq=False, repr=False)
class EvaluatedWithPeople(Result):
    """Every model next to people.

    Args:
        models: One entry per way of asking a model, and question.
        ways: One entry per model and question: the mean over ways of asking, and its spread.
        people: The test's numbers for each person: model, question, annotator and the rest.
        graded: Whether answers to all questions were compared as numbers.
        epsilon: Margin of the alternative-annotator test.
        fewest: Items a person needed to be in the test.
        named: Whether the ratings say who gave them.
        departures: One entry per model and question: where it departs from people.
    """

    models: tuple[ModelWithPeople, ...]
    ways: tuple[MeanOverWays, ...]
    people: pl.DataFrame
    graded: bool
    epsilon: float = EPSILON
    fewest: int = FEWEST
    named: bool = True
    departures: tuple[ModelDepartures, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the document of `evaluate --ratings --json`."""
        return {
            "graded": self.graded,
            "ways": [one.as_json() for one in self.ways],
            "models": [one.as_json() for one in self.models],
            "departures": [one.as_json() for one in self.departures],
        }

    @property
    def kept_scores(self) -> pl.DataFrame:
        """The agreement with people of every way of asking, as a study keeps scores."""
        rows = [
            {
                "metric": "r_with_people" if one.graded else "agreement_with_people",
                "slice": f"{one.question}/{WHOLE}" if several else WHOLE,
                "model": one.model,
                "value": one.agreement["with_people"],
                "low": one.agreement.get("with_people_low"),
                "high": one.agreement.get("with_people_high"),
                "n": one.agreement["items"],
            }
            for several in [len({one.question for one in self.models}) > 1]
            for one in self.models
        ]
        return SCORES.check(pl.DataFrame(rows, schema_overrides={"n": pl.Int64}))

    def text(self) -> str:
        """Return the mean over ways of asking, every way, then where models depart from people."""
        header = (
            *("model", "question", "with people", "95 % interval", "among people", "chance"),
            *("winning rate", "a person's", "raters", "unread"),
        )
        rows = [
            (
                one.model,
                one.question,
                one.agreement["with_people"],
                span_of(one.agreement, "with_people"),
                one.agreement["among_people"],
                one.agreement["chance"],
                one.test.winning_rate,
                one.person.winning_rate,
                None if one.worth is None else one.worth.words,
                one.unread,
            )
            for one in self.models
        ]
        tables = [text_table(header, rows), *departure_tables(self.departures)]
        if any(one.number > 1 for one in self.ways):
            tables.insert(0, text_table(WAYS_HEADER, [one.row for one in self.ways]))
        return "\n".join(tables)

    @property
    def talk(self) -> tuple[str, ...]:
        """What the columns mean, and who was left out."""
        notes = [_measured(self.models)]
        notes.append(
            "intervals are for new items. chance: always giving people's commonest answer, 0 for "
            f"r. winning rate: share of people the model is an alternative to (epsilon "
            f"{self.epsilon}, Benjamini-Yekutieli at .05)."
        )
        notes += _of_people(self.models)
        if not self.named:
            notes.append(
                "The ratings do not show who gave them, so there is no test, and no number of "
                "raters a model is worth."
            )
        notes += [
            f"{one.model}, {one.question}: {one.reason}." for one in self.models if one.reason
        ]
        notes += [
            f"{one.model}, {one.question}: two answers were given equally often about {one.tied} "
            "of the items, which do not count in the agreement."
            for one in self.models
            if one.tied
        ]
        notes += departure_notes(self.departures)
        lacking = max((one.test.left_out for one in self.models), default=0)
        if lacking and self.named:
            few = f"fewer than {self.fewest} items with others"
            notes.append(f"{lacking} people judged {few}; left out.")
        return (*notes, "A model is not a person: labels stay what people said.")


def _measured(models: tuple[ModelWithPeople, ...]) -> str:
    """Return how agreement is measured, by question where that differs."""
    numbers, words = "Pearson's r with the mean of other people", "share of equal answers"
    graded = dict.fromkeys(one.question for one in models if one.graded)
    if len({one.graded for one in models}) == 1:
        return f"agreement: {numbers if graded else words}."
    return f"agreement: {words}; for {', '.join(graded)}, {numbers}."


def _of_people(models: tuple[ModelWithPeople, ...]) -> list[str]:
    """Return what the test concludes about a model and about people, one sentence per model."""
    notes = []
    for one in models:
        person = one.person
        if one.test.passed is None or person.winning_rate is None:
            continue
        verdict = "passes" if one.test.passed else "fails"
        notes.append(
            f"{one.model}, {one.question}: the model {verdict} the test; of {person.tested} "
            f"people, each in turn treated as the model, {person.passed} "
            f"{'passes' if person.passed == 1 else 'pass'} (mean winning rate "
            f"{person.winning_rate:.2f})."
        )
    return notes


def evaluate_ratings(
    predictions: Source,
    *,
    ratings: Ratings,
    items: Source | None = None,
    graded: bool = False,
    epsilon: float = EPSILON,
    fewest: int = FEWEST,
    resamples: int = RESAMPLES,
    seed: int = 0,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    questions: Questions | str | Path | None = None,
    facts: Mapping[str, QuestionFacts] | None = None,
) -> EvaluatedWithPeople:
    """Put models next to people: agreement, alternative-annotator test, raters a model is worth.

    Every model of the predictions stands by itself; nothing is put together with people's ratings.
    A conflict of GITA is compared sentence by sentence. Questions on an interval scale, as a study
    declares it in `facts` or as answers show it, are compared as numbers.
    """
    if facts is None and isinstance(ratings, str | Path) and (Path(ratings) / FILE).is_file():
        facts = facts_of_study(Path(ratings))
    facts = {**(facts or {}), **declared_in_tables(questions_in(questions))}
    imported = read_ratings(ratings, format=format, columns=columns, missing=missing)
    imported, _ = of_kinds(imported, None)
    known = imported.items if items is None else as_table(items, ITEMS)
    rated, _ = without_checks(imported.ratings, known)
    people = rated.select("item", "annotator", "question", "answer", "value")
    scales = question_scales(people, facts=facts)
    asked_of = [name for name, one in scales.items() if one.scale != "text"]
    table = predictions_table(predictions, asked_of)
    sentences = {"conflict_sentence", "breakpoint"}
    if sentences <= set(people["question"].unique()) and not sentences & set(table["question"]):
        table = table if graded else sentence_by_sentence(table)
    asked = pl.col("asked" if "asked" in table.columns else "model").alias("asked")
    said = table.select("item", "question", "model", "label", "score", "distribution", asked)
    named = people["annotator"].n_unique() < people.height
    limits: dict[str, Any] = {"epsilon": epsilon, "fewest": fewest}
    drawn: dict[str, Any] = {"resamples": resamples, "seed": seed}
    sliders = {name for name, one in scales.items() if one.scale == "interval"}
    test = _NextToPeople(people, said, sliders, graded, named, limits=limits, drawn=drawn)
    each_way = said.select("model", "question", asked).unique().sort(pl.all())
    compared = [test.of(*way) for way in each_way.iter_rows()]
    models = [one for one, _ in filter(None, compared)]
    if not models:
        raise StudyError(unshared(people, said))
    each = [
        one.test.people.select(
            pl.lit(one.model).alias("model"), pl.lit(one.question).alias("question"), pl.all()
        )
        for one in models
    ]
    sums: dict[tuple[str, str], list[AgreementSums]] = {}
    for one, own in filter(None, compared):
        sums.setdefault((one.asked, one.question), []).append(own)
    ways = tuple(over_ways(key, models, own, drawn) for key, own in sorted(sums.items()))
    tables = (tuple(models), ways, pl.concat(each))
    kinds = {(one.model, one.question): one.graded for one in ways}
    apart = model_departures(rated, known, said, kinds)
    return EvaluatedWithPeople(*tables, graded, epsilon, fewest, named, apart)


@dataclass
class _NextToPeople:
    """Puts one way of asking after the other next to people."""

    people: pl.DataFrame
    said: pl.DataFrame
    sliders: set[str]
    graded: bool
    named: bool
    limits: Mapping[str, Any]
    drawn: Mapping[str, Any]
    tested: dict[tuple[str, frozenset[str]], GenuinePeople] = field(default_factory=dict)

    def of(
        self, model: str, question: str, asked: str
    ) -> tuple[ModelWithPeople, AgreementSums] | None:
        """Return a way of asking next to people; None if they share no item."""
        theirs = self.people.filter(question=question).drop("question")
        own = self.said.filter(pl.col("model") == model, question=question)
        graded = self.graded or _has_grades(theirs, own, slider=question in self.sliders)
        theirs = theirs.select("item", "annotator", answer="value" if graded else "answer")
        spread = {} if graded else said_by_item(own, graded=False)
        kept = ("score",) if graded else ("label", "distribution")
        read = pl.any_horizontal(pl.col(*kept).is_not_null())
        own = own.select("item", answer="score" if graded else "label", read=read)
        common = own.join(theirs, on="item", how="semi")
        own = own.drop("read")
        if common.is_empty():
            return None
        unread = common.height - int(common["read"].sum())
        agreed = (model_correlation if graded else model_agreement)(theirs, own, **self.drawn)
        shares = {item: one.shares for item, one in spread.items()}
        worth = None
        if self.named and graded:
            worth = raters_worth(theirs, own, **self.drawn)
        elif self.named:
            worth = worth_of_shares(theirs, shares, **self.drawn)
        compared = ModelWithPeople(
            model,
            question,
            agreed,
            alternative_annotator(theirs, own, graded=graded, **self.limits),
            worth,
            self._people(theirs, own, question, graded=graded),
            _undefined(common["answer"], unread, agreed),
            asked,
            unread,
            graded,
            common["answer"].null_count() - unread,
        )
        return compared, agreement_sums(theirs, own, graded=graded)

    def _people(
        self, theirs: pl.DataFrame, own: pl.DataFrame, question: str, *, graded: bool
    ) -> GenuinePeople:
        answered = own.drop_nulls("answer")
        key = question, frozenset(answered["item"])
        if key not in self.tested:
            shared = theirs.join(answered, on="item", how="semi")
            self.tested[key] = genuine_people(shared, graded=graded, **self.limits)
        return self.tested[key]


def _has_grades(people: pl.DataFrame, said: pl.DataFrame, *, slider: bool) -> bool:
    """Return whether answers are numbers on an interval scale, or too many to be options.

    They also are if the model gives scores only, and no answers.
    """
    numbers = people["value"]
    known = not numbers.null_count() and bool(said["score"].count())
    alone = not said["label"].count() and not said["distribution"].count()  # nothing but scores
    return known and (slider or alone or numbers.n_unique() > MOST_ANSWERS)


def _undefined(
    answers: pl.Series, unread: int, agreed: Mapping[str, float | int | None]
) -> str | None:
    """Return why there is no agreement with people: nothing was read, or nothing varies."""
    if not answers.count():
        tied = len(answers) - unread
        return (
            f"no answer given most often: {unread} unread, {tied} tied"
            if tied
            else (f"no readable answer: {unread} unread")
        )
    if agreed["with_people"] is not None:
        return None
    if answers.count() > 1 and answers.drop_nulls().n_unique() == 1:
        return "the same answer about every item, so there is no correlation"
    return "too few items, or people who do not differ, so there is no correlation"


def unshared(people: pl.DataFrame, said: pl.DataFrame) -> str:
    """Return what people and models do not share."""
    theirs = sorted(people["question"].unique().to_list())
    own = sorted(said["question"].unique().to_list())
    if not set(theirs) & set(own):
        return (
            f"predictions: questions {', '.join(own)}; the ratings have {', '.join(theirs)}. "
            "Name the question of the ratings as the predictions do."
        )
    return "predictions: no predicted item was judged by people. Do both use the same item names?"
