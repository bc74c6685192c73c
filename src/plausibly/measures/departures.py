"""Where a model departs from people: cell by cell, and on the items it is most certain about.

A difference is what the model says less what people say, the mean over items. Its interval is that
of `crossed`, for new items and new annotators: the model's answer about an item is subtracted from
each rating of it. A model that was asked in several ways has the mean over them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
import polars as pl
from scipy.special import stdtrit

from plausibly.domain import as_number
from plausibly.measures.crossed import CrossedMean, crossed_mean, rated
from plausibly.measures.proportion import proportion

MOST_ITEMS = 10
MOST_ANSWERS = 11
"""A question with more different answers has no differences by answer."""
CERTAIN = 0.75
"""Items above this quantile of certainty are those a model is most certain about."""
SHARE = (0.0, 1.0)
UNKNOWN = (
    "how certain the model is about an item is not known: it gave one answer and no probabilities"
)
ALIKE = "the model is equally certain about all items"
TOO_MANY = "people gave {} different answers, too many to compare one by one"

Shares = Mapping[str, float]
_LEAST, _GREATEST = pl.col("answer").min(), pl.col("answer").max()


@dataclass(frozen=True, slots=True)
class Said:
    """What a model says about an item, over all ways of asking.

    Args:
        shares: From an answer to its probability, or how often it was given; empty for numbers.
        number: The mean of its numbers; None for answers in words.
        certainty: The largest share; for numbers, the standard deviation below 0. None if it
            was asked in one way, once, and gave no probabilities.
    """

    shares: Shares
    number: float | None = None
    certainty: float | None = None

    @property
    def answer(self) -> str | None:
        """The answer with the largest share; None if two have it."""
        best = max(self.shares.values(), default=0.0)
        first = [name for name, share in self.shares.items() if share >= best - 1e-12]
        return first[0] if len(first) == 1 else None


@dataclass(frozen=True, slots=True)
class Departure:
    """The model less people, in one cell.

    Args:
        by: From a column to its value; empty for all items.
        answer: The answer whose share differs; None for means.
        model: Mean of what the model says.
        people: Mean of what people say.
        gap: Their difference, with its interval.
    """

    by: Mapping[str, str]
    answer: str | None
    model: float
    people: float
    gap: CrossedMean

    def as_json(self) -> dict[str, Any]:
        """Return the row as `evaluate --ratings --json` prints it."""
        gap = self.gap.as_json()
        difference = gap.pop("value")
        about = {"by": dict(self.by), "answer": self.answer}
        return {**about, "model": self.model, "people": self.people, "difference": difference} | gap


@dataclass(frozen=True, slots=True)
class CertainPart:
    """How near people are to the model on a part of the items, by how certain it is.

    Args:
        part: "most certain" or "others".
        near: Share of people's answers that are the model's; for numbers, their mean distance.
    """

    part: str
    near: CrossedMean

    def as_json(self) -> dict[str, Any]:
        """Return the row as `evaluate --ratings --json` prints it."""
        return {"part": self.part, **self.near.as_json()}


@dataclass(frozen=True, slots=True)
class DepartingItem:
    """An item on which people disagree with the model.

    Args:
        item: The item.
        said: What the model says.
        certainty: How certain it is; None if that is not known.
        people: Share of people who give its answer; for numbers, their mean.
        low: Lower limit of the 95 % interval of that, for new annotators.
        high: Upper limit.
        instead: What most people say, where answers are words.
        ratings: How many people rated it.
    """

    item: str
    said: str
    certainty: float | None
    people: float
    low: float | None
    high: float | None
    instead: str | None
    ratings: int

    def as_json(self) -> dict[str, Any]:
        """Return the row as `evaluate --ratings --json` prints it."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Departures:
    """Where a model departs from people.

    Args:
        cells: All items first, then cell by cell.
        certain: Items the model is most certain about, and the others.
        items: Items on which people disagree with it, the most certain first.
        disagreed: How many such items there are.
        reason: Why there are no numbers by certainty, or no cells.
    """

    cells: tuple[Departure, ...] = ()
    certain: tuple[CertainPart, ...] = ()
    items: tuple[DepartingItem, ...] = ()
    disagreed: int = 0
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the entry `departures` of `evaluate --ratings --json`."""
        return {
            "cells": [one.as_json() for one in self.cells],
            "certain": [one.as_json() for one in self.certain],
            "items": [one.as_json() for one in self.items],
            "disagreed": self.disagreed,
            "reason": self.reason,
        }


def said_by_item(predictions: pl.DataFrame, *, graded: bool) -> dict[str, Said]:
    """Return what a model says about each item, over all ways of asking.

    Args:
        predictions: item, label, score and distribution of one model about one question.
        graded: Whether answers are numbers.

    >>> rows = pl.DataFrame({"item": ["x", "x"], "label": ["no", "yes"], "score": [None, None],
    ...                      "distribution": [None, '{"no": 0.2, "yes": 0.8}']})
    >>> said_by_item(rows, graded=False)["x"].shares
    {'no': 0.6, 'yes': 0.4}
    """
    own: dict[str, list[Mapping[str, Any]]] = {}
    for row in predictions.select("item", "label", "score", "distribution").iter_rows(named=True):
        if row["label"] is not None or row["score"] is not None:
            own.setdefault(row["item"], []).append(row)
    each = {item: (_number(rows) if graded else _shares(rows)) for item, rows in own.items()}
    return {item: said for item, said in each.items() if said is not None}


def _shares(rows: Sequence[Mapping[str, Any]]) -> Said | None:
    known = [row for row in rows if row["label"] is not None or row["distribution"] is not None]
    spread = [_distribution(row) or {str(row["label"]): 1.0} for row in known]
    if not spread:
        return None
    names = sorted({name for one in spread for name in one})
    shares = {name: sum(one.get(name, 0.0) for one in spread) / len(spread) for name in names}
    weighed = len(spread) > 1 or any(row["distribution"] is not None for row in known)
    return Said(shares, certainty=max(shares.values()) if weighed else None)


def _number(rows: Sequence[Mapping[str, Any]]) -> Said | None:
    means, squares, weighed = [], [], len(rows) > 1
    for row in rows:
        numbers = {as_number(name): share for name, share in _distribution(row).items()}
        spread = {one: share for one, share in numbers.items() if one is not None}
        total = sum(spread.values())
        if spread and len(spread) == len(numbers) and total > 0:
            mean = sum(one * share for one, share in spread.items()) / total
            square = sum(one * one * share for one, share in spread.items()) / total
            weighed = True
            if row["score"] is not None:
                square += row["score"] ** 2 - mean**2
                mean = row["score"]
        elif row["score"] is not None:
            mean, square = row["score"], row["score"] ** 2
        else:
            continue
        means.append(mean)
        squares.append(square)
    if not means:
        return None
    mean = sum(means) / len(means)
    spread_out = sqrt(max(sum(squares) / len(squares) - mean**2, 0.0))
    return Said({}, mean, -spread_out if weighed else None)


def _distribution(row: Mapping[str, Any]) -> dict[str, float]:
    text = row["distribution"]
    return {} if text is None else {str(k): float(v) for k, v in json.loads(text).items()}


def departures(people: pl.DataFrame, said: Mapping[str, Said], by: Sequence[str]) -> Departures:
    """Return where a model departs from the people who judged the same items.

    Args:
        people: item, annotator, answer (numbers where the model says numbers), the columns of the
            cells as texts and, where items come in groups, item_group.
        said: From an item to what the model says about it.
        by: The columns of the cells.

    >>> people = pl.DataFrame({"item": ["x", "x", "y", "y"], "annotator": list("abab"),
    ...                        "answer": [1.0, 3.0, 4.0, 4.0]})
    >>> far = departures(people, {"x": Said({}, 5.0), "y": Said({}, 4.0)}, [])
    >>> far.cells[0].gap.value, [one.item for one in far.items]
    (1.5, [])
    """
    judged = people.drop_nulls("answer").filter(pl.col("item").is_in(list(said)))
    if judged.is_empty():
        return Departures()
    graded = next(iter(said.values())).number is not None
    cells, reason = _cells(judged, said, by, graded=graded)
    certain, why = _by_certainty(judged, said, graded=graded)
    items = _numbered(judged, said) if graded else _worded(judged, said)
    items.sort(key=lambda one: -(one.certainty or 0.0))
    reasons = [one for one in (reason, why) if one]
    return Departures(
        cells, certain, tuple(items[:MOST_ITEMS]), len(items), "; ".join(reasons) or None
    )


def _cells(
    judged: pl.DataFrame, said: Mapping[str, Said], by: Sequence[str], *, graded: bool
) -> tuple[tuple[Departure, ...], str | None]:
    answers: list[str | None] = [None]
    if not graded:
        known = {str(one) for one in judged["answer"].unique()}
        known |= {name for one in said.values() for name in one.shares}
        if len(known) > MOST_ANSWERS:
            return (), TOO_MANY.format(len(known))
        answers = list(sorted(known)[-1:] if len(known) <= 2 else sorted(known))
    parts = [({}, judged), *_parts(judged, by)]
    widest = _widest(judged, said) if graded else None
    return tuple(
        _departure(own, said, cell, one, widest=widest) for cell, own in parts for one in answers
    ), None


def _parts(
    judged: pl.DataFrame, by: Sequence[str]
) -> Iterator[tuple[dict[str, str], pl.DataFrame]]:
    if not by:
        return
    filled = judged.with_columns(pl.col(name).fill_null("none") for name in by)
    for key, own in sorted(filled.partition_by(*by, as_dict=True).items()):
        yield dict(zip(by, map(str, key), strict=True)), own


def _departure(
    judged: pl.DataFrame,
    said: Mapping[str, Said],
    by: Mapping[str, str],
    answer: str | None,
    *,
    widest: float | None,
) -> Departure:
    items = judged["item"].unique(maintain_order=True).to_list()
    model = {item: _amount(said[item], answer) for item in items}
    own = pl.col("answer") if answer is None else (pl.col("answer") == answer).cast(pl.Float64)
    table = judged.with_columns(said=pl.col("item").replace_strict(model), people=own)
    means = table.group_by("item").agg(pl.col("people").mean())["people"]
    apart = rated(table.with_columns(value=pl.col("said") - pl.col("people")))
    gap = crossed_mean(apart, bounds=None if answer is None else (-1.0, 1.0))
    gap = gap if widest is None else _within(gap, -widest, widest)
    people = float(np.mean(means.to_numpy()))
    return Departure(by, answer, sum(model.values()) / len(model), people, gap)


def _amount(said: Said, answer: str | None) -> float:
    if answer is not None:
        return said.shares.get(answer, 0.0)
    return said.number or 0.0


def _by_certainty(
    judged: pl.DataFrame, said: Mapping[str, Said], *, graded: bool
) -> tuple[tuple[CertainPart, ...], str | None]:
    items = judged["item"].unique().to_list()
    known = {item: said[item].certainty for item in items}
    certainty = [one for one in known.values() if one is not None]
    if len(certainty) < len(items):
        return (), UNKNOWN
    bound = float(np.quantile(certainty, CERTAIN))
    sure = [item for item, one in known.items() if one is not None and one >= bound]
    if len(sure) == len(items):
        return (), ALIKE
    if graded:
        numbers = {item: said[item].number for item in items}
        value = (pl.col("answer") - pl.col("item").replace_strict(numbers)).abs()
    else:
        words = {item: said[item].answer for item in items}
        own = pl.col("item").replace_strict(words, return_dtype=pl.String)
        value = (pl.col("answer") == own).fill_null(value=False).cast(pl.Float64)
    table = judged.with_columns(value=value)
    parts = (("most certain", pl.col("item").is_in(sure)), ("others", ~pl.col("item").is_in(sure)))
    bounds = None if graded else SHARE
    nearness = {
        name: crossed_mean(rated(table.filter(chosen)), bounds=bounds) for name, chosen in parts
    }
    if graded:
        widest = _widest(judged, said)
        nearness = {name: _within(one, 0.0, widest) for name, one in nearness.items()}
    return tuple(CertainPart(name, near) for name, near in nearness.items()), None


def _widest(judged: pl.DataFrame, said: Mapping[str, Said]) -> float:
    """Return the distance between the least and the greatest number of anybody, or of the model."""
    least, greatest = (float(one) for one in judged.select(a=_LEAST, b=_GREATEST).row(0))
    every = [least, greatest, *(one.number for one in said.values() if one.number is not None)]
    return max(every) - min(every)


def _within(mean: CrossedMean, least: float, greatest: float) -> CrossedMean:
    """Return a mean whose interval has no values that the mean cannot have."""
    if mean.low is None or mean.high is None:
        return mean
    return replace(mean, low=max(mean.low, least), high=min(mean.high, greatest))


def _worded(judged: pl.DataFrame, said: Mapping[str, Said]) -> list[DepartingItem]:
    """Return the items of which people say another thing more often than the model's answer."""
    found = []
    votes = judged.group_by("item", "answer").len("votes").sort("item", "answer")
    for (item,), own in votes.group_by("item", maintain_order=True):
        counts = dict(own.select("answer", "votes").iter_rows())
        answer = said[str(item)].answer
        most = max(counts, key=lambda name: counts[name])
        if answer is None or counts.get(answer, 0) >= counts[most]:
            continue
        total = sum(counts.values())
        share = proportion(counts.get(answer, 0), total)
        limits = share.value or 0.0, share.low, share.high
        found.append(
            DepartingItem(str(item), answer, said[str(item)].certainty, *limits, str(most), total)
        )
    return sorted(found, key=lambda one: (one.people, one.item))


def _numbered(judged: pl.DataFrame, said: Mapping[str, Said]) -> list[DepartingItem]:
    """Return the items whose interval of people's mean excludes what the model says.

    No limit lies beyond the least and the greatest answer of anybody. People who all give the same
    answer show no spread, so that of all items is taken; without any, the item has no interval.
    """
    found = []
    least, greatest = (float(one) for one in judged.select(a=_LEAST, b=_GREATEST).row(0))
    each = judged.group_by("item").agg(
        mean=pl.col("answer").mean(), sd=pl.col("answer").std(), n=pl.len()
    )
    freedom = int(each.select((pl.col("n") - 1).sum()).item())
    squares = each.select(((pl.col("n") - 1) * pl.col("sd") ** 2).sum()).item()
    pooled = sqrt(squares / freedom) if freedom else 0.0
    for item, mean, sd, n in each.sort("item").iter_rows():
        number = said[item].number
        if number is None or n < 2 or sd is None or not (sd or pooled):
            continue
        half = float(stdtrit(n - 1 if sd else freedom, 0.975)) * (sd or pooled) / sqrt(n)
        if abs(number - mean) <= half:
            continue
        limits = max(mean - half, least), min(mean + half, greatest)
        said_ = f"{number:.4g}"
        found.append(DepartingItem(item, said_, said[item].certainty, mean, *limits, None, n))
    return sorted(found, key=lambda one: (-abs(float(one.said) - one.people), one.item))
