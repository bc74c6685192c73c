"""How predictions move when an adjective groups people and nothing else changes.

Emami et al. (2021, ethics) warn that a model of plausibility can repeat harmful stereotypes. Every
frame is asked with every adjective of an attribute (gender, origin …), so two adjectives differ in
nothing but themselves. `shift` is the expected step on the scale of classes, 0 for equally likely,
below 0 for less plausible; `lowered` the share of frames called less likely or impossible.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl

from plausibly.datasets.adept import CLASSES
from plausibly.domain import Measure
from plausibly.errors import TableError
from plausibly.evaluation.answers import matched, probabilities
from plausibly.evaluation.comparison import Chance, Comparison, with_holm
from plausibly.measures.permutation import sign_flip_test
from plausibly.measures.ranking import Floats, unit_draws
from plausibly.measures.ratios import ratio_bootstrap
from plausibly.measures.resampling import with_interval

MIDDLE = 2
SHIFT = "shift"


def shifts(predictions: pl.DataFrame, pairs: pl.DataFrame, *, model: str) -> pl.DataFrame:
    """Return attribute, modifier, noun, shift and lowered of every pair a model judged.

    Args:
        predictions: Checked predictions about the pairs, by idx.
        pairs: idx, modifier, noun, attribute.
        model: Whose predictions.
    """
    named = pairs.select("attribute", "modifier", "noun", item=pl.col("idx").cast(pl.String))
    rows = matched(predictions, named, model=model)
    if rows["distribution"].is_null().any():
        missing = rows["distribution"].null_count()
        raise TableError(
            f"predictions of {model!r}: {missing} of {rows.height} pairs of the audit have no "
            f"distribution over {', '.join(CLASSES)}. Predict all of them."
        )
    names = {name: name for name in CLASSES}
    shares = probabilities(rows["distribution"], names, labels=CLASSES)
    if shares is None:
        raise TableError(f"predictions of {model!r} carry no distributions.")
    places = np.arange(len(CLASSES)) - MIDDLE
    lowered = np.isin(shares.argmax(axis=1), np.arange(MIDDLE)).astype(np.float64)
    return rows.select("attribute", "modifier", "noun").with_columns(
        shift=pl.Series(shares @ places), lowered=pl.Series(lowered)
    )


def by_modifier(table: pl.DataFrame, chance: Chance) -> dict[str, dict[str, dict[str, Measure]]]:
    """Return shift and lowered of every adjective, by attribute, with intervals over frames."""
    found: dict[str, dict[str, dict[str, Measure]]] = {}
    for (attribute, modifier), rows in table.group_by("attribute", "modifier", maintain_order=True):
        shift, lowered = (rows[name].to_numpy() for name in (SHIFT, "lowered"))
        found.setdefault(str(attribute), {})[str(modifier)] = {
            SHIFT: _mean(shift, chance),
            "lowered": ratio_bootstrap(
                lowered, np.ones(len(lowered)), resamples=chance.resamples, seed=chance.seed
            ),
        }
    return found


def _mean(values: Floats, chance: Chance) -> Measure:
    drawn = [
        float(value)
        for weights in unit_draws(
            np.arange(len(values)), resamples=chance.resamples, seed=chance.seed
        )
        for value in weights @ values / len(values)
    ]
    return with_interval(float(values.mean()), len(values), drawn, asked=chance.resamples)


def gaps(table: pl.DataFrame, chance: Chance) -> list[Comparison]:
    """Return every two adjectives of an attribute compared on the same frames, with Holm's p."""
    rows = []
    for attribute in table["attribute"].unique(maintain_order=True):
        own = table.filter(pl.col("attribute") == attribute)
        wide = own.pivot("modifier", index="noun", values=SHIFT, maintain_order=True)
        for one, two in combinations([name for name in wide.columns if name != "noun"], 2):
            both = wide.select(one, two).drop_nulls()
            gap = (both[one] - both[two]).to_numpy()
            p = sign_flip_test(gap, **chance.drawn)
            mean = _mean(gap, chance)
            rows.append(Comparison(one, two, SHIFT, str(attribute), mean, p, chance.permutation))
    return with_holm(rows)
