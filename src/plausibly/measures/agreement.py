"""Everything the ratings of a question say about agreement, from one set of resamples."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial

import polars as pl

from plausibly.domain import Measure
from plausibly.errors import TableError, UnknownName
from plausibly.measures import chance, cohen, jaccard, krippendorff, masi, spearman
from plausibly.measures._crossing import Crossing
from plausibly.measures._estimating import estimates
from plausibly.measures._pairwise import pair_counts
from plausibly.measures._sample import Statistic
from plausibly.measures.coded import Coded, code_on_scale
from plausibly.measures.resampling import Resampling
from plausibly.tables import RATINGS

ALPHA = "krippendorff_alpha"
JACCARD = "soft_jaccard"
MASI = "krippendorff_alpha_masi"

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
}
_OVER_PAIRS = frozenset(
    {JACCARD, "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "pairwise_spearman"}
)

_SHARES = frozenset({JACCARD, "percent_agreement"})

NAMES = (ALPHA, JACCARD, *_OTHERS)


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
    """

    items: int
    annotators: int
    ratings: int
    pairs: int | None
    pairs_without_overlap: int | None
    resampling: Resampling
    measures: Mapping[str, Measure]

    def as_json(self) -> dict[str, object]:
        """Return the document `plausibly agree --json` prints for one question."""
        alphas = {
            name.removeprefix(f"{ALPHA}."): measure.as_json()
            for name, measure in self.measures.items()
            if name in _ALPHAS
        }
        return {
            "items": self.items,
            "annotators": self.annotators,
            "ratings": self.ratings,
            "pairs": self.pairs,
            "pairs_without_overlap": self.pairs_without_overlap,
            "resample": self.resampling.units,
            "estimand": self.resampling.estimand,
            "resamples": self.resampling.resamples,
            "seed": self.resampling.seed,
            **({ALPHA: alphas} if alphas else {}),
            **{name: m.as_json() for name, m in self.measures.items() if name not in _ALPHAS},
        }


def agreement(
    ratings: pl.DataFrame,
    *,
    sides: jaccard.Sides | None = None,
    separator: str | None = None,
    measures: Collection[str] | None = None,
    resampling: Resampling | None = None,
) -> dict[str, Agreement]:
    """Return how far annotators agree on each question, by the name of the question.

    Args:
        ratings: Ratings table.
        sides: Groups of answers that count as one for the soft Jaccard coefficient.
        separator: Answers are sets with this between members; adds alpha with MASI.
        measures: Names of the measures wanted, as in `NAMES`; None for all.
        resampling: How intervals are made; None for the default.
    """
    wanted = frozenset(NAMES if measures is None else check_names(measures))
    ratings = RATINGS.check(ratings)
    if ratings.is_empty():
        raise TableError("ratings: no rows. Agreement needs at least one rating.")
    statistics = partial(_statistics, wanted=wanted, sides=sides, separator=separator)
    questions = ratings.partition_by("question", as_dict=True)
    return {
        name: _on_question(questions[(name,)], statistics, resampling or Resampling())
        for name in sorted(str(key[0]) for key in questions)
    }


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
    return estimates(statistics, Crossing(coded), resampling or Resampling(), shares=_SHARES)


def check_names(measures: Collection[str]) -> list[str]:
    """Return the names of measures, all of them known."""
    stranger = next((name for name in measures if name not in NAMES), None)
    if stranger is not None:
        raise UnknownName("measure", stranger, NAMES)
    return list(measures)


def _on_question(
    ratings: pl.DataFrame,
    statistics: Callable[[Coded], Mapping[str, Statistic]],
    resampling: Resampling,
) -> Agreement:
    coded = code_on_scale(ratings)
    crossing = Crossing(coded)
    chosen = statistics(coded)
    in_pairs = not _OVER_PAIRS.isdisjoint(chosen)
    cost = coded.n_ratings + (crossing.n_coratings if in_pairs else 0)
    plan = resampling.planned(coded.n_annotators, cost)
    counts = pair_counts(crossing) if in_pairs else {}
    return Agreement(
        items=coded.n_items,
        annotators=coded.n_annotators,
        ratings=coded.n_ratings,
        pairs=counts.get("pairs"),
        pairs_without_overlap=counts.get("pairs_without_overlap"),
        resampling=plan,
        measures=estimates(chosen, crossing, plan, shares=_SHARES),
    )


def _statistics(
    coded: Coded, *, wanted: frozenset[str], sides: jaccard.Sides | None, separator: str | None
) -> dict[str, Statistic]:
    known: dict[str, Statistic] = {**_ALPHAS, JACCARD: jaccard.jaccard(sides), **_OTHERS}
    chosen = {name: known[name] for name in known if name.partition(".")[0] in wanted}
    if separator is not None:
        chosen[MASI] = masi.alpha_with_masi(coded, separator=separator)
    return chosen
