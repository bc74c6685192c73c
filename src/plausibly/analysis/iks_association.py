"""Whether judgements of grammar and of content go together, although they should not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.analysis.iks_judgements import Judgements, Scales
from plausibly.analysis.iks_profiles import Draws
from plausibly.analysis.showing import number
from plausibly.domain import Measure
from plausibly.measures.association import table_association

GRAMMAR = "grammaticality"
CONTENT = ("coherence", "content_b", "content_c")
KEYS = ("source", "candidate", "annotator")


@dataclass(frozen=True, eq=False)
class GrammarAssociation:
    """How answers about grammar and answers to one other question go together.

    Args:
        counts: From an answer about grammar to the answers to the other question, with how often
            one person gave both.
        tau: Kendall's tau-b over these judgements; source items are drawn for its interval.
    """

    counts: Mapping[str, Mapping[str, int]]
    tau: Measure

    def as_json(self) -> dict[str, object]:
        """Return counts and tau-b as part of `score iks --json`."""
        counts = {name: dict(row) for name, row in self.counts.items()}
        return {"counts": counts, "tau_b": self.tau.as_json()}


def grammar_associations(
    judged: Judgements, *, scales: Scales, draws: Draws
) -> dict[str, GrammarAssociation]:
    """Return the association of grammar with coherence and content, by question.

    The manual asks annotators to judge grammar and content independently of each other. A sentence
    that ended with its grammar has no answers about content and does not count.
    """
    return {
        question: _association(judged.answers, question, scales, draws)
        for question in CONTENT
        if judged.answers["question"].is_in([question]).any()
    }


def _association(
    answers: pl.DataFrame, question: str, scales: Scales, draws: Draws
) -> GrammarAssociation:
    first, second = (
        answers.filter(question=name).select(*KEYS, pl.col("answer").alias(place))
        for name, place in ((GRAMMAR, "grammar"), (question, "content"))
    )
    both = first.join(second, on=KEYS)
    rows, columns = scales[GRAMMAR], scales[question]
    sources = both["source"].unique().sort().to_list()
    tables = np.zeros((len(sources), len(rows), len(columns)))
    for source, grammar, content, count in (
        both.group_by("source", "grammar", "content").len().iter_rows()
    ):
        cell = sources.index(source), rows.index(grammar), columns.index(content)
        tables[cell] += count
    summed = tables.sum(axis=0)
    counts = {
        name: {other: int(summed[i, j]) for j, other in enumerate(columns)}
        for i, name in enumerate(rows)
    }
    tau = table_association(tables, resamples=draws.resamples, seed=draws.seed)
    return GrammarAssociation(counts, tau)


def association_tables(associations: Mapping[str, GrammarAssociation]) -> Sequence[Figure]:
    """Return the cross table of each question with grammar, and tau-b with its interval."""
    return [_figure(question, one) for question, one in associations.items() if one.tau.n]


def _figure(question: str, one: GrammarAssociation) -> Figure:
    rows = [{GRAMMAR: name, **row} for name, row in one.counts.items()]
    n = sum(sum(row.values()) for row in one.counts.values())
    tau = one.tau
    if tau.value is None:
        measured = f"Tau-b is not defined: {tau.reason}."
    else:
        limits = "" if tau.low is None else f" (95 % CI {number(tau.low)} to {number(tau.high)})"
        measured = f"Kendall's tau-b is {number(tau.value)}{limits}, with {tau.n:,} source items."
    title = f"Grammaticality and {question.replace('_', ' ')}"
    caption = (
        f"n = {n:,} judgements in which one person answered both. {measured} The manual asks for "
        "independent judgements; tau-b is also above 0 where the same sentences are worse in both."
    )
    return Figure(
        f"iks-grammar-{question.replace('_', '-')}", title, caption, pl.DataFrame(rows), ""
    )
