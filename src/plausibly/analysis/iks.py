"""What people say about generated implicit knowledge (annotation manual of the DeeLIO 2021 study).

The manual defines questions and skips, not how answers become results; what is computed here is
our own design: profiles of systems, the best of n with shared credit, wins against the reference,
agreement with skipped questions as missing answers, and the cases people disagree on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from plausibly.analysis.iks_agreement import QuestionAgreement, agreements, disagreements
from plausibly.analysis.iks_association import GrammarAssociation, grammar_associations
from plausibly.analysis.iks_judgements import BEST, CLOSEST, SLICES, Judgements, Scales, judgements
from plausibly.analysis.iks_profiles import (
    ONCE_PER_ITEM,
    Draws,
    SystemProfile,
    mean_by_item,
    profiles,
)
from plausibly.domain import Measure
from plausibly.measures.resampling import Resampling

Sheet = dict[str, object]


@dataclass(frozen=True, eq=False)
class IksReport:
    """Everything `score iks` says.

    Args:
        counts: Source items, candidates, annotators and ratings.
        connected: Share of answers that the two source sentences are implicitly connected.
        tied_best: Share of answers that name several best explanations.
        systems: Profile of each system.
        slices: By column (relation, genre) and value, the profiles on those items.
        agreement: By question.
        grammar: By question, how it goes together with grammaticality.
        disagreements: The cases, the farthest apart first.
        sheets: Per source item what was answered, who was named best and closest, who skipped.
        notes: What a reader should know.
    """

    counts: Mapping[str, int]
    connected: Measure
    tied_best: Measure
    systems: Mapping[str, SystemProfile]
    slices: Mapping[str, Mapping[str, Mapping[str, SystemProfile]]]
    agreement: Mapping[str, QuestionAgreement]
    grammar: Mapping[str, GrammarAssociation]
    disagreements: list[dict[str, object]]
    sheets: Mapping[str, Sheet]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return the document `score iks --json` prints."""
        return {
            **self.counts,
            "connected": self.connected.as_json(),
            "tied_best": self.tied_best.as_json(),
            "systems": {name: profile.as_json() for name, profile in self.systems.items()},
            "slices": {
                column: {
                    value: {name: profile.as_json() for name, profile in systems.items()}
                    for value, systems in values.items()
                }
                for column, values in self.slices.items()
            },
            "agreement": {name: found.as_json() for name, found in self.agreement.items()},
            "grammar": {name: one.as_json() for name, one in self.grammar.items()},
            "disagreements": self.disagreements,
            "sheets": dict(self.sheets),
            "notes": list(self.notes),
        }


def analyse_iks(
    ratings: pl.DataFrame,
    *,
    scales: Scales,
    items: pl.DataFrame | None = None,
    draws: Draws | None = None,
) -> IksReport:
    """Return the report on ratings of implicit-knowledge sentences.

    Args:
        ratings: Ratings table as `read --format iks` writes it.
        scales: Options of each question, worst first.
        items: Items table with system, relation or genre, where the ratings lack them.
        draws: How intervals are made; source items are drawn.
    """
    draws = draws or Draws()
    collected = judgements(ratings, scales=scales, items=items)
    resampling = Resampling(units="items", resamples=draws.resamples, seed=draws.seed)
    return IksReport(
        counts={
            "items": collected.judged["source"].n_unique(),
            "candidates": collected.judged.select("source", "candidate").n_unique(),
            "annotators": collected.answers["annotator"].n_unique(),
            "ratings": ratings.height,
        },
        connected=_connected(collected, draws),
        tied_best=_tied_best(collected, draws),
        systems=profiles(collected, scales=scales, draws=draws),
        slices=_slices(collected, scales, draws),
        agreement=agreements(collected, scales=scales, resampling=resampling),
        grammar=grammar_associations(collected, scales=scales, draws=draws),
        disagreements=disagreements(collected, scales=scales),
        sheets=_sheets(collected),
        notes=collected.notes,
    )


def _connected(collected: Judgements, draws: Draws) -> Measure:
    own = collected.answers.filter(pl.col("question").is_in(ONCE_PER_ITEM)).sort(
        "source", "annotator"
    )
    return mean_by_item(own["source"], own["place"], draws)


def _tied_best(collected: Judgements, draws: Draws) -> Measure:
    best = collected.choices.filter(pl.col("question") == BEST)
    one = best.unique(["source", "annotator"], keep="first", maintain_order=True)
    return mean_by_item(one["source"], one["credit"] < 1, draws)


def _slices(
    collected: Judgements, scales: Scales, draws: Draws
) -> dict[str, dict[str, dict[str, SystemProfile]]]:
    found: dict[str, dict[str, dict[str, SystemProfile]]] = {}
    for column in SLICES:
        values = collected.judged[column].drop_nulls().unique().sort().to_list()
        sources = {
            value: collected.judged.filter(pl.col(column) == value)["source"] for value in values
        }
        if values and collected.judged["system"].count():
            found[column] = {
                value: profiles(collected.within(own), scales=scales, draws=draws)
                for value, own in sources.items()
            }
    return found


def _sheets(collected: Judgements) -> dict[str, Sheet]:
    """Return each source item as the sheet shows it, answers with how often they were given."""
    return {
        source: _sheet(collected.within(pl.Series([source])))
        for source in collected.judged["source"].unique().sort().to_list()
    }


def _sheet(collected: Judgements) -> Sheet:
    candidates: dict[str, dict[str, dict[str, int]]] = {}
    for candidate in collected.judged["candidate"].unique(maintain_order=True):
        own = collected.answers.filter(pl.col("candidate") == candidate)
        candidates[candidate] = _counted(own)
    stopped = collected.judged.drop_nulls("stopped")
    chosen = {
        question: collected.choices.filter(pl.col("question") == question)
        for question in (BEST, CLOSEST)
    }
    return {
        "candidates": candidates,
        "once": _counted(collected.answers.filter(pl.col("candidate").is_null())),
        "best": _credit(chosen[BEST]),
        "closest": _credit(chosen[CLOSEST]),
        "stopped": {
            candidate: dict(own["stopped"].value_counts().sort("stopped").iter_rows())
            for (candidate,), own in stopped.partition_by("candidate", as_dict=True).items()
        },
    }


def _counted(answers: pl.DataFrame) -> dict[str, dict[str, int]]:
    counts = answers.group_by("question", "answer").len().sort("question", "answer")
    found: dict[str, dict[str, int]] = {}
    for question, answer, count in counts.iter_rows():
        found.setdefault(question, {})[answer] = count
    return found


def _credit(chosen: pl.DataFrame) -> dict[str, float]:
    """Return the credit of each named candidate, summed over annotators, the most first."""
    summed = chosen.group_by("candidate").agg(pl.col("credit").sum())
    return dict(summed.sort("credit", "candidate", descending=[True, False]).iter_rows())
