"""Contrasts from people and models: how often intervals hold, through `describe` itself.

    PLAUSIBLY_DATA=... python benchmarks/hybrid_contrasts.py [--reps 500] [--only NAME]

Crowds with a known difference between two conditions, within groups or between different items;
people differ in severity and in how they take the condition. Each row has the share of 95 %
intervals that hold the difference, for people alone and with the model, the median ratio of their
widths, the median gain, and how often the model is reported not to help. With PLAUSIBLY_DATA,
random parts of PAP and ADEPT are taken as rated, against the difference between all items.
"""

from __future__ import annotations

import argparse
import os
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy.stats import norm

import plausibly as pb
from plausibly.io.frames import as_table
from plausibly.measures import hybrid as measures
from plausibly.measures.predicted import predicted_numbers
from plausibly.tables import PREDICTIONS

Tables = tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]
GAP, PERSON, TAKE, GROUP, CUT = 0.5, 0.5, 0.3, 0.7, 0.5
ADEPT = ("impossible", "less likely", "equally likely", "more likely", "necessarily true")


@dataclass(frozen=True)
class Design:
    """A crowd: n items of each condition rated by `each` of `people`, and a model.

    Args:
        name: What the row is called.
        n: Rated items of each condition.
        people: Annotators.
        rho: Correlation of the model with the items' true places.
        each: Ratings per item.
        paired: Whether an item of one condition belongs to one of the other.
        share: Whether answers are yes or no; else they are numbers.
        split: Whether each person rates one condition only.
    """

    name: str
    n: int
    people: int
    rho: float = 0.6
    each: int = 5
    paired: bool = False
    share: bool = False
    split: bool = False
    every: int = 400


def designs() -> Iterator[Design]:
    """Yield every design."""
    for paired in (False, True):
        where = "within groups" if paired else "between items"
        for n, people in ((40, 10), (40, 20), (100, 20)):
            yield Design(f"{where}, n {n}, {people} people", n, people, paired=paired)
        yield Design(f"{where}, share, n 40, 20 people", 40, 20, paired=paired, share=True)
        yield Design(f"{where}, useless model, n 40", 40, 20, rho=0.0, paired=paired)
    yield Design("between items, 500 people x 1", 100, 500, each=1)
    yield Design("between items, people split", 40, 20, split=True)


def crowd(rng: np.random.Generator, design: Design) -> Tables:
    """Return ratings, items and predictions of one crowd."""
    n_all = design.every
    group = GROUP * rng.normal(size=n_all) if design.paired else np.zeros(n_all)
    place = group + rng.normal(size=(2, n_all)) + np.array([[0.0], [GAP]])
    rated = [rng.permutation(n_all)[: design.n] for _ in range(2)]
    rated[1] = rated[0] if design.paired else rated[1]
    severity, take = PERSON * rng.normal(size=design.people), TAKE * rng.normal(size=design.people)
    ratings, items, said = [], [], []
    for side, condition in enumerate("ab"):
        own = np.arange(design.people)
        if design.split:
            own = own[side::2]
        chosen = np.argsort(rng.random((design.n, len(own))), axis=1)[:, : design.each]
        person, item = own[chosen.ravel()], np.repeat(rated[side], chosen.shape[1])
        value = place[side, item] + severity[person] + (side - 0.5) * take[person]
        value = value + rng.normal(size=len(item))
        names = np.array([f"{condition}{one}" for one in range(n_all)])
        answer = np.where(value > CUT, "yes", "no") if design.share else value.astype(str)
        columns = {"item": names[item], "annotator": person.astype(str), "answer": answer}
        ratings.append(pl.DataFrame(columns))
        facts: dict[str, Any] = {"item": names, "text": names, "condition": condition}
        if design.paired:
            facts["item_group"] = [f"g{one}" for one in range(n_all)]
        items.append(pl.DataFrame(facts))
        centred = (place[side] - place[side].mean()) / place[side].std()
        score = design.rho * centred + np.sqrt(1 - design.rho**2) * rng.normal(size=n_all)
        said.append(pl.DataFrame({"item": names, "score": score}))
    question = pl.lit("rating").alias("question")
    predictions = pl.concat(said).with_columns(question, model=pl.lit("model"))
    return pl.concat(ratings).with_columns(question), pl.concat(items), predictions


def truth(design: Design) -> float:
    """Return the difference over all items and all people."""
    if not design.share:
        return GAP
    spread = 2 + PERSON**2 + TAKE**2 / 4 + (GROUP**2 if design.paired else 0.0)
    far, near = (norm.sf((CUT - gap) / np.sqrt(spread)) for gap in (GAP, 0.0))
    return float(far - near)


class Row:
    """What contrasts add up to."""

    def __init__(self, right: float) -> None:
        self.right = right
        self.hits, self.widths, self.gains = np.zeros(2), list[float](), list[float]()

    def add(self, tables: Tables, scale: str) -> None:
        """Describe one crowd, and count its last contrast."""
        ratings, items, said = tables
        described = pb.describe(
            ratings, items=items, by="condition", models=said, random_sample=True, scale=scale
        )
        contrast = described.as_json()["questions"]["rating"]["contrasts"][-1]
        both = contrast["hybrid"]
        limits = [(one["low"], one["high"]) for one in (contrast, both)]
        self.hits += [low <= self.right <= high for low, high in limits]
        people, helped = (high - low for low, high in limits)
        self.widths.append(helped / people)
        self.gains.append(both["gain"])

    def text(self, name: str) -> str:
        """Return the row of the table."""
        useless = float(np.mean(np.array(self.gains) < measures.HELPS))
        middle = (np.median(self.widths), np.median(self.gains))
        numbers = [f"{one:.3f}" for one in (*self.hits / len(self.gains), *middle)]
        return " | ".join([f"{name:38s}", *numbers, f"{useless:.2f}"])


def simulated(design: Design, reps: int) -> str:
    """Return the row of a design."""
    rng, row = np.random.default_rng([19, zlib.crc32(design.name.encode())]), Row(truth(design))
    for _ in range(reps):
        row.add(crowd(rng, design), "nominal" if design.share else "interval")
    return row.text(design.name)


def published(name: str, tables: Tables, n: int, draws: int) -> str:
    """Return the row of random parts of published answers."""
    ratings, items, said = tables
    means = ratings.group_by("item").agg(pl.col("answer").cast(pl.Float64).mean())
    cells = dict(
        means.join(items, on="item").group_by("condition").agg(pl.col("answer").mean()).iter_rows()
    )
    first, second = sorted(cells)
    row = Row(cells[second] - cells[first])
    for seed in range(draws):
        parts = [
            items.filter(pl.col("condition") == one).sample(n, seed=2 * seed + place)
            for place, one in enumerate((first, second))
        ]
        kept = ratings.join(pl.concat(parts).select("item"), on="item", how="semi")
        row.add((kept, items, said), "interval")
    return row.text(f"{name}, n {n}")


def pap(data: Path) -> Tables:
    """Return PAP's answers, its events by condition, and what events-lite says."""
    loaded = pb.load("pap", data=data)
    said = pb.models_predict("events-lite", data / "pap" / "events_with_ratings.tsv").predictions
    ratings = as_frame(loaded.ratings).select("item", "annotator", "answer")
    items = as_frame(loaded.items).select("item", "text", "condition")
    scores = as_table(said, PREDICTIONS).select("item", "score", model=pl.lit("events-lite"))
    question = pl.lit("rating").alias("question")
    return ratings.with_columns(question), items, scores.with_columns(question)


def adept(data: Path) -> Tables:
    """Return ADEPT's validation labels as numbers, by how frequent the modifier is."""
    loaded = pb.load("adept", data=data)
    items = as_frame(loaded.items)
    counts = items.group_by("modifier").len("times")
    val = items.filter(pl.col("split") == "val").join(counts, on="modifier")
    often = pl.when(pl.col("times") > pl.col("times").median()).then(pl.lit("frequent"))
    val = val.select("item", "text", condition=often.otherwise(pl.lit("rare")))
    code = {label: float(place) for place, label in enumerate(ADEPT)}
    number = pl.col("label").replace_strict(code, return_dtype=pl.Float64).cast(pl.String)
    rows = as_frame(loaded.labels).join(val, on="item", how="semi")
    ratings = rows.select("item", annotator="item", question=pl.lit("rating"), answer=number)
    said = as_table(
        pb.models_predict("adept-lite", data / "adept" / "val.json").predictions, PREDICTIONS
    )
    numbers = predicted_numbers(said, answer=None, answers=ADEPT, codes=code)
    named = {"question": pl.lit("rating"), "model": pl.lit("adept-lite")}
    return ratings, val, numbers.rename({"predicted": "score"}).with_columns(**named)


def as_frame(table: Any) -> pl.DataFrame:
    """Return a table that a dataset has."""
    if not isinstance(table, pl.DataFrame):
        raise TypeError("the dataset has no such table")
    return table


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--reps", type=int, default=500)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    measures.PERMUTATIONS = 19
    sys.stdout.write("contrasts | people | hybrid | width | gain | no help\n")
    for design in designs():
        if options.only in design.name:
            sys.stdout.write(simulated(design, options.reps) + "\n")
            sys.stdout.flush()
    data = os.environ.get("PLAUSIBLY_DATA")
    if not data or options.only:
        return
    for name, made in (("PAP, events-lite", pap), ("ADEPT val, adept-lite", adept)):
        tables = made(Path(data))
        for n in (100, 200):
            sys.stdout.write(published(name, tables, n, options.draws) + "\n")


if __name__ == "__main__":
    main()
