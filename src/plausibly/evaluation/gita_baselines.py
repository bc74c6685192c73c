"""What constant answers score on GITA, to hold a model's scores against."""

from __future__ import annotations

import polars as pl

from plausibly.datasets.gita import CONFLICT, STATE
from plausibly.evaluation.gita_tally import GOLD


def constant_baselines(stories: pl.DataFrame | None) -> dict[str, float | None]:
    """Return what one constant answer per tier would score."""
    if stories is None or stories.is_empty():
        return {}
    counted = stories.filter("counted")
    constant: dict[str, float | None] = {
        f"always_{'plausible' if says == 'true' else 'implausible'}": stories.filter(
            pl.col("expected") == says
        ).height
        / stories.height
        for says in ("false", "true")
    }
    for name, task in (("most_frequent_pair", CONFLICT), ("most_frequent_state", STATE)):
        gold = counted[GOLD[task]].drop_nulls()
        most = gold.value_counts()["count"].max() if gold.len() else None
        constant[name] = most / counted.height if isinstance(most, int) else None
    return constant
