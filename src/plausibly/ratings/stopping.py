"""What is saved, and what is distorted, if an item is closed as soon as enough people agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from plausibly.measures.agreement import agreement
from plausibly.measures.resampling import Resampling

PERCENT = "percent_agreement"


def needed(answers: Iterable[str], at_least: int) -> int:
    """Return how many answers, in their order, are asked for until enough are equal.

    >>> needed(["yes", "yes", "no"], 2), needed(["yes", "no", "yes"], 2), needed(["yes"], 2)
    (2, 3, 1)
    """
    counts: Counter[str] = Counter()
    for place, answer in enumerate(answers, start=1):
        counts[answer] += 1
        if counts[answer] >= at_least:
            return place
    return counts.total()


def stopping(ratings: pl.DataFrame, *, question: str, at_least: int) -> Mapping[str, Any]:
    """Return what stopping at `at_least` equal answers saves, and how it moves agreement.

    With two of three, no label changes: two equal answers are the majority whatever the third
    is. Agreement measured on what is left is another matter, since items are closed on agreement
    and the third answer, which might have differed, is never seen.

    Args:
        ratings: With times; ratings of an item are taken in the order they were submitted.
        question: The question whose answers decide.
        at_least: Equal answers that close an item.
    """
    own = ratings.filter(pl.col("question") == question)
    ordered = own.sort("submitted", "annotator") if "submitted" in own.columns else own
    place = pl.int_range(1, pl.len() + 1).over("item")
    limits = {
        str(item): needed(part["answer"], at_least)
        for (item,), part in ordered.partition_by("item", as_dict=True).items()
    }
    wanted = pl.col("item").replace_strict(limits, return_dtype=pl.Int64)
    left = ordered.filter(place <= wanted)
    whole, part = (_agreement(one, question) for one in (own, left))
    full, early = (_labels(one, at_least) for one in (own, left))
    return {
        "question": question,
        "at_least": at_least,
        "ratings": own.height,
        "needed": left.height,
        "saving": 1 - left.height / own.height if own.height else None,
        "labels_changed": sum(full[item] != early[item] for item in full),
        "agreement": whole,
        "agreement_if_stopped": part,
        "bias": None if whole is None or part is None else part - whole,
    }


def early_closing(
    ratings: pl.DataFrame, *, question: str, at_least: int, target: int, items: int
) -> Mapping[str, Any]:
    """Return what closing items early has saved in a collection that did, and what it distorts.

    Every item was rated by at least `at_least` people, whatever they said, so the first so many
    ratings of each are what a plain collection would have had: agreement among them is not moved
    by the stopping, and `bias` is how far agreement among all ratings lies above it.

    Args:
        ratings: With times; ratings of an item are taken in the order they were submitted.
        question: The question whose answers decide.
        at_least: Equal answers that closed an item.
        target: Ratings of an item nobody agreed on.
        items: How many items were to be judged.

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t2", "t2"], "annotator": list("ababc"),
    ...                         "question": ["q"] * 5, "answer": ["1", "1", "1", "2", "1"],
    ...                         "submitted": list("12345")})
    >>> report = early_closing(ratings, question="q", at_least=2, target=3, items=2)
    >>> report["decided"], report["closed"], report["saved"], round(report["saving"], 3)
    (2, 2, 1, 0.167)
    >>> round(report["agreement"], 3), report["agreement_of_first"], round(report["bias"], 3)
    (0.667, 0.5, 0.167)
    """
    own = ratings.filter(pl.col("question") == question).sort("item", "submitted", "annotator")
    counts = own.group_by("item").agg(
        ratings=pl.len(), top=pl.col("answer").value_counts().struct.field("count").max()
    )
    decided = counts.filter(pl.col("top") >= at_least)
    closed = counts.filter((pl.col("top") >= at_least) | (pl.col("ratings") >= target))
    saved = closed.height * target - int(closed["ratings"].sum())
    first = own.filter(pl.int_range(pl.len()).over("item") < at_least)
    whole, plain = (_agreement(one, question) if one.height else None for one in (own, first))
    return {
        "question": question,
        "at_least": at_least,
        "items": items,
        "decided": decided.height,
        "closed": closed.height,
        "ratings": own.height,
        "saved": saved,
        "saving": saved / (closed.height * target) if closed.height else None,
        "agreement": whole,
        "agreement_of_first": plain,
        "bias": None if whole is None or plain is None else whole - plain,
    }


def _agreement(ratings: pl.DataFrame, question: str) -> float | None:
    plan = Resampling(resamples=0)
    return (
        agreement(ratings, measures=(PERCENT,), resampling=plan)[question].measures[PERCENT].value
    )


def _labels(ratings: pl.DataFrame, at_least: int) -> dict[str, str | None]:
    """Return the one answer so many people share, None if there is not exactly one."""
    labels: dict[str, str | None] = {}
    for (item,), part in ratings.partition_by("item", as_dict=True).items():
        shared = [answer for answer, n in Counter(part["answer"]).items() if n >= at_least]
        labels[str(item)] = shared[0] if len(shared) == 1 else None
    return labels


def mark_early(ratings: pl.DataFrame, *, decided: int) -> pl.DataFrame:
    """Return the ratings with a column `early`: 1 for each item's first answers, else 0.

    The first answers are asked for whatever they are; later ones only where people differ.

    Args:
        ratings: With times; an item's annotators count in the order they submitted.
        decided: Equal answers that close an item, and so the number of first answers.

    >>> table = pl.DataFrame({"item": ["t1"] * 3, "annotator": ["a", "b", "c"],
    ...                       "submitted": ["10:02", "10:01", "10:03"]})
    >>> mark_early(table, decided=2)["early"].to_list()
    [1, 1, 0]
    """
    key = ["item", "annotator"]
    first = ratings.group_by(key).agg(pl.col("submitted").min())
    ordered = first.sort("item", "submitted", "annotator")
    place = pl.int_range(1, pl.len() + 1).over("item")
    early = ordered.select(*key, early=(place <= decided).cast(pl.Int64))
    return ratings.join(early, on=key, how="left", maintain_order="left")
