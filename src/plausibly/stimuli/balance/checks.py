"""Whether check items give themselves away among the items they are shown with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.datasets.lexica.norms import Norms
from plausibly.domain import Measure
from plausibly.stimuli.balance._probe import FOLDS, probe
from plausibly.stimuli.balance._variables import nuisance_variables
from plausibly.tables import ITEMS

KINDS = ("check", "gold")
CHANCE = 0.5


def check_notes(report: Mapping[str, Any]) -> list[str]:
    """Return a warning for each language in which readers may recognise check items.

    Args:
        report: As `balance.json` holds it.
    """
    return [
        f"Check items{f' ({lang})' if lang else ''} stand out: length, frequency and norms tell "
        f"them from the items with an AUC of {found['value']:.2f} (95 % CI "
        f"{found['low']:.2f}\N{EN DASH}{found['high']:.2f}, n = {found['n']}). Use checks more "
        "like the items, or take them from the items themselves: build checks."
        for lang, part in report.get("languages", {"": report}).items()
        if (found := part.get("check_items", {}).get("auc", {})).get("low") is not None
        and found["low"] > CHANCE
    ]


def check_probe(
    items: pl.DataFrame, frequency: FrequencyList | None, norms: Norms | None, *, seed: int
) -> dict[str, Measure]:
    """Return how well the variables tell check and gold items from the others."""
    shown = ITEMS.check(items).filter(pl.col("kind").is_in(["item", *KINDS]))
    kinds = pl.Series(["check" if kind in KINDS else "item" for kind in shown["kind"]])
    if "check" not in kinds:
        return {}
    found = probe(
        nuisance_variables(shown, frequency, norms), kinds, names=shown["item"], seed=seed
    )
    reason = f"needs at least {2 * FOLDS} items and {2 * FOLDS} checks"
    return {
        name: replace(one, reason=reason) if one.value is None else one
        for name, one in found.items()
    }
