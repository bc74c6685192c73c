"""Answers that name several things: a set of options, or the best of several candidates."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import polars as pl

from plausibly.domain import LabelScheme, label_order
from plausibly.errors import TableError
from plausibly.labels._votes import FULL, SAME
from plausibly.labels.results import NOBODY, QUESTION, Silent
from plausibly.measures.questions import SEPARATOR
from plausibly.tables import LABELS, RATINGS

Shares = Mapping[str, float]
Verdict = Callable[[Shares], tuple[str | None, float | None]]
KEY = ["question", "item"]


def per_option(
    ratings: pl.DataFrame,
    *,
    separator: str = SEPARATOR,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> pl.DataFrame:
    """Label each item with the options that more than half of its answers name.

    Each option is a question of its own: chosen or not. An item with no such option has no label.
    The distribution has the share of answers that name each option, and does not sum to 1.

    Args:
        ratings: The ratings table; an answer is a set.
        separator: Text between the members of a set.
        scheme: From answers to labels.
        silent: Items and annotators without a rating.

    >>> ratings = pl.DataFrame({"item": ["t1"] * 3, "annotator": ["a", "b", "c"],
    ...                         "question": ["why"] * 3, "answer": ["odd;new", "new;odd", "odd"]})
    >>> per_option(ratings).select("label", "distribution").row(0)
    ('new;odd', '{"new": 0.6666666666666666, "odd": 1.0}')
    """

    def chosen(shares: Shares) -> tuple[str | None, float | None]:
        won = [one for one, share in shares.items() if share > 0.5 + SAME]
        least = min((max(share, 1 - share) for share in shares.values()), default=None)
        return separator.join(won) or None, least

    members = _members(ratings, separator, scheme).with_columns(weight=pl.lit(1.0))
    return _labelled(ratings, members, method="per-option", verdict=chosen, silent=silent)


def shares(
    ratings: pl.DataFrame,
    *,
    separator: str = SEPARATOR,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> pl.DataFrame:
    """Give each item the share of its ratings that name each candidate, and no label.

    An answer that names several candidates is divided equally between them.

    Args:
        ratings: The ratings table; an answer names a candidate, or several.
        separator: What is between several candidates.
        scheme: From answers to labels.
        silent: Items and annotators without a rating.

    >>> ratings = pl.DataFrame({"item": ["t1"] * 2, "annotator": ["a", "b"],
    ...                         "question": ["best"] * 2, "answer": ["i;ii", "ii"]})
    >>> shares(ratings).select("label", "distribution").row(0)
    (None, '{"i": 0.25, "ii": 0.75}')
    """

    def most(own: Shares) -> tuple[str | None, float | None]:
        return None, max(own.values(), default=None)

    members = _members(ratings, separator, scheme).with_columns(weight=1 / pl.len().over("rating"))
    return _labelled(ratings, members, method="shares", verdict=most, silent=silent)


def _members(ratings: pl.DataFrame, separator: str, scheme: LabelScheme | None) -> pl.DataFrame:
    """Return question, item, rating and member: a row for each member of each answer."""
    split = pl.col("answer").str.split(separator)
    rows = ratings.with_row_index("rating").select(*KEY, "rating", member=split).explode("member")
    rows = rows.with_columns(pl.col("member").str.strip_chars()).filter(pl.col("member") != "")
    if scheme is not None:
        label = pl.col("member").replace_strict(dict(scheme.of), default=None)
        rows = rows.with_columns(member=label).drop_nulls("member")
    return rows.unique(maintain_order=True)


def _labelled(
    ratings: pl.DataFrame, members: pl.DataFrame, *, method: str, verdict: Verdict, silent: Silent
) -> pl.DataFrame:
    ratings = RATINGS.check(ratings)
    if ratings.is_empty() and not silent.items:
        raise TableError("ratings: no rows. Labels need at least one rating.")
    asked = ratings["question"].unique().sort().to_list() or [QUESTION]
    totals = {(q, i): n for q, i, n in ratings.group_by(KEY).len().iter_rows()}
    weights: dict[tuple[str, str], dict[str, float]] = {}
    summed = members.group_by(*KEY, "member").agg(pl.col("weight").sort().sum())
    for question, item, member, weight in summed.iter_rows():
        weights.setdefault((question, item), {})[member] = weight
    rows = []
    for question in asked:
        known = label_order(members.filter(question=question)["member"].unique().to_list())
        named = {*ratings.filter(question=question)["item"], *silent.items}
        for item in sorted(named):
            total, own = totals.get((question, item), 0), weights.get((question, item), {})
            listed = known if len(known) <= FULL else [one for one in known if one in own]
            shared = {one: own.get(one, 0.0) / total for one in listed} if total else {}
            label, support = verdict(shared) if total else (None, None)
            text = json.dumps(shared, ensure_ascii=False) if total else None
            rows.append((item, question, method, label, support, total, text))
    return LABELS.sort(LABELS.check(pl.DataFrame(rows, schema=LABELS.schema, orient="row")))
