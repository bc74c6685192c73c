"""What people say, read from the file predictions are evaluated against, by scheme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast, get_args

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
from plausibly.datasets.items import is_items, judged_items
from plausibly.datasets.pairs import read_pair_table
from plausibly.datasets.pap.events import read_pap
from plausibly.domain import ANNOTATOR_KIND, LabelScheme
from plausibly.errors import StudyError, TableError, UnknownName, option
from plausibly.evaluation.clusters import HEAD, ITEM, clustered, default_clusters
from plausibly.evaluation.events import event_items
from plausibly.evaluation.labelled import (
    is_labels,
    read_labels,
    sentence_pairs,
    study_items,
    word_pairs,
)
from plausibly.evaluation.pairs import Undefined
from plausibly.evaluation.soft import Scale, rating_counts
from plausibly.io import read_rows, read_table
from plausibly.tables import RATINGS

CLASS_SCHEMES = {scheme.name: scheme for scheme in (FIVE_CLASSES, FOUR_CLASSES, THREE_CLASSES)}
PAIRS = "sp10k"
SCHEMES = (*CLASS_SCHEMES, "events", "pap-binary", "pap-perturbed", "pap-soft", PAIRS)

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
        undefined: For `sp10k`: what heads count on which a model's scores are all the same.
        clusters: What rows are drawn together by, `item` for nothing.
    """

    scheme: str
    rows: pl.DataFrame
    parts: Mapping[str, pl.Series] = field(default_factory=dict)
    undefined: Undefined = "drop"
    clusters: str = ITEM

    def treating(self, undefined: str | None) -> Truth:
        """Return the same with another choice for heads without a correlation, None for ours."""
        if undefined is None:
            return self
        if self.scheme != PAIRS:
            raise StudyError(
                f"{option('undefined')} is for {PAIRS}, whose measure is a mean over heads; "
                f"got scheme {self.scheme}.",
                parameter="undefined",
            )
        if undefined not in get_args(Undefined):
            raise UnknownName("choice for undefined heads", undefined, get_args(Undefined))
        return replace(self, undefined=cast("Undefined", undefined))

    @property
    def classes(self) -> LabelScheme:
        """The classes of a scheme that has any."""
        return CLASS_SCHEMES[self.scheme]


def read_truth(
    path: Path,
    scheme: str,
    *,
    relation: str | None = None,
    train: Path | None = None,
    items: Path | None = None,
    clusters: str | None = None,
) -> Truth:
    """Return what people say in a file, in the form a scheme needs.

    Args:
        path: The file; for `sp10k` also a folder of files named after their relations.
        scheme: One of `SCHEMES`.
        relation: For `sp10k`: the relation of a file without header.
        train: For ADEPT's schemes: the pairs a model learnt from, to tell new pairs from met ones.
        items: The items a study's labels or ratings are about.
        clusters: Column whose values rows are drawn together by; None for the scheme's default.
    """
    if scheme not in SCHEMES:
        raise UnknownName("scheme", scheme, SCHEMES)
    if train is not None and scheme not in CLASS_SCHEMES:
        message = f"is only for {', '.join(CLASS_SCHEMES)}; got {scheme}."
        raise StudyError(f"{option('train')} {message}", parameter="train")
    if path.is_file() and is_labels(read_rows(path).frame):
        truth = _of_study(path, scheme, items=items, train=train)
    elif items is not None:
        truth = _of_ratings(path, scheme, items=items)
    else:
        truth = _of_file(path, scheme, relation=relation, train=train)
    return _clustered(truth, path if items is None else items, clusters)


def _clustered(truth: Truth, path: Path, clusters: str | None) -> Truth:
    """Return what people say with the clusters of a column, or of the scheme's default."""
    name = clusters or default_clusters(truth.scheme)
    if truth.scheme == PAIRS:
        if name != HEAD:
            raise StudyError(
                f"{option('clusters')}: pairs of {PAIRS} are drawn by head; got {name!r}.",
                parameter="clusters",
            )
        return replace(truth, clusters=name)
    facts = _facts(path, truth.scheme)
    rows = clustered(truth.rows, facts, name, must=clusters is not None)
    known = name in facts.columns or name == ITEM
    return replace(truth, rows=rows, clusters=name if known else ITEM)


def _facts(path: Path, scheme: str) -> pl.DataFrame:
    """Return what a file tells about each item besides what people say."""
    frame = read_rows(path).frame if path.is_file() else pl.DataFrame({ITEM: []})
    if scheme in CLASS_SCHEMES and ITEM not in frame.columns:
        return read_pairs(path, labelled=False).with_columns(item=pl.col("idx").cast(pl.String))
    if {"event", "rating"} <= set(frame.columns):
        items = read_pap(path, names={}).items
        return frame if items is None else items
    if scheme == "events" and ITEM not in frame.columns:
        return event_items(read_labelled(path))
    return frame


def _of_file(path: Path, scheme: str, *, relation: str | None, train: Path | None) -> Truth:
    """Return what people say in a file in the form a dataset is released in."""
    if scheme == "sp10k":
        pairs = read_pair_table(path, relation=relation)
        if pairs["score"].is_null().any():
            raise TableError(
                f"{path}: {pairs['score'].null_count()} of {pairs.height} pairs have no score. "
                "evaluate needs people's score of every pair."
            )
        return Truth(scheme, _once(pairs, path))
    if scheme in CLASS_SCHEMES:
        pairs = read_pairs(path)
        return Truth(scheme, _effects(pairs), {**modifier_classes(pairs), **_met(pairs, train)})
    if scheme == "events":
        events = event_items(read_labelled(path)).select("item", "label")
        return Truth(scheme, _distinct(events, path))
    if scheme == "pap-perturbed" or (scheme == "pap-binary" and not _has_ratings(path)):
        return Truth(scheme, (_conditions if scheme == "pap-perturbed" else _labels)(path))
    counts = rating_counts(_ratings(path), PAP_SCALE)
    return Truth(scheme, counts if scheme == "pap-soft" else strict_sides(counts))


def _of_study(path: Path, scheme: str, *, items: Path | None, train: Path | None) -> Truth:
    """Return what the labels of a study say; `sp10k` and ADEPT's schemes need its items."""
    if scheme in ("pap-soft", "pap-perturbed"):
        other = "ratings" if scheme == "pap-soft" else "items"
        raise StudyError(f"{path}: {scheme} compares with a study's {other}, not with its labels.")
    labels = read_labels(path)
    if scheme not in CLASS_SCHEMES and scheme != "sp10k":
        return _among(Truth(scheme, labels), items)
    if items is None:
        message = f"{scheme} needs the items of these labels. Pass {option('items')}."
        raise StudyError(f"{path}: {message}")
    if scheme == "sp10k":
        return Truth(scheme, word_pairs(labels, items, path=path))
    pairs = sentence_pairs(items)
    rows = pairs.select("item", cluster="sentence1").join(labels, on="item", maintain_order="left")
    return Truth(scheme, rows, {**modifier_classes(pairs), **_met(pairs, train)})


def _of_ratings(path: Path, scheme: str, *, items: Path) -> Truth:
    """Return what the ratings of a study say about its items."""
    if scheme not in ("pap-binary", "pap-soft") or path.is_dir() or not _has_ratings(path):
        raise StudyError(
            f"{path}: {option('items')} is only for a study's labels, or its ratings (pap-soft, "
            "pap-binary). Leave it out."
        )
    return _among(_of_file(path, scheme, relation=None, train=None), items)


def _among(truth: Truth, items: Path | None) -> Truth:
    """Return what is known of the items of a study, checks left out."""
    if items is None:
        return truth
    own = truth.rows.filter(pl.col("item").is_in(study_items(items).implode()))
    return replace(truth, rows=own)


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
    item = _item(pairs)
    classes = {
        SUBSECTIVE: kind == SUBSECTIVE,
        NON_SUBSECTIVE: kind != SUBSECTIVE,
        "privative": kind == "privative",
        "plain non-subsective": kind == "plain",
    }
    return {name: pairs.filter(own).select(item).to_series() for name, own in classes.items()}


def _item(pairs: pl.DataFrame) -> pl.Expr:
    """Return what names a pair: its item in a study, else its idx."""
    return pl.col("item" if "item" in pairs.columns else "idx").cast(pl.String)


def _met(pairs: pl.DataFrame, train: Path | None) -> dict[str, pl.Series]:
    """Return the items whose sentence, or modifier with its noun, is in the train pairs."""
    if train is None:
        return {}
    learnt = read_pairs(train, labelled=False)
    words = pl.concat_str(pl.col("modifier", "noun").str.to_lowercase(), separator="|")
    known = pl.col("sentence1").is_in(learnt["sentence1"].implode()) | words.is_in(
        learnt.select(words).to_series().implode()
    )
    item = _item(pairs)
    sides = {"met in train": known, "new": ~known}
    return {name: pairs.filter(own).select(item).to_series() for name, own in sides.items()}


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
        return RATINGS.check(_of_people(ratings))
    return _of_people(read_table(path, RATINGS))


def _of_people(ratings: pl.DataFrame) -> pl.DataFrame:
    """Return ratings without those of models: what people say is never what a model says."""
    if ANNOTATOR_KIND not in ratings.columns:
        return ratings
    return ratings.filter(pl.col(ANNOTATOR_KIND).fill_null("person") != "model")


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
        raise TableError(f"{path}: column {odd!r} holds {frame[odd].dtype}, not one value per row.")
    return _distinct(frame.select(pl.col("item", "label").cast(pl.String)), path)


def _conditions(path: Path) -> pl.DataFrame:
    """Return each event with 1 if it was attested and 0 if it was made by perturbation."""
    rows = judged_items(read_rows(path))
    items = rows.frame if is_items(rows.frame) else read_pap(path, names={}).items
    if items is None or items.is_empty():
        raise TableError(f"{path}: no events in it.")
    codes = {pap.CONDITIONS[0]: "1", pap.CONDITIONS[1]: "0"}
    odd = items.filter(~pl.col("condition").is_in(list(codes)).fill_null(False))
    if odd.height:
        raise TableError(
            f"{path}: {odd.height} of {items.height} items are neither {' nor '.join(codes)} "
            f"(first: {odd['item'][0]!r}, condition {odd['condition'][0]!r})."
        )
    return items.select("item", label=pl.col("condition").replace_strict(codes))


def _once(pairs: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Return each pair once; raise if it has two scores."""
    words = ["relation", "head", "dependent"]
    distinct = pairs.unique([*words, "score"], maintain_order=True)
    twice = distinct.filter(pl.struct(words).is_duplicated())
    if twice.height:
        first = " ".join(twice.select(words).row(0))
        count = twice.select(words).n_unique()
        raise TableError(f"{path}: {count} pairs have two scores (first: {first}). Keep one each.")
    return distinct


def _distinct(events: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Return each item once; raise if it has two labels, or there is none."""
    if events.is_empty():
        raise TableError(f"{path}: no events in it.")
    distinct = events.unique(["item", "label"], maintain_order=True)
    twice = distinct.filter(pl.col("item").is_duplicated())["item"].unique().sort()
    if len(twice):
        raise TableError(f"{path}: {len(twice)} items have two labels (first: {twice[0]!r}).")
    return distinct
