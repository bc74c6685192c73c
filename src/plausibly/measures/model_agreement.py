"""How far a model agrees with people, next to how far people agree with each other."""

from __future__ import annotations

import numpy as np
import polars as pl


def model_agreement(people: pl.DataFrame, model: pl.DataFrame) -> dict[str, float | int | None]:
    """Return the share of equal answers of model and person, and of two people, on the same items.

    Args:
        people: item, annotator, answer.
        model: item and answer of the model.

    >>> people = pl.DataFrame({"item": ["x"] * 3, "annotator": list("abc"), "answer": list("114")})
    >>> agreed = model_agreement(people, pl.DataFrame({"item": ["x"], "answer": ["1"]}))
    >>> round(agreed["with_people"], 3), round(agreed["among_people"], 3)
    (0.667, 0.333)
    """
    own = model.select("item", said="answer").drop_nulls()
    judged = people.drop_nulls("answer").join(own, on="item", how="inner", maintain_order="left")
    votes = judged.group_by("item", "said", "answer").len("votes").sort("item", "answer")
    each = votes.group_by("item", maintain_order=True).agg(
        ratings=pl.col("votes").sum().cast(pl.Int64),
        shared=pl.col("votes").filter(pl.col("answer") == pl.col("said")).sum().cast(pl.Int64),
        equal=(pl.col("votes").cast(pl.Int64) * (pl.col("votes").cast(pl.Int64) - 1)).sum(),
    )
    pairs = int((each["ratings"] * (each["ratings"] - 1)).sum())
    ratings = int(each["ratings"].sum())
    return {
        "with_people": int(each["shared"].sum()) / ratings if ratings else None,
        "among_people": int(each["equal"].sum()) / pairs if pairs else None,
        "items": each.height,
        "ratings": ratings,
    }


def model_correlation(people: pl.DataFrame, model: pl.DataFrame) -> dict[str, float | int | None]:
    """Return Pearson's r of the model, and of a person, with the mean of the other people.

    Args:
        people: item, annotator, answer, a number.
        model: item and answer of the model, a number.
    """
    own = model.select("item", said="answer").drop_nulls()
    judged = people.drop_nulls("answer").join(own, on="item", how="inner", maintain_order="left")
    others = pl.len().over("item") - 1
    pairs = judged.with_columns(others=others).filter(pl.col("others") > 0)
    mean = (pl.col("answer").sum().over("item") - pl.col("answer")) / pl.col("others")
    table = pairs.select("item", "said", "answer", mean=mean).sort("item", "answer")
    return {
        "with_people": _pearson(table["said"], table["mean"]),
        "among_people": _pearson(table["answer"], table["mean"]),
        "items": table["item"].n_unique(),
        "ratings": table.height,
    }


def _pearson(one: pl.Series, other: pl.Series) -> float | None:
    first, second = (column.to_numpy().astype(np.float64) for column in (one, other))
    if len(first) < 2 or not first.std() or not second.std():
        return None
    return float(np.corrcoef(first, second)[0, 1])
