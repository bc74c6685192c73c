"""PAP's four goals of design (section 3), and how far a set of items reaches each."""

from __future__ import annotations

from typing import Any

import polars as pl

from plausibly.datasets.pap import ANSWERS
from plausibly.stimuli.pap.perturb import ROLES


def design_goals(items: pl.DataFrame, *, per_cell: int) -> dict[str, dict[str, Any]]:
    """Return for each goal what it asks for, what was measured, and whether that reaches it.

    Args:
        items: As `build pap` makes them, checks included.
        per_cell: How many events a combination was to have.
    """
    judged = items.filter(pl.col("kind") == "item")
    attested = judged.filter(pl.col("condition") == "attested")
    return {
        "preferred_and_unusual": _seen(attested),
        "attested": _attested(judged, attested),
        "degrees": _degrees(),
        "abstract_and_concrete": _cells(judged, per_cell),
    }


def _seen(attested: pl.DataFrame) -> dict[str, Any]:
    counts = attested["count"]
    once, more = int((counts == 1).sum()), int((counts > 1).sum())
    return {
        "asks": "plausible events that are usual and plausible events that are not",
        "seen_once": once,
        "seen_more_often": more,
        "most_often": counts.max(),
        "reached": once > 0 and more > 0,
    }


def _attested(judged: pl.DataFrame, attested: pl.DataFrame) -> dict[str, Any]:
    unseen = int((attested["count"] < 1).sum())
    seen = judged.filter((pl.col("condition") == "perturbed") & (pl.col("count") > 0)).height
    return {
        "asks": "events that texts attest; perturbed ones attested by none",
        "attested": attested.height,
        "attested_without_count": unseen,
        "perturbed_with_count": seen,
        "reached": attested.height > 0 and not unseen and not seen,
    }


def _degrees() -> dict[str, Any]:
    return {
        "asks": "ratings on a scale of degrees",
        "answers": list(ANSWERS),
        "reached": len(ANSWERS) > 2,
    }


def _cells(judged: pl.DataFrame, per_cell: int) -> dict[str, Any]:
    cells = judged.group_by("condition", "combination").len("events")
    places = {
        role: judged["combination"].str.split("-").list.get(place)
        for place, role in enumerate(ROLES)
    }
    letters = {
        role: dict(sorted(of.value_counts(normalize=True).iter_rows()))
        for role, of in places.items()
    }
    even = cells["events"].min() == cells["events"].max() == per_cell
    return {
        "asks": "as many abstract as concrete events",
        "cells": cells.height,
        "fewest": cells["events"].min(),
        "most": cells["events"].max(),
        "share_by_place": letters,
        "reached": even and cells.height == 2 * 27,
    }
