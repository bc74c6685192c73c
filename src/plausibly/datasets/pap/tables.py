"""PAP as tables: events, their ratings, and the labels the authors released."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from plausibly.datasets.catalogue import find, locate
from plausibly.datasets.pap import BINARY, CHECKS, EVENTS, MULTICLASS, QUESTION
from plausibly.datasets.pap.events import read_checks, read_computed, read_pap
from plausibly.datasets.pap.mace import KINDS, read_mace
from plausibly.tables import ITEMS, LABELS

MACE_LABELS = "mace/predicted_labels.tsv"
MACE_DISTRIBUTIONS = {kind: f"mace/{kind}_distributions.txt" for kind in KINDS}
# The binary distribution is released with the plausible side first.
_ORDER = {"binary": tuple(reversed(BINARY.labels)), "multiclass": MULTICLASS.labels}


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    """Return items, ratings, labels and, where they are there, checks from the data folder.

    Labels are those of the release: `released-majority-binary` and `-multiclass` (null if it
    says unsure), and `released-mace-binary` and `-multiclass` where MACE's files are there.
    Checks are the published check instances, an items table of its own.
    """
    path = locate(folder, "pap", EVENTS)
    imported = read_pap(path, names={})
    items = ITEMS.check(imported.items) if imported.items is not None else ITEMS.empty()
    counts = imported.ratings.group_by("item").agg(ratings=pl.len().cast(pl.Int64))
    labels = [*_majorities(path, counts), *_mace(folder, counts)]
    known = {
        "items": ITEMS.sort(items),
        "ratings": imported.ratings,
        "labels": LABELS.sort(LABELS.check(pl.concat(labels))),
    }
    checks = find(folder, "pap", CHECKS)
    return known if checks is None else {**known, "checks": _checks(checks)}


def file_tables(path: Path) -> dict[str, pl.DataFrame]:
    """Return items and ratings of one file in PAP's form, whatever else it has."""
    imported = read_pap(path, names={})
    items = ITEMS.empty() if imported.items is None else imported.items
    return {"items": items, "ratings": imported.ratings}


def _checks(path: Path) -> pl.DataFrame:
    checks = read_checks(path).select(
        item=pl.lit("check: ") + pl.col("text"),
        text="text",
        kind=pl.lit("check"),
        expected="expected",
        withdrawn="withdrawn",
    )
    return ITEMS.sort(ITEMS.check(checks))


def _majorities(path: Path, counts: pl.DataFrame) -> list[pl.DataFrame]:
    computed = read_computed(path)
    frames = []
    for kind, order in _ORDER.items():
        shares = [
            {label: share / 100 for label, share in zip(order, numbers, strict=True)}
            for numbers in computed[f"distribution_{kind}"]
        ]
        label = pl.col(f"majority_{kind}").cast(pl.String)
        known = pl.when(label.is_in(list(order))).then(label)
        frames.append(_labels(computed.select("item", label=known), f"majority-{kind}", shares))
    return [frame.join(counts, on="item") for frame in frames]


def _mace(folder: Path, counts: pl.DataFrame) -> list[pl.DataFrame]:
    labels = find(folder, "pap", MACE_LABELS)
    paths = {kind: find(folder, "pap", name) for kind, name in MACE_DISTRIBUTIONS.items()}
    known = {kind: path for kind, path in paths.items() if path is not None}
    if labels is None or len(known) < len(paths):
        return []
    files = read_mace(labels, known)
    frames = []
    for kind in KINDS:
        shares = [dict(line) for line in files.distributions[kind]]
        said = files.labels.select("item", label=pl.col(kind).cast(pl.String))
        frames.append(_labels(said, f"mace-{kind}", shares))
    return [frame.join(counts, on="item") for frame in frames]


def _labels(said: pl.DataFrame, method: str, shares: list[dict[str, float]]) -> pl.DataFrame:
    support = [
        None if label is None else share.get(label)
        for label, share in zip(said["label"], shares, strict=True)
    ]
    return said.with_columns(
        question=pl.lit(QUESTION),
        method=pl.lit(f"released-{method}"),
        support=pl.Series(support, dtype=pl.Float64),
        distribution=pl.Series([json.dumps(share) for share in shares], dtype=pl.String),
    )
