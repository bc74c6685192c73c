"""Pilot items that everyone answers alike become gold items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from plausibly.errors import StudyError, UnknownName, option
from plausibly.io.frames import Source, as_table
from plausibly.ratings.sources import Ratings, read_ratings, without_checks
from plausibly.study.made import Made, making
from plausibly.study.results import Result, text_table
from plausibly.study.verb import Output, verb
from plausibly.tables import ITEMS

GOLD = "gold"


@dataclass(frozen=True, eq=False, repr=False)
class GoldItems(Result):
    """Items, some of which are gold items now.

    Args:
        items: All items; those promoted are of kind gold and expect what everyone answered.
        promoted: Names of the items promoted.
        rated: How many items had enough ratings to be looked at.
        question: The question answered alike.
        made: How this came about.
    """

    items: pl.DataFrame
    promoted: tuple[str, ...]
    rated: int
    question: str
    made: Made = making()

    def as_json(self) -> dict[str, Any]:
        """Return how many items were looked at, and what each promoted one expects."""
        rows = self.items.filter(pl.col("item").is_in(list(self.promoted)))
        return {
            "question": self.question,
            "rated": self.rated,
            "promoted": len(self.promoted),
            "expected": dict(rows.select("item", "expected").iter_rows()),
        }

    def text(self) -> str:
        """Return the promoted items by what they expect."""
        rows = self.items.filter(pl.col("item").is_in(list(self.promoted)))
        counts = rows.group_by("expected").len().sort("expected")
        return text_table(("expected", "items"), counts.iter_rows())

    @property
    def talk(self) -> tuple[str, ...]:
        """How many of how many."""
        return (f"{len(self.promoted)} of {self.rated} items with enough ratings are gold now.",)


@verb(output=Output("items"))
def build_checks(
    ratings: Ratings,
    *,
    items: Source,
    at_least: int = 4,
    question: str | None = None,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> GoldItems:
    """Make gold items of those that everyone answered alike in a pilot.

    An item with enough annotators who all gave the same answer expects that answer from now on;
    the other items stay unchanged. Emami et al. (2021, section 4.1) take pairs that four annotators
    of a pilot label alike.

    Args:
        ratings: File or table of ratings of the pilot.
        items: Items table.
        at_least: Annotators who must have answered, all of them alike.
        question: The question to look at, where the ratings answer several.
        format: Form of the file of ratings.
        columns: From our column to the file's, where they differ.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN,
            None and blank ones, between commas.

    Examples:
        plausibly build checks pilot.csv --items items.parquet -o items-with-gold.parquet
        plausibly build checks pilot.csv --items items.parquet --at-least 5 --json

    >>> ratings = pl.DataFrame({"item": ["t1"] * 4 + ["t2"] * 4, "annotator": list("abcd") * 2,
    ...                         "answer": ["more likely"] * 7 + ["impossible"]})
    >>> items = pl.DataFrame({"item": ["t1", "t2"], "text": ["one", "two"]})
    >>> build_checks(ratings, items=items).as_json()["expected"]
    {'t1': 'more likely'}
    """
    if at_least < 2:
        raise StudyError(
            f"{option('at_least')} must be 2 or more; got {at_least}. One answer cannot agree.",
            parameter="at_least",
        )
    known = as_table(items, ITEMS)
    imported = read_ratings(ratings, format=format, columns=columns, missing=missing)
    rated, _ = without_checks(imported.ratings, known)
    asked = _question(rated, question)
    votes = (
        rated.filter(pl.col("question") == asked)
        .group_by("item")
        .agg(
            people=pl.col("annotator").n_unique(),
            answers=pl.col("answer").n_unique(),
            answer=pl.col("answer").first(),
        )
        .filter(pl.col("people") >= at_least)
    )
    alike = dict(votes.filter(pl.col("answers") == 1).select("item", "answer").iter_rows())
    chosen = pl.col("item").is_in(list(alike))
    answers = pl.col("item").replace_strict(alike, default=None, return_dtype=pl.String)
    table = known.with_columns(
        kind=pl.when(chosen).then(pl.lit(GOLD)).otherwise("kind"),
        expected=pl.when(chosen).then(answers).otherwise("expected"),
    )
    promoted = tuple(table.filter(chosen)["item"].sort())
    return GoldItems(ITEMS.sort(table), promoted, votes.height, asked)


def _question(ratings: pl.DataFrame, question: str | None) -> str:
    """Return the question to look at; raise where it must be named."""
    known = ratings["question"].unique().sort().to_list()
    if question is not None and question not in known:
        raise UnknownName("question", question, known, parameter="question")
    if question is None and len(known) != 1:
        raise StudyError(
            f"the ratings answer {len(known)} questions ({', '.join(known)}). Name one with "
            f"{option('question')}.",
            parameter="question",
        )
    return question or known[0]
