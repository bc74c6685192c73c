"""What models answered next to what people answered, who come first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from plausibly.errors import StudyError
from plausibly.evaluation.people import sentence_by_sentence
from plausibly.io.frames import Source, as_table
from plausibly.measures.alternative_annotator import (
    EPSILON,
    FEWEST,
    AlternativeAnnotator,
    GenuinePeople,
    alternative_annotator,
    genuine_people,
)
from plausibly.measures.model_agreement import model_agreement, model_correlation
from plausibly.measures.raters_worth import RatersWorth, raters_worth
from plausibly.ratings.sources import Ratings, read_ratings, without_checks
from plausibly.study.made import Made, making
from plausibly.study.results import Result, text_table
from plausibly.tables import PREDICTIONS
from plausibly.verbs.evaluate._labels import RESAMPLES


@dataclass(frozen=True, slots=True)
class ModelWithPeople:
    """One model next to people: agreement, the test, and how many people it is worth.

    `person` is what the test concludes about people, each in turn treated as the model, on the
    items the model answered.

    A model without a readable answer has none of these, and `reason` says so.
    """

    model: str
    question: str
    agreement: Mapping[str, float | int | None]
    test: AlternativeAnnotator
    worth: RatersWorth | None
    person: GenuinePeople
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the model's part of `evaluate --ratings --json`."""
        return {
            "model": self.model,
            "question": self.question,
            "agreement": dict(self.agreement),
            "alternative_annotator": self.test.as_json(),
            "genuine_person": self.person.as_json(),
            "worth": None if self.worth is None else self.worth.as_json(),
            "reason": self.reason,
        }


@dataclass(frozen=True, eq=False, repr=False)
class EvaluatedWithPeople(Result):
    """Every model next to people.

    Args:
        models: One entry per model and question.
        people: The test's numbers for each person: model, question, annotator and the rest.
        graded: Whether answers were compared as numbers.
        epsilon: How much less often a model may be as near to the others as a person.
        fewest: Items a person needed to be in the test.
        named: Whether the ratings say who gave them.
        made: How this came about.
    """

    models: tuple[ModelWithPeople, ...]
    people: pl.DataFrame
    graded: bool
    epsilon: float = EPSILON
    fewest: int = FEWEST
    named: bool = True
    made: Made = making()

    def as_json(self) -> dict[str, Any]:
        """Return the document of `evaluate --ratings --json`."""
        return {"graded": self.graded, "models": [one.as_json() for one in self.models]}

    def text(self) -> str:
        """Return a line per model and question."""
        header = (
            *("model", "question", "with people", "among people"),
            *("winning rate", "a person's", "raters"),
        )
        rows = [
            (
                one.model,
                one.question,
                one.agreement["with_people"],
                one.agreement["among_people"],
                one.test.winning_rate,
                one.person.winning_rate,
                None if one.worth is None else _raters(one.worth),
            )
            for one in self.models
        ]
        return text_table(header, rows)

    @property
    def talk(self) -> tuple[str, ...]:
        """What the columns mean, and who was left out."""
        what = (
            "Pearson's r with the mean of other people" if self.graded else "share of equal answers"
        )
        notes = [
            f"agreement: {what}. winning rate: share of people the model is an alternative to "
            f"(epsilon {self.epsilon}, Benjamini-Yekutieli at .05)."
        ]
        notes += _of_people(self.models)
        if not self.named:
            notes.append(
                "The ratings do not say who gave them: no test, and no raters to weigh by."
            )
        notes += [
            f"{one.model}, {one.question}: {one.reason}." for one in self.models if one.reason
        ]
        lacking = max((one.test.left_out for one in self.models), default=0)
        if lacking and self.named:
            few = f"fewer than {self.fewest} items with others"
            notes.append(f"{lacking} people judged {few}; left out.")
        return (*notes, "A model is not a person: labels stay what people said.")


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


def _raters(worth: RatersWorth) -> str | None:
    if worth.model is None:
        return None
    if worth.raters == 0:
        return "under 1"
    return f"over {len(worth.means)}" if worth.raters is None else str(worth.raters)


def evaluate_ratings(
    predictions: Source,
    *,
    ratings: Ratings,
    graded: bool = False,
    epsilon: float = EPSILON,
    fewest: int = FEWEST,
    resamples: int = RESAMPLES,
    seed: int = 0,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> EvaluatedWithPeople:
    """Put models next to people: agreement, alternative-annotator test, raters a model is worth.

    Every model of the predictions stands by itself; nothing is put together with people's ratings.
    A conflict of GITA is compared sentence by sentence.
    """
    imported = read_ratings(ratings, format=format, columns=columns, missing=missing)
    rated, _ = without_checks(imported.ratings, imported.items)
    table = as_table(predictions, PREDICTIONS)
    people = rated.select(
        "item", "annotator", "question", answer=pl.col("value") if graded else pl.col("answer")
    )
    sentences = {"conflict_sentence", "breakpoint"}
    if sentences <= set(people["question"].unique()) and not sentences & set(table["question"]):
        table = table if graded else sentence_by_sentence(table)
    said = table.select(
        "item", "question", "model", answer=pl.col("score") if graded else pl.col("label")
    )
    named = people["annotator"].n_unique() < people.height
    models: list[ModelWithPeople] = []
    tested: dict[tuple[str, frozenset[str]], GenuinePeople] = {}
    limits: dict[str, Any] = {"graded": graded, "epsilon": epsilon, "fewest": fewest}
    for model, question in said.select("model", "question").unique().sort(pl.all()).iter_rows():
        chosen = {"question": question}
        theirs = people.filter(**chosen).drop("question")
        own = said.filter(pl.col("model") == model, **chosen).select("item", "answer")
        common = own.join(theirs, on="item", how="semi")
        if common.is_empty():
            continue
        agreed = model_correlation(theirs, own) if graded else model_agreement(theirs, own)
        test = alternative_annotator(theirs, own, **limits)
        answered = own.drop_nulls("answer")
        key = question, frozenset(answered["item"])
        if key not in tested:
            tested[key] = genuine_people(theirs.join(answered, on="item", how="semi"), **limits)
        weighed = graded and named
        worth = raters_worth(theirs, own, resamples=resamples, seed=seed) if weighed else None
        reason = _without_answer(common["answer"])
        models.append(ModelWithPeople(model, question, agreed, test, worth, tested[key], reason))
    if not models:
        raise StudyError(_apart(people, said))
    each = [
        one.test.people.select(
            pl.lit(one.model).alias("model"), pl.lit(one.question).alias("question"), pl.all()
        )
        for one in models
    ]
    return EvaluatedWithPeople(tuple(models), pl.concat(each), graded, epsilon, fewest, named)


def _without_answer(answers: pl.Series) -> str | None:
    """Return why a model has no numbers: every answer is null."""
    return None if answers.count() else f"no readable answer: {len(answers)} unread"


def _apart(people: pl.DataFrame, said: pl.DataFrame) -> str:
    """Return what people and models do not share."""
    theirs = sorted(people["question"].unique().to_list())
    own = sorted(said["question"].unique().to_list())
    if not set(theirs) & set(own):
        return (
            f"predictions: questions {', '.join(own)}; the ratings have {', '.join(theirs)}. "
            "Name the question of the ratings as the predictions do."
        )
    return "predictions: no item with an answer that people judged, too. Are the item names alike?"
