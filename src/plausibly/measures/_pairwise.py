"""Means over pairs of annotators that share an item."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from plausibly.measures._crossing import Crossing
from plausibly.measures._pairs import Sharing
from plausibly.measures._sample import Number, Sample
from plausibly.measures._undefined import no_shared_item
from plausibly.measures.coded import Coded, Floats

PerPair = Callable[[Sharing, Crossing], Floats]


def _anything(coded: Coded) -> str | None:
    del coded
    return None


@dataclass(frozen=True, eq=False)
class PairMean:
    """The statistic that is the mean of a number over pairs of annotators who share items.

    Args:
        per_pair: One number for each pair that shares an item; not a number where it is undefined.
        undefined: Why there is no mean when no pair has a number.
        refusal: Why these answers have no such number, if so.
        additive: Whether the number follows from sums, so that it is known without a group from
            what the group takes from them.
    """

    per_pair: PerPair
    undefined: str
    refusal: Callable[[Coded], str | None] = _anything
    additive: bool = True

    def __call__(self, sample: Sample) -> Number:
        """Return the mean over the pairs of a sample."""
        if reason := self.refusal(sample.coded):
            return Number(None, reason)
        counts = pair_counts(sample.crossing)
        if not counts["pairs"]:
            return Number(None, no_shared_item(sample.coded), counts)
        values = self.per_pair(sample.annotator_pairs, sample.crossing)
        has_value = ~np.isnan(values)
        counts["pairs_undefined"] = len(values) - int(np.count_nonzero(has_value))
        if not has_value.any():
            return Number(None, self.undefined, counts)
        return Number(float(np.mean(values[has_value])), None, counts)


def pair_counts(crossing: Crossing) -> dict[str, int]:
    """Return how many pairs of annotators share an item, and how many do not."""
    sharing = len(crossing.pairs)
    return {"pairs": sharing, "pairs_without_overlap": crossing.n_pairs - sharing}


def mean_by_annotator(crossing: Crossing, values: Floats) -> pl.DataFrame:
    """Return for each annotator the mean over the pairs it is in; null for one without any.

    Columns: annotator, value, pairs (with a value).
    """
    has_value = ~np.isnan(values)
    people = crossing.coded.n_annotators
    members = np.concatenate([crossing.pairs.left[has_value], crossing.pairs.right[has_value]])
    both = np.concatenate([values[has_value], values[has_value]])
    pairs = np.bincount(members, minlength=people)
    totals = np.bincount(members, weights=both, minlength=people)
    means = totals / np.maximum(pairs, 1)
    return pl.DataFrame(
        {
            "annotator": crossing.coded.annotators,
            "value": pl.Series(means, dtype=pl.Float64).set(pl.Series(pairs == 0), None),
            "pairs": pl.Series(pairs, dtype=pl.Int64),
        }
    )
