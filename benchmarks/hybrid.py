"""Estimates from people and models: how often intervals hold, and how much there is to gain.

    PLAUSIBLY_DATA=... python benchmarks/hybrid.py [--reps 500] [--only NAME] [--published]

Four tables. *Coverage*: crowds with a known truth; the share of 95 % intervals that hold it, for
people alone and for people with a model, the median ratio of their widths, the median gain, and
how often the model is reported not to help. The last rows break the conditions of use on purpose
with the options that the command refuses. *These items*: intervals for the mean of the items at
hand, where a large part of them is rated. *Published answers*: random parts of PAP and ADEPT are
taken as rated, against the mean of all items. *Single items*: ratings of PAP's events are drawn,
the share of "plausible" is estimated, and compared with the ratings left out; the noise of those
is subtracted.
"""

from __future__ import annotations

import argparse
import os
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.stats import norm

import plausibly as pb
from plausibly.io.frames import as_table
from plausibly.labels.share import SharePrior, share
from plausibly.measures import hybrid as measures
from plausibly.measures.crossed import Rated, crossed_mean
from plausibly.measures.folds import folds_of_names
from plausibly.measures.hybrid import Hybrid, PredictedItems, hybrid_mean
from plausibly.measures.predicted import predicted_numbers
from plausibly.tables import PREDICTIONS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ITEM, PERSON, NOISE, GROUP = 1.0, 0.5, 1.0, 0.7
CUT = 0.5
PAP_PLAUSIBLE = ("4", "5")
ADEPT = ("impossible", "less likely", "equally likely", "more likely", "necessarily true")


@dataclass(frozen=True)
class Design:
    """A crowd: n of `every` items rated by `each` of `people`, and a model.

    Args:
        name: What the row is called.
        n: Rated items.
        people: Annotators, crossed with items.
        rho: Correlation of the model with the items' true places; 0 for a useless model.
        share: Whether answers are yes or no; else they are numbers.
        every: Items with predictions.
        each: Ratings per item.
        group: Items in a group; 1 for none.
        clustered: Whether the interval knows of the groups.
        learnt: "" for a model from elsewhere; "same" for one that learnt from the same ratings,
            "folds" for the same, cross-fitted.
        chosen: Whether the items rated are those the model places highest.
    """

    name: str
    n: int
    people: int
    rho: float = 0.6
    share: bool = False
    every: int = 1000
    each: int = 5
    group: int = 1
    clustered: bool = True
    learnt: str = ""
    chosen: bool = False


def designs() -> Iterator[Design]:
    """Yield every design."""
    for kind in ("mean", "share"):
        for n in (20, 40, 100, 200):
            for people in (10, 20):
                yield Design(f"{kind}, n {n}, {people} people", n, people, share=kind == "share")
    yield Design("mean, n 100, 200 people x 1", 100, 200, each=1)
    yield Design("mean, n 433 of 1733, one rating", 433, 2000, each=1, every=1733)
    yield Design("share, n 100, every second item", 100, 20, share=True, every=200)
    for n in (40, 100, 200):
        yield Design(f"useless model, n {n}", n, 20, rho=0.0)
    yield Design("groups of 4, clustered", 100, 60, group=4)
    yield Design("groups of 4, ignored", 100, 60, group=4, clustered=False)
    yield Design("learnt from the same ratings", 60, 60, learnt="same", each=1)
    yield Design("learnt, cross-fitted", 60, 60, learnt="folds", each=1)
    yield Design("not a random sample", 100, 20, chosen=True)


def finite_designs() -> Iterator[Design]:
    """Yield designs in which a large part of the items is rated."""
    for part in (0.5, 0.9):
        for each, people in ((3, 300), (5, 20)):
            name = f"{part:.0%} rated, {people} people x {each}"
            yield Design(name, round(200 * part), people, every=200, each=each)
    yield Design("50% rated, groups of 4", 100, 60, every=200, group=4)
    yield Design("50% rated, useless model", 100, 20, every=200, rho=0.0)


def of_these_items(design: Design, reps: int) -> str:
    """Return how often intervals hold the mean of all items of this crowd, over all people.

    The first two are for new items, the last two for these items.
    """
    rng = np.random.default_rng([18, zlib.crc32(design.name.encode())])
    hits, widths, n = np.zeros(4), [], 0
    for _ in range(reps):
        state = rng.bit_generator.state
        right = float(np.mean(_places(rng, design)))
        rng.bit_generator.state = state
        ratings, predicted = crowd(rng, design)
        people, found = crossed_mean(ratings), hybrid_mean(ratings, predicted)
        these = found.these
        if these is None or these.low is None or these.high is None:
            continue
        limits = (
            *((people.low, people.high), _ends(found)),
            *((these.people_low, these.people_high), (these.low, these.high)),
        )
        hits += [_held(*one, right) for one in limits]
        widths.append(_width(these.low, these.high) / _width(*_ends(found)))
        n += 1
    shown = [f"{one:.3f}" for one in (*hits / n, np.median(widths))]
    return " | ".join([f"{design.name:34s}", *shown])


def crowd(rng: np.random.Generator, design: Design) -> tuple[Rated, PredictedItems]:
    """Return the ratings of one crowd, and what the model predicts."""
    group = np.arange(design.every) // design.group
    place = _places(rng, design)
    noise = np.sqrt(1 - design.rho**2) * rng.normal(size=design.every)
    predicted: Floats = design.rho * place + noise
    rated = _drawn(rng, design, group, predicted)
    severity = PERSON * rng.normal(size=design.people)
    order = np.argsort(rng.random((design.n, design.people)), axis=1)[:, : design.each]
    item = np.repeat(np.arange(design.n), design.each)
    value = place[rated][item] + severity[order.ravel()] + NOISE * rng.normal(size=len(item))
    if design.share:
        value = (value > CUT).astype(np.float64)
    if design.learnt:
        predicted = _learnt(rng, design, place, rated, value)
    people = np.unique(order.ravel(), return_inverse=True)[1].astype(np.int64)
    clusters = group if design.clustered else np.arange(design.every)
    own = np.unique(clusters[rated], return_inverse=True)[1].astype(np.int64)
    ratings = Rated(value, item.astype(np.int64), people, own[item])
    return ratings, _items(predicted, rated, clusters, own)


def _places(rng: np.random.Generator, design: Design) -> Floats:
    """Return where all items of a crowd lie."""
    place: Floats = ITEM * rng.normal(size=design.every)
    if design.group > 1:
        group = np.arange(design.every) // design.group
        place = place + (GROUP * rng.normal(size=group.max() + 1))[group]
    return place


def _drawn(rng: np.random.Generator, design: Design, group: Ints, predicted: Floats) -> Ints:
    if design.chosen:
        return np.argsort(predicted)[-design.n :].astype(np.int64)
    groups = rng.permutation(int(group.max()) + 1)[: design.n // design.group]
    return np.flatnonzero(np.isin(group, groups)).astype(np.int64)


def _learnt(
    rng: np.random.Generator, design: Design, place: Floats, rated: Ints, value: Floats
) -> Floats:
    """Return predictions of a regression on 40 columns that learnt from these ratings."""
    columns = rng.normal(size=(design.every, 40)) + 0.3 * place[:, None]
    answers = value.reshape(design.n, design.each).mean(axis=1)
    table = np.column_stack([np.ones(design.every), columns])

    def fit(rows: Ints) -> Floats:
        own = table[rated[rows]]
        ridge = own.T @ own + np.eye(own.shape[1])
        solved: Floats = np.linalg.solve(ridge, own.T @ answers[rows])
        return solved

    if design.learnt == "same":
        return np.asarray(table @ fit(np.arange(design.n)), dtype=np.float64)
    fold = np.arange(design.n) % 5
    fits = [fit(np.flatnonzero(fold != part)) for part in range(5)]
    predicted: Floats = np.mean([table @ one for one in fits], axis=0)
    for part, one in enumerate(fits):
        predicted[rated[fold == part]] = table[rated[fold == part]] @ one
    return predicted


def _items(predicted: Floats, rated: Ints, clusters: Ints, own: Ints) -> PredictedItems:
    place = np.full(int(clusters.max()) + 1, -1, dtype=np.int64)
    place[clusters[rated]] = own
    place[place < 0] = np.arange(int(own.max()) + 1, int(own.max()) + 1 + int((place < 0).sum()))
    is_rated = np.zeros(len(predicted), dtype=np.bool_)
    is_rated[rated] = True
    fold = folds_of_names([str(one) for one in own])
    return PredictedItems(predicted[rated], fold, predicted, place[clusters], is_rated)


def truth(design: Design) -> float:
    """Return the mean of all items and all people."""
    if not design.share:
        return 0.0
    spread = ITEM**2 + PERSON**2 + NOISE**2 + (GROUP**2 if design.group > 1 else 0.0)
    return float(norm.sf(CUT / np.sqrt(spread)))


def covered(design: Design, reps: int) -> str:
    """Return the row of a design."""
    rng = np.random.default_rng([17, zlib.crc32(design.name.encode())])
    bounds, right = (0.0, 1.0) if design.share else None, truth(design)
    hits = np.zeros(2)
    widths, gains, warned = [], [], 0
    for _ in range(reps):
        ratings, predicted = crowd(rng, design)
        people = crossed_mean(ratings, bounds=bounds)
        found = hybrid_mean(ratings, predicted, bounds=bounds)
        if people.low is None or people.high is None or found.low is None or found.high is None:
            continue
        hits += people.low <= right <= people.high, found.low <= right <= found.high
        widths.append((found.high - found.low) / (people.high - people.low))
        gains.append(found.gain or np.nan)
        warned += found.warning is not None
    return _row(design.name, hits / len(gains), widths, gains, warned / len(gains))


def _row(name: str, hits: Floats, widths: list[float], gains: list[float], warned: float) -> str:
    useless = float(np.mean(np.array(gains) < measures.HELPS))
    numbers = [f"{one:.3f}" for one in (*hits, np.median(widths), np.median(gains))]
    return " | ".join([f"{name:34s}", *numbers, f"{useless:.2f}", f"{warned:.2f}"])


def known(table: pl.DataFrame | None) -> pl.DataFrame:
    """Return a table that a dataset has."""
    if table is None:
        raise TypeError("the dataset has no such table")
    return table


def predictions(model: str, file: Path) -> pl.DataFrame:
    """Return what a model of the package says about the items of a file."""
    return as_table(pb.models_predict(model, file).predictions, PREDICTIONS)


def published(draws: int, data: Path) -> Iterator[str]:
    """Yield rows for random parts of published answers, against the mean of all items."""
    loaded = pb.load("pap", data=data)
    said = predictions("events-lite", data / "pap" / "events_with_ratings.tsv")
    score = dict(said["item", "score"].iter_rows())
    for condition in ("attested", "perturbed"):
        items = known(loaded.items).filter(pl.col("condition") == condition)
        ratings = known(loaded.ratings).join(items.select("item"), on="item", how="semi")
        yield from _parts(f"PAP, {condition}, events-lite", ratings, score, draws)
    noise = dict(zip(score, np.random.default_rng(3).normal(size=len(score)), strict=True))
    yield from _parts("PAP, perturbed, noise", ratings, noise, draws)
    yield from _adept(draws, data)


def _adept(draws: int, data: Path) -> Iterator[str]:
    loaded = pb.load("adept", data=data)
    code = {label: float(place) for place, label in enumerate(ADEPT)}
    val = known(loaded.items).filter(pl.col("split") == "val").select("item")
    rows = known(loaded.labels).join(val, on="item", how="semi")
    value = pl.col("label").replace_strict(code, return_dtype=pl.Float64)
    ratings = rows.select("item", annotator=pl.col("item"), value=value)
    said = predictions("adept-lite", data / "adept" / "val.json")
    numbers = predicted_numbers(said, answer=None, answers=ADEPT, codes=code)
    yield from _parts("ADEPT val, adept-lite", ratings, dict(numbers.iter_rows()), draws)


def _parts(name: str, ratings: pl.DataFrame, score: dict[str, float], draws: int) -> Iterator[str]:
    items, item = np.unique(ratings["item"].to_numpy(), return_inverse=True)
    value = ratings["value"].to_numpy().astype(np.float64)
    predicted = np.array([score[str(one)] for one in items])
    means = np.bincount(item, value) / np.bincount(item)
    for n in (40, 100):
        rng = np.random.default_rng([n, zlib.crc32(name.encode())])
        hits, widths, gains, rho = np.zeros(2), [], [], np.corrcoef(means, predicted)[0, 1]
        for _ in range(draws):
            rated = np.sort(rng.permutation(len(items))[:n]).astype(np.int64)
            kept = np.isin(item, rated)
            own = np.searchsorted(rated, item[kept]).astype(np.int64)
            part = Rated(value[kept], own, np.arange(int(kept.sum())), own)
            clusters = np.arange(len(items))
            people = crossed_mean(part)
            found = hybrid_mean(part, _items(predicted, rated, clusters, np.arange(n)))
            hits += _held(people.low, people.high, means.mean()), _held(*_ends(found), means.mean())
            widths.append(_width(*_ends(found)) / _width(people.low, people.high))
            gains.append(found.gain or np.nan)
        yield _row(f"{name}, n {n} (rho {rho:.2f})", hits / draws, widths, gains, 0.0)


def _ends(found: Hybrid) -> tuple[float | None, float | None]:
    return found.low, found.high


def _held(low: float | None, high: float | None, value: float) -> bool:
    return low is not None and high is not None and bool(low <= value <= high)


def _width(low: float | None, high: float | None) -> float:
    return np.nan if low is None or high is None else high - low


def single_items(draws: int, data: Path) -> Iterator[str]:
    """Yield the error of PAP's shares from few ratings, against the ratings left out."""
    loaded = pb.load("pap", data=data)
    said = predictions("events-lite", data / "pap" / "events_with_ratings.tsv")
    ratings = (
        known(loaded.ratings)
        .with_columns(
            answer=pl.when(pl.col("answer").is_in(PAP_PLAUSIBLE))
            .then(pl.lit("yes"))
            .otherwise(pl.lit("no"))
        )
        .drop("value")
    )
    plain = SharePrior(answer="yes")
    ways = {
        "one prior": (plain, None),
        "prior by condition": (plain, loaded.items),
        "events-lite": (replace(plain, prior=said), None),
        "events-lite by condition": (replace(plain, prior=said), loaded.items),
    }
    for n in (3, 5):
        errors: dict[str, list[float]] = {}
        for seed in range(draws):
            mixed = ratings.sample(fraction=1, shuffle=True, seed=seed)
            place = pl.int_range(pl.len()).over("item")
            kept, left = mixed.filter(place < n), mixed.filter(place >= n)
            target = left.group_by("item").agg(share=(pl.col("answer") == "yes").mean(), m=pl.len())
            for name, (of, items) in ways.items():
                positions = known(share(kept, of=of, items=items).positions)
                joined = positions.join(target, on="item")
                errors.setdefault(name, []).append(_error(joined, "position"))
                if name == "one prior":
                    errors.setdefault("raw", []).append(_error(joined, "raw"))
        for name in ("raw", *ways):
            yield f"{n} ratings, {name:24s} | {np.mean(errors[name]):.3f}"


def _error(joined: pl.DataFrame, column: str) -> float:
    """Return the root mean square error, without the noise of the ratings left out."""
    held, m = joined["share"].to_numpy(), joined["m"].to_numpy()
    noise = held * (1 - held) / (m - 1)
    square = np.mean((joined[column].to_numpy() - held) ** 2 - noise)
    return float(np.sqrt(max(square, 0.0)))


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--reps", type=int, default=500)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--only", default="")
    parser.add_argument("--published", action="store_true", help="Only the last two tables.")
    options = parser.parse_args()
    measures.PERMUTATIONS = 199
    head = "people | hybrid | width | gain | no help | warned"
    if not options.published:
        sys.stdout.write(f"coverage of 95 % intervals, {options.reps} crowds | {head}\n")
    for design in designs():
        if options.only in design.name and not options.published:
            sys.stdout.write(covered(design, options.reps) + "\n")
            sys.stdout.flush()
    if not options.published:
        sys.stdout.write("mean of these items | people | hybrid | the same for these | width\n")
    for design in finite_designs():
        if options.only in design.name and not options.published:
            sys.stdout.write(of_these_items(design, options.reps) + "\n")
    data = os.environ.get("PLAUSIBLY_DATA")
    if not data or options.only:
        return
    sys.stdout.write(f"\npublished answers, {options.draws} draws | {head}\n")
    for row in published(options.draws, Path(data)):
        sys.stdout.write(row + "\n")
    sys.stdout.write("\nerror of single shares on PAP's ratings left out\n")
    for row in single_items(10, Path(data)):
        sys.stdout.write(row + "\n")


if __name__ == "__main__":
    main()
