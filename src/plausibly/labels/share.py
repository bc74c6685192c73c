"""Shares and means of items, shrunk towards a common prior or a model's prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, option
from plausibly.io.frames import Source
from plausibly.io.predicted import predictions_table
from plausibly.labels._votes import Ballot, ballots, labels_table, votes_text
from plausibly.labels.averages import numbers_in
from plausibly.labels.results import NOBODY, Fitted, Shrinkage, Silent, nothing_learnt
from plausibly.measures.folds import folds_of_names
from plausibly.measures.predicted import (
    PREDICTED,
    model_predictions,
    predicted_numbers,
    question_predictions,
)
from plausibly.measures.proportion import proportion
from plausibly.measures.shrinkage import (
    LEAST_ITEMS,
    ItemRatings,
    ShrunkMeans,
    shrunk_means,
)
from plausibly.tables import LABELS

NAME = "share"
DIGITS = 10
SHARE = (0.0, 1.0)
COMMON = "the mean of {}"
MODEL = "the prediction of {}, fitted to the ratings of other items"


@dataclass(frozen=True, eq=False)
class SharePrior:
    """What is shrunk, and towards what.

    Args:
        answer: Answer, or class of the scheme, whose share is the value of an item (default: the
            mean of its answers, which must be numbers).
        prior: Predictions (a table or a file) towards which values are shrunk, instead of towards
            a common prior.
        model: Model whose predictions are the prior, if the table has several.
    """

    answer: str | None = None
    prior: Source | None = None
    model: str | None = None


MEANS = SharePrior()


@dataclass(frozen=True, eq=False)
class _Prior:
    """What is shrunk, towards which predictions, and whether there is one question only."""

    answer: str | None
    alone: bool
    predictions: pl.DataFrame | None = None


@dataclass(frozen=True, eq=False)
class _Question:
    """The values of one question: place of each item with ratings, and what was learnt."""

    ballot: Ballot
    rated: pl.Series
    n: pl.Series
    spread: pl.Series
    means: ShrunkMeans
    shrinkage: Shrinkage
    warnings: tuple[str, ...]


def share(
    ratings: pl.DataFrame,
    *,
    of: SharePrior = MEANS,
    items: pl.DataFrame | None = None,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> Fitted:
    """Label each item with the share of an answer, or its mean, shrunk towards a prior.

    With n ratings, the raw value counts n / (n + k) and the prior the rest (Morris 1983,
    "Parametric empirical Bayes inference"). The prior is the mean of the item's condition, where
    items have conditions, or a model's prediction, moved to the scale of the ratings. Prior and k
    are learnt from the ratings of other items, in five folds. `positions` has each value with its
    prior, its weight, the raw value and the raw value's 95 % interval. Items without ratings have
    no label. Shrunk values are closer to what more ratings would give, but vary less than items
    do: never average or model them.

    Args:
        ratings: The ratings table.
        of: What is shrunk, and towards what.
        items: Items table, for condition and item_group.
        scheme: From answers to labels.
        silent: Items and annotators without a rating.

    >>> rows = [(f"t{i}", f"a{r}", "yes" if 4 * r < i else "no") for i in range(20)
    ...         for r in range(5)]
    >>> ratings = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    >>> fitted = share(ratings.with_columns(question=pl.lit("q")), of=SharePrior(answer="yes"))
    >>> first = fitted.positions.row(0, named=True)
    >>> first["raw"] < first["position"] < first["prior"]
    True
    """
    votes = ballots(ratings, scheme=scheme, silent=silent)
    prior = _Prior(of.answer, alone=len(votes) == 1)
    if of.prior is not None:
        table = predictions_table(of.prior)
        prior = replace(prior, predictions=model_predictions(table, of.model, where="prior"))
    elif of.model is not None:
        raise StudyError(f"{option('model')} needs {option('prior')}.", parameter="model")
    questions = [_shrunk(one, prior, items) for one in votes]
    fitted = nothing_learnt(
        LABELS.sort(pl.concat([_labels(one) for one in questions])),
        positions=pl.concat([_positions(one, of) for one in questions]),
    )
    return replace(
        fitted,
        shrinkage={one.ballot.question: one.shrinkage for one in questions},
        warnings=tuple(text for one in questions for text in one.warnings),
    )


def _shrunk(ballot: Ballot, of: _Prior, items: pl.DataFrame | None) -> _Question:
    numbers = _numbers(ballot, of).sort("item", "number")
    known, item = np.unique(numbers["item"].to_numpy(), return_inverse=True)
    value = numbers["number"].to_numpy().astype(np.float64)
    names = ballot.items.gather(known).rename("item")
    facts = _facts(names, items)
    ends = SHARE if of.answer is not None else (value.min(initial=0), value.max(initial=0))
    rated = ItemRatings(
        value,
        item.astype(np.int64),
        facts["condition"].rank("dense").cast(pl.Int64).to_numpy() - 1,
        folds_of_names(facts["group"].to_list()),
        (float(ends[0]), float(ends[1])),
    )
    predicted, warnings = _predicted(ballot, of, names)
    means = shrunk_means(rated, predicted)
    common = shrunk_means(rated) if predicted is not None else None
    counted = (
        pl.DataFrame({"item": rated.item, "value": value})
        .group_by("item")
        .agg(n=pl.len(), spread=pl.col("value").std())
    )
    counted = counted.sort("item")
    shrinkage = _shrinkage(means, common, of, facts["condition"])
    warnings += _warnings(ballot.question, means, shrinkage)
    return _Question(
        ballot, pl.Series(known), counted["n"], counted["spread"], means, shrinkage, warnings
    )


def _numbers(ballot: Ballot, of: _Prior) -> pl.DataFrame:
    """Return item and number of each rating: whether it is the answer, or its value."""
    if of.answer is not None:
        if of.answer not in ballot.labels:
            raise StudyError(
                f"question {ballot.question!r}: nobody gave the answer {of.answer!r}. Answers: "
                f"{', '.join(ballot.labels[:20])}.",
                parameter="answer",
            )
        rows = np.flatnonzero(ballot.label >= 0)
        is_answer = ballot.label[rows] == ballot.labels.index(of.answer)
        return pl.DataFrame({"item": ballot.item[rows], "number": is_answer.astype(np.float64)})
    _, numbers, valued = ballot.numbers()
    if not valued and len(numbers) and not np.isfinite(numbers).all():
        raise StudyError(
            f"question {ballot.question!r}: the answers are not numbers "
            f"({', '.join(ballot.labels[:20])}). Name the answer whose share you need with "
            f"{option('answer')}.",
            parameter="answer",
        )
    return numbers_in(ballot, NAME).select("item", "number")


def _facts(names: pl.Series, items: pl.DataFrame | None) -> pl.DataFrame:
    """Return condition and group of each item; an item without a group is one by itself."""
    none = pl.lit(None, pl.String)
    table = names.to_frame()
    wanted = ("condition", "item_group")
    known = [] if items is None else [one for one in wanted if one in items.columns]
    if items is not None and known:
        own = items.select("item", pl.col(known).cast(pl.String)).unique("item", keep="first")
        table = table.join(own, on="item", how="left", maintain_order="left")
    for name in wanted:
        table = table if name in table.columns else table.with_columns(none.alias(name))
    alone = pl.concat_str(pl.lit("item "), "item")
    group = pl.coalesce(pl.concat_str(pl.lit("group "), "item_group"), alone)
    return table.select(condition=pl.col("condition").fill_null(""), group=group)


def _predicted(
    ballot: Ballot, of: _Prior, names: pl.Series
) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]] | None, tuple[str, ...]]:
    """Return the prediction for each item, NaN for none, and what to mind about them."""
    if of.predictions is None:
        return None, ()
    own = question_predictions(of.predictions, ballot.question, alone=of.alone)
    numbers = predicted_numbers(own, answer=of.answer, answers=ballot.labels, codes=_codes(ballot))
    joined = names.to_frame().join(numbers, on="item", how="left", maintain_order="left")
    found = joined[PREDICTED].to_numpy().astype(np.float64)
    lost = int(np.isnan(found).sum())
    if lost == len(found):
        raise StudyError(
            f"prior: there are no predictions about the items of question {ballot.question!r}.",
            parameter="prior",
        )
    text = f"{ballot.question}: {lost} of {len(found)} items have no prediction; they have the "
    return found, (f"{text}common prior.",) if lost else ()


def _codes(ballot: Ballot) -> dict[str, float] | None:
    """Return the number of each answer, where words have numbers."""
    if "value" not in ballot.ratings.columns:
        return None
    known = ballot.ratings.select("answer", "value").drop_nulls().unique("answer")
    return dict(known.iter_rows()) or None


def _shrinkage(
    means: ShrunkMeans, common: ShrunkMeans | None, of: _Prior, conditions: pl.Series
) -> Shrinkage:
    several = conditions.n_unique()
    where = "their condition" if several > 1 else "all items"
    prior = COMMON.format(where)
    if of.predictions is not None:
        prior = MODEL.format(of.predictions["model"][0]) + (
            " in each condition" if several > 1 else ""
        )
    worth = float(np.median(means.worth)) if len(means.worth) else 0.0
    return Shrinkage(
        prior,
        float(means.weight.mean()) if len(means.weight) else 1.0,
        worth if np.isfinite(worth) else None,
        means.error if means.learnt else None,
        means.raw_error if means.learnt else None,
        common.error if common is not None and means.learnt else None,
        several if several > 1 else 0,
        float(means.slope.mean()) if len(means.slope) else None,
    )


def _warnings(question: str, means: ShrunkMeans, shrinkage: Shrinkage) -> tuple[str, ...]:
    if not means.learnt:
        return (
            f"{question}: values are raw. Learning how far to shrink them takes {LEAST_ITEMS} "
            "items with ratings, some of them with two or more.",
        )
    common = shrinkage.common_error
    no_gain = common is not None and (shrinkage.error or 0.0) >= common
    text = f"{question}: the model does not help: a common prior predicts ratings as well."
    return (text,) if no_gain else ()


def _placed(one: _Question, numbers: Sequence[float | None]) -> pl.Series:
    """Return numbers of items with ratings in the rows of all items; null for the others."""
    rows = pl.DataFrame({"place": one.rated, "number": pl.Series(numbers, dtype=pl.Float64)})
    every = pl.DataFrame({"place": np.arange(len(one.ballot.items))})
    rows = rows.with_columns(pl.col("place").cast(pl.Int64))
    joined = every.cast(pl.Int64).join(rows, on="place", how="left", maintain_order="left")
    return joined["number"]


def _labels(one: _Question) -> pl.DataFrame:
    return labels_table(
        one.ballot,
        method=NAME,
        label=_placed(one, one.means.value.round(DIGITS).tolist()),
        support=np.full(len(one.ballot.items), np.nan),
        distribution=votes_text(one.ballot.votes, one.ballot.labels),
    )


def _positions(one: _Question, of: SharePrior) -> pl.DataFrame:
    low, high = _raw_limits(one, of)
    columns = {
        "position": one.means.value.round(DIGITS).tolist(),
        "prior": one.means.prior.round(DIGITS).tolist(),
        "weight": one.means.weight.round(DIGITS).tolist(),
        "raw": one.means.raw.round(DIGITS).tolist(),
        "raw_low": low,
        "raw_high": high,
    }
    names = pl.DataFrame({"item": one.ballot.items}).with_columns(
        question=pl.lit(one.ballot.question)
    )
    return names.with_columns(_placed(one, c).alias(name) for name, c in columns.items())


def _raw_limits(one: _Question, of: SharePrior) -> tuple[list[float | None], list[float | None]]:
    """Return the limits of raw values: Wilson's for shares, Student's for means of two or more.

    Equal ratings of an item show no spread of their own, so that of all items is taken; without
    any, there are no limits.
    """
    n = one.n.to_list()
    if of.answer is not None:
        counted = cache(proportion)
        hits = np.rint(one.means.raw * one.n.to_numpy()).astype(int).tolist()
        found = [counted(hit, size) for hit, size in zip(hits, n, strict=True)]
        return [each.low for each in found], [each.high for each in found]
    from scipy.special import stdtrit  # takes long to import, and other labels need it not

    spread = one.spread.to_list()
    known = [(size, sd) for size, sd in zip(n, spread, strict=True) if size > 1 and sd is not None]
    freedom = sum(size - 1 for size, _ in known)
    pooled = (sum((size - 1) * sd**2 for size, sd in known) / freedom) ** 0.5 if freedom else 0.0
    half = [
        None
        if size < 2 or sd is None or not (sd or pooled)
        else float(stdtrit(size - 1 if sd else freedom, 0.975)) * (sd or pooled) / size**0.5
        for size, sd in zip(n, spread, strict=True)
    ]
    raw = one.means.raw.tolist()
    return (
        [None if h is None else r - h for r, h in zip(raw, half, strict=True)],
        [None if h is None else r + h for r, h in zip(raw, half, strict=True)],
    )
