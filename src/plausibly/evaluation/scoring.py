"""Every model of a predictions table against what people say, and against each other."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from plausibly.domain import Measure
from plausibly.evaluation.answers import check_predictions, models_of
from plausibly.evaluation.classes import classify, score_classes
from plausibly.evaluation.comparison import Chance, Comparison, compare_all
from plausibly.evaluation.events import judge, score_events
from plausibly.evaluation.pairings import classes_of, distances_of, events_of, pairs_of
from plausibly.evaluation.pairs import pair_items, score_pairs
from plausibly.evaluation.report import WHOLE, Evaluation
from plausibly.evaluation.soft import score_soft, share
from plausibly.evaluation.truth import CLASS_SCHEMES, LEFT_OUT, PAP_SCALE, Truth

EMPTY = {**dict.fromkeys(CLASS_SCHEMES, "accuracy"), "pap-soft": "wasserstein_1"}
"""By scheme, the measure that stands empty for a model without an answer."""


def evaluations(
    predictions: pl.DataFrame, truth: Truth, *, resamples: int, seed: int
) -> list[Evaluation]:
    """Return the evaluation of every model in a table, empty for one without an answer."""
    table = check_predictions(predictions)
    mute = mute_models(table) if truth.scheme in EMPTY else {}
    found = [
        Evaluation(
            truth.scheme,
            model,
            {WHOLE: {EMPTY[truth.scheme]: Measure(None, 0, reason=mute[model])}},
        )
        if model in mute
        else _evaluation(table, truth, model, resamples=resamples, seed=seed)
        for model in models_of(table)
    ]
    return [replace(one, details={**one.details, "clusters": truth.clusters}) for one in found]


def mute_models(predictions: pl.DataFrame) -> dict[str, str]:
    """Return the models without a single answer, each with the reason why it has no numbers.

    >>> said = pl.DataFrame({"item": ["7", "7"], "question": ["effect"] * 2, "model": ["a", "b"],
    ...                      "label": ["impossible", None]})
    >>> mute_models(said.with_columns(score=None, distribution=None))
    {'b': 'no readable answer: 1 unread'}
    """
    answered = pl.any_horizontal(pl.col("label", "score", "distribution").is_not_null())
    each = predictions.group_by("model").agg(rows=pl.len(), said=answered.any()).sort("model")
    return {
        model: f"no readable answer: {rows} unread"
        for model, rows, said in each.select("model", "rows", "said").iter_rows()
        if not said
    }


def strangers(predictions: pl.DataFrame, truth: Truth) -> int:
    """Return how many predictions are about items that the truth does not have."""
    rows = pair_items(truth.rows) if truth.scheme == "sp10k" else truth.rows
    known = predictions["item"].is_in(rows["item"].implode())
    return int((~known).sum())


def _evaluation(
    table: pl.DataFrame, truth: Truth, model: str, *, resamples: int, seed: int
) -> Evaluation:
    if truth.scheme == "sp10k":
        return score_pairs(
            table,
            truth.rows,
            model=model,
            resamples=resamples,
            seed=seed,
            undefined=truth.undefined,
        )
    if truth.scheme in CLASS_SCHEMES:
        left_out = LEFT_OUT.get(truth.scheme)
        judged = classify(table, truth.rows, truth.classes, model=model, left_out=left_out)
        return score_classes(
            judged,
            truth.classes,
            model=model,
            resamples=resamples,
            seed=seed,
            parts=truth.parts,
        )
    if truth.scheme == "pap-soft":
        shared = share(table, truth.rows, PAP_SCALE, model=model)
        return score_soft(shared, PAP_SCALE, model=model, resamples=resamples, seed=seed)
    events = judge(table, truth.rows, model=model)
    return score_events(events, scheme=truth.scheme, model=model, resamples=resamples, seed=seed)


def comparisons(predictions: pl.DataFrame, truth: Truth, chance: Chance) -> list[Comparison]:
    """Return every two models of a table compared, with p corrected within each metric.

    A model without an answer is compared with none.
    """
    table = check_predictions(predictions)
    named = table["model"].unique(maintain_order=True).to_list()
    mute = mute_models(table)
    models = [model for model in named if model not in mute]
    if mute and len(models) < 2:
        return []
    if truth.scheme == "sp10k":
        return compare_all(
            models,
            lambda a, b: pairs_of(table, truth.rows, (a, b), chance, undefined=truth.undefined),
        )
    if truth.scheme in CLASS_SCHEMES:
        left_out = LEFT_OUT.get(truth.scheme)
        classified = {
            model: classify(table, truth.rows, truth.classes, model=model, left_out=left_out)
            for model in models
        }
        return compare_all(
            models, lambda a, b: classes_of(classified, truth.classes, (a, b), chance)
        )
    if truth.scheme == "pap-soft":
        shared = {model: share(table, truth.rows, PAP_SCALE, model=model) for model in models}
        return compare_all(models, lambda a, b: distances_of(shared, PAP_SCALE, (a, b), chance))
    judged = {model: judge(table, truth.rows, model=model) for model in models}
    return compare_all(models, lambda a, b: events_of(judged, (a, b), chance))
