"""Mean and median of numeric answers, and rescaling from one scale to another."""

from __future__ import annotations

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, option
from plausibly.labels._votes import Ballot, ballots, labels_table, votes_text
from plausibly.labels.results import NOBODY, Silent
from plausibly.tables import LABELS


def mean(
    ratings: pl.DataFrame, *, scheme: LabelScheme | None = None, silent: Silent = NOBODY
) -> pl.DataFrame:
    """Label each item with the arithmetic mean of its numbers, written as text.

    >>> ratings = pl.DataFrame({"item": ["t1"] * 2, "annotator": ["a", "b"],
    ...                         "question": ["rating"] * 2, "answer": ["4", "5"],
    ...                         "value": [4.0, 5.0]})
    >>> mean(ratings)["label"].to_list()
    ['4.5']
    """
    return _average(ratings, "mean", pl.col("number").sort().mean(), scheme=scheme, silent=silent)


def median(
    ratings: pl.DataFrame, *, scheme: LabelScheme | None = None, silent: Silent = NOBODY
) -> pl.DataFrame:
    """Label each item with its median: of an even number of answers, the mean of the middle two.

    >>> ratings = pl.DataFrame({"item": ["t1"] * 4, "annotator": ["a", "b", "c", "d"],
    ...                         "question": ["rating"] * 4, "answer": ["1", "2", "5", "4"]})
    >>> median(ratings)["label"].to_list(), mean(ratings)["label"].to_list()
    (['3.0'], ['3.0'])
    """
    return _average(ratings, "median", pl.col("number").median(), scheme=scheme, silent=silent)


def rescale(
    labels: pl.DataFrame, *, old: tuple[float, float], new: tuple[float, float]
) -> pl.DataFrame:
    """Return the labels mapped linearly from the scale `old` to the scale `new`.

    Zhang et al. (2019) publish means of answers from 1 to 5 on a scale from 0 to 10:

    >>> labels = pl.DataFrame({"item": ["t1"], "question": ["rating"], "method": ["mean"],
    ...                        "label": ["4.5"], "ratings": [10]})
    >>> rescale(labels, old=(1, 5), new=(0, 10))["label"].to_list()
    ['8.75']
    """
    if old[0] == old[1]:
        raise StudyError(f"the old scale runs from {old[0]} to {old[1]}. Name two different ends.")
    checked = LABELS.check(labels)
    number = checked["label"].cast(pl.Float64, strict=False)
    lost = (number.is_null() & checked["label"].is_not_null()).arg_true()
    if len(lost):
        raise StudyError(
            f"rescale needs numbers: {len(lost)} of {checked.height} labels are not numbers "
            f"(first: {checked['label'][lost[0]]!r}). Label with mean or median first."
        )
    factor = (new[1] - new[0]) / (old[1] - old[0])
    moved = (number - old[0]) * factor + new[0]
    return checked.with_columns(label=moved.cast(pl.String))


def _average(
    ratings: pl.DataFrame,
    method: str,
    average: pl.Expr,
    *,
    scheme: LabelScheme | None,
    silent: Silent,
) -> pl.DataFrame:
    tables = []
    for ballot in ballots(ratings, scheme=scheme, silent=silent):
        averages = numbers_in(ballot, method).group_by("item").agg(label=average)
        place = np.full(len(ballot.items), averages.height, dtype=np.int64)
        place[averages["item"].to_numpy()] = np.arange(averages.height)
        none = pl.Series("label", [None], dtype=pl.Float64)
        table = labels_table(
            ballot,
            method=method,
            label=pl.concat([averages["label"], none]).gather(place),
            support=np.full(len(ballot.items), np.nan),
            distribution=votes_text(ballot.votes, ballot.labels),
        )
        tables.append(table)
    return LABELS.sort(pl.concat(tables))


def numbers_in(ballot: Ballot, method: str) -> pl.DataFrame:
    """Return item, number and place of each rating that has a number.

    If words have values, a word without one is left out. If answers are plain numbers, any other
    answer raises: nobody declared that it is not on the scale.
    """
    rows, numbers, valued = ballot.numbers()
    strange = np.flatnonzero(~np.isfinite(numbers))
    if len(strange) and not valued:
        first = ballot.ratings["answer"].gather(int(rows[strange[0]])).item()
        raise StudyError(
            f"{method} needs numbers: {len(strange)} of {len(rows)} answers to question "
            f"{ballot.question!r} are not (first: {first!r}). Leave such "
            f"answers out ({option('missing')}), provide values, or choose another method."
        )
    known = np.isfinite(numbers)
    item, rating = ballot.item[rows][known], rows[known]
    return pl.DataFrame({"item": item, "number": numbers[known], "rating": rating})
