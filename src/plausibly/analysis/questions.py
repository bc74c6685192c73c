"""Studies with several questions: the one a report is about, and a table of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from plausibly.analysis.headline import headline
from plausibly.analysis.labelling import Labelling
from plausibly.errors import UnknownName

QUESTIONS = "questions"


def chosen_question(agreement: Mapping[str, Any], question: str | None) -> str | None:
    """Return the question a report is about: the one asked for, else the first; None for one."""
    if QUESTIONS not in agreement:
        return None
    known = list(agreement[QUESTIONS])
    if question is not None and question not in known:
        raise UnknownName("question", question, known)
    return question or known[0]


def question_rows(
    agreement: Mapping[str, Any], kept: pl.DataFrame, labels: pl.DataFrame
) -> list[dict[str, Any]]:
    """Return for every question how much was answered, labelled, and how far people agree."""
    rows = []
    for question, measured in agreement.get(QUESTIONS, {}).items():
        own = kept.filter(pl.col("question") == question)
        labelled = labels.filter(pl.col("question") == question)
        agreed = headline(measured)
        methods = sorted(labelled["method"].unique().to_list())
        rows.append(
            {
                "question": question,
                "method": ", ".join(methods),
                "ratings": own.height,
                "labelled": labelled.height,
                "undecided": labelled["label"].null_count(),
                "of_candidates": {Labelling(one).kind for one in methods} == {"candidates"},
                "measure": agreed.name,
                "alpha": {
                    "value": agreed.value,
                    "low": agreed.low,
                    "high": agreed.high,
                    "n": agreed.n,
                },
            }
        )
    return rows


def cascade_of(steps: Sequence[Mapping[str, Any]], question: str) -> list[dict[str, Any]]:
    """Return the steps of a cascade with the agreement on one question."""
    return [
        {**step, "agreement": step["agreement"].get(QUESTIONS, {}).get(question, {})}
        if isinstance(step.get("agreement"), Mapping)
        else dict(step)
        for step in steps
    ]


def profile_rows(analysis: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one row a system from what `score iks` says."""
    return [
        {
            "system": name,
            "candidates": one["candidates"],
            "stopped": one["skipped"]["all"],
            "best": one["best"],
            "closest": one["closest"],
            "wins": one["win_rate"],
        }
        for name, one in analysis.get("systems", {}).items()
    ]
