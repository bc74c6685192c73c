"""The nouns: one frozen dataclass per thing, in the words of the glossary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from plausibly.errors import StudyError

ANNOTATOR_KIND = "annotator_kind"
"""Column of ratings with the kind of their annotator, where it is not a person."""
ANNOTATOR_CLUSTER = "annotator_cluster"
"""Column of ratings with the model whose samples annotators are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to judge."""

    item: str
    text: str
    condition: str | None = None
    kind: str = "item"
    expected: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotator:
    """One person or system that answers."""

    annotator: str
    kind: str = "person"
    approval: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One answer, by one annotator, to one question about one item."""

    item: str
    annotator: str
    question: str
    answer: str
    value: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """One rating set aside, with the rule that named it and why."""

    item: str
    annotator: str
    question: str
    rule: str
    reason: str
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What the ratings of one item say; a null label is disagreement.

    `distribution` is JSON text, an object from label to probability.
    """

    item: str
    question: str
    method: str
    label: str | None = None
    support: float | None = None
    ratings: int
    distribution: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How often a dependent stood in a relation to a head."""

    relation: str
    head: str
    dependent: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """How often subject, verb and object (lemmas) made one event."""

    subject: str
    verb: str
    object: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A sentence in which two or three words (lemmas) are in a relation.

    `rank` counts from 1; `place` is where the sentence begins in its document, in characters of a
    text and bytes of a parsed corpus.
    """

    relation: str
    head: str
    dependent: str
    object: str | None
    rank: int
    document: str
    sentence: str
    place: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What a model says about one item."""

    item: str
    question: str
    model: str
    label: str | None = None
    score: float | None = None
    distribution: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One number of a report, with its interval and n."""

    metric: str
    slice: str
    model: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with its 95 % interval, or the reason there is none.

    Args:
        value: The number.
        n: How many items (stories, rows) it is about.
        low: Lower limit of the interval.
        high: Upper limit of the interval.
        reason: Why there is no value, or no interval.
        method: How the interval was made.
        annotators: How many people the interval takes as drawn from people like them.
        warning: What to mind when reading the interval.
        counts: What the number is a mean over, and what had to be left out.
    """

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    reason: str | None = None
    method: str | None = None
    annotators: int | None = None
    warning: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, float | int | str | None]:
        """Return the measure in the form every `--json` output uses."""
        document: dict[str, float | int | str | None] = {
            "value": self.value,
            "n": self.n,
            "low": self.low,
            "high": self.high,
        }
        if self.value is None or self.reason is not None:
            document["reason"] = self.reason
        for name in ("method", "annotators", "warning"):
            if getattr(self, name) is not None:
                document[name] = getattr(self, name)
        return {**document, **self.counts}


@dataclass(frozen=True, slots=True)
class LabelScheme:
    """How answers become labels; an answer that maps to nothing is left out.

    Args:
        name: As the command line knows it.
        labels: The labels, in the order of the scale.
        of: From answer to label.
        source: Where the scheme is published.
    """

    name: str
    labels: tuple[str, ...]
    of: Mapping[str, str] = field(default_factory=dict)
    source: str = ""

    def __post_init__(self) -> None:
        strangers = sorted(set(self.of.values()) - set(self.labels))
        if strangers:
            raise StudyError(
                f"scheme {self.name!r} maps to {strangers[0]!r}, which is not among its labels."
            )
        object.__setattr__(self, "of", MappingProxyType(dict(self.of)))


def label_order(labels: Iterable[str]) -> list[str]:
    """Return the labels smallest first: by number if all are numbers, else as text.

    >>> label_order(["10", "9", "1"])
    ['1', '9', '10']
    >>> label_order(["b", "10", "9"])
    ['10', '9', 'b']
    """
    distinct = set(labels)
    numbers = {label: as_number(label) for label in distinct}
    if any(number is None for number in numbers.values()):
        return sorted(distinct)
    return sorted(distinct, key=lambda label: (numbers[label] or 0.0, label))


def as_number(answer: str) -> float | None:
    """Return the finite number an answer stands for, or None.

    >>> as_number("4.5"), as_number("inf"), as_number("1_000")
    (4.5, None, None)
    """
    if "_" in answer:
        return None
    try:
        number = float(answer)
    except ValueError:
        return None
    return number if number - number == 0 else None
