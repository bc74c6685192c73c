"""The votes of one question: who may be counted, for which label, and the table that follows."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import LabelScheme, label_order
from plausibly.errors import TableError
from plausibly.labels.results import NOBODY, QUESTION, Silent
from plausibly.measures.coded import Coded, Codes, Floats, codes_of, codes_of_answers, spellings
from plausibly.tables import LABELS, RATINGS

SAME = 1e-6
FULL = 20

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Votes:
    """How often items got labels, where they did at all; sorted by item, then label.

    Args:
        item: Code of the item.
        label: Code of the label.
        count: How many ratings vote so.
        n_items: How many items there are, with and without votes.
        n_labels: How many labels there are.
    """

    item: Counts
    label: Counts
    count: Counts
    n_items: int
    n_labels: int

    @cached_property
    def cast(self) -> Counts:
        """How many ratings of each item vote."""
        return np.bincount(self.item, self.count, self.n_items).astype(np.int64)

    @cached_property
    def most(self) -> Counts:
        """The votes of each item's most frequent label; 0 without votes."""
        most = np.zeros(self.n_items, dtype=np.int64)
        np.maximum.at(most, self.item, self.count)
        return most

    @cached_property
    def share(self) -> Floats:
        """The share of each label among the votes of its item."""
        return self.count / self.cast[self.item]

    def winner(self, wins: npt.NDArray[np.bool_]) -> Counts:
        """Return the smallest label of each item that wins; -1 for none."""
        winner = np.full(self.n_items, -1, dtype=np.int64)
        rows = np.flatnonzero(wins)[::-1]
        winner[self.item[rows]] = self.label[rows]
        return winner

    def matrix(self) -> Floats:
        """Return the shares of each label (column) for each item (row); NaN without votes."""
        shares = np.zeros((self.n_items, self.n_labels))
        shares[self.cast == 0] = np.nan
        shares[self.item, self.label] = self.share
        return shares


Rule = Callable[[Votes, Counts], Counts]


@dataclass(frozen=True, eq=False)
class Ballot:
    """The ratings of one question as codes, and the labels they vote for.

    Args:
        question: The question.
        ratings: All ratings of it, without values where a scheme gives the labels.
        items: Every item, sorted, also those without a rating.
        item: Code of the item of each rating.
        labels: The labels, smallest first: all of the scheme, else the answers given.
        label: Code of the label of each rating, -1 if it votes for none.
    """

    question: str
    ratings: pl.DataFrame
    items: pl.Series
    item: Codes
    labels: tuple[str, ...]
    label: Codes

    @cached_property
    def totals(self) -> Counts:
        """How many ratings each item has, whether they vote or not."""
        return np.bincount(self.item, minlength=len(self.items))

    @cached_property
    def votes(self) -> Votes:
        """How often each item got each label."""
        shape = len(self.items), len(self.labels)
        cell = self.item.astype(np.int64) * shape[1] + self.label
        cell = cell[self.label >= 0] if (self.label < 0).any() else cell
        if shape[0] * shape[1] <= 4 * len(self.item) + FULL:
            every = np.bincount(cell, minlength=shape[0] * shape[1])
            known = np.flatnonzero(every)
            count = every[known]
        else:
            known, count = np.unique(cell, return_counts=True)
        return Votes(*np.divmod(known, max(shape[1], 1)), count, *shape)

    def numbers(self) -> tuple[Counts, Floats, bool]:
        """Return the ratings that vote, the number of each, and whether words have values.

        The number of a rating is its value, else that of its label; NaN for none.
        """
        rows = np.flatnonzero(self.label >= 0)
        labels = pl.Series(self.labels, dtype=pl.String).cast(pl.Float64, strict=False)
        own = labels.fill_null(np.nan).to_numpy()[self.label[rows]]
        if "value" not in self.ratings.columns:
            return rows, own, False
        value = self.ratings["value"].cast(pl.Float64).fill_null(np.nan).to_numpy()
        valued = bool((~np.isnan(value) & np.isnan(own)).any())
        return rows, np.where(np.isnan(value), own, value), valued

    def coded(self, silent: Silent) -> Coded:
        """Return the ratings that vote as codes over every item, and silent annotators too."""
        rows = np.flatnonzero(self.label >= 0)
        annotator, annotators = codes_of(self.ratings["annotator"].gather(rows))
        quiet = sorted(set(silent.annotators).difference(annotators))
        used = np.flatnonzero(np.bincount(self.label[rows], minlength=len(self.labels)))
        place = np.zeros(len(self.labels), dtype=np.int32)
        place[used] = np.arange(len(used), dtype=np.int32)
        return Coded(
            self.item[rows],
            annotator,
            place[self.label[rows]],
            self.items,
            pl.concat([annotators.rename("annotator"), pl.Series(quiet, dtype=pl.String)]),
            tuple(self.labels[one] for one in used.tolist()),
        )


def ballots(
    ratings: pl.DataFrame, *, scheme: LabelScheme | None = None, silent: Silent = NOBODY
) -> list[Ballot]:
    """Return one ballot per question; answers outside the scheme do not vote, items stay."""
    ratings = RATINGS.check(ratings)
    if ratings.is_empty() and not silent.items:
        raise TableError("ratings: no rows. Labels need at least one rating.")
    asked = ratings["question"]
    first = QUESTION if ratings.is_empty() else asked[0]
    if (asked == first).all():
        return [_ballot(first, ratings, scheme, silent)]
    questions = asked.unique().sort().to_list()
    own = [ratings.filter(pl.col("question") == question) for question in questions]
    return [_ballot(q, part, scheme, silent) for q, part in zip(questions, own, strict=True)]


def _ballot(
    question: str, ratings: pl.DataFrame, scheme: LabelScheme | None, silent: Silent
) -> Ballot:
    item, heard = codes_of(ratings["item"])
    unheard = sorted(set(silent.items).difference(heard)) if silent.items else []
    items = heard.rename("item")
    if unheard:
        items = pl.concat([items, pl.Series("item", unheard, dtype=pl.String)]).sort()
        item = items.search_sorted(heard).to_numpy().astype(np.int32)[item]
    answer, answers = codes_of_answers(ratings["answer"])
    of = dict(zip(answers, answers, strict=True)) if scheme is None else scheme.of
    spelled = spellings(answers, known=() if scheme is None else scheme.of)
    named = [of.get(spelled.get(one, one)) for one in answers]
    labels = tuple(label_order(scheme.labels if scheme else (n for n in named if n is not None)))
    rank = {label: place for place, label in enumerate(labels)}
    code = np.array([-1 if one is None else rank[one] for one in named], dtype=np.int32)
    own = ratings if scheme is None else ratings.drop("value")
    return Ballot(question, own, items, item, labels, code[answer])


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
        top = ballot.votes.most / np.where(ballot.totals > 0, ballot.totals, np.nan)
        table = labels_table(
            ballot,
            method=method,
            label=named(rule(ballot.votes, ballot.totals), ballot.labels),
            support=top,
            distribution=votes_text(ballot.votes, ballot.labels),
        )
        tables.append(table)
    return LABELS.sort(pl.concat(tables)) if len(tables) > 1 else tables[0]


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
    """Return the label of each code, null if the code is negative."""
    names = pl.Series("label", [*labels, None], dtype=pl.String)
    return names.gather(np.where(winner < 0, len(labels), winner))


def votes_text(votes: Votes, labels: Sequence[str]) -> pl.Series:
    """Return each item's shares as JSON text from label to share, null without votes.

    Up to 20 labels all are in each text; of more, only those with a vote: on a scale of many
    values a text would otherwise list them all for every item.
    """
    if len(labels) <= FULL:
        return distribution_text(votes.matrix(), labels)
    keys = pl.Series([json.dumps(label, ensure_ascii=False) for label in labels], dtype=pl.String)
    entries = pl.DataFrame(
        {"item": votes.item, "key": keys.gather(votes.label), "share": votes.share}
    ).select("item", entry=pl.format("{}: {}", "key", "share"))
    texts = entries.group_by("item", maintain_order=True).agg(
        text=pl.concat_str(pl.lit("{"), pl.col("entry").str.join(", "), pl.lit("}"))
    )
    place = np.full(votes.n_items, texts.height, dtype=np.int64)
    place[texts["item"].to_numpy()] = np.arange(texts.height)
    return pl.concat([texts["text"], pl.Series("text", [None], dtype=pl.String)]).gather(place)


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
