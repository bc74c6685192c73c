"""What people say, read from the file predictions are evaluated against, by scheme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from plausibly.datasets import pap
from plausibly.datasets.adept import CLASSES, CODES, FIVE_CLASSES, FOUR_CLASSES, THREE_CLASSES
from plausibly.datasets.adept.nonsubsective import (
    NON_SUBSECTIVE,
    SUBSECTIVE,
    shipped_nonsubsective,
)
from plausibly.datasets.adept.pairs import read_pairs
from plausibly.datasets.events import read_labelled
from plausibly.datasets.pairs import read_pair_table
from plausibly.datasets.pap.events import read_pap
from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.evaluation.events import event_items
from plausibly.evaluation.soft import Scale, rating_counts
from plausibly.io import read_rows, read_table
from plausibly.tables import RATINGS

CLASS_SCHEMES = {scheme.name: scheme for scheme in (FIVE_CLASSES, FOUR_CLASSES, THREE_CLASSES)}
SCHEMES = (*CLASS_SCHEMES, "events", "pap-binary", "pap-perturbed", "pap-soft", "sp10k")

# Emami et al. (2021), section 4.2, leave impossible out of four classes: a model that says it
# anyway has said the nearest class there is.
LEFT_OUT = {"adept-4": {"0": CLASSES[1], CLASSES[0]: CLASSES[1]}}

# PAP's slider has five places and no answer in the middle.
PAP_SCALE = Scale(pap.ANSWERS, tuple(float(answer) for answer in pap.ANSWERS))


@dataclass(frozen=True, eq=False)
class Truth:
    """What people say under a scheme.

    Args:
        scheme: Its name.
        rows: Pairs with scores; item, label and cluster; or item and how often each answer.
        parts: Items of the parts that are evaluated apart as well, by their names.
    """

    scheme: str
    rows: pl.DataFrame
    parts: Mapping[str, pl.Series] = field(default_factory=dict)

    @property
    def classes(self) -> LabelScheme:
        """The classes of a scheme that has any."""
        return CLASS_SCHEMES[self.scheme]


def read_truth(
    path: Path, scheme: str, *, relation: str | None = None, train: Path | None = None
) -> Truth:
    """Return what people say in a file, in the form a scheme needs.

    Args:
        path: The file; for `sp10k` also a folder of files named after their relations.
        scheme: One of `SCHEMES`.
        relation: For `sp10k`: the relation of a file without header.
        train: For ADEPT's schemes: the pairs a model learnt from, to tell new pairs from met ones.
    """
    if scheme not in SCHEMES:
        raise UnknownName("scheme", scheme, SCHEMES)
    if train is not None and scheme not in CLASS_SCHEMES:
        raise StudyError(f"--train is for {', '.join(CLASS_SCHEMES)}; {scheme} has no such parts.")
    if scheme == "sp10k":
        pairs = read_pair_table(path, relation=relation)
        if pairs["score"].is_null().any():
            raise TableError(
                f"{path}: {pairs['score'].null_count()} of {pairs.height} pairs have no score. "
                "Evaluating needs people's scores."
            )
        return Truth(scheme, pairs)
    if scheme in CLASS_SCHEMES:
        pairs = read_pairs(path)
        return Truth(scheme, _effects(pairs), {**modifier_classes(pairs), **_met(pairs, train)})
    if scheme == "events":
        events = event_items(read_labelled(path)).select("item", "label")
        return Truth(scheme, _distinct(events, path))
    if scheme == "pap-perturbed":
        return Truth(scheme, _conditions(path))
    if scheme == "pap-binary" and not _has_ratings(path):
        return Truth(scheme, _labels(path))
    counts = rating_counts(_ratings(path), PAP_SCALE)
    return Truth(scheme, counts if scheme == "pap-soft" else strict_sides(counts))


def strict_sides(counts: pl.DataFrame) -> pl.DataFrame:
    """Return the label of each event: a side that 70 % of its ratings are on, else null."""
    total = pl.sum_horizontal(pap.ANSWERS)
    sides = {
        side: pl.sum_horizontal(a for a in pap.ANSWERS if pap.BINARY.of[a] == side)
        for side in pap.BINARY.labels
    }
    decided = [
        pl.when(votes / total >= pap.MIN_SHARE).then(pl.lit(side)) for side, votes in sides.items()
    ]
    return counts.select("item", label=pl.coalesce(decided))


def _effects(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return ADEPT's pairs: idx as item, the class, and the sentence several pairs share."""
    label = pl.col("label").cast(pl.String).replace_strict(CODES)
    return pairs.select(item=pl.col("idx").cast(pl.String), label=label, cluster="sentence1")


def modifier_classes(pairs: pl.DataFrame) -> dict[str, pl.Series]:
    """Return the items whose modifier is of each class: the two of Figure 4, and three of §2.

    `dead` is non-subsective, as ADEPT has it, and neither privative nor plain, as no list has it.
    """
    listed = shipped_nonsubsective()
    modifier = pl.col("modifier").str.to_lowercase()
    kind = modifier.replace_strict(dict(listed), default=SUBSECTIVE, return_dtype=pl.String)
    item = pl.col("idx").cast(pl.String)
    classes = {
        SUBSECTIVE: kind == SUBSECTIVE,
        NON_SUBSECTIVE: kind != SUBSECTIVE,
        "privative": kind == "privative",
        "plain non-subsective": kind == "plain",
    }
    return {name: pairs.filter(own).select(item)["idx"] for name, own in classes.items()}


def _met(pairs: pl.DataFrame, train: Path | None) -> dict[str, pl.Series]:
    """Return the items whose sentence, or modifier with its noun, stands in the train pairs."""
    if train is None:
        return {}
    learnt = read_pairs(train, labelled=False)
    words = pl.concat_str(pl.col("modifier", "noun").str.to_lowercase(), separator="|")
    known = pl.col("sentence1").is_in(learnt["sentence1"].implode()) | words.is_in(
        learnt.select(words).to_series().implode()
    )
    item = pl.col("idx").cast(pl.String)
    sides = {"met in train": known, "new": ~known}
    return {name: pairs.filter(own).select(item)["idx"] for name, own in sides.items()}


def _has_ratings(path: Path) -> bool:
    columns = read_rows(path).frame.columns
    return "answer" in columns or {"event", "rating"} <= set(columns)


def _ratings(path: Path) -> pl.DataFrame:
    columns = read_rows(path).frame.columns
    if {"event", "rating"} <= set(columns):
        return read_pap(path, names={}).ratings
    if "answer" not in columns:
        raise TableError(
            f"{path}: neither PAP's released form (event, rating) nor ratings (item, annotator, "
            f"answer). Columns found: {', '.join(columns)}."
        )
    ratings = read_rows(path).frame
    if "question" not in columns:
        ratings = ratings.with_columns(question=pl.lit(pap.QUESTION))
        return RATINGS.check(ratings)
    return read_table(path, RATINGS)


def _labels(path: Path) -> pl.DataFrame:
    frame = read_rows(path).frame
    missing = [name for name in ("item", "label") if name not in frame.columns]
    if missing:
        raise TableError(
            f"{path}: no column {missing[0]!r}. Expected PAP's released form, ratings, or a table "
            f"item, label. Columns found: {', '.join(frame.columns)}."
        )
    odd = next((name for name in ("item", "label") if frame[name].dtype.is_nested()), None)
    if odd is not None:
        raise TableError(f"{path}: column {odd!r} holds {frame[odd].dtype}, not one value a row.")
    return _distinct(frame.select(pl.col("item", "label").cast(pl.String)), path)


def _conditions(path: Path) -> pl.DataFrame:
    """Return each event with 1 if it was attested and 0 if it was made by perturbation."""
    items = read_pap(path, names={}).items
    if items is None:
        raise TableError(f"{path}: no events in it.")
    codes = {pap.CONDITIONS[0]: "1", pap.CONDITIONS[1]: "0"}
    return items.select("item", label=pl.col("condition").replace_strict(codes))


def _distinct(events: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Return each item once; raise if it has two labels, or there is none."""
    if events.is_empty():
        raise TableError(f"{path}: no events in it.")
    distinct = events.unique(["item", "label"], maintain_order=True)
    twice = distinct.filter(pl.col("item").is_duplicated())["item"].unique().sort()
    if len(twice):
        raise TableError(f"{path}: {len(twice)} items have two labels (first: {twice[0]!r}).")
    return distinct
