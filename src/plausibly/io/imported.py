"""What importers of ratings share: what a file yields, one question, answers as numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import polars as pl

from plausibly.domain import as_number
from plausibly.errors import StudyError, option
from plausibly.io.layout import FileLayout

QUESTION = "rating"
"""The question's name in forms that do not name one."""


@dataclass(frozen=True, eq=False)
class Imported:
    """What a file of ratings holds.

    Args:
        ratings: The ratings table.
        items: The items table, where the form carries texts or conditions.
        annotators: The annotators table, where the form carries facts about people.
        silent_items: Items nobody answered.
        silent_annotators: Annotators who answered nothing.
        missing: How often each word marked a missing answer.
        notes: Sentences on how the file was read, where its form left a choice.
        hidden: How many people were given a pseudonym.
        layout: How the file is laid out and what each of its columns is.
    """

    ratings: pl.DataFrame
    items: pl.DataFrame | None = None
    annotators: pl.DataFrame | None = None
    silent_items: tuple[str, ...] = field(default=())
    silent_annotators: tuple[str, ...] = field(default=())
    missing: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = field(default=())
    hidden: int = 0
    layout: FileLayout = field(default_factory=FileLayout)


def values_of(answers: pl.Series) -> pl.Series:
    """Return the number each answer stands for, null if it is not a number."""
    distinct = answers.drop_nulls().unique().to_list()
    numbers = [as_number(answer) for answer in distinct]
    return answers.replace_strict(distinct, numbers, default=None, return_dtype=pl.Float64)


def one_question(ratings: pl.DataFrame, *, form: str) -> pl.DataFrame:
    """Return the ratings; raise if they answer several questions, which the form cannot hold."""
    questions = ratings["question"].unique().sort().to_list()
    if len(questions) > 1:
        raise StudyError(
            f"the {form} format holds one question, but the ratings answer {len(questions)} "
            f"({', '.join(questions)}). Filter one question first, or write the long format."
        )
    return ratings


def check_names(names: Mapping[str, str], *, form: str, known: Collection[str] = ()) -> None:
    """Raise if a column was mapped that a form does not know, or that has no named columns."""
    unknown = next((ours for ours in names if ours not in known), None)
    if unknown is None:
        return
    what = f"the {form} format has no named columns to map. Omit {option('columns')}."
    if known:
        what = f"the {form} format has no {unknown!r} to map. Known: {', '.join(known)}."
    raise StudyError(what, parameter="columns")
