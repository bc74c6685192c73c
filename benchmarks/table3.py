"""Rehearsal against reality: PAP's Table 3 from a simulated crowd fitted on its first three rows.

    python benchmarks/table3.py            # fits on seeds 101 to 103, predicts for seeds 1 to 20

Fitted are four numbers: the share of people who leave early (row 1: people and ratings), of
careless people (row 2: people lost), of sliders left in the middle (row 2: ratings lost) and of
people who answer the other way round (row 3: ratings lost). The three rows after them are
predicted; nobody has an approval rate, so the row of that rule repeats the one before. Ratings are
counted as the paper's are: those of triples that have eight or more (its last row, 15,571, is the
number of ratings of the 1,733 triples released).
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

import plausibly as pb
from plausibly.io import read_table, write_table
from plausibly.protocols.pap.made_up import example_items
from plausibly.ratings.served import Served
from plausibly.ratings.simulated.crowd import answered
from plausibly.ratings.simulated.model import people_model
from plausibly.ratings.simulated.outlook import Outlook
from plausibly.ratings.simulated.people import SimulatedPerson, cast
from plausibly.study import PROTOCOLS
from plausibly.tables import ANNOTATORS, ITEMS, RATINGS
from plausibly.web.study import read_study

# Eichel and Schulte im Walde (2023), appendix B.3, Table 3: ratings and triples after each step.
PRINTED = {
    "raw": (22_593, 2_160),
    "unmoved_slider": (21_317, 2_148),
    "against_label": (19_895, 2_081),
    "few_ratings": (16_875, 1_840),
    "low_approval": (16_602, 1_819),
    "low_agreement": (15_571, 1_733),
}
FITTED = ("raw", "unmoved_slider", "against_label")
PREDICTED = ("few_ratings", "low_approval", "low_agreement")
PEOPLE = 885
BATCHES = 2  # of 24 and a check: with one, 885 people could not give 22,593 ratings
ENOUGH = 8
CARELESS_LOST = 6  # people the second row lost: 883 to 878 and 879 to 872
LEAVING = 4.0  # ratings a person who leaves early gives, on average
WITHIN = 0.1
NEEDED, SEEDS = 18, range(1, 21)
FITTING = range(101, 104)

OUTLOOK = Outlook(people_model(PROTOCOLS["pap"].sections["people"], where="pap"))

Rows = dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Shares:
    """What is fitted: shares of people, and of sliders left in the middle."""

    careless: float
    unmoved: float
    contrary: float


def dropouts(batch: int) -> float:
    """Return the share of people who leave, from people and ratings of the first row alone."""
    full, mean = BATCHES * batch, PRINTED["raw"][0] / PEOPLE
    return (full - mean) / (full - LEAVING)


def mix_of(batch: int, shares: Shares) -> dict[str, float]:
    """Return the shares of the crowd."""
    gone = dropouts(batch)
    return {
        "careful": 1 - gone - shares.careless - shares.contrary,
        "dropout": gone,
        "uniform-spammer": shares.careless,
        "consistent-minority": shares.contrary,
    }


def crowd(served: Served, shares: Shares, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return ratings and annotators: everyone up to two batches, every triple equally often."""
    generator = np.random.default_rng(seed)
    items = [name for name, one in served.contents.items() if one.kind == "item"]
    checks = sorted(name for name, one in served.contents.items() if one.kind != "item")
    people = list(cast(PEOPLE, mix_of(served.plan.batch, shares), seed))
    dealt = _dealt(items, generator)
    rows: list[dict[str, object]] = []
    for person in people:
        for item in _shown(person, served, checks, dealt, generator):
            rows += answered(person, item, served, OUTLOOK)
    frame = pl.DataFrame(rows, infer_schema_length=None)
    left = pl.Series(generator.random(frame.height) < shares.unmoved) & frame["item"].is_in(items)
    answer = pl.when(left).then(pl.lit("3")).otherwise("answer")
    value = pl.when(left).then(3.0).otherwise("value")
    ratings = RATINGS.check(frame.with_columns(answer=answer, value=value))
    annotators = pl.DataFrame(
        {"annotator": [one.name for one in people], "kind": ["simulated"] * len(people)}
    )
    return ratings, ANNOTATORS.check(annotators)


def _dealt(items: list[str], generator: np.random.Generator) -> Iterator[str]:
    while True:
        for place in generator.permutation(len(items)):
            yield items[place]


def _shown(
    person: SimulatedPerson,
    served: Served,
    checks: list[str],
    dealt: Iterator[str],
    generator: np.random.Generator,
) -> list[str]:
    leaves = person.leaves_after
    number = BATCHES * served.plan.batch if leaves is None else leaves
    own = dict.fromkeys(next(dealt) for _ in range(number))
    few = generator.permutation(len(checks))[: -(-number // served.plan.batch)]
    return [*own, *(checks[place] for place in few)]


def table_3(folder: Path, served: Served, shares: Shares, seed: int) -> tuple[Rows, int]:
    """Return ratings and number of triples with eight or more, by step; and people who failed."""
    ratings, annotators = crowd(served, shares, seed)
    items = read_table(folder / "items.parquet", ITEMS)
    done = pb.clean(ratings, "pap", items=items, annotators=annotators, resamples=0, seed=seed)
    own = items.filter(pl.col("kind") == "item").select("item")
    left = ratings.join(own, on="item", how="semi")
    rows: Rows = {"raw": _enough(left)}
    for step in done.cascade[1:]:
        gone = done.exclusions.filter(pl.col("step") == step["step"])
        left = left.join(gone, on=list(RATINGS.key), how="anti")
        rows[str(step["rule"])] = _enough(left)
    failed = done.exclusions.filter(pl.col("rule") == "failed_check")
    return rows, failed["annotator"].n_unique()


def _enough(ratings: pl.DataFrame) -> tuple[int, int]:
    counts = ratings.group_by("item").len().filter(pl.col("len") >= ENOUGH)
    return int(counts["len"].sum()), counts.height


def fit(folder: Path, served: Served) -> Shares:
    """Return the shares whose second and third row are the printed ones, by the secant rule."""
    shares = Shares(careless=0.009, unmoved=0.04, contrary=0.033)
    for _ in range(2):
        tables = [table_3(folder, served, shares, seed) for seed in FITTING]
        raw, moved, kept = (np.mean([rows[row][0] for rows, _ in tables]) for row in FITTED)
        failed = np.mean([people for _, people in tables])
        print(f"{shares}: {raw:.0f}, {moved:.0f}, {kept:.0f}, {failed:.1f} failed", flush=True)
        (first, _), (second, _), (third, _) = (PRINTED[row] for row in FITTED)
        shares = Shares(
            careless=shares.careless * CARELESS_LOST / max(1.0, float(failed)),
            unmoved=shares.unmoved + (float(raw - moved) - (first - second)) / -float(raw),
            contrary=shares.contrary * (second - third) / max(1.0, float(moved - kept)),
        )
    return shares


def main() -> None:
    """Fit, predict, and print how many seeds come within a tenth of the printed rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=SEEDS[0])
    parser.add_argument("--last", type=int, default=SEEDS[-1])
    parser.add_argument("--shares", help="CARELESS,UNMOVED,CONTRARY as fitted before")
    chosen = parser.parse_args()
    seeds = range(chosen.first, chosen.last + 1)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "study")
        pb.init("pap", folder, example=True, seed=1)
        write_table(example_items(seed=1, per_cell=40), folder / "items.parquet", ITEMS)
        served = read_study(folder)
        known = [float(one) for one in (chosen.shares or "").split(",") if one]
        shares = Shares(*known) if known else fit(folder, served)
        print(shares, f"dropout {dropouts(served.plan.batch):.4f}")
        print("seed", *PRINTED, "within 10 %", sep=" | ")
        print("printed", *(f"{a:,} / {b:,}" for a, b in PRINTED.values()), "", sep=" | ")
        held = [predicted(folder, served, shares, seed) for seed in seeds]
        print(f"{sum(held)} of {len(held)} seeds; {NEEDED} of {len(SEEDS)} were asked for.")


def predicted(folder: Path, served: Served, shares: Shares, seed: int) -> bool:
    """Print the rows of one seed, and tell whether those after the fitted ones are near enough."""
    rows, _ = table_3(folder, served, shares, seed)
    off = [
        abs(own / printed - 1)
        for row in PREDICTED
        for own, printed in zip(rows[row], PRINTED[row], strict=True)
    ]
    near = max(off) <= WITHIN
    cells = (f"{ratings:,} / {triples:,}" for ratings, triples in (rows[row] for row in PRINTED))
    print(seed, *cells, "yes" if near else "no", sep=" | ", flush=True)
    return near


if __name__ == "__main__":
    main()
