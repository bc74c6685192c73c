"""How often 95 % intervals of agreement hold what they say, by design and measure.

    python benchmarks/coverage.py [--simulations 1000] [--markdown] [--quick] [--keep DIR]

Ratings on a scale from 1 to 5, and answers a tenth of which are positive, are generated from an
item's position, an annotator's shift and spread, and noise; the seeds are 0, 1, 2 and so on. With
six people or more the default interval is about people and items like these: the truth is the mean
of the measure over 4,000 further crowds of the same design. With fewer it is about these people:
the truth is the measure of the same people on 1,500 further items. A coverage from 1,000
simulations is known to about 1.4 percentage points.

The whole takes about a quarter of an hour of one core. `--keep DIR` keeps what is done, so that a
run stopped by `--minutes` goes on where it was; `--workers` shares the work among processes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import polars as pl

from plausibly.domain import Measure
from plausibly.measures.agreement import measures_of
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.jaccard import parse_sides
from plausibly.measures.resampling import FEW_PEOPLE, Resampling

SIDES = parse_sides("1,2|4,5")
CUTS = (-1.2, -0.4, 0.4, 1.2)
EXPECTED_FROM = 4_000
FURTHER_ITEMS = 1_500
PORTION = 20


@dataclass(frozen=True)
class Layout:
    """How many items, how many people, how many of them rate an item, and where answers part."""

    items: int
    people: int
    each: int
    cuts: tuple[float, ...] = CUTS

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers from the lowest to the highest."""
        return ("1", "2", "3", "4", "5") if self.cuts == CUTS else ("1", "5")

    def __str__(self) -> str:
        skewed = "" if self.cuts == CUTS else ", 10 % positive"
        if self.each == self.people:
            return f"{self.items} x {self.people} crossed{skewed}"
        return f"{self.items} items, {self.each} of {self.people} people{skewed}"


# A tenth of all answers is above this cut: places, shifts and noise have a variance of 2.0.
RARE = (1.82,)
LAYOUTS = (
    Layout(60, 8, 8),
    Layout(100, 40, 8),
    Layout(100, 100, 5),
    Layout(30, 3, 3),
    Layout(60, 8, 8, RARE),
    Layout(100, 40, 8, RARE),
    Layout(100, 100, 5, RARE),
)


@dataclass(frozen=True, eq=False)
class People:
    """The shift and the spread of each person's answers."""

    shift: Floats
    spread: Floats


def people(generator: np.random.Generator, layout: Layout) -> People:
    """Return so many people."""
    spread = 0.8 * np.exp(generator.normal(0, 0.3, layout.people))
    return People(generator.normal(0, 0.5, layout.people), spread)


def crowd(generator: np.random.Generator, layout: Layout, who: People) -> Coded:
    """Return the ratings of new items by these people."""
    order = generator.random((layout.items, layout.people)).argsort(axis=1)
    annotator = order[:, : layout.each].ravel()
    item = np.repeat(np.arange(layout.items), layout.each)
    noise = who.spread[annotator] * generator.normal(size=len(item))
    place = generator.normal(size=layout.items)[item] + who.shift[annotator] + noise
    return Coded(
        item.astype(np.int32),
        annotator.astype(np.int32),
        np.searchsorted(layout.cuts, place).astype(np.int32),
        pl.int_range(layout.items, eager=True).cast(pl.String),
        pl.int_range(layout.people, eager=True).cast(pl.String),
        layout.answers,
    )


def measured(coded: Coded, resampling: Resampling) -> dict[str, Measure]:
    """Return every measure of a crowd."""
    return measures_of(coded, sides=SIDES, resampling=resampling)


def values(coded: Coded) -> dict[str, float]:
    """Return the value of every measure that has one."""
    found = measured(coded, Resampling(resamples=0))
    return {name: one.value for name, one in found.items() if one.value is not None}


def _names(layout: Layout) -> tuple[str, ...]:
    generator = np.random.default_rng(0)
    return tuple(values(crowd(generator, layout, people(generator, layout))))


NAMES = _names(LAYOUTS[0])


def simulated(layout: Layout, seed: int) -> Floats:
    """Return value, low and high of each measure of one crowd, less the truth if it is its own."""
    generator = np.random.default_rng([seed, layout.items, layout.people])
    who = people(generator, layout)
    found = measured(crowd(generator, layout, who), Resampling(seed=seed))
    truth: dict[str, float] = {}
    if layout.people < FEW_PEOPLE:
        wide = replace(layout, items=FURTHER_ITEMS)
        truth = values(crowd(generator, wide, who))
    rows = [(found[name].value, found[name].low, found[name].high) for name in NAMES]
    own = [truth.get(name, 0.0) for name in NAMES]
    return np.asarray(np.array(rows, dtype=np.float64) - np.array(own)[:, None])


def expected(layout: Layout, seed: int) -> Floats:
    """Return the value of each measure in one further crowd."""
    generator = np.random.default_rng([seed, layout.items, layout.people, 1])
    found = values(crowd(generator, layout, people(generator, layout)))
    return np.array([found.get(name, np.nan) for name in NAMES])


@dataclass(frozen=True)
class Plan:
    """Where results are kept, when to stop, and how work is shared."""

    keep: Path | None
    until: float
    pool: ProcessPoolExecutor | None

    def mapped(self, work: Callable[[int], Floats], seeds: Sequence[int]) -> list[Floats]:
        """Return the results for some seeds."""
        return list(map(work, seeds) if self.pool is None else self.pool.map(work, seeds))


Work = Callable[[Layout, int], Floats]


def collected(work: Work, layout: Layout, wanted: int, plan: Plan) -> Floats:
    """Return what a simulation gives for so many seeds, those kept before among them."""
    file = None if plan.keep is None else plan.keep / f"{work.__name__} {layout}.npy"
    rows = [] if file is None or not file.exists() else list(np.load(file))
    while len(rows) < wanted and time.monotonic() < plan.until:
        seeds = range(len(rows), min(wanted, len(rows) + PORTION))
        rows += plan.mapped(partial(work, layout), seeds)
        if file is not None:
            np.save(file, np.array(rows))
    return np.array(rows[:wanted])


def summary(rows: Floats, truths: Floats) -> Iterator[tuple[str, Floats]]:
    """Yield each measure with truth, share of intervals that hold it, mean width, and its ideal.

    The truth is 0 where each crowd has one of its own, which was taken away already.
    """
    for place, name in enumerate(NAMES):
        own = rows[:, place]
        value, low, high = own[~np.isnan(own).any(axis=1)].T
        if not len(value):
            continue
        truth = float(np.nanmean(truths[:, place])) if len(truths) else 0.0
        holds = np.mean((low <= truth) & (truth <= high))
        yield name, np.array([truth, holds, np.mean(high - low), 2 * 1.96 * np.std(value)])


def main() -> None:
    """Print coverage and width by design and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=1_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for what is done")
    parser.add_argument("--minutes", type=float, default=np.inf, help="stop after so many")
    parser.add_argument("--markdown", action="store_true", help="one table for the documentation")
    parser.add_argument("--quick", action="store_true", help="20 simulations")
    arguments = parser.parse_args()
    runs = 20 if arguments.quick else arguments.simulations
    further = 100 if arguments.quick else EXPECTED_FROM
    if arguments.keep is not None:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    context = get_context("spawn")
    pool = ProcessPoolExecutor(arguments.workers, context) if arguments.workers > 1 else None
    plan = Plan(arguments.keep, time.monotonic() + 60 * arguments.minutes, pool)
    cells: dict[str, list[str]] = {name: [] for name in NAMES}
    for layout in LAYOUTS:
        rows = collected(simulated, layout, runs, plan)
        few = layout.people < FEW_PEOPLE
        truths = collected(expected, layout, 0 if few else further, plan)
        print(f"{layout}: {len(rows)} simulations", flush=True)
        row = dict.fromkeys(NAMES, "")
        for name, (truth, holds, width, ideal) in summary(rows, truths) if len(rows) else ():
            print(f"  {name:28} {truth:7.3f} {holds:7.3f}  width {width:.3f} ({ideal:.3f})")
            row[name] = f"{100 * holds:.1f} ({width:.2f}, {ideal:.2f})"
        for name, cell in row.items():
            cells[name].append(cell)
    if arguments.markdown:
        print("\n| measure | " + " | ".join(map(str, LAYOUTS)) + " |")
        print("|---" * (len(LAYOUTS) + 1) + "|")
        for name, row_of_cells in cells.items():
            print(f"| `{name}` | " + " | ".join(row_of_cells) + " |")


if __name__ == "__main__":
    main()
