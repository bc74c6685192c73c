"""How each question is labelled: as it was asked for, else as its scale suggests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from plausibly.errors import StudyError, TableError, UnknownName, option
from plausibly.labels.defaults import LabelChoice, default_choice
from plausibly.measures.questions import (
    QuestionScale,
    question_scales,
    with_codes,
    without_unsure,
)
from plausibly.ratings.questions import Questions, declared_in_tables, options_in_tables
from plausibly.registry import called
from plausibly.verbs.label._result import COMPUTED


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """What the user asks for.

    Args:
        method: The method of all questions; None for the one that suits each scale.
        options: What it is asked for.
        scale: Scales that are set.
        tables: Options and declarations for single questions.
    """

    method: str | Callable[..., Any] | None
    options: Mapping[str, Any]
    scale: str | Mapping[str, str] | None
    tables: Questions


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """Which ratings are labelled by which method.

    Args:
        ratings: The ratings, without answers that count as missing.
        choices: By question, how it is labelled.
        scales: By question, its scale; empty if nothing depends on it.
        missing: How often each answer that counts as missing occurred.
        lost: item and question of those that have no other answer.
    """

    ratings: pl.DataFrame
    choices: Mapping[str, LabelChoice]
    scales: Mapping[str, QuestionScale] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    lost: pl.DataFrame | None = None

    def groups(self) -> Iterator[tuple[LabelChoice, list[str]]]:
        """Yield each different choice with its questions; a question without labels is in none."""
        groups: dict[tuple[Any, str], tuple[LabelChoice, list[str]]] = {}
        for name, one in self.choices.items():
            key = one.method, repr(sorted(one.options.items()))
            if one.method is not None:
                groups.setdefault(key, (one, []))[1].append(name)
        yield from groups.values()


def planned_labels(rated: pl.DataFrame, asked: LabelRequest) -> LabelPlan:
    """Return how each question is labelled."""
    names = sorted(rated["question"].unique().to_list())
    if asked.method is None and not names:
        raise TableError("ratings: no rows. Labels need at least one rating.")
    if asked.method is not None and asked.scale is None and not asked.tables and len(names) < 2:
        return LabelPlan(rated, dict.fromkeys(names, LabelChoice(asked.method, asked.options)))
    _refuse_strangers(options_in_tables(asked.tables), names)
    scales = question_scales(rated, facts=declared_in_tables(asked.tables), scale=asked.scale)
    known, missing = without_unsure(with_codes(rated, scales), scales)
    choices = {
        name: _choice(one, asked, known.filter(pl.col("question") == name), alone=len(names) == 1)
        for name, one in scales.items()
    }
    by_scale = {name: one for name, one in scales.items() if choices[name].derived}
    kept, more = without_unsure(known, by_scale, words=True)
    key = ["item", "question"]
    lost = rated.select(key).unique().join(kept, on=key, how="anti")
    return LabelPlan(kept, choices, scales, {**missing, **more}, lost)


def _refuse_strangers(own: Questions, names: list[str]) -> None:
    stranger = next((name for name in own if name not in names), None)
    if stranger is not None:
        raise UnknownName("question", stranger, names, parameter="questions")


def _choice(
    scale: QuestionScale, asked: LabelRequest, ratings: pl.DataFrame, *, alone: bool
) -> LabelChoice:
    """Return how one question is labelled."""
    own = options_in_tables(asked.tables).get(scale.question, {})
    method = own.pop("method", None)
    if method is not None:
        return LabelChoice(method, own)
    if scale.scale == "text" and not own and not (alone and scale.source == "inferred"):
        return default_choice(scale)
    if asked.method is None:
        usual = default_choice(scale)
        _require_order(scale, usual, ratings)
    elif not alone and not own and _lacks_numbers(asked, ratings):
        usual = default_choice(scale)
        why = f"{called(asked.method)} needs numbers; {usual.reason}"
        return replace(usual, reason=why)
    else:
        usual = LabelChoice(asked.method, asked.options)
    return replace(usual, options={**usual.options, **own}) if own else usual


def _require_order(scale: QuestionScale, usual: LabelChoice, ratings: pl.DataFrame) -> None:
    """Raise if words are to have a score and their order is not known."""
    if usual.method == "score" and ratings["value"].null_count() == ratings.height > 0:
        raise StudyError(
            f"question {scale.question!r}: the answers are words without an order. Declare it with "
            f"{option('order')}, from least to most.",
            parameter="order",
        )


def _lacks_numbers(asked: LabelRequest, ratings: pl.DataFrame) -> bool:
    """Return whether a method that computes has nothing to compute with."""
    classed = {"scheme", "answer"} & set(asked.options)
    computes = asked.method in COMPUTED and not classed
    return computes and ratings["value"].null_count() == ratings.height


def refuse_idle(method: str | Callable[..., Any] | None, options: Mapping[str, Any]) -> None:
    """Raise at an option of a method where no method is named."""
    if method is None and options:
        first = next(iter(options))
        raise StudyError(
            f"{option(first)} is about a method. Pass {option('method')}, or set it for a question "
            f"with {option('questions')}.",
            parameter=first,
        )
