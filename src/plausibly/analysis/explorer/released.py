"""The explorer of tables that belong together, as in a release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from plausibly.analysis.explorer.material import ExplorerMaterial, without_numbers
from plausibly.analysis.explorer.page import MOST_BYTES, explorer_page
from plausibly.analysis.methods import exclusion_rows
from plausibly.io import frame_hash
from plausibly.study.manifest import version_of
from plausibly.tables import EXCLUSIONS, LABELS, PREDICTIONS, RATINGS, TABLES

SHOWN = ("items", "ratings", "labels", "annotators", "exclusions", "predictions", "scores")


def tables_checksum(tables: Mapping[str, pl.DataFrame]) -> str:
    """Return one hash for all tables."""
    hashes = [f"{name} {frame_hash(tables[name])}" for name in sorted(tables)]
    return frame_hash(pl.DataFrame({"table": hashes}))


def released_material(
    tables: Mapping[str, pl.DataFrame],
    *,
    name: str,
    about: Mapping[str, str],
    label_names: Mapping[str, str] | None = None,
    questions: Mapping[str, Mapping[str, Any]] | None = None,
    source: str,
) -> ExplorerMaterial:
    """Return what the explorer of a release shows: its tables, nothing else.

    Args:
        tables: The tables, items among them.
        name: Its name.
        about: Version, licence and the like, by name.
        label_names: From label to the word a reader sees.
        questions: From a question to its text and options, in the order of the form.
        source: How Python names the release in `pb.browse(…)`.
    """
    shown = {one: TABLES[one].sort(tables[one]) for one in SHOWN if one in tables}
    items = shown["items"].filter(pl.col("kind") == "item")
    ratings = shown.get("ratings", RATINGS.empty()).join(items, on="item", how="semi")
    texts = {one for one, said in (questions or {}).items() if said.get("scale") == "text"}
    ratings = without_numbers(ratings, texts)
    exclusions = shown.get("exclusions", EXCLUSIONS.empty())
    facts = {**about, "plausibly": version_of("plausibly"), "checksum": tables_checksum(shown)}
    return ExplorerMaterial(
        name,
        "release",
        RATINGS.sort(ratings),
        RATINGS.sort(ratings.join(exclusions, on=list(RATINGS.key), how="anti")),
        items=items,
        exclusions=exclusions,
        labels=shown.get("labels", LABELS.empty()),
        predictions=shown.get("predictions", PREDICTIONS.empty()),
        annotators=shown.get("annotators"),
        scores=shown.get("scores"),
        label_names=label_names or {},
        questions=questions or {},
        about={key: text for key, text in facts.items() if text},
        rules=exclusion_rows(exclusions, []),
        source=source,
    )


def released_page(material: ExplorerMaterial) -> str | None:
    """Return the page of a release; None if even one without people has more than 10 MB."""
    for items_only in (False, True):
        page = explorer_page(material, items_only=items_only)
        if len(page.encode()) <= MOST_BYTES:
            return page
    return None
