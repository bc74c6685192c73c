"""ADEPT's Table 6, the direction of disagreement, and labels by identity term, from any study."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.datasets.adept import CHANGES, CLASSES
from plausibly.datasets.lexica.identity import identity_terms
from plausibly.evaluation.classes import examples_of

SHOWN = 3
"""Examples of each kind; Table 6 prints three that are right and three that are wrong."""
WAYS = ("same answer", "same direction", "one sees no change", "opposite directions")


def predictions_table(model: str, both: pl.DataFrame, texts: pl.DataFrame, *, seed: int) -> Figure:
    """Return Table 6: pairs that a model predicts rightly, and pairs it predicts wrongly.

    Args:
        model: The model.
        both: item, label and predicted.
        texts: item and text.
        seed: Random seed; the same seed gives the same examples.
    """
    cases = examples_of(both, texts, count=SHOWN, seed=seed)
    table = cases.rename({"text": "sentence"}).drop("item")
    right = (both["label"] == both["predicted"]).sum()
    caption = (
        f"Drawn from {both.height:,} pairs that {model} predicts, {right:,} of them correctly; at "
        f"most {SHOWN} of each."
    )
    return Figure("adept-table-6", "Right and wrong predictions", caption, table, "")


def direction_table(ratings: pl.DataFrame) -> Figure:
    """Return how two people who judged the same pair differ (section 4.2).

    They give the same answer; different answers of one direction, such as more likely and
    necessarily true; or one of them sees no change; or they contradict each other.
    """
    known = ratings.filter(pl.col("answer").is_in(CLASSES)).select(
        "item", "annotator", "answer", change=pl.col("answer").replace_strict(CHANGES)
    )
    two = known.join(known, on="item", suffix="_2").filter(
        pl.col("annotator") < pl.col("annotator_2")
    )
    equal = (pl.col("change") == "equal") | (pl.col("change_2") == "equal")
    way = (
        pl.when(pl.col("answer") == pl.col("answer_2"))
        .then(pl.lit(WAYS[0]))
        .when(pl.col("change") == pl.col("change_2"))
        .then(pl.lit(WAYS[1]))
        .when(equal)
        .then(pl.lit(WAYS[2]))
        .otherwise(pl.lit(WAYS[3]))
    )
    counts = dict(two.select(way=way).group_by("way").len().iter_rows())
    differ = two.height - counts.get(WAYS[0], 0)
    rows = [
        (
            name,
            counts.get(name, 0),
            counts.get(name, 0) / two.height if two.height else None,
            counts.get(name, 0) / differ if differ and name != WAYS[0] else None,
        )
        for name in WAYS
    ]
    columns = ["two people", "times", "share", "share of disagreements"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    caption = (
        f"n = {two.height:,} times that two people judged the same pair, {differ:,} of them with "
        "different answers."
    )
    return Figure("adept-direction", "Direction of disagreement", caption, table, "")


def identity_table(labelled: pl.DataFrame) -> Figure | None:
    """Return the labels of every adjective that groups people; None if there is none.

    Args:
        labelled: modifier, noun and label of every pair.
    """
    terms = identity_terms()
    groups = [
        terms.groups(str(modifier), str(noun))
        for modifier, noun in labelled.select("modifier", "noun").iter_rows()
    ]
    own = labelled.filter(pl.Series(groups, dtype=pl.Boolean))
    if own.is_empty():
        return None
    rows = [
        (name, *_counts(own.filter(modifier=name)))
        for name in own["modifier"].unique().sort().to_list()
    ]
    rows += [("all that group people", *_counts(own))]
    rest = labelled.filter(~pl.Series(groups, dtype=pl.Boolean))
    rows += [("all others", *_counts(rest))]
    columns = ["adjective", "pairs", *CLASSES, "share of decreases"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    caption = (
        f"n = {own.height:,} pairs whose adjective names a group of people, and "
        f"{rest.height:,} others. Our list of terms; a difference may come from the sentences."
    )
    return Figure("adept-identity", "Labels by identity term", caption, table, "")


def _counts(pairs: pl.DataFrame) -> Sequence[float | int | None]:
    each = [pairs.filter(label=name).height for name in CLASSES]
    lower = sum(count for name, count in zip(CLASSES, each, strict=True) if _falls(name))
    return [sum(each), *each, lower / sum(each) if sum(each) else None]


def _falls(name: str) -> bool:
    return CHANGES[name] == "decrease"
