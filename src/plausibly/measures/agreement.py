"""Everything the ratings of a question say about agreement, all measures from the same samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from typing import cast

import numpy as np
import polars as pl
from scipy.special import stdtrit

from plausibly.domain import Measure
from plausibly.errors import TableError, UnknownName
from plausibly.measures import chance, cohen, jaccard, krippendorff, masi, reliability, spearman
from plausibly.measures._crossing import Crossing
from plausibly.measures._estimating import estimates
from plausibly.measures._intervals import LEVEL
from plausibly.measures._pairwise import PairMean, mean_by_annotator, pair_counts
from plausibly.measures._sample import Number, Sample, Statistic
from plausibly.measures.coded import Coded, code_on_scale
from plausibly.measures.resampling import Resampling
from plausibly.registry import Registry, called
from plausibly.tables import RATINGS


@dataclass(frozen=True, slots=True)
class Average:
    """Measures averaged over parts.

    Args:
        parts: How many parts there are.
        measures: By name; `n` is the number of parts in which the measure has a value.
        each: By part: items, annotators and ratings, the mean answer, the mean seconds per answer,
            and the value of every measure; null if there is none. If a part is an annotator,
            annotators are the others they share items with.
    """

    parts: int
    measures: Mapping[str, Measure]
    each: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """Return the averages in the form `plausibly agree --json` prints."""
        averages = {name: measure.as_json() for name, measure in self.measures.items()}
        each = {part: dict(own) for part, own in self.each.items()}
        return {"parts": self.parts, **averages, "each": each}


def averaged(
    ratings: pl.DataFrame,
    by: str,
    statistics: Callable[..., Mapping[str, Statistic]],
) -> Average:
    """Return each measure's mean over the parts of the ratings, every part counting once.

    The interval is Student's, from how the parts differ.

    Args:
        ratings: Ratings of one question.
        by: Column that shows which part a rating belongs to; ratings without one are left out.
            Of `annotator`, every person is a part, with means over the pairs of people they are in.
        statistics: From codes to the measures wanted, by name.
    """
    if by == ANNOTATOR:
        return _by_annotator(ratings, statistics)
    parts = ratings.drop_nulls(by).sort(by).partition_by(by, maintain_order=True)
    values: dict[str, list[float]] = {}
    each: dict[str, dict[str, float | None]] = {}
    for part in parts:
        coded = code_on_scale(part)
        sample = Sample(Crossing(coded))
        own = each.setdefault(str(part[by][0]), _described(part))
        for name, statistic in statistics(coded).items():
            value = statistic(sample).value
            own[name] = value
            values.setdefault(name, []).extend([] if value is None else [value])
    return Average(len(parts), {name: _mean(own) for name, own in values.items()}, each)


def _by_annotator(
    ratings: pl.DataFrame, statistics: Callable[..., Mapping[str, Statistic]]
) -> Average:
    """Return each measure that is a mean over pairs, for every annotator over their own pairs.

    Intervals are left out: two annotators share the pair they are in.
    """
    coded = code_on_scale(ratings)
    crossing = Crossing(coded)
    parts = ratings.sort(ANNOTATOR).partition_by(ANNOTATOR, maintain_order=True)
    each = {str(part[ANNOTATOR][0]): _described(part) for part in parts}
    everyone = mean_by_annotator(crossing, np.zeros(len(crossing.pairs)))
    for annotator, sharing in everyone.select("annotator", "pairs").iter_rows():
        each[annotator]["annotators"] = sharing
    means: dict[str, Measure] = {}
    for name, statistic in statistics(coded).items():
        if not isinstance(statistic, PairMean) or statistic.refusal(coded) is not None:
            continue
        table = mean_by_annotator(crossing, statistic.per_pair(crossing.pairs, crossing))
        for annotator, value in table.select("annotator", "value").iter_rows():
            each[annotator][name] = value
        known = table["value"].drop_nulls()
        mean = cast("float | None", known.mean())
        why = "no pair has a value" if mean is None else "no interval: people share pairs"
        means[name] = Measure(mean, len(known), reason=why)
    return Average(len(parts), means, each)


def _described(part: pl.DataFrame) -> dict[str, float | None]:
    """Return the size of a part, its mean answer and how long an answer took."""
    seconds = part["seconds"].mean() if "seconds" in part.columns else None
    mean = part["value"].mean() if "value" in part.columns else None
    return {
        "items": part["item"].n_unique(),
        "annotators": part["annotator"].n_unique(),
        "ratings": part.height,
        "mean": cast("float | None", mean),
        "seconds": cast("float | None", seconds),
    }


def _mean(values: list[float]) -> Measure:
    n = len(values)
    if n == 0:
        return Measure(None, 0, reason="no part has a value")
    mean = float(np.mean(values))
    if n == 1:
        return Measure(mean, 1, reason="no interval: only one part has a value")
    half = float(stdtrit(n - 1, (1 + LEVEL) / 2)) * float(np.std(values, ddof=1)) / np.sqrt(n)
    return Measure(mean, n, mean - half, mean + half, method="Student's t over parts")


ANNOTATOR = "annotator"
ALPHA = "krippendorff_alpha"
JACCARD = "soft_jaccard"
MASI = "krippendorff_alpha_masi"
ICC = "icc"

_ALPHAS = {f"{ALPHA}.{metric}": krippendorff.alpha(metric) for metric in krippendorff.METRICS}
_OTHERS: Mapping[str, Statistic] = {
    "cohen_kappa": cohen.kappa("none"),
    "cohen_kappa_linear": cohen.kappa("linear"),
    "cohen_kappa_quadratic": cohen.kappa("quadratic"),
    "fleiss_kappa": chance.fleiss,
    "gwet_ac1": chance.ac1,
    "gwet_ac2": chance.ac2,
    "percent_agreement": chance.percent,
    "pairwise_spearman": spearman.pairwise,
    "one_vs_rest_spearman": spearman.one_vs_rest,
    **{f"{ICC}.{form}": reliability.intraclass(form) for form in reliability.FORMS},
    "split_half": reliability.halves,
}
_OVER_PAIRS = frozenset(
    {JACCARD, "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "pairwise_spearman"}
)
_SHARES = dict.fromkeys((JACCARD, "percent_agreement"), 0.0)

MeasureName = str | Callable[[pl.DataFrame], float]
MEASURES: Registry[Callable[[pl.DataFrame], float]] = Registry(
    "measure", {}, group="plausibly.measures"
)
"""Measures of others, by entry point or place."""
NAMES = (ALPHA, JACCARD, *dict.fromkeys(name.partition(".")[0] for name in _OTHERS))


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree on one question.

    Args:
        items: How many items have a rating.
        annotators: How many annotators gave one.
        ratings: How many ratings there are.
        pairs: How many pairs of annotators share an item, None if no such measure was asked for.
        pairs_without_overlap: How many pairs do not.
        resampling: What was left out in turn, in how many groups.
        measures: By name; the metrics of alpha as `krippendorff_alpha.nominal` and so on.
        variances: Of items, annotators and the rest; None without numbers or without icc.
        averages: The same measures worked out in each part of the ratings and averaged.
    """

    items: int
    annotators: int
    ratings: int
    pairs: int | None
    pairs_without_overlap: int | None
    resampling: Resampling
    measures: Mapping[str, Measure]
    variances: Mapping[str, float] | None = None
    averages: Mapping[str, Average] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """Return the document `plausibly agree --json` prints for one question."""
        document: dict[str, object] = {
            "items": self.items,
            "annotators": self.annotators,
            "ratings": self.ratings,
            "pairs": self.pairs,
            "pairs_without_overlap": self.pairs_without_overlap,
            "resample": self.resampling.units,
            "estimand": self.resampling.estimand,
            "resamples": self.resampling.resamples,
            "seed": self.resampling.seed,
            **_nested(self.measures),
        }
        if f"{ICC}.1,1" in self.measures:
            document["variance_components"] = self.variances
            document["ratings_needed"] = reliability.ratings_needed(
                self.measures[f"{ICC}.1,1"].value
            )
        if self.averages:
            document["averaged"] = {name: one.as_json() for name, one in self.averages.items()}
        return document


def _nested(measures: Mapping[str, Measure]) -> dict[str, object]:
    """Return the measures as JSON, families such as the metrics of alpha under one name."""
    families: dict[str, dict[str, object]] = {}
    for name, measure in measures.items():
        family, _, member = name.partition(".")
        families.setdefault(family, {})[member] = measure.as_json()
    return {family: own.get("", own) for family, own in families.items()}


def agreement(
    ratings: pl.DataFrame,
    *,
    sides: jaccard.Sides | None = None,
    separator: str | None = None,
    measures: Collection[MeasureName] | None = None,
    resampling: Resampling | None = None,
    by: str | None = None,
) -> dict[str, Agreement]:
    """Return how far annotators agree on each question, by the name of the question.

    Args:
        ratings: Ratings table.
        sides: Groups of answers that count as one for the soft Jaccard coefficient.
        separator: Answers are sets with this between members; adds alpha with MASI.
        measures: Names of the measures wanted, as in `NAMES`, or functions from ratings to a
            number; None for all.
        resampling: How intervals are made; None for the default.
        by: A column of the ratings, such as a survey's: measures are also worked out within
            each of its values and averaged.

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": ["a", "b"] * 2,
    ...                         "question": ["rating"] * 4, "answer": ["1", "1", "5", "5"]})
    >>> agreement(ratings)["rating"].items
    2
    """
    names = list(NAMES if measures is None else check_names(measures))
    wanted = frozenset(name for name in names if isinstance(name, str) and name in _known())
    outside = {called(name): MEASURES[name] for name in names if name not in wanted}
    ratings = RATINGS.check(ratings)
    if ratings.is_empty():
        raise TableError("ratings: no rows. Agreement needs at least one rating.")
    if by is not None and by not in ratings.columns:
        raise UnknownName("column of the ratings", by, ratings.columns)
    statistics = partial(_statistics, wanted=wanted, sides=sides, separator=separator)
    questions = ratings.partition_by("question", as_dict=True)
    agreements: dict[str, Agreement] = {}
    for name in sorted(str(key[0]) for key in questions):
        own = questions[(name,)]

        def chosen(coded: Coded, own: pl.DataFrame = own) -> Mapping[str, Statistic]:
            theirs = {one: from_outside(f, own) for one, f in outside.items()}
            return {**statistics(coded), **theirs}

        agreements[name] = _on_question(own, chosen, resampling or Resampling(), by)
    return agreements


def _known() -> set[str]:
    """Return every name of a measure of ours, those of its parts included."""
    return {*NAMES, *_ALPHAS, *_OTHERS}


def from_outside(function: Callable[[pl.DataFrame], float], ratings: pl.DataFrame) -> Statistic:
    """Return somebody's measure, a function from ratings to a number, as one of ours.

    Args:
        function: Gets item, annotator, question, answer and value; returns a number.
        ratings: The ratings of one question, in the order of their codes.
    """

    def statistic(sample: Sample) -> Number:
        kept = ratings if sample.kept is None else ratings.filter(pl.Series(sample.kept))
        value = float(function(kept))
        return Number(value) if isfinite(value) else Number(None, "the measure is not a number")

    return statistic


def measures_of(
    coded: Coded,
    *,
    sides: jaccard.Sides | None = None,
    resampling: Resampling | None = None,
) -> dict[str, Measure]:
    """Return every measure of one question by name, from its codes.

    Args:
        coded: The ratings.
        sides: Groups of answers that count as one for the soft Jaccard coefficient.
        resampling: How intervals are made; None for the default.
    """
    statistics = _statistics(coded, wanted=frozenset(NAMES), sides=sides, separator=None)
    crossing = Crossing(coded)
    return estimates(statistics, crossing, resampling or Resampling(), least=_least(crossing))


def measure_names(text: str) -> list[str]:
    """Return the names in a list separated by commas, as they are printed.

    >>> measure_names("icc.1,1, krippendorff_alpha.ordinal,icc.2,k")
    ['icc.1,1', 'krippendorff_alpha.ordinal', 'icc.2,k']
    """
    return re.findall(rf"{ICC}\.\d\s*,\s*[\dk]|[^,\s]+", text)


def check_names(measures: Collection[MeasureName]) -> list[MeasureName]:
    """Return the names of measures, all of them known; one of a family goes by its full name."""
    stranger = next((n for n in measures if n not in _known() and n not in MEASURES), None)
    if stranger is not None:
        raise UnknownName("measure", called(stranger), {*NAMES, *MEASURES})
    return list(measures)


def _on_question(
    ratings: pl.DataFrame,
    statistics: Callable[[Coded], Mapping[str, Statistic]],
    resampling: Resampling,
    by: str | None,
) -> Agreement:
    coded = code_on_scale(ratings)
    crossing = Crossing(coded)
    chosen = statistics(coded)
    in_pairs = not _OVER_PAIRS.isdisjoint(chosen)
    cost = coded.n_ratings + (crossing.n_coratings if in_pairs else 0)
    plan = resampling.planned(coded.n_annotators, cost)
    counts = pair_counts(crossing) if in_pairs else {}
    with_icc = f"{ICC}.1,1" in chosen
    return Agreement(
        items=coded.n_items,
        annotators=coded.n_annotators,
        ratings=coded.n_ratings,
        pairs=counts.get("pairs"),
        pairs_without_overlap=counts.get("pairs_without_overlap"),
        resampling=plan,
        measures=estimates(chosen, crossing, plan, least=_least(crossing)),
        variances=reliability.variance_components(crossing) if with_icc else None,
        averages={} if by is None else {by: averaged(ratings, by, statistics)},
    )


def _least(crossing: Crossing) -> dict[str, float]:
    """Return what measures cannot fall below, where that is not -1."""
    return {**_SHARES, f"{ICC}.{reliability.ONE_RATING}": reliability.smallest(crossing)}


def _statistics(
    coded: Coded, *, wanted: frozenset[str], sides: jaccard.Sides | None, separator: str | None
) -> dict[str, Statistic]:
    known: dict[str, Statistic] = {**_ALPHAS, JACCARD: jaccard.jaccard(sides), **_OTHERS}
    chosen = {
        name: known[name] for name in known if not wanted.isdisjoint((name, name.partition(".")[0]))
    }
    if separator is not None:
        chosen[MASI] = masi.alpha_with_masi(coded, separator=separator)
    return chosen
