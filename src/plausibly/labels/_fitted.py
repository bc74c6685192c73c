"""Turns ratings into the result of a fitted method, question by question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError
from plausibly.labels._climb import Summit
from plausibly.labels._contrary import contrary
from plausibly.labels._layout import Layout, lay_out
from plausibly.labels._sure import about_sure, too_sure
from plausibly.labels._votes import Ballot, ballots, distribution_text, labels_table, named, winners
from plausibly.labels.known import NO_CONTROLS, control_codes
from plausibly.labels.results import NOBODY, Estimate, Fitted, Places, Silent
from plausibly.labels.support import (
    OF_CLASSES,
    about_contrary,
    better_on_scale,
    doubts,
    on_scale,
    supported,
)
from plausibly.measures.coded import Coded, Floats
from plausibly.tables import LABELS

Model = Callable[[str, Coded], Estimate]


@dataclass(frozen=True, slots=True)
class ScaleModel:
    """A model of ordered labels.

    Args:
        estimate: Returns the estimate for one question.
        prepare: Sorts the labels of a question.
    """

    estimate: Model
    prepare: Callable[[str, Coded], Coded]


MOST_NUMBERS = 50
MOST_CELLS = 100_000_000


def latent(
    fit: Callable[[Layout], Summit],
    *,
    controls: Mapping[str, str] = NO_CONTROLS,
    pooled: bool = False,
    on_scale: Callable[[Layout], Summit] | None = None,
) -> Model:
    """Return a model from a fit over items with ratings; silent annotators have no competence.

    Args:
        fit: The fit.
        controls: The known label of each control item.
        pooled: Whether the fit shrinks annotators towards the crowd.
        on_scale: The fit where answers are points of a scale; None for the same.
    """

    def model(question: str, coded: Coded) -> Estimate:
        posterior = np.full((coded.n_items, coded.n_answers), np.nan)
        competence = np.full(coded.n_annotators, np.nan)
        if coded.n_ratings == 0:
            return Estimate(posterior, competence, iterations=0)
        control = control_codes(controls, coded, question)
        layout = lay_out(coded, control=control)
        found = fit(layout)
        scale = pooled and better_on_scale(coded, layout, found.log_likelihood)
        if scale and on_scale:
            found = on_scale(layout)
        posterior[layout.item] = found.posterior
        competence[:] = np.where(layout.used.any(axis=1), found.competence, np.nan)
        return Estimate(
            posterior,
            competence,
            found.log_likelihood,
            found.iterations,
            pooled=pooled,
            scale=scale,
            pinned=None if control is None else control >= 0,
        )

    return model


def fit_questions(
    ratings: pl.DataFrame,
    *,
    method: str,
    model: Model | ScaleModel,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
    keep: float = 1.0,
) -> Fitted:
    """Return the labels a model gives to each question separately.

    Args:
        ratings: The ratings table.
        method: Name for the `method` column.
        model: Returns the estimate for one question.
        scheme: Maps answers to labels.
        silent: Items and annotators without a rating.
        keep: Share of the items, lowest entropy first, that get a label.
    """
    if not isinstance(model, ScaleModel):
        model = ScaleModel(model, partial(_check_classes, method))
    parts = [
        _fit(ballot, method, model, silent, keep)
        for ballot in ballots(ratings, scheme=scheme, silent=silent)
    ]
    return Fitted(
        labels=LABELS.sort(pl.concat([part.labels for part in parts])),
        entropy=pl.concat([part.entropy for part in parts]).sort("item", "question"),
        competence=pl.concat([part.competence for part in parts]).sort("annotator", "question"),
        log_likelihood={p.question: p.estimate.log_likelihood for p in parts},
        iterations={p.question: p.estimate.iterations for p in parts},
        overtime={p.question: p.estimate.overtime for p in parts},
        positions=_joined([part.positions for part in parts]),
        warnings=tuple(warning for part in parts for warning in part.warnings),
    )


def _joined(tables: list[pl.DataFrame | None]) -> pl.DataFrame | None:
    known = [table for table in tables if table is not None]
    return pl.concat(known).sort("item", "question") if known else None


@dataclass(frozen=True, eq=False)
class _Part:
    question: str
    estimate: Estimate
    warnings: tuple[str, ...]
    labels: pl.DataFrame
    entropy: pl.DataFrame
    competence: pl.DataFrame
    positions: pl.DataFrame | None


def _fit(ballot: Ballot, method: str, model: ScaleModel, silent: Silent, keep: float) -> _Part:
    coded = model.prepare(ballot.question, ballot.coded(silent))
    estimate = model.estimate(ballot.question, coded)
    opposed = method in OF_CLASSES and estimate.pinned is None and contrary(coded)
    if opposed and estimate.pooled:
        estimate = _by_votes(estimate, coded)
    entropy = entropies(estimate.posterior)
    best = winners(estimate.posterior)
    support = np.fmax.reduce(estimate.posterior, axis=1, initial=np.nan)
    pooled, scale = estimate.pooled, estimate.scale
    if not pooled and method in OF_CLASSES:
        scale = on_scale(coded)
    sure = supported(coded, method=method, pooled=pooled, scale=scale)
    if opposed:
        sure = np.zeros_like(sure)
    doubt = None if pooled or method not in OF_CLASSES else too_sure(coded, estimate, sure)
    if estimate.pinned is not None:
        sure |= estimate.pinned
    labels = labels_table(
        ballot,
        method=method,
        label=named(np.where(entropy <= keep_up_to(entropy, keep), best, -1), coded.answers),
        support=np.where(sure, support, np.nan),
        distribution=distribution_text(estimate.posterior, coded.answers),
    )
    return _Part(
        ballot.question,
        estimate,
        (
            *doubts(coded, ballot.question, method=method, pooled=pooled, scale=scale),
            *(about_contrary(ballot.question, pooled=pooled) if opposed else ()),
            *([about_sure(doubt, ballot.question, method)] if doubt else ()),
        ),
        labels,
        _column(coded.items, ballot.question, "item", "entropy", entropy),
        _column(coded.annotators, ballot.question, "annotator", "competence", estimate.competence),
        _positions(coded.items, ballot.question, estimate.places),
    )


def _by_votes(estimate: Estimate, coded: Coded) -> Estimate:
    """Return the estimate with the shares of an item's votes as its posterior."""
    cell = coded.item.astype(np.int64) * coded.n_answers + coded.answer
    votes = np.bincount(cell, minlength=estimate.posterior.size).astype(np.float64)
    votes = votes.reshape(estimate.posterior.shape)
    with np.errstate(invalid="ignore"):
        shares = votes / votes.sum(axis=1, keepdims=True)
    return replace(estimate, posterior=shares)


def _positions(items: pl.Series, question: str, places: Places | None) -> pl.DataFrame | None:
    if places is None:
        return None
    tables = [
        _column(items, question, "item", name, places.item[:, number])
        for number, name in enumerate(("position", "low", "high"))
    ]
    return pl.concat([tables[0], *(one.select(pl.last()) for one in tables[1:])], how="horizontal")


def _check_classes(method: str, question: str, coded: Coded) -> Coded:
    """Return the ratings; raise if the labels are a scale, or too many for a table."""
    if coded.n_answers > MOST_NUMBERS and coded.values is not None:
        raise StudyError(
            f"{method} labels classes, and the answers to question {question!r} are a scale of "
            f"{coded.n_answers} different numbers (more than {MOST_NUMBERS}). "
            "Use mean, median or ordinal, or a scheme that maps them to few labels."
        )
    cells = coded.n_annotators * coded.n_answers
    if cells * (coded.n_answers if method == "dawid-skene" else 1) > MOST_CELLS:
        raise StudyError(
            f"{method} keeps a table of {coded.n_annotators} annotators by {coded.n_answers} "
            f"labels for question {question!r}, too large to fit. Use plurality, or a scheme "
            "with fewer labels."
        )
    return coded


def _column(names: pl.Series, question: str, key: str, name: str, values: Floats) -> pl.DataFrame:
    return pl.DataFrame(
        {
            key: names,
            "question": pl.repeat(question, len(names), eager=True),
            name: pl.Series(values, dtype=pl.Float64).fill_nan(None),
        }
    )


def entropies(posterior: Floats) -> Floats:
    """Return the entropy of each row in nats; NaN for a row of NaN."""
    logs = np.log(posterior, out=np.zeros_like(posterior), where=posterior > 0)
    found: Floats = -(posterior * logs).sum(axis=1)
    return np.where(found <= 0, 0.0, found) if posterior.shape[1] else np.full(len(found), np.nan)


def keep_up_to(entropy: Floats, keep: float) -> float:
    """Return the entropy of the floor(n * keep)-th surest item; -inf if that is item 0."""
    known = np.sort(entropy[~np.isnan(entropy)])
    kept = int(len(known) * keep + 1e-9)
    return float(known[kept - 1]) if kept else -np.inf
