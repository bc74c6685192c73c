"""Posterior probability of a dependent given its head (Resnik 1997; Zhang et al. 2019, eq. 1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.optimize import minimize_scalar

from plausibly.errors import StudyError
from plausibly.models.counts import Floats, PairCounts, amount
from plausibly.models.pairs import Scores, places_of

# Bounds of the weight of the back-off, in pairs, between which the best one is looked for.
LIGHTEST, HEAVIEST = 1e-2, 1e6


@dataclass(frozen=True, slots=True)
class Posterior:
    """P(dependent | head) in one relation.

    Args:
        mass: Weight of the back-off in pairs; 0 is the published model, which gives what it has
            not seen the probability 0.
    """

    mass: float = 0.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.mass) and self.mass >= 0):
            raise StudyError(f"smoothing must be 0 or more; got {self.mass}.")

    def scores(self, pairs: pl.DataFrame, counts: PairCounts) -> Scores:
        """Return the probability of every dependent given its head, and what it rests on.

        With a mass, the head's counts are taken together with that many pairs spread as
        dependents are spread in the relation (a Dirichlet prior). A dependent that never
        occurred has the share of one occurrence among all pairs and one.
        """
        places = places_of(pairs, counts)
        of_head = amount(counts.of_head, places.head)
        if self.mass == 0:
            score = np.divide(places.count, of_head, out=np.zeros_like(of_head), where=of_head > 0)
        else:
            share = prior(counts, amount(counts.of_dependent, places.dependent))
            score = (places.count + self.mass * share) / (of_head + self.mass)
        level = places.level if self.mass else places.seen
        return Scores(score, level)


def prior(counts: PairCounts, of_dependent: Floats) -> Floats:
    """Return the share of a dependent in the relation; one never seen counts as seen once."""
    share: Floats = np.maximum(of_dependent, 1.0) / (counts.total + 1.0)
    return share


def best_mass(counts: PairCounts) -> float:
    """Return the mass under which each pair is most probable given all others.

    Leaving one out keeps the mass from being 0, which would fit the counts best and new pairs
    worst (Zhai and Lafferty 2002).
    """
    table = counts.table.tocoo()
    count = table.data.astype(np.float64)
    of_head = counts.of_head[table.row]
    share = prior(counts, counts.of_dependent[table.col])

    def loss(log_mass: float) -> float:
        mass = float(np.exp(log_mass))
        held_out = (count - 1 + mass * share) / (of_head - 1 + mass)
        return -float((count * np.log(held_out)).sum())

    found = minimize_scalar(loss, bounds=(np.log(LIGHTEST), np.log(HEAVIEST)), method="bounded")
    return float(np.exp(found.x))
