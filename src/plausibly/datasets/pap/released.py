"""Writes a study as PAP's files: events with ratings, majorities, distributions, MACE's files."""

from __future__ import annotations

import json
from collections.abc import Mapping

import polars as pl

from plausibly.datasets.pap import BINARY, MULTICLASS, ORIGINALS
from plausibly.datasets.pap.mace import KINDS
from plausibly.errors import StudyError
from plausibly.io.imported import one_question
from plausibly.tables import ITEMS, LABELS, RATINGS

UNSURE = "unsure"
SCHEMES = {"binary": BINARY, "multiclass": MULTICLASS}
# The order of labels in a released distribution.
ORDER = {"binary": tuple(reversed(BINARY.labels)), "multiclass": MULTICLASS.labels}
_NAMES = {condition: label for label, condition in ORIGINALS.items()}


def released(
    items: pl.DataFrame,
    ratings: pl.DataFrame,
    *,
    majorities: Mapping[str, pl.DataFrame],
    mace: Mapping[str, pl.DataFrame] | None = None,
) -> dict[str, pl.DataFrame | str]:
    """Return PAP's files by name, attested events first.

    Args:
        items: Items with condition and combination; the released event is the text.
        ratings: The ratings that cleaning kept.
        majorities: The strict majority labels, `binary` and `multiclass`.
        mace: MACE's labels of the same two kinds; its files are left out without them.

    Raises:
        StudyError: If items have no combination, or an event is neither attested nor perturbed.
    """
    events = _events(items)
    rated = one_question(RATINGS.sort(RATINGS.check(ratings)), form="pap")
    lists = rated.group_by("item", maintain_order=True).agg(rating="answer")
    table = events.join(lists, on="item", how="inner", maintain_order="left").select(
        "item",
        event="text",
        original_label=pl.col("condition").replace_strict(_NAMES),
        abstractness_combination="combination",
        rating=pl.format("[{}]", pl.col("rating").list.join(", ")),
    )
    for kind in ("multiclass", "binary"):
        table = table.join(_majority(majorities[kind], kind), on="item", maintain_order="left")
    files: dict[str, pl.DataFrame | str] = {"events_with_ratings.tsv": table.drop("item")}
    return files if mace is None else {**files, **_mace_files(events, mace)}


def _events(items: pl.DataFrame) -> pl.DataFrame:
    events = ITEMS.check(items).filter(pl.col("kind") == "item")
    if "combination" not in events.columns:
        raise StudyError("PAP's format needs items with a column combination, such as a-m-c.")
    odd = events.filter(~pl.col("condition").is_in(list(_NAMES)).fill_null(False))
    if odd.height:
        raise StudyError(
            f"PAP's format has events that are {' or '.join(_NAMES)}; {odd.height} are neither "
            f"(first: {odd['item'][0]!r})."
        )
    return events.sort("condition", "text")


def _majority(labels: pl.DataFrame, kind: str) -> pl.DataFrame:
    shares = [
        json.dumps([100 * share.get(label, 0.0) for label in ORDER[kind]])
        for share in map(json.loads, LABELS.check(labels)["distribution"])
    ]
    return labels.select(
        "item",
        pl.col("label").fill_null(UNSURE).alias(f"majority_{kind}"),
        pl.Series(f"distribution_{kind}", shares, dtype=pl.String),
    )


def _mace_files(
    events: pl.DataFrame, mace: Mapping[str, pl.DataFrame]
) -> dict[str, pl.DataFrame | str]:
    table = events.select("item", "text", "condition")
    files: dict[str, pl.DataFrame | str] = {}
    for kind in KINDS:
        said = LABELS.check(mace[kind]).select("item", "label", "distribution")
        table = table.join(said, on="item", how="inner", suffix=f"_{kind}", maintain_order="left")
        table = table.rename({"label": kind, "distribution": f"distribution_{kind}"})
    for kind in KINDS:
        lines = [_line(json.loads(cell)) for cell in table[f"distribution_{kind}"]]
        files[f"mace/{kind}_distributions.txt"] = "".join(f"{line}\n" for line in lines)
    files["mace/predicted_labels.tsv"] = table.select(
        event="text",
        original_label=pl.col("condition").replace_strict(_NAMES),
        **{"multi-class_prediction": "multiclass", "binary_prediction": "binary"},
    )
    return files


def _line(shares: Mapping[str, float]) -> str:
    """Return labels and probabilities in MACE's format, the most probable first."""
    order = sorted(shares, key=lambda label: (-shares[label], label))
    return "\t".join(f"{float(label)} {shares[label]}" for label in order)
