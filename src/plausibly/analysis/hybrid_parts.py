"""One question as an estimate with a model needs it: ratings, predictions, and all items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from plausibly.measures.coded import codes_of
from plausibly.measures.crossed import Rated, group_names
from plausibly.measures.folds import folds_of_names
from plausibly.measures.hybrid import PredictedItems
from plausibly.measures.predicted import PREDICTED, predicted_numbers

Learnt = Literal["elsewhere", "cross-fitted", "here"]
SHARE = (0.0, 1.0)
GROUP, CHANCE = "item_group", "chance"
NO_PREDICTIONS = "{} of {} rated items have no prediction"


@dataclass(frozen=True, eq=False)
class HybridRequest:
    """What a model says, and how the rated items were drawn.

    Args:
        predictions: Predictions of one model.
        items: The items, without checks; None where only the predictions name them.
        inclusion: Column of the items with the probability that an item was drawn to be rated;
            None if they are a random sample.
        learnt: Where the model learnt.
    """

    predictions: pl.DataFrame
    items: pl.DataFrame | None
    inclusion: str | None
    learnt: Learnt

    @property
    def model(self) -> str:
        """The name of the model."""
        return str(self.predictions["model"][0])

    def as_json(self) -> dict[str, Any]:
        """Return what `describe --json` says about the model."""
        return {
            "model": self.model,
            "items": self.predictions["item"].n_unique(),
            "learnt": self.learnt,
            "sample": "random" if self.inclusion is None else f"inclusion: {self.inclusion}",
        }


@dataclass(frozen=True, eq=False)
class PredictedQuestion:
    """One question: its ratings, which numbers its rows are about, and what the model says.

    Args:
        ratings: Its ratings, with the columns of the cells.
        predictions: What the model says about it.
        answers: The answers that people gave.
        codes: Number of each of the ordered words; None if there are none.
        bounds: Lowest and highest value of its scale; None if it has no ends.
        nominal: Whether its rows are shares of answers.
    """

    ratings: pl.DataFrame
    predictions: pl.DataFrame
    answers: tuple[str, ...]
    codes: Mapping[str, float] | None
    bounds: tuple[float, float] | None
    nominal: bool = False

    @property
    def rows(self) -> tuple[str | None, ...]:
        """The answers whose shares are described; None for a mean."""
        return self.answers if self.nominal else (None,)

    def valued(self, table: pl.DataFrame, answer: str | None) -> pl.DataFrame:
        """Return the ratings with a value: 1 where they are the answer, or the number itself."""
        if answer is not None:
            share = (pl.col("answer") == answer).cast(pl.Float64)
            table = table.drop_nulls("answer").with_columns(value=share)
        return table.drop_nulls("value")

    def numbers(self, answer: str | None) -> pl.DataFrame:
        """Return item and predicted: the share of an answer, or a number."""
        return predicted_numbers(
            self.predictions, answer=answer, answers=self.answers, codes=self.codes
        )


def predicted_universe(
    numbers: pl.DataFrame, known: pl.DataFrame, by: Mapping[str, str], request: HybridRequest
) -> pl.DataFrame:
    """Return item, predicted, group and chance of every item of the cell with a prediction."""
    items = request.items
    if items is None:
        groups = [GROUP] if GROUP in known.columns else []
        facts = known.select("item", *groups).unique("item", keep="first")
        table = numbers.join(facts, on="item", how="left", maintain_order="left")
    else:
        for name, value in by.items():
            items = items.filter(pl.col(name).cast(pl.String).fill_null("none") == value)
        table = items.join(numbers, on="item", how="inner", maintain_order="left")
    chance = pl.lit(None) if request.inclusion is None else pl.col(request.inclusion)
    table = table.with_columns(
        group_names(table).alias("group"), chance.cast(pl.Float64).alias(CHANCE)
    )
    return table.select("item", PREDICTED, "group", CHANCE)


def predicted_cell(
    coded: Rated, known: pl.DataFrame, universe: pl.DataFrame
) -> PredictedItems | None:
    """Return the predictions for the items of a cell; None if a rated item has none.

    Args:
        coded: The ratings of the cell as codes.
        known: The same as a table.
        universe: All items of the cell with predictions.
    """
    names = codes_of(known["item"])[1].rename("item").cast(pl.String)
    own = names.to_frame().join(universe, on="item", how="left", maintain_order="left")
    if own[PREDICTED].null_count():
        return None
    groups = codes_of(group_names(known))[1].cast(pl.String).to_list()
    place = {name: number for number, name in enumerate(groups)}
    for name in universe["group"].to_list():
        place.setdefault(name, len(place))
    chance = own[CHANCE].to_numpy() if own[CHANCE].null_count() == 0 and own.height else None
    by_item = np.zeros(own.height, dtype=np.int64)
    by_item[coded.item] = coded.group
    return PredictedItems(
        rated=own[PREDICTED].to_numpy().astype(np.float64),
        fold=folds_of_names([groups[one] for one in by_item]),
        every=universe[PREDICTED].to_numpy().astype(np.float64),
        group=np.array([place[name] for name in universe["group"]], dtype=np.int64),
        is_rated=universe["item"].is_in(own["item"].implode()).to_numpy(),
        chance=chance,
    )
