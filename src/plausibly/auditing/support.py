"""What the ratings of a question support: means, rankings, labels, comparisons, disagreement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, cast

import numpy as np
import polars as pl
from scipy.special import ndtri, stdtrit

from plausibly.auditing.findings import AuditFinding, Numbers, Section, unknown
from plausibly.auditing.question import RatedQuestion
from plausibly.domain import Measure
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.disagreement import entropy_reliability
from plausibly.measures.generalisability import (
    design_of,
    ratings_for,
    reliabilities,
    reliability_of,
    variances,
)
from plausibly.measures.krippendorff import Metric
from plausibly.measures.label_stability import (
    answers_as_classes,
    halves_of_scale,
    label_stability,
    some_items,
)
from plausibly.measures.reliability import WANTED
from plausibly.measures.resampling import Resampling

MOST_ITEMS = 4000
MOST_CLASSES = 40
GROUPS = 15
CURVE = range(1, 31)
MOST_CONDITIONS = 8
CATEGORIES = "The answers are categories: an item has no mean."
NO_SCALE = "The answers do not show what scale they are on; declare it with --scale."
ONE_EACH = "No item has two ratings."
LEAST_BEYOND = 0.02
NO_LABELS = "Another panel would hardly repeat the labels, so no model can be shown to be better."
TOO_FEW_ITEMS = (
    "{} items are too few to compare two models: if exactly one of them is right on {:.0%} of the "
    "items, no difference in accuracy is found with {:.0%} power."
)
NO_CONDITIONS = "The data name no conditions with two items or more."


@dataclass(frozen=True, slots=True)
class KnownItems:
    """What is known about the items besides their ratings.

    Args:
        condition: From an item to its condition.
        group: From an item to the group it belongs to.
        tested: Items of the test split; empty if there is none.
    """

    condition: Mapping[str, str]
    group: Mapping[str, str]
    tested: frozenset[str] = frozenset()


def no_number(question: RatedQuestion) -> Section:
    """Return why a question has no numbers."""
    if question.scale == "ask":
        return unknown(NO_SCALE)
    return unknown(CATEGORIES, verdict="no")


def reliability_sections(question: RatedQuestion, *, seed: int) -> tuple[Section, Section]:
    """Return agreement, and the reliability of item means, with intervals."""
    own = question.coded if question.numbers is None else question.numbers
    metric = cast(Metric, question.scale if question.graded else "nominal")
    units = None if question.people_known else "items"
    found = reliabilities(
        own,
        metric=metric,
        people=question.people_known,
        resampling=Resampling(cast(Any, units), None, seed),
    )
    agreement = {"alpha": found["alpha"].as_json(), "same_answer": found["same_answer"].as_json()}
    agreement["alpha"]["metric"] = metric
    if question.numbers is None:
        return agreement, {"means": no_number(question), "one_rating": no_number(question)}
    one, design = found["one_rating"], design_of(own, people=question.people_known)
    return agreement, {
        "means": found["means"].as_json(),
        "one_rating": one.as_json(),
        "variances": _variances(question, own),
        "people_counted": None if design is None else design.counted,
        "ratings_per_item": None if design is None else design.ratings,
        "ratings_needed": {str(wanted): _needed(one, wanted) for wanted in WANTED},
        "curve": [_at(one, ratings) for ratings in CURVE],
    }


def _variances(question: RatedQuestion, own: Coded) -> Mapping[str, float] | None:
    """Return the parts of the variance; that of people is not known where people are not."""
    parts = variances(own, people=question.people_known)
    if parts is None or question.people_known:
        return parts
    return {name: part for name, part in parts.items() if name != "annotator"}


def _needed(one: Measure, wanted: float) -> Section:
    """Return how many ratings an item needs; the limits come from those of one rating."""
    return {
        "value": ratings_for(one.value, wanted),
        "low": ratings_for(one.high, wanted),
        "high": ratings_for(one.low, wanted),
    }


def _at(one: Measure, ratings: int) -> Section:
    limits = {"value": one.value, "low": one.low, "high": one.high}
    return {
        "ratings": ratings,
        **{
            name: None if part is None else max(reliability_of(max(part, -0.01), ratings), 0.0)
            for name, part in limits.items()
        },
    }


def means_section(question: RatedQuestion, difference: float) -> Section:
    """Return how precisely the means of items are known, against a difference that matters."""
    values = question.values
    if values is None:
        return {"half_width_in_differences": no_number(question)}
    item, ratings = question.coded.item, question.per_item
    mean = np.bincount(item, weights=values) / ratings
    freedom = float((ratings - 1).sum())
    if freedom < 1:
        return {"half_width_in_differences": unknown(ONE_EACH)}
    within = float(np.square(values - mean[item]).sum() / freedom)
    half = float(stdtrit(freedom, 0.975)) * np.sqrt(within / ratings)
    typical = float(np.median(half))
    return {
        "half_width_in_differences": {
            "value": typical / difference,
            "half_width": typical,
            "difference": difference,
            "what": question.averaged,
            "n": len(half),
        },
        "sd_within_items": float(np.sqrt(within)),
        "sd_of_means": float(mean.std(ddof=1)) if len(mean) > 1 else None,
        "precise_share": float((half <= difference).mean()),
        "ratings_needed": int(np.ceil((1.96**2) * within / difference**2 - 1e-9)) or 1,
    }


def labels_section(question: RatedQuestion, *, seed: int) -> Section:
    """Return whether another panel of the same size would give the same labels."""
    if question.scale == "ask":
        return {"stability": unknown(NO_SCALE)}
    if question.per_item.max() < 2:
        return {"stability": unknown(ONE_EACH)}
    if not question.graded and question.coded.n_answers > MOST_CLASSES:
        many = f"There are {question.coded.n_answers} different answers."
        return {"stability": unknown(many, verdict="no")}
    coded = some_items(question.ratings, most=MOST_ITEMS, seed=seed)
    if question.graded and question.numbers is not None:
        coded = question.with_numbers(coded)
        classes = halves_of_scale(coded, question.bounds)
        middle = sum(question.bounds) / 2
        label = f"the side of the middle of the scale ({middle:g}) that more people chose"
    else:
        classes, label = answers_as_classes(coded), "the answer most people gave"
    units = None if question.people_known else "items"
    plan = Resampling(cast(Any, units), GROUPS, seed)
    stability = label_stability(coded, classes, resampling=plan)
    return {"stability": stability.as_json(), "label": label, "items_used": coded.n_items}


def disagreement_section(question: RatedQuestion, *, seed: int) -> Section:
    """Return whether it belongs to items how divided people are over them."""
    if question.scale == "ask":
        return {"entropy": unknown(NO_SCALE)}
    own = question.answer_classes
    chosen = np.ones(own.n_items, dtype=np.bool_)
    if own.n_items > MOST_ITEMS:
        drawn = np.random.default_rng(seed).permutation(own.n_items)[MOST_ITEMS:]
        chosen[drawn] = False
    kept = chosen[own.item]
    place = np.unique(own.item[kept], return_inverse=True)[1]
    measure = entropy_reliability(place, own.answer[kept], seed=seed)
    document = measure.as_json()
    if measure.value is None:
        document["verdict"] = "no"
        document["reason"] = _sentence(str(measure.reason))
    return {"entropy": document, "answers": own.n_answers, "items_used": int(chosen.sum())}


def models_section(
    *,
    items: int,
    stability: float | None,
    labels: int,
    groups: float,
    numbers: Numbers,
) -> Section:
    """Return the smallest difference in accuracy of two models that a paired test would find.

    Connor (1987), "Sample size for testing differences in proportions for the paired-sample
    design". Labels that another panel would not give hide part of a difference: where two panels
    agree beyond chance in a share s of the items, a true difference d shows as d times the root
    of s.

    Args:
        items: How many items models are compared on.
        stability: Share of items that another panel would label the same; None if not known.
        labels: How many labels there are.
        groups: How many items hang together, on average: fewer count as independent.
        numbers: Power and share of items on which just one of the models is right.
    """
    if items < 2:
        return {"smallest_difference": unknown("There are fewer than two items.")}
    effective, power = items / groups, numbers["power"]
    discordant = numbers["discordant"]
    alpha, beta = -float(ndtri(0.025)), float(ndtri(power))
    shown = (alpha + beta) * np.sqrt(discordant / effective)
    for _ in range(50):
        spread = np.sqrt(max(discordant - shown**2, 0.0))
        shown = (alpha * np.sqrt(discordant) + beta * spread) / np.sqrt(effective)
    if shown > discordant:
        reason = TOO_FEW_ITEMS.format(items, discordant, power)
        return {"smallest_difference": unknown(reason, verdict="no")}
    chance = 1 / max(labels, 2)
    beyond = 1.0 if stability is None else (stability - chance) / (1 - chance)
    if beyond < LEAST_BEYOND:
        return {"smallest_difference": unknown(NO_LABELS, verdict="no")}
    smallest = min(float(shown / np.sqrt(beyond)), 1.0)
    return {
        "smallest_difference": {
            "value": smallest,
            "n": items,
            "power": power,
            "discordant": discordant,
        },
        "without_label_noise": float(shown),
        "label_noise_known": stability is not None,
        "items_per_group": groups,
    }


def conditions_section(
    values: Mapping[str, float], labelled: KnownItems, *, difference: float
) -> Section:
    """Return how precisely differences between the means of conditions are known."""
    cells: dict[str, list[float]] = {}
    for item, value in values.items():
        if item in labelled.condition:
            cells.setdefault(labelled.condition[item], []).append(value)
    used = {name: np.array(one) for name, one in sorted(cells.items()) if len(one) > 1}
    if not 2 <= len(used) <= MOST_CONDITIONS:
        return {"half_width_in_differences": unknown(NO_CONDITIONS), "cells": []}
    pairs = [_difference(one, other, used) for one, other in combinations(used, 2)]
    half = max(float(pair["half_width"]) for pair in pairs)
    return {
        "half_width_in_differences": {
            "value": half / difference,
            "half_width": half,
            "difference": difference,
            "n": len(values),
        },
        "cells": [
            {"condition": name, "items": len(one), "mean": float(one.mean())}
            for name, one in used.items()
        ],
        "differences": pairs,
    }


def _difference(one: str, other: str, cells: Mapping[str, Floats]) -> Section:
    """Return the difference of two means over items with its interval (Welch 1947)."""
    first, second = cells[one], cells[other]
    parts = [float(cell.var(ddof=1)) / len(cell) for cell in (first, second)]
    whole = sum(parts)
    doubt = sum(p**2 / (len(c) - 1) for p, c in zip(parts, (first, second), strict=True))
    freedom = whole**2 / doubt if doubt > 0 else 1.0
    half = float(stdtrit(freedom, 0.975)) * float(np.sqrt(whole))
    value = float(first.mean() - second.mean())
    return {"of": one, "against": other, "value": value, "half_width": half}


def item_means(question: RatedQuestion) -> dict[str, float]:
    """Return the mean of each item; for categories, the share of the commonest answer."""
    values, coded = question.values, question.coded
    if values is None:
        common = np.bincount(coded.answer).argmax()
        values = (coded.answer == common).astype(np.float64)
    means = np.bincount(coded.item, weights=values) / question.per_item
    return dict(zip(coded.items.to_list(), means.tolist(), strict=True))


def items_per_group(values: Mapping[str, float], groups: Mapping[str, str]) -> float:
    """Return how many items count as one because items of a group are alike (design effect)."""
    frame = pl.DataFrame(
        [(groups[item], value) for item, value in values.items() if item in groups],
        schema={"group": pl.String, "value": pl.Float64},
        orient="row",
    )
    sizes = frame.group_by("group").agg(pl.len().alias("n"), pl.col("value").mean())
    n, many = frame.height, sizes.height
    if many < 2 or many == n:
        return 1.0
    mean = float(frame["value"].mean() or 0.0)  # type: ignore[arg-type]
    between = float((sizes["n"] * (sizes["value"] - mean) ** 2).sum()) / (many - 1)
    total = float(((frame["value"] - mean) ** 2).sum())
    within = max(total - between * (many - 1), 0.0) / (n - many)
    size = (n - float((sizes["n"] ** 2).sum()) / n) / (many - 1)
    whole = between + (size - 1) * within
    alike = max((between - within) / whole, 0.0) if whole > 1e-12 else 0.0
    return 1 + (size - 1) * alike


def support_findings(reliability: Section, numbers: Numbers) -> Iterator[AuditFinding]:
    """Yield that items cannot be distinguished by their ratings."""
    means = reliability["means"]
    high = means.get("high")
    if high is not None and means["low"] <= 0 and means["value"] < numbers["no_signal_at_most"]:
        yield AuditFinding(
            "no_signal",
            "serious",
            "Item means differ no more than by chance: their reliability is "
            f"{means['value']:.2f} (95 % interval {means['low']:.2f} to {high:.2f}).",
            int(means["n"]),
            evidence="reliability",
        )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
