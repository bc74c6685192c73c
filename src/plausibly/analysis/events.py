"""What the ratings of subject-verb-object events say, by condition and abstractness combination."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import polars as pl

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, TableError
from plausibly.tables import ITEMS, LABELS, RATINGS

CONSTITUENTS = ("subject", "verb", "object")
UNDECIDED = "unsure"


def letters(items: pl.DataFrame) -> pl.DataFrame:
    """Return one row per constituent of every event, with the letter of its abstractness.

    Args:
        items: Events with a `combination` like `a-m-c`, in the order subject, verb, object.

    >>> letters(pl.DataFrame({"item": ["e"], "text": ["dogs eat ideas"],
    ...                       "combination": ["c-m-a"]})).rows()
    [('e', 'subject', 'c'), ('e', 'verb', 'm'), ('e', 'object', 'a')]
    """
    events = _events(items)
    split = pl.col("combination").str.split("-")
    columns = {name: split.list.get(place) for place, name in enumerate(CONSTITUENTS)}
    wide = events.select("item", **columns)
    long = wide.unpivot(index="item", variable_name="constituent", value_name="level")
    order = pl.col("constituent").replace_strict(CONSTITUENTS, range(3), return_dtype=pl.Int8)
    return long.sort("item", order)


def constituent_proportions(items: pl.DataFrame, *, by: Sequence[str] = ()) -> pl.DataFrame:
    """Return, per group, the share of each constituent at each level among all constituents.

    The shares of a group sum to 1; a cell nobody fills is there with 0.

    Args:
        items: Events with a `combination`.
        by: Columns of `items` that make the groups; none is one group of all events.
    """
    events = _events(items, *by)
    cells = letters(events).join(events.select("item", *by), on="item")
    counts = cells.group_by(*by, "constituent", "level").len("count")
    grid = _grid(cells, [*by], "constituent", "level")
    filled = grid.join(counts, on=[*by, "constituent", "level"], how="left", nulls_equal=True)
    filled = filled.with_columns(pl.col("count").fill_null(0).cast(pl.Int64))
    total = pl.col("count").sum().over(by) if by else pl.col("count").sum()
    shares = filled.with_columns(share=pl.col("count") / total, n=total)
    return shares.sort(*by, "constituent", "level")


def label_shares(items: pl.DataFrame, labels: pl.DataFrame, *, by: Sequence[str]) -> pl.DataFrame:
    """Return, per group of items, how many got each label and which share that is.

    Items without a label count as `unsure`; a label nobody got in a group is there with 0.

    Args:
        items: The items table.
        labels: One label per item, from one method.
        by: Columns of `items` that make the groups.
    """
    grouped = _with_columns(ITEMS.check(items), by).select("item", *by)
    named = LABELS.check(labels).select("item", pl.col("label").fill_null(UNDECIDED))
    if named["item"].n_unique() != named.height:
        raise StudyError(
            "labels: more than one label for an item. Filter one question and one method first."
        )
    joined = grouped.join(named, on="item", how="left").with_columns(
        pl.col("label").fill_null(UNDECIDED)
    )
    counts = joined.group_by(*by, "label").len("items")
    grid = _grid(joined, list(by), "label")
    filled = grid.join(counts, on=[*by, "label"], how="left", nulls_equal=True)
    filled = filled.with_columns(pl.col("items").fill_null(0).cast(pl.Int64))
    total = pl.col("items").sum().over(by)
    return filled.with_columns(share=pl.col("items") / total, n=total).sort(*by, "label")


def item_values(ratings: pl.DataFrame) -> pl.DataFrame:
    """Return median, mean and standard deviation of every item's ratings.

    The median of an even number of ratings is the mean of the two middle ones. `sd` divides by
    the number of ratings, `sample_sd` by one less (null for a single rating).
    """
    rated = RATINGS.check(ratings).filter(pl.col("value").is_not_null())
    value = pl.col("value")
    values = rated.group_by("item", "question").agg(
        median=value.median(),
        mean=value.mean(),
        sd=value.std(ddof=0),
        sample_sd=value.std(ddof=1),
        ratings=pl.len().cast(pl.Int64),
    )
    return values.sort("item", "question")


def bins(values: pl.Series, *, edges: Sequence[float]) -> dict[str, int]:
    """Return how many values are in each bin, the upper bound belonging to the bin.

    >>> bins(pl.Series([1.0, 2.0, 2.5, 5.0]), edges=[1, 2, 3, 5])
    {'[1;2]': 2, '(2;3]': 1, '(3;5]': 1}
    """
    if len(edges) < 2 or sorted(set(edges)) != list(edges):
        raise StudyError(f"edges must be two or more ascending numbers; got {list(edges)}.")
    outside = values.filter((values < edges[0]) | (values > edges[-1]) | values.is_null())
    if len(outside):
        raise StudyError(
            f"{len(outside)} of {len(values)} values lie outside [{edges[0]}, {edges[-1]}] "
            f"(first: {outside[0]}). Widen the edges."
        )
    counts = {}
    for low, high in pairwise(edges):
        above = values >= low if low == edges[0] else values > low
        counts[f"{'[' if low == edges[0] else '('}{low};{high}]"] = int(
            (above & (values <= high)).sum()
        )
    return counts


def side_agreement(ratings: pl.DataFrame, *, scheme: LabelScheme) -> pl.DataFrame:
    """Return, per item, how many pairs of ratings there are and how many are on one side.

    Needs no annotator names: every rating of an item is paired with every other.

    Args:
        ratings: The ratings table.
        scheme: From answer to side; answers it leaves out are left out here.
    """
    sides = RATINGS.check(ratings).with_columns(
        side=pl.col("answer").replace_strict(dict(scheme.of), default=None, return_dtype=pl.String)
    )
    votes = sides.drop_nulls("side").group_by("item", "question", "side").len("votes")
    votes = votes.with_columns(pl.col("votes").cast(pl.Int64))
    pairs = votes.group_by("item", "question").agg(
        pairs=_pairs(pl.col("votes").sum()), same=_pairs(pl.col("votes")).sum()
    )
    share = pl.when(pl.col("pairs") > 0).then(pl.col("same") / pl.col("pairs"))
    return pairs.with_columns(share=share).sort("item", "question")


def _pairs(votes: pl.Expr) -> pl.Expr:
    return votes * (votes - 1) // 2


def _events(items: pl.DataFrame, *columns: str) -> pl.DataFrame:
    events = _with_columns(ITEMS.check(items), ["combination", *columns])
    odd = events.filter(pl.col("combination").fill_null("").str.count_matches("-") != 2)
    if odd.height:
        raise TableError(
            f"items: {odd.height} of {events.height} combinations are not three letters joined "
            f"by '-', like a-m-c (first: {odd['combination'][0]!r} of item {odd['item'][0]!r})."
        )
    return events


def _with_columns(items: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    missing = [column for column in columns if column not in items.columns]
    if missing:
        raise TableError(
            f"items: no column {missing[0]!r}. Columns found: {', '.join(items.columns)}."
        )
    return items


def _grid(frame: pl.DataFrame, by: list[str], *columns: str) -> pl.DataFrame:
    """Return every group with every value the columns take anywhere."""
    grid = frame.select(by).unique() if by else pl.DataFrame()
    for column in columns:
        values = frame.select(column).unique()
        grid = values if grid.is_empty() else grid.join(values, how="cross")
    return grid
