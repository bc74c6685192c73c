"""One model next to people: every way in which it was asked, and the mean over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from plausibly.measures.alternative_annotator import AlternativeAnnotator, GenuinePeople
from plausibly.measures.model_agreement import AgreementSums, mean_interval
from plausibly.measures.raters_worth import RatersWorth


@dataclass(frozen=True, slots=True)
class ModelWithPeople:
    """One model next to people: agreement, the test, and how many people it is worth.

    `person` is what the test concludes about people, each in turn treated as the model, on the
    items the model answered.

    If no answer is readable, or agreement is undefined, `reason` gives the cause. `asked` is the
    model of which this is one way of asking; `unread` counts its answers that could not be read,
    `tied` the items about which it gave two answers equally often.
    """

    model: str
    question: str
    agreement: Mapping[str, float | int | None]
    test: AlternativeAnnotator
    worth: RatersWorth | None
    person: GenuinePeople
    reason: str | None = None
    asked: str = ""
    unread: int = 0
    graded: bool = False
    tied: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the model's part of `evaluate --ratings --json`."""
        return {
            "model": self.model,
            "asked": self.asked or self.model,
            "question": self.question,
            "unread": self.unread,
            "tied": self.tied,
            "graded": self.graded,
            "agreement": dict(self.agreement),
            "alternative_annotator": self.test.as_json(),
            "genuine_person": self.person.as_json(),
            "worth": None if self.worth is None else self.worth.as_json(),
            "reason": self.reason,
        }


WAYS_HEADER = (
    *("mean over ways", "question", "ways", "with people", "95 % interval", "lowest", "highest"),
    *("among people", "chance", "unread"),
)


@dataclass(frozen=True, slots=True)
class MeanOverWays:
    """The agreement of a model with people, as the mean over the ways in which it was asked.

    Args:
        model: The model.
        question: What it was asked.
        number: Ways of asking: wordings, examples.
        levels: The agreement of every way that has one.
        low: Of the 95 % interval of their mean; the same items are drawn for all ways.
        high: Of the same.
        people: The levels of people and of chance, on the items of the way with the most answers.
        unread: Answers that could not be read, in all ways.
        graded: Whether answers were compared as numbers.
        reason: Why there is no agreement.
    """

    model: str
    question: str
    number: int
    levels: tuple[float, ...]
    low: float | None
    high: float | None
    people: Mapping[str, float | int | None]
    unread: int
    graded: bool
    reason: str | None = None

    @property
    def mean(self) -> float | None:
        """Return the mean over ways."""
        return fmean(self.levels) if self.levels else None

    def as_json(self) -> dict[str, Any]:
        """Return the mean and its spread."""
        kept = ("among_people", "among_people_low", "among_people_high", "chance", "items")
        return {
            "model": self.model,
            "question": self.question,
            "ways": self.number,
            "ways_defined": len(self.levels),
            "with_people": self.mean,
            "with_people_low": self.low,
            "with_people_high": self.high,
            "sd": stdev(self.levels) if len(self.levels) > 1 else None,
            "lowest": min(self.levels, default=None),
            "highest": max(self.levels, default=None),
            **{name: self.people.get(name) for name in kept},
            "unread": self.unread,
            "graded": self.graded,
            "reason": self.reason,
        }

    @property
    def _counted(self) -> int | str:
        """Return how many ways the mean is over, out of all if some have no agreement."""
        known = len(self.levels)
        return self.number if known in (0, self.number) else f"{known} of {self.number}"

    @property
    def row(self) -> tuple[object, ...]:
        """Return the line of the table for people."""
        found = self.as_json()
        return (
            *(self.model, self.question, self._counted, self.mean, span_of(found, "with_people")),
            *(found["lowest"], found["highest"], found["among_people"], found["chance"]),
            self.unread,
        )


def span_of(found: Mapping[str, float | int | None], name: str) -> str | None:
    low, high = found.get(f"{name}_low"), found.get(f"{name}_high")
    return None if low is None or high is None else f"{low:.2f} to {high:.2f}"


def over_ways(
    key: tuple[str, str],
    models: list[ModelWithPeople],
    sums: list[AgreementSums],
    drawn: Mapping[str, int],
) -> MeanOverWays:
    """Return the mean of all ways in which a model was asked a question."""
    own = [one for one in models if (one.asked, one.question) == key]
    known = [one for one in own if one.agreement["with_people"] is not None]
    levels = [float(one.agreement["with_people"] or 0.0) for one in known]
    pairs = zip(own, sums, strict=True)
    defined = [table for one, table in pairs if one.agreement["with_people"] is not None]
    low, high = mean_interval(defined, **drawn) if levels else (None, None)
    largest = max(own, key=lambda one: one.agreement["items"] or 0)
    return MeanOverWays(
        *key,
        number=len(own),
        levels=tuple(levels),
        low=low,
        high=high,
        people=largest.agreement,
        unread=sum(one.unread for one in own),
        graded=largest.graded,
        reason=None if levels else own[0].reason,
    )
