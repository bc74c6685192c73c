"""Profiles of systems that write implicit knowledge: how each fares, with intervals by item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from plausibly.analysis.iks_judgements import (
    AGAINST_REFERENCE,
    BEST,
    CLOSEST,
    STOPS,
    Judgements,
    Scales,
)
from plausibly.domain import Measure
from plausibly.measures.ratios import ratio_bootstrap
from plausibly.measures.resampling import RESAMPLES

ONCE_PER_ITEM = ("content_a",)


@dataclass(frozen=True, slots=True)
class Draws:
    """How intervals are made: how often source items are drawn, and from which seed."""

    resamples: int = RESAMPLES
    seed: int = 0


@dataclass(frozen=True, eq=False)
class QuestionProfile:
    """The answers one system got to one question.

    Args:
        shares: Share of each option among the answers, worst option first.
        place: Mean place on the scale, 0 worst and 1 best.
        skipped: Share of judged candidates whose question was skipped.
        unanswered: Judged candidates that should have an answer and have none.
    """

    shares: Mapping[str, float]
    place: Measure
    skipped: Measure
    unanswered: int

    def as_json(self) -> dict[str, object]:
        """Return the profile as part of `score iks --json`."""
        return {
            "shares": dict(self.shares),
            "place": self.place.as_json(),
            "skipped": self.skipped.as_json(),
            "unanswered": self.unanswered,
        }


@dataclass(frozen=True, eq=False)
class SystemProfile:
    """How one system fares.

    Args:
        candidates: How many of its sentences were judged.
        judgements: How often, all annotators together.
        stopped: Share of judgements that ended early, in all and by the question that ended them.
        questions: Its answers, by question.
        best: Mean credit for the best explanation; candidates named together share one.
        closest: The same for the sentence closest to the reference.
        choices: How often it was named best alone, with others, and not.
        wins: Mean of 1 for a win against the reference, 1/2 for both, 0 for a loss.
        outcomes: How often it won, tied and lost against the reference.
        wins_if_skipped_lose: The same mean with every skipped comparison a loss.
    """

    candidates: int
    judgements: int
    stopped: Mapping[str, Measure]
    questions: Mapping[str, QuestionProfile]
    best: Measure
    closest: Measure
    choices: Mapping[str, int]
    wins: Measure
    outcomes: Mapping[str, int]
    wins_if_skipped_lose: Measure = field(kw_only=True)

    def as_json(self) -> dict[str, object]:
        """Return the profile as part of `score iks --json`."""
        return {
            "candidates": self.candidates,
            "judgements": self.judgements,
            "skipped": {name: measure.as_json() for name, measure in self.stopped.items()},
            "questions": {name: profile.as_json() for name, profile in self.questions.items()},
            "best": {**self.best.as_json(), **self.choices},
            "closest": self.closest.as_json(),
            "win_rate": {**self.wins.as_json(), **self.outcomes},
            "win_rate_if_skipped_lose": self.wins_if_skipped_lose.as_json(),
        }


def profiles(collected: Judgements, *, scales: Scales, draws: Draws) -> dict[str, SystemProfile]:
    """Return the profile of every system, by name; none if no system is named."""
    names = collected.judged["system"].drop_nulls().unique().sort().to_list()
    return {name: _profile(collected, name, scales, draws) for name in names}


def _profile(collected: Judgements, system: str, scales: Scales, draws: Draws) -> SystemProfile:
    judged = collected.judged.filter(pl.col("system") == system)
    answers = collected.answers.filter(
        (pl.col("system") == system) & pl.col("candidate").is_not_null()
    )
    stops = {"all": judged["stopped"].is_not_null()} | {
        question: (judged["stopped"] == question).fill_null(value=False) for question in STOPS
    }
    compared = _answered(judged, answers, AGAINST_REFERENCE)
    best = _credits(collected, judged, BEST)
    return SystemProfile(
        candidates=judged.select("source", "candidate").n_unique(),
        judgements=judged.height,
        stopped={
            name: mean_by_item(judged["source"], stopped, draws) for name, stopped in stops.items()
        },
        questions={
            question: _question(judged, answers, question, scales[question], draws)
            for question in scales
            if question not in ONCE_PER_ITEM
        },
        best=mean_by_item(best["source"], best["credit"], draws),
        closest=_mean_credit(_credits(collected, judged, CLOSEST), draws),
        choices={
            "alone": best.filter(pl.col("credit") == 1).height,
            "tied": best.filter(pl.col("credit").is_between(0, 1, closed="none")).height,
            "not_named": best.filter(pl.col("credit") == 0).height,
        },
        wins=_mean_place(compared, draws),
        outcomes={
            name: compared.filter(pl.col("place") == place).height
            for name, place in (("won", 1.0), ("tied", 0.5), ("lost", 0.0))
        },
        wins_if_skipped_lose=mean_by_item(
            compared["source"], compared["place"].fill_null(0.0), draws
        ),
    )


def _answered(judged: pl.DataFrame, answers: pl.DataFrame, question: str) -> pl.DataFrame:
    """Return each judgement with the place of its answer to a question, null without one."""
    own = answers.filter(pl.col("question") == question)
    keys = ["source", "candidate", "annotator"]
    return judged.join(own.select(*keys, "answer", "place"), on=keys, how="left").sort(keys)


def _mean_place(answered: pl.DataFrame, draws: Draws) -> Measure:
    given = answered.drop_nulls("place")
    return mean_by_item(given["source"], given["place"], draws)


def _question(
    judged: pl.DataFrame,
    answers: pl.DataFrame,
    question: str,
    options: tuple[str, ...],
    draws: Draws,
) -> QuestionProfile:
    answered = _answered(judged, answers, question)
    given = answered.drop_nulls("answer")["answer"]
    silent = answered["answer"].is_null()
    skipped = silent & answered["stopped"].is_not_null()
    return QuestionProfile(
        {option: int((given == option).sum()) / given.len() for option in options}
        if given.len()
        else {},
        _mean_place(answered, draws),
        mean_by_item(answered["source"], skipped, draws),
        int((silent & ~skipped).sum()),
    )


def _credits(collected: Judgements, judged: pl.DataFrame, question: str) -> pl.DataFrame:
    """Return the credit of a system's candidates wherever the annotator chose at all."""
    chosen = collected.choices.filter(pl.col("question") == question)
    asked = judged.join(chosen, on=["source", "annotator"], how="semi")
    credited = asked.join(
        chosen.select("source", "annotator", "candidate", "credit"),
        on=["source", "annotator", "candidate"],
        how="left",
    )
    return credited.with_columns(pl.col("credit").fill_null(0.0)).sort(
        "source", "candidate", "annotator"
    )


def _mean_credit(credited: pl.DataFrame, draws: Draws) -> Measure:
    return mean_by_item(credited["source"], credited["credit"], draws)


def mean_by_item(sources: pl.Series, values: pl.Series, draws: Draws) -> Measure:
    """Return a mean with its interval from resampling whole source items."""
    by_item = (
        pl.DataFrame({"source": sources, "value": values.cast(pl.Float64)})
        .group_by("source")
        .agg(pl.col("value").sort().sum(), count=pl.len().cast(pl.Float64))
        .sort("source")
    )
    if by_item.is_empty():
        return Measure(None, 0, reason="nothing was answered")
    sums, counts = by_item["value"].to_numpy(), by_item["count"].to_numpy()
    return ratio_bootstrap(sums, counts, resamples=draws.resamples, seed=draws.seed)
