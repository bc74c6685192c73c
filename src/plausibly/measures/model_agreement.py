"""How far a model agrees with people, next to how far people agree with each other.

Intervals draw items anew: all answers about an item stay together, and so do the ways in which one
model was asked about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from plausibly.measures.coded import Floats
from plausibly.measures.draws import drawable

AT_ONCE = 100
"""Draws held in memory at the same time."""
FLAT = 1e-12
"""A variance below this share of the mean square counts as zero."""

Agreement = dict[str, float | int | None]


@dataclass(frozen=True, eq=False)
class AgreementSums:
    """What both levels of agreement are ratios of, summed by item.

    Args:
        items: The items that count.
        own: By item, sums behind the agreement of the model with people.
        people: By item, sums behind that of people with each other.
        graded: Whether answers are numbers, so that levels are correlations.
    """

    items: tuple[str, ...]
    own: Floats
    people: Floats
    graded: bool


def model_agreement(
    people: pl.DataFrame, model: pl.DataFrame, *, resamples: int = 0, seed: int = 0
) -> Agreement:
    """Return the share of equal answers of model and person, and of two people, on the same items.

    `chance` is what a model reaches that always gives people's commonest answer.

    Args:
        people: item, annotator, answer.
        model: item and answer of the model.
        resamples: Number of resamples of the items for the intervals; 0 for none.
        seed: Random seed; the same seed gives the same intervals.

    >>> people = pl.DataFrame({"item": ["x"] * 3, "annotator": list("abc"), "answer": list("114")})
    >>> agreed = model_agreement(people, pl.DataFrame({"item": ["x"], "answer": ["1"]}))
    >>> round(agreed["with_people"], 3), round(agreed["among_people"], 3)
    (0.667, 0.333)
    """
    sums = agreement_sums(people, model, graded=False)
    judged = _judged(people, model)
    votes: list[int] = judged["answer"].value_counts()["count"].to_list()
    chance = max(votes) / judged.height if votes else None
    both = {
        "with_people": _share(sums.own),
        "among_people": _share(sums.people),
    }
    counts: Agreement = {"items": len(sums.items), "ratings": judged.height, "chance": chance}
    return {**both, **counts, **_limits(sums, resamples, seed)}


def model_correlation(
    people: pl.DataFrame, model: pl.DataFrame, *, resamples: int = 0, seed: int = 0
) -> Agreement:
    """Return Pearson's r of the model, and of a person, with the mean of the other people.

    `chance` is 0, which answers reach that have nothing to do with people's.

    Args:
        people: item, annotator, answer, a number.
        model: item and answer of the model, a number.
        resamples: Number of resamples of the items for the intervals; 0 for none.
        seed: Random seed; the same seed gives the same intervals.
    """
    table = _with_others(people, model)
    sums = agreement_sums(people, model, graded=True)
    both = {
        "with_people": _pearson(table["said"], table["mean"]),
        "among_people": _pearson(table["answer"], table["mean"]),
    }
    counts: Agreement = {
        "items": table["item"].n_unique(),
        "ratings": table.height,
        "chance": 0.0 if table.height else None,
    }
    return {**both, **counts, **_limits(sums, resamples, seed)}


def agreement_sums(people: pl.DataFrame, model: pl.DataFrame, *, graded: bool) -> AgreementSums:
    """Return what the agreement of a model with people is computed from, by item.

    Args:
        people: item, annotator, answer.
        model: item and answer of the model.
        graded: Compare numbers: answers are then numbers.
    """
    return _moments(people, model) if graded else _equal(people, model)


def mean_interval(
    ways: Sequence[AgreementSums], *, resamples: int, seed: int
) -> tuple[float | None, float | None]:
    """Return the 95 % interval of the mean agreement with people over ways of asking.

    The same items are drawn for all ways.

    Args:
        ways: The sums of each way.
        resamples: Draws of items; 0 for no interval.
        seed: Random seed; the same seed gives the same interval.
    """
    items = sorted({item for one in ways for item in one.items})
    places = {item: place for place, item in enumerate(items)}
    tables = []
    for one in ways:
        table = np.zeros((len(items), one.own.shape[1]))
        table[[places[item] for item in one.items]] = one.own
        tables.append(table)
    return _interval(tables, graded=any(one.graded for one in ways), draws=(resamples, seed))


def _limits(sums: AgreementSums, resamples: int, seed: int) -> Agreement:
    if resamples == 0:
        return {}
    own, people = (
        _interval([table], graded=sums.graded, draws=(resamples, seed))
        for table in (sums.own, sums.people)
    )
    return {
        "with_people_low": own[0],
        "with_people_high": own[1],
        "among_people_low": people[0],
        "among_people_high": people[1],
    }


def _interval(
    tables: Sequence[Floats], *, graded: bool, draws: tuple[int, int]
) -> tuple[float | None, float | None]:
    """Return the middle 95 % of the mean level of tables whose rows are drawn together."""
    resamples, seed = draws
    rows = len(tables[0]) if tables else 0
    if drawable(resamples) < 1 or rows < 2:
        return None, None
    generator = np.random.default_rng(seed)
    levels: list[Floats] = []
    for begin in range(0, resamples, AT_ONCE):
        size = min(AT_ONCE, resamples - begin)
        weights = generator.multinomial(rows, np.full(rows, 1 / rows), size=size).astype(np.float64)
        each = np.stack([_level(weights @ table, graded=graded) for table in tables])
        levels.append(each.mean(axis=0))
    known = np.concatenate(levels)
    known = known[np.isfinite(known)]
    if not known.size:
        return None, None
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)


def _level(sums: Floats, *, graded: bool) -> Floats:
    """Return shares of sums, or correlations of moments; NaN if there is none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        if not graded:
            return np.asarray(sums[..., 0] / sums[..., 1])
        n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
        first, second = n * xx - x * x, n * yy - y * y
        flat = (first <= FLAT * n * xx) | (second <= FLAT * n * yy)
        return np.where(flat, np.nan, (n * xy - x * y) / np.sqrt(first * second))


def _judged(people: pl.DataFrame, model: pl.DataFrame) -> pl.DataFrame:
    own = model.select("item", said="answer").drop_nulls()
    return people.drop_nulls("answer").join(own, on="item", how="inner", maintain_order="left")


def _equal(people: pl.DataFrame, model: pl.DataFrame) -> AgreementSums:
    votes = _judged(people, model).group_by("item", "said", "answer").len("votes")
    count = pl.col("votes").cast(pl.Int64)
    each = (
        votes.group_by("item")
        .agg(
            shared=count.filter(pl.col("answer") == pl.col("said")).sum(),
            ratings=count.sum(),
            equal=(count * (count - 1)).sum(),
        )
        .with_columns(pairs=pl.col("ratings") * (pl.col("ratings") - 1))
        .sort("item")
    )
    own, pairs = (
        each.select(*names).to_numpy().astype(np.float64).reshape(-1, 2)
        for names in (("shared", "ratings"), ("equal", "pairs"))
    )
    return AgreementSums(tuple(each["item"]), own, pairs, graded=False)


def _with_others(people: pl.DataFrame, model: pl.DataFrame) -> pl.DataFrame:
    """Return what the model, a person and the mean of the others say, a row per rating."""
    others = pl.len().over("item") - 1
    pairs = _judged(people, model).with_columns(others=others).filter(pl.col("others") > 0)
    mean = (pl.col("answer").sum().over("item") - pl.col("answer")) / pl.col("others")
    return pairs.select("item", "said", "answer", mean=mean).sort("item", "answer")


def _moments(people: pl.DataFrame, model: pl.DataFrame) -> AgreementSums:
    table = _with_others(people, model)
    numbers = [
        pl.col(name).cast(pl.Float64) - pl.col(name).mean() for name in ("said", "answer", "mean")
    ]
    centred = table.with_columns(numbers)

    def of(first: str) -> Floats:
        x, y = pl.col(first), pl.col("mean")
        parts = [x * 0 + 1, x, y, x * x, y * y, x * y]
        sums = centred.select("item", *(one.alias(f"m{n}") for n, one in enumerate(parts)))
        rows = sums.group_by("item").agg(pl.all().sum()).sort("item").drop("item")
        return rows.to_numpy().astype(np.float64).reshape(-1, 6)

    items = tuple(table["item"].unique().sort())
    return AgreementSums(items, of("said"), of("answer"), graded=True)


def _share(sums: Floats) -> float | None:
    part, whole = sums.sum(axis=0) if len(sums) else (0.0, 0.0)
    return float(part / whole) if whole else None


def _pearson(one: pl.Series, other: pl.Series) -> float | None:
    first, second = (column.to_numpy().astype(np.float64) for column in (one, other))
    if len(first) < 2 or not first.std() or not second.std():
        return None
    return float(np.corrcoef(first, second)[0, 1])
