"""How many people's mean predicts one more person as well as a model does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from plausibly.measures.coded import Floats
from plausibly.measures.draws import drawable

RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class RatersWorth:
    """Mean squared distance to a person left out: of the model, and of means of others.

    Args:
        raters: Fewest people whose mean is as near as the model; 0 if already one is nearer, None
            if the model is nearer than the mean of all there are.
        low: The same in the draw of items that favours people.
        high: In the one that favours the model; None if it is nearer than all there are.
        model: The model's mean squared distance.
        means: That of the mean of 1, 2, … people.
        items: Items that entered.
        left_out: Items too few people judged.
    """

    raters: int | None
    low: int | None
    high: int | None
    model: float | None
    means: tuple[float, ...]
    items: int
    left_out: int

    @property
    def words(self) -> str | None:
        """How many people, with the interval: "3 (1 to 5)"; None if it is not known."""
        if self.model is None:
            return None
        value, low, high = (
            _people(one, len(self.means)) for one in (self.raters, self.low, self.high)
        )
        return value if self.low is None or low == high else f"{value} ({low} to {high})"

    def as_json(self) -> dict[str, object]:
        """Return the result as `evaluate --ratings --json` prints it."""
        return {
            "words": self.words,
            "raters": self.raters,
            "low": self.low,
            "high": self.high,
            "model_mse": self.model,
            "mse_of_means": list(self.means),
            "items": self.items,
            "left_out": self.left_out,
        }


def _people(raters: int | None, most: int) -> str:
    if raters is None or raters > most:
        return f"over {most}"
    return str(raters) if raters else "under 1"


def raters_worth(
    people: pl.DataFrame, model: pl.DataFrame, *, resamples: int = RESAMPLES, seed: int = 0
) -> RatersWorth:
    """Return how many people the model is worth as a prediction of one more person.

    Every person is left out in turn; what the mean of some of the others is away on average is
    known without drawing them. Only items with as many people as nine in ten items have enter.

    Args:
        people: item, annotator and answer, a number.
        model: item and answer of the model, a number on the same scale.
        resamples: Draws of items for the interval.
        seed: Random seed; the same seed gives the same interval.

    >>> people = pl.DataFrame({"item": ["x"] * 3 + ["y"] * 3, "annotator": list("abcabc"),
    ...                        "answer": [1.0, 2.0, 3.0, 4.0, 5.0, 4.0]})
    >>> near = pl.DataFrame({"item": ["x", "y"], "answer": [2.0, 4.3]})
    >>> raters_worth(people, near).raters is None
    True
    """
    own = model.select("item", said="answer").drop_nulls()
    judged = people.drop_nulls("answer").join(own, on="item", how="inner", maintain_order="left")
    return _weighed([judged], resamples, seed)


def worth_of_shares(
    people: pl.DataFrame,
    said: Mapping[str, Mapping[str, float]],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> RatersWorth:
    """Return how many people the model is worth where answers are words.

    Distances are those of Brier (1950): between the shares that the model, or some people, give
    each answer, and the answer of the person left out.

    Args:
        people: item, annotator and answer.
        said: From an item to the share that the model gives each answer.
        resamples: Draws of items for the interval.
        seed: Random seed; the same seed gives the same interval.

    >>> people = pl.DataFrame({"item": ["x"] * 3 + ["y"] * 3, "annotator": list("abcabc"),
    ...                        "answer": ["no", "no", "yes", "yes", "yes", "yes"]})
    >>> said = {"x": {"no": 0.7, "yes": 0.3}, "y": {"yes": 1.0}}
    >>> worth_of_shares(people, said).raters is None
    True
    """
    judged = people.drop_nulls("answer").filter(pl.col("item").is_in(list(said)))
    names = {str(name) for name in judged["answer"].unique()}
    names |= {name for item in judged["item"].unique() for name in said[item]}
    item, answer = pl.col("item"), pl.col("answer")
    coded = []
    for name in sorted(names):
        shares = {one: own.get(name, 0.0) for one, own in said.items()}
        given = item.replace_strict(shares, return_dtype=pl.Float64)
        coded.append(judged.with_columns(answer=(answer == name).cast(pl.Float64), said=given))
    return _weighed(coded, resamples, seed)


def _weighed(coded: Sequence[pl.DataFrame], resamples: int, seed: int) -> RatersWorth:
    """Return the worth from what model and people say, as numbers; distances are summed."""
    if not coded:
        return RatersWorth(None, None, None, None, (), 0, 0)
    sizes = coded[0].group_by("item").len().sort("item")
    if sizes.is_empty():
        return RatersWorth(None, None, None, None, (), 0, 0)
    most = int(np.quantile(sizes["len"].to_numpy(), 0.1, method="lower")) - 1
    kept = sizes.filter(pl.col("len") > most)
    if most < 1 or kept.is_empty():
        return RatersWorth(None, None, None, None, (), 0, sizes.height)
    table = np.zeros((kept.height, most + 1))
    for judged in coded:
        chosen = judged.join(kept, on="item", how="semi", maintain_order="left").sort("item")
        table += _distances(chosen, most)
    worth = _worth(table.mean(axis=0))
    drawn = _drawn(table, resamples, seed)
    return RatersWorth(
        worth if worth <= most else None,
        drawn[0],
        drawn[1] if drawn[1] is not None and drawn[1] <= most else None,
        float(table[:, 0].mean()),
        tuple(float(value) for value in table[:, 1:].mean(axis=0)),
        kept.height,
        sizes.height - kept.height,
    )


def _distances(judged: pl.DataFrame, most: int) -> Floats:
    """Return per item the mean squared distance of the model and of means of 1 to most people."""
    value, others = pl.col("answer"), pl.len().over("item") - 1
    mean = (value.sum().over("item") - value) / others
    squares = ((value * value).sum().over("item") - value * value) / others
    spread = pl.when(others > 1).then((squares - mean**2) * others / (others - 1)).otherwise(0.0)
    gap, away = (mean - value) ** 2, (pl.col("said") - value) ** 2
    columns = {f"k{k}": gap + spread / k * (1 - k / others) for k in range(1, most + 1)}
    each = judged.select("item", model=away, **columns)
    return (
        each.group_by("item", maintain_order=True)
        .agg(pl.all().mean())
        .sort("item")
        .drop("item")
        .to_numpy()
    )


def _worth(means: Floats) -> int:
    """Return the fewest people at least as near as the model; one more than all if none are."""
    if means[1] < means[0] - 1e-12:
        return 0
    nearer = np.flatnonzero(means[1:] <= means[0] + 1e-12)
    return int(nearer[0]) + 1 if nearer.size else len(means)


def _drawn(table: Floats, resamples: int, seed: int) -> tuple[int | None, int | None]:
    if drawable(resamples) < 1:
        return None, None
    generator = np.random.default_rng(seed)
    size = len(table)
    worths = [
        _worth(table[generator.integers(size, size=size)].mean(axis=0)) for _ in range(resamples)
    ]
    low, high = np.quantile(worths, [0.025, 0.975], method="nearest")
    return int(low), int(high)
