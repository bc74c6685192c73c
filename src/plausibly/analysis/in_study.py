"""Means and models as steps of a study: which columns split the answers, and what is not done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from plausibly.io import read_json
from plausibly.measures.questions import BY_USER
from plausibly.study.steps import Work

CONDITION, LANGUAGE = "condition", "language"
MOST_LEVELS = 24
"""Levels up to which a study splits answers by a column without being asked to."""
MOST_MODELLED = {"interval": 200_000}
MOST_RATINGS = 20_000
"""Ratings up to which a study fits a model without being asked to; linear ones are quicker."""
TEXT = "text"
DESCRIBED = "describe.json"
ITEM_TABLE = "items.parquet"


def arguments(
    work: Work, places: Mapping[str, str], *, files: Sequence[str] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the tables a step reads that are there, and what else study.toml says to its verb.

    Args:
        work: What the step works with.
        places: From an argument to the table of the study it gets.
        files: Keys of the section that may name a file of the study.
    """
    chosen = {name: one for name, one in work.parameters.items() if one is not None}
    inside = [name for name in files if work.has(str(chosen.get(name)))]
    chosen |= {name: work.path(str(chosen[name])) for name in inside}
    missing = work.settings.get("ratings", {}).get("missing")
    if missing is not None:
        chosen["missing"] = missing
    return {name: work.path(one) for name, one in places.items() if work.has(one)}, chosen


def described_questions(work: Work) -> dict[str, Any]:
    """Return what the step `describe` reports about each question; nothing if it did not run."""
    document = read_json(work.path(DESCRIBED)) if work.has(DESCRIBED) else {}
    return dict(document.get("questions", {})) if isinstance(document, dict) else {}


def answered(ratings: pl.DataFrame, described: Mapping[str, Any]) -> list[str]:
    """Return the questions that are not answered in texts."""
    names = sorted(ratings["question"].unique().to_list())
    return [name for name in names if described.get(name, {}).get("scale") != TEXT]


def joined(ratings: pl.DataFrame, items: pl.DataFrame | None) -> pl.DataFrame:
    """Return the ratings with the condition and the language of their items."""
    known = [] if items is None else [n for n in (CONDITION, LANGUAGE) if n in items.columns]
    more = [name for name in known if name not in ratings.columns]
    if items is None or not more:
        return ratings
    return ratings.join(items.select("item", *more), on="item", how="left", maintain_order="left")


def levels(ratings: pl.DataFrame, column: str) -> list[str]:
    """Return the values of a column; none if there is no such column."""
    if column not in ratings.columns:
        return []
    return sorted(ratings[column].cast(pl.String).drop_nulls().unique().to_list())


def splitting(ratings: pl.DataFrame) -> tuple[list[str], str]:
    """Return the columns that split the answers of a study, and why condition is not among them.

    >>> splitting(pl.DataFrame({"item": ["t1", "t2"], "condition": ["odd", "odd"]}))
    ([], 'all items rated have the condition odd')
    """
    reason = unsplit(levels(ratings, CONDITION))
    columns = [] if reason else [CONDITION]
    if 1 < len(levels(ratings, LANGUAGE)) <= MOST_LEVELS:
        columns.append(LANGUAGE)
    return columns, reason


def unsplit(conditions: Sequence[str]) -> str:
    """Return why conditions do not split answers; empty if they do."""
    if not conditions:
        return "the items have no conditions"
    if len(conditions) == 1:
        return f"all items rated have the condition {conditions[0]}"
    if len(conditions) > MOST_LEVELS:
        return f"the items have {len(conditions):,} different conditions"
    return ""


def unmodelled(ratings: pl.DataFrame, described: Mapping[str, Any]) -> str:
    """Return why the answers to a question have no model unless one is asked for; or nothing.

    Args:
        ratings: The ratings that answer the question, with the columns of their items.
        described: What `describe` reports about the question.
    """
    scale = described.get("scale")
    if scale is None:
        return str(described["reason"])
    reason = unsplit(levels(ratings, CONDITION))
    if reason:
        return f"{reason}, so there is no effect of condition to estimate"
    most = MOST_MODELLED.get(str(scale), MOST_RATINGS)
    if ratings.height > most:
        return (
            f"{ratings.height:,} ratings are more than the {most:,} that a study models on its "
            "own. Set [analyse] terms to fit the model all the same"
        )
    return ""


def scale_for(question: str, described: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the scale that the user set as an argument of `analyse`; nothing if none is set.

    Args:
        question: Its name.
        described: What `describe` reports about it.

    >>> scale_for("fit", {"scale": "interval", "reason": "set by the user"})
    {'scale': {'fit': 'interval'}}
    """
    by_user = described.get("reason") == BY_USER
    return {"scale": {question: str(described["scale"])}} if by_user else {}


def shown_conditions(items: pl.DataFrame) -> tuple[pl.DataFrame, list[str]]:
    """Return the items as figures and tables split them, and a sentence where they do not.

    >>> items = pl.DataFrame({"item": map(str, range(99)), "condition": map(str, range(99))})
    >>> shown_conditions(items)[1]
    ['The items have 99 different conditions, too many to show; figures and tables do not \
separate them.']
    """
    conditions = levels(items, CONDITION)
    if len(conditions) <= MOST_LEVELS:
        return items, []
    together = items.with_columns(pl.lit(None, pl.String).alias(CONDITION))
    return together, [
        f"The items have {len(conditions):,} different conditions, too many to show; figures and "
        "tables do not separate them."
    ]
