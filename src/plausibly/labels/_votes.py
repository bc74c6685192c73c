"""The votes of one question: who may be counted, for which label, and the table that follows."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import LabelScheme, label_order
from plausibly.labels.results import NOBODY, QUESTION, Silent
from plausibly.measures.coded import Floats, spellings
from plausibly.tables import LABELS, RATINGS

SAME = 1e-6

Counts = npt.NDArray[np.int64]
Rule = Callable[[Counts, Counts], Counts]


@dataclass(frozen=True, eq=False)
class Ballot:
    """The ratings of one question, and the labels they vote for.

    Args:
        question: The question.
        ratings: All ratings of it.
        items: Every item, sorted, also those without a rating.
        answers: The answers given, smallest first.
        given: How often each item (row) got each answer (column).
        scheme: From answers to labels; without one, answers are labels.
    """

    question: str
    ratings: pl.DataFrame
    items: pl.Series
    answers: tuple[str, ...]
    given: Counts
    scheme: LabelScheme | None

    @property
    def totals(self) -> Counts:
        """How many ratings each item has, whether they vote or not."""
        return np.asarray(self.given.sum(axis=1))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, smallest first: all of the scheme, else the answers given."""
        return self.answers if self.scheme is None else tuple(label_order(self.scheme.labels))

    def votes(self) -> Counts:
        """Return how often each item (row) got each label (column)."""
        if self.scheme is None:
            return self.given
        votes = np.zeros((len(self.items), len(self.labels)), dtype=np.int64)
        for column, answer in enumerate(self.answers):
            if answer in self.scheme.of:
                votes[:, self.labels.index(self.scheme.of[answer])] += self.given[:, column]
        return votes

    def voiced(self) -> pl.DataFrame:
        """Return the ratings that vote, `answer` being the label and `value` its number."""
        if self.scheme is None:
            return self.ratings
        label = pl.col("answer").replace_strict(
            list(self.scheme.of),
            list(self.scheme.of.values()),
            default=None,
            return_dtype=pl.String,
        )
        voiced = self.ratings.with_columns(answer=label).drop_nulls("answer")
        return voiced.with_columns(value=pl.col("answer").cast(pl.Float64, strict=False))


def ballots(
    ratings: pl.DataFrame, *, scheme: LabelScheme | None = None, silent: Silent = NOBODY
) -> list[Ballot]:
    """Return one ballot per question; answers outside the scheme do not vote, items stay."""
    ratings = RATINGS.check(ratings)
    questions = ratings["question"].unique().sort().to_list() or [QUESTION]
    if len(questions) == 1:
        return [_ballot(questions[0], ratings, scheme, silent)]
    own = [ratings.filter(pl.col("question") == question) for question in questions]
    return [_ballot(q, part, scheme, silent) for q, part in zip(questions, own, strict=True)]


def _ballot(
    question: str, ratings: pl.DataFrame, scheme: LabelScheme | None, silent: Silent
) -> Ballot:
    heard, code = _coded(ratings["item"])
    unheard = sorted(set(silent.items).difference(heard))
    items = pl.concat([heard, pl.Series("item", unheard, dtype=pl.String)]).sort()
    place = items.to_frame().with_row_index("place")
    row = heard.to_frame().join(place, on="item", maintain_order="left")["place"].to_numpy()
    answers, column = _coded(ratings["answer"])
    spelled = spellings(answers, known=() if scheme is None else scheme.of)
    if spelled:
        ratings = ratings.with_columns(pl.col("answer").replace_strict(spelled))
        answers, column = _coded(ratings["answer"])
    smallest = label_order(answers)
    rank = {answer: place for place, answer in enumerate(smallest)}
    order = np.array([rank[answer] for answer in answers], dtype=np.int64)
    shape = (len(items), len(answers))
    cell = row.astype(np.int64)[code] * shape[1] + order[column]
    given = np.bincount(cell, minlength=shape[0] * shape[1])
    return Ballot(question, ratings, items, tuple(smallest), given.reshape(shape), scheme)


def _coded(names: pl.Series) -> tuple[pl.Series, Counts]:
    """Return the distinct names in no order, and the place of each name among them.

    A categorical of its own is the quickest way from ten million names to numbers.
    """
    coded = names.cast(pl.Categorical(pl.Categories.random()))
    distinct = coded.unique()
    number = distinct.to_physical().to_numpy().astype(np.int64)
    place = np.zeros(number.max(initial=-1) + 1, dtype=np.int64)
    place[number] = np.arange(len(number))
    return distinct.cast(pl.String), place[coded.to_physical().to_numpy()]


def shares(votes: Counts | Floats) -> Floats:
    """Return each row divided by its sum; a row without votes is NaN."""
    totals = votes.sum(axis=1, keepdims=True)
    found = np.full(votes.shape, np.nan)
    np.divide(votes, totals, out=found, where=totals > 0)
    return found


def winners(probability: Floats) -> Counts:
    """Return the column of each row's best label, the smallest within `SAME` of it; -1 for none."""
    if probability.shape[1] == 0:
        return np.full(len(probability), -1, dtype=np.int64)
    best = np.fmax.reduce(probability, axis=1, keepdims=True)
    first = (probability >= best - SAME).argmax(axis=1)
    return np.where(np.isnan(best[:, 0]), -1, first)


def vote(
    ratings: pl.DataFrame,
    *,
    method: str,
    rule: Rule,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> pl.DataFrame:
    """Label each item by a rule on its votes; `support` is the top label's share of all ratings."""
    tables = []
    for ballot in ballots(ratings, scheme=scheme, silent=silent):
        votes = ballot.votes()
        top = votes.max(axis=1, initial=0) / np.where(ballot.totals > 0, ballot.totals, np.nan)
        table = labels_table(
            ballot,
            method=method,
            label=named(rule(votes, ballot.totals), ballot.labels),
            support=top,
            distribution=distribution_text(shares(votes), ballot.labels),
        )
        tables.append(table)
    return LABELS.sort(pl.concat(tables))


def labels_table(
    ballot: Ballot,
    *,
    method: str,
    label: pl.Series,
    support: Floats,
    distribution: pl.Series,
) -> pl.DataFrame:
    """Return the labels table of one question, sorted by item."""
    table = pl.DataFrame(
        {
            "item": ballot.items,
            "question": pl.repeat(ballot.question, len(ballot.items), eager=True),
            "method": pl.repeat(method, len(ballot.items), eager=True),
            "label": label.cast(pl.String),
            "support": pl.Series(support, dtype=pl.Float64).fill_nan(None),
            "ratings": pl.Series(ballot.totals, dtype=pl.Int64),
            "distribution": distribution,
        }
    )
    return LABELS.check(table)


def named(winner: Counts, labels: Sequence[str]) -> pl.Series:
    """Return the label of each code, null where the code is negative."""
    names = pl.Series("label", [*labels, None], dtype=pl.String)
    return names.gather(np.where(winner < 0, len(labels), winner))


def distribution_text(probability: Floats, labels: Sequence[str]) -> pl.Series:
    """Return each row as JSON text from label to probability, null for a row of NaN."""
    if not labels:
        return pl.repeat(None, len(probability), dtype=pl.String, eager=True)
    columns = pl.DataFrame(probability, schema=[f"p{place}" for place in range(len(labels))])
    parts: list[pl.Expr] = []
    for place, label in enumerate(labels):
        opening = "{" if place == 0 else ", "
        key = json.dumps(label, ensure_ascii=False)
        parts += [pl.lit(f"{opening}{key}: "), pl.col(f"p{place}").fill_nan(None).cast(pl.String)]
    text = columns.select(distribution=pl.concat_str([*parts, pl.lit("}")]))
    return text["distribution"]
