"""The explorer of tables that belong together: in a release, and next to a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from plausibly.analysis.explorer.material import ExplorerMaterial, simulated_notices
from plausibly.analysis.explorer.page import MOST_BYTES, explorer_page
from plausibly.analysis.methods import exclusion_rows
from plausibly.tables import EXCLUSIONS, LABELS, PREDICTIONS, RATINGS


def released_explorer(
    tables: Mapping[str, pl.DataFrame],
    *,
    name: str,
    about: Mapping[str, str],
    kind: str = "release",
    label_names: Mapping[str, str] | None = None,
    cascade: Sequence[Mapping[str, Any]] = (),
) -> str | None:
    """Return the page for tables; None if even one without people has more than 10 MB.

    Args:
        tables: The tables of a release or a study, items among them.
        name: Its name.
        about: Version, licence and the like, by name.
        kind: release or study.
        label_names: From label to the word a reader sees.
        cascade: What each step of cleaning left.
    """
    items = tables["items"].filter(pl.col("kind") == "item")
    ratings = tables.get("ratings", RATINGS.empty()).join(items, on="item", how="semi")
    exclusions = tables.get("exclusions", EXCLUSIONS.empty())
    material = ExplorerMaterial(
        name,
        kind,
        RATINGS.sort(ratings),
        RATINGS.sort(ratings.join(exclusions, on=list(RATINGS.key), how="anti")),
        items=items,
        exclusions=exclusions,
        labels=tables.get("labels", LABELS.empty()),
        predictions=tables.get("predictions", PREDICTIONS.empty()),
        annotators=tables.get("annotators"),
        scores=tables.get("scores"),
        label_names=label_names or {},
        about={key: text for key, text in about.items() if text},
        rules=exclusion_rows(exclusions, cascade),
        notices=simulated_notices(tables.get("annotators")),
        source=repr(name),
    )
    for items_only in (False, True):
        page = explorer_page(material, items_only=items_only)
        if len(page.encode()) <= MOST_BYTES:
            return page
    return None
