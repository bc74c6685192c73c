"""People's estimates next to estimates that a model helps with, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import polars as pl

from plausibly.analysis.description import DescribedRow, Description
from plausibly.analysis.hybrid_contrasts import (
    hybrid_contrasts,
    refused_contrasts,
    unpaired_contrasts,
)
from plausibly.analysis.hybrid_parts import (
    NO_PREDICTIONS,
    SHARE,
    HybridRequest,
    Learnt,
    PredictedQuestion,
    predicted_cell,
    predicted_universe,
)
from plausibly.analysis.paired import cells
from plausibly.errors import StudyError, UnknownName, option
from plausibly.io import file_hash, read_json
from plausibly.io.frames import Source
from plausibly.io.predicted import predictions_table
from plausibly.measures.crossed import rated
from plausibly.measures.hybrid import Hybrid, hybrid_mean
from plausibly.measures.predicted import model_predictions, question_predictions

BY_RATINGS = "an item is in several cells of {}, which is not a column of the items"
OF_RATINGS = "every rating counts once, and a model judges items"
SETS = "a model's predictions are not about single options"


@dataclass(frozen=True, slots=True)
class ItemSampling:
    """How the rated items were drawn, and where the model learnt.

    Args:
        random_sample: Whether the rated items are a random sample of the items.
        inclusion: Column of the items with the probability of being rated.
        learnt: Where the model learnt.
        model: Which model of the predictions, where there are several.
    """

    random_sample: bool = False
    inclusion: str | None = None
    learnt: Learnt = "elsewhere"
    model: str | None = None


def hybrid_request(
    models: Source, drawn: ItemSampling, *, items: pl.DataFrame | None, ratings: object
) -> HybridRequest:
    """Return what a model says, checked; raise if it may not help.

    Args:
        models: The predictions.
        drawn: How items were drawn, and where the model learnt.
        items: The items; None if there is no table of them.
        ratings: Where the ratings come from.
    """
    if drawn.learnt not in get_args(Learnt):
        raise UnknownName("value of learnt", drawn.learnt, get_args(Learnt), parameter="learnt")
    _check_sampling(drawn, seen=learnt_from(models, ratings))
    predictions = model_predictions(predictions_table(models), drawn.model, where="models")
    proper = items
    if items is not None and "kind" in items.columns:
        proper = items.filter(pl.col("kind").fill_null("item") == "item")
    if drawn.inclusion is not None:
        _check_chances(drawn.inclusion, proper)
    return HybridRequest(predictions, proper, drawn.inclusion, drawn.learnt)


def _check_sampling(drawn: ItemSampling, *, seen: bool) -> None:
    """Raise unless a model may help: rated items drawn at random, and not learnt from."""
    if drawn.learnt == "here" or (seen and drawn.learnt == "elsewhere"):
        shown = " (its manifest names them)" if drawn.learnt != "here" else ""
        raise StudyError(
            f"the model learnt from these ratings{shown}: its predictions for rated items are too "
            "good, and intervals would be far too narrow. Let it predict each item without having "
            f"learnt from it, then set {option('learnt')} to cross-fitted.",
            parameter="learnt",
        )
    if drawn.random_sample and drawn.inclusion is not None:
        raise StudyError(
            f"{option('random_sample')} and {option('inclusion')} exclude each other. Set one.",
            parameter="inclusion",
        )
    if not drawn.random_sample and drawn.inclusion is None:
        raise StudyError(
            f"{option('models')} needs to know how the rated items were drawn. If they are a "
            f"random sample of the items, set {option('random_sample')} (in a study: [sample] "
            f"random = true). If their chances differ, set {option('inclusion')} to the column of "
            "the items with these probabilities ([sample] inclusion). If they were chosen in "
            "another way, a model hides the bias.",
            parameter="random_sample",
        )


def _check_chances(column: str, items: pl.DataFrame | None) -> None:
    """Raise unless every item has a probability of being rated."""
    if items is None or column not in items.columns:
        known = [] if items is None else items.columns
        raise UnknownName("column", column, known, parameter="inclusion")
    chance = items[column].cast(pl.Float64, strict=False)
    wrong = ~((chance > 0) & (chance <= 1)).fill_null(value=False)
    if wrong.any():
        first = items.filter(wrong)["item"][0]
        raise StudyError(
            f"{option('inclusion')}: {int(wrong.sum())} of {items.height} items need a "
            f"probability above 0 and at most 1 in the column {column!r} (first: {first!r}).",
            parameter="inclusion",
        )


def learnt_from(predictions: object, ratings: object) -> bool:
    """Return whether the manifest next to a file of predictions names the file of ratings."""
    if not isinstance(predictions, str | Path) or not isinstance(ratings, str | Path):
        return False
    path, source = Path(predictions), Path(ratings)
    manifest = path.with_name(f"{path.name}.manifest.json")
    if not manifest.is_file() or not source.is_file():
        return False
    document = read_json(manifest)
    inputs = document.get("inputs", {}) if isinstance(document, Mapping) else {}
    return file_hash(source) in set(_hashes(inputs))


def _hashes(document: object) -> Iterator[str]:
    if isinstance(document, Mapping):
        if isinstance(document.get("sha256"), str):
            yield document["sha256"]
        document = list(document.values())
    if isinstance(document, list):
        for one in document:
            yield from _hashes(one)


def with_hybrids(
    description: Description,
    ratings: pl.DataFrame,
    request: HybridRequest,
    *,
    parts: Sequence[str],
    facts: Mapping[str, Any],
) -> Description:
    """Return a description whose rows and contrasts also have the estimate with the model.

    Where items do not come in groups, cells of the first column are contrasted as well.

    Args:
        description: People's estimates.
        ratings: The ratings of the question, with the columns of the cells.
        request: The model, and how items were drawn.
        parts: The columns of the cells.
        facts: name of the question, whether it is the only one (alone), weigh, bounds of means,
            codes of ordered words, and whether it is about single options (members).
    """
    if not description.rows:
        return description
    question = PredictedQuestion(
        ratings,
        question_predictions(request.predictions, facts["name"], alone=facts["alone"]),
        tuple(sorted(ratings["answer"].drop_nulls().unique().to_list())),
        facts["codes"],
        facts["bounds"],
        nominal=description.rows[0].answer is not None,
    )
    reason = SETS if facts["members"] else OF_RATINGS if facts["weigh"] != "items" else None
    if reason is None:
        reason = _not_of_items(request, parts)
    if reason:
        refused = Hybrid(reason=reason)
        return replace(
            description,
            rows=tuple(replace(row, hybrid=refused) for row in description.rows),
            contrasts=refused_contrasts(description.contrasts, reason),
        )
    by_cell = {tuple(by.items()): cell for by, cell in cells(ratings, parts)}
    rows = [
        replace(row, hybrid=_hybrid(row, by_cell[tuple(row.by.items())], question, request))
        for row in description.rows
    ]
    contrasts = description.contrasts
    if not contrasts and parts:
        contrasts = tuple(unpaired_contrasts(question, parts))
    helped = hybrid_contrasts(contrasts, question, request, parts)
    return replace(description, rows=tuple(rows), contrasts=helped)


def _not_of_items(request: HybridRequest, parts: Sequence[str]) -> str | None:
    known = [] if request.items is None else request.items.columns
    missing = [name for name in parts if name not in known]
    return BY_RATINGS.format(missing[0]) if missing else None


def _hybrid(
    row: DescribedRow, cell: pl.DataFrame, question: PredictedQuestion, request: HybridRequest
) -> Hybrid:
    bounds = question.bounds if row.answer is None else SHARE
    known = question.valued(cell, row.answer)
    coded = rated(known)
    universe = predicted_universe(question.numbers(row.answer), known, row.by, request)
    predicted = predicted_cell(coded, known, universe)
    if predicted is None:
        lost = known.select("item").unique().join(universe, on="item", how="anti").height
        reason = NO_PREDICTIONS.format(lost, known["item"].n_unique())
        return Hybrid(predicted=universe.height, reason=reason)
    return hybrid_mean(coded, predicted, bounds=bounds)
