"""The ratings of one question, in the forms the parts of an audit work on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from plausibly.measures.coded import Coded, Floats, code

BINS = 5
MANY_ANSWERS = 11
MOST_ANSWERS, PARTS = 24, 10


@dataclass(frozen=True, eq=False)
class RatedQuestion:
    """The ratings of one question, without checks and missing answers.

    Args:
        name: Of the question.
        ratings: item, annotator, answer, and what else the file has (seconds, submitted …).
        scale: nominal, ordinal, interval, or ask where the answers do not decide it.
        reason: Why it is on that scale.
        order: Answers in words from least to most, where that is declared.
        ends: Lowest and highest value of the scale; by default those that occur.
    """

    name: str
    ratings: pl.DataFrame
    scale: str
    reason: str
    order: Sequence[str] = ()
    ends: tuple[float, float] | None = None

    @cached_property
    def coded(self) -> Coded:
        """The ratings as codes."""
        return code(self.ratings)

    @property
    def people_known(self) -> bool:
        """Whether somebody gave two ratings; otherwise ids say nothing about people."""
        return self.coded.n_annotators < self.coded.n_ratings

    @property
    def graded(self) -> bool:
        """Whether answers are more or less of something."""
        return self.scale in ("ordinal", "interval")

    @cached_property
    def numbers(self) -> Coded | None:
        """The ratings with a number for each answer; None for more than two categories."""
        own = self.coded
        if self.graded:
            numbered = self.with_numbers(own)
            return None if numbered.values is None else numbered
        if self.scale == "nominal" and own.n_answers == 2:
            return _numbered(own, np.array([0.0, 1.0]))
        return None

    @property
    def averaged(self) -> str:
        """What the mean of an item is: of two categories, the share of the second."""
        two = not self.graded and self.coded.n_answers == 2
        return f"share of {self.coded.answers[1]!r}" if two else "mean"

    def with_numbers(self, coded: Coded) -> Coded:
        """Return codes of these answers with their places, where an order is declared."""
        if not self.order:
            return coded
        place = {answer: float(rank + 1) for rank, answer in enumerate(self.order)}
        return _numbered(coded, np.array([place[answer] for answer in coded.answers]))

    @cached_property
    def values(self) -> Floats | None:
        """The number of each rating; None for more than two categories."""
        own = self.numbers
        return None if own is None or own.values is None else own.values[own.answer]

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Lowest and highest value of the scale."""
        if self.ends is not None:
            return self.ends
        own = None if self.numbers is None else self.numbers.values
        return (0.0, 1.0) if own is None else (float(own.min()), float(own.max()))

    @property
    def width(self) -> float:
        """How far the ends of the scale are apart."""
        return self.bounds[1] - self.bounds[0]

    @cached_property
    def per_item(self) -> Floats:
        """How many ratings each item has."""
        return np.bincount(self.coded.item, minlength=self.coded.n_items).astype(np.float64)

    @cached_property
    def per_person(self) -> Floats:
        """How many ratings each person gave."""
        own = np.bincount(self.coded.annotator, minlength=self.coded.n_annotators)
        return own.astype(np.float64)

    @cached_property
    def answer_classes(self) -> Coded:
        """The ratings with at most eleven different answers: long scales in five equal parts."""
        own = self.coded
        numbers = self.numbers
        if own.n_answers <= MANY_ANSWERS or numbers is None or numbers.values is None:
            return own
        low, width = self.bounds[0], self.width or 1.0
        place = np.floor((numbers.values - low) / width * BINS).astype(np.int32)
        place = np.clip(place, 0, BINS - 1)
        names = tuple(map(str, range(BINS)))
        return Coded(own.item, own.annotator, place[own.answer], own.items, own.annotators, names)

    @cached_property
    def by_others(self) -> Floats:
        """For each rating the mean of the other ratings of its item; not a number if alone."""
        values = np.zeros(0) if self.values is None else self.values
        item = self.coded.item
        total = np.bincount(item, weights=values, minlength=self.coded.n_items)
        others = self.per_item[item] - 1
        left = total[item] - values
        alone = np.full(len(values), np.nan)
        return np.asarray(np.divide(left, others, out=alone, where=others > 0))


def counted_answers(question: RatedQuestion) -> tuple[str, list[tuple[str, int]]]:
    """Return how often each answer was given; all ratings are counted.

    Of a long scale, each tenth is one entry; of many words, the commonest have one each.
    """
    own, numbers = question.coded, question.numbers
    counts = np.bincount(own.answer, minlength=own.n_answers)
    each = list(zip(own.answers, counts.tolist(), strict=True))
    if own.n_answers <= MOST_ANSWERS:
        return "answers", each
    if numbers is None or numbers.values is None:
        common = sorted(each, key=lambda one: -one[1])
        others = sum(n for _, n in common[MOST_ANSWERS - 1 :])
        return "commonest", [*common[: MOST_ANSWERS - 1], ("all others", others)]
    low, width = question.bounds[0], question.width or 1.0
    places = np.floor((numbers.values - low) / width * PARTS).astype(np.int64)
    parts = np.bincount(np.clip(places, 0, PARTS - 1), weights=counts, minlength=PARTS)
    ends = [f"{low + width * n / PARTS:g}" for n in range(PARTS + 1)]
    names = [f"{ends[n]} to {ends[n + 1]}" for n in range(PARTS)]
    return "parts", list(zip(names, map(int, parts), strict=True))


def _numbered(coded: Coded, numbers: Floats) -> Coded:
    return Coded(
        coded.item,
        coded.annotator,
        coded.answer,
        coded.items,
        coded.annotators,
        coded.answers,
        numbers,
    )
