"""Contrasts between cells: people's estimates, then estimates from people and a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from plausibly.analysis.hybrid_parts import (
    CHANCE,
    NO_PREDICTIONS,
    SHARE,
    HybridRequest,
    PredictedQuestion,
    predicted_cell,
    predicted_universe,
)
from plausibly.analysis.paired import cells
from plausibly.measures._grouping import Ints
from plausibly.measures.coded import codes_of
from plausibly.measures.contrasts import UNPAIRED, unpaired_contrast
from plausibly.measures.crossed import group_names, rated
from plausibly.measures.folds import folds_of_names
from plausibly.measures.hybrid import Hybrid, PredictedItems
from plausibly.measures.hybrid_contrasts import hybrid_between_items, hybrid_within_groups
from plausibly.measures.predicted import PREDICTED

Contrasts = Sequence[Mapping[str, Any]]
GROUP, SIDE = "item_group", "side"
BY_CHANCE = (
    "probabilities of being rated are those of items; differences within groups need a random "
    "sample"
)


def unpaired_contrasts(question: PredictedQuestion, parts: Sequence[str]) -> list[dict[str, Any]]:
    """Return the differences between cells of the first column, whose items are different ones."""
    known = question.ratings.drop_nulls([parts[0]])
    return [
        one
        for by, cell in cells(known, parts[1:])
        for answer in question.rows
        for one in _unpaired(question.valued(cell, answer), parts[0], answer, by, question)
    ]


def _unpaired(
    table: pl.DataFrame,
    column: str,
    answer: str | None,
    by: Mapping[str, str],
    question: PredictedQuestion,
) -> Iterator[dict[str, Any]]:
    names = sorted(table[column].cast(pl.String).unique().to_list())
    for against, of in combinations(names, 2):
        own = table.filter(pl.col(column).cast(pl.String).is_in([of, against]))
        bounds = SHARE if answer is not None else question.bounds
        side = _sides(own, column, of)
        found = unpaired_contrast(rated(own), side, names=(of, against), bounds=bounds).as_json()
        named = {} if answer is None else {"answer": answer}
        within = {"by": dict(by)} if by else {}
        yield {**named, **found, **within, "paired": False}


def _sides(table: pl.DataFrame, column: str, of: str) -> Ints:
    return (table[column].cast(pl.String) == of).cast(pl.Int64).to_numpy()


def hybrid_contrasts(
    contrasts: Contrasts,
    question: PredictedQuestion,
    request: HybridRequest,
    parts: Sequence[str],
) -> tuple[dict[str, Any], ...]:
    """Return contrasts, each with the entry hybrid.

    Args:
        contrasts: People's contrasts.
        question: The ratings of the question, and what the model says about it.
        request: The model, and how items were drawn.
        parts: The columns of the cells.
    """
    return tuple(
        {**one, "hybrid": _hybrid(one, question, request, parts).as_json()} for one in contrasts
    )


def refused_contrasts(contrasts: Contrasts, reason: str) -> tuple[dict[str, Any], ...]:
    """Return contrasts whose entry hybrid has the reason why there is no estimate."""
    return tuple({**one, "hybrid": Hybrid(reason=reason).as_json()} for one in contrasts)


def _hybrid(
    contrast: Mapping[str, Any],
    question: PredictedQuestion,
    request: HybridRequest,
    parts: Sequence[str],
) -> Hybrid:
    answer, paired = contrast.get("answer"), contrast.get("paired", True)
    if contrast["value"] is None:
        return Hybrid(reason=UNPAIRED)
    if paired and request.inclusion is not None:
        return Hybrid(reason=BY_CHANCE)
    by = dict(contrast.get("by", {}))
    table = question.valued(question.ratings, answer)
    for name, value in by.items():
        table = table.filter(pl.col(name).cast(pl.String).fill_null("none") == value)
    pair = [contrast["against"], contrast["of"]]
    table = table.filter(pl.col(parts[0]).cast(pl.String).is_in(pair))
    table = table.with_columns(pl.Series(SIDE, _sides(table, parts[0], pair[1])))
    numbers = question.numbers(answer)
    universes = [
        predicted_universe(numbers, table, {**by, parts[0]: name}, request) for name in pair
    ]
    said = pl.concat([one.with_columns(pl.lit(n).alias(SIDE)) for n, one in enumerate(universes)])
    missing = table.select("item").unique().join(said, on="item", how="anti").height
    if missing:
        n = table["item"].n_unique()
        return Hybrid(predicted=said.height, reason=NO_PREDICTIONS.format(missing, n))
    estimate: Callable[..., Hybrid] = _within_groups if paired else _between_items
    return estimate(table, said, SHARE if answer is not None else question.bounds)


def _within_groups(
    table: pl.DataFrame, said: pl.DataFrame, bounds: tuple[float, float] | None
) -> Hybrid:
    """Return the estimate over the groups that have rated items in both cells."""
    table = table.drop_nulls(GROUP).with_columns(group_names(table.drop_nulls(GROUP)))
    table = table.filter(pl.col(SIDE).n_unique().over("group") == 2)
    own = said.join(table.select("item", SIDE).unique(), on=["item", SIDE], how="semi")
    every, of_rated = _differences(said), _differences(own)
    names = codes_of(table["group"])[1].cast(pl.String)
    rated_groups = (
        names.rename("group")
        .to_frame()
        .join(of_rated, on="group", how="left", maintain_order="left")
    )
    others = every.join(rated_groups, on="group", how="anti", maintain_order="left")
    whole = pl.concat([every.join(rated_groups, on="group", how="semi"), others])
    place = {name: number for number, name in enumerate([*names, *others["group"]])}
    predicted = PredictedItems(
        rated=rated_groups[PREDICTED].to_numpy(),
        fold=folds_of_names(names.to_list()),
        every=whole[PREDICTED].to_numpy(),
        group=np.array([place[name] for name in whole["group"]], dtype=np.int64),
        is_rated=whole["group"].is_in(names.implode()).to_numpy(),
    )
    found = hybrid_within_groups(rated(table), table[SIDE].to_numpy(), predicted, bounds=bounds)
    return replace(found, predicted=said.height)


def _differences(said: pl.DataFrame) -> pl.DataFrame:
    """Return the predicted difference of every group that has both cells."""
    means = [pl.col(PREDICTED).filter(pl.col(SIDE) == side).mean() for side in (1, 0)]
    found = said.sort("item").group_by("group", maintain_order=True).agg(means[0] - means[1])
    return found.drop_nulls(PREDICTED)


def _between_items(
    table: pl.DataFrame, said: pl.DataFrame, bounds: tuple[float, float] | None
) -> Hybrid:
    parts = []
    for side in (0, 1):
        known = table.filter(pl.col(SIDE) == side)
        universe = said.filter(pl.col(SIDE) == side).select("item", PREDICTED, "group", CHANCE)
        predicted = predicted_cell(rated(known), known, universe)
        parts += [] if predicted is None else [predicted]
    return hybrid_between_items(rated(table), table[SIDE].to_numpy(), parts, bounds=bounds)
