"""Pairs of a head and a dependent to be judged, and what a model says about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.errors import StudyError
from plausibly.models.counts import Floats, Ints, PairCounts
from plausibly.tables import PREDICTIONS

# What a score rests on: the pair itself, its words apart, or nothing.
SEEN, BACKED_OFF, UNKNOWN = "seen", "backed-off", "unknown"
EVIDENCE = (UNKNOWN, BACKED_OFF, SEEN)
QUESTION = "preference"


@dataclass(frozen=True, eq=False)
class Scores:
    """What a model says about pairs of one relation.

    Args:
        score: Higher is more plausible; NaN if the model says nothing.
        level: Place of the evidence in `EVIDENCE`.
    """

    score: Floats
    level: Ints


@dataclass(frozen=True, eq=False)
class PairPlaces:
    """Where the words of pairs are in the counts of their relation."""

    head: Ints
    dependent: Ints
    count: Floats

    @property
    def level(self) -> Ints:
        """Place of the evidence in `EVIDENCE`: the pair, one of its words, or nothing."""
        known = (self.head >= 0) | (self.dependent >= 0)
        levels: Ints = np.where(self.count > 0, 2, np.where(known, 1, 0)).astype(np.int64)
        return levels

    @property
    def seen(self) -> Ints:
        """The same for a model that knows nothing but pairs it saw."""
        levels: Ints = np.where(self.count > 0, 2, 0).astype(np.int64)
        return levels


def places_of(pairs: pl.DataFrame, counts: PairCounts) -> PairPlaces:
    """Return the places of heads and dependents, and the count of every pair."""
    head = counts.heads.places(pairs["head"].to_list())
    dependent = counts.dependents.places(pairs["dependent"].to_list())
    return PairPlaces(head, dependent, counts.at(head, dependent))


Score = Callable[[str, pl.DataFrame], Scores]


def predictions_of(pairs: pl.DataFrame, score: Score, *, model: str) -> pl.DataFrame:
    """Return the predictions of a model about pairs, with the evidence of each.

    Args:
        pairs: relation, head, dependent; the name of each as an item, where it has one.
        score: From a relation and its pairs to scores.
        model: The name the predictions carry.
    """
    named = pairs if "item" in pairs.columns else pairs.with_columns(item=_name())
    distinct = named.select("item", "relation", "head", "dependent").unique(maintain_order=True)
    parts = []
    for relation in distinct["relation"].unique(maintain_order=True):
        own = distinct.filter(pl.col("relation") == relation)
        scores = score(str(relation), own)
        parts.append(
            own.select(
                "item",
                question=pl.lit(QUESTION),
                model=pl.lit(model),
                score=pl.Series(_nulled(scores.score), dtype=pl.Float64),
                evidence=pl.Series([EVIDENCE[level] for level in scores.level], dtype=pl.String),
            )
        )
    return PREDICTIONS.sort(PREDICTIONS.check(pl.concat(parts)))


def _name() -> pl.Expr:
    return pl.concat_str("relation", "head", "dependent", separator="|")


def _nulled(column: npt.NDArray[np.float64]) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in column]


def known_relation(relation: str, counts: Mapping[str, PairCounts]) -> PairCounts:
    """Return the counts of a relation; raise if the model was not fitted on it."""
    if relation not in counts:
        raise StudyError(
            f"the model knows no relation {relation!r}; it was fitted on "
            f"{', '.join(sorted(counts))}. Fit it on counts that have the relation."
        )
    return counts[relation]
