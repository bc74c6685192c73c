"""The generated crowd of the example study: people of known kinds who rate its events."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.ratings.simulated.kinds import MIX
from plausibly.tables import ANNOTATORS, ITEMS, RATINGS

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

# Share of plausible answers an item draws, as a Beta distribution: PAP's released ratings are
# plausible in 77 % of attested and 61 % of perturbed answers (section 5.1 and the data).
APPEAL = {"attested": (5.4, 1.6), "perturbed": (1.55, 1.0)}
CHECK = {"plausible": 0.98, "implausible": 0.02}
READERS = ("careful", "biased", "dropout")
DROPOUT = 8
QUESTION = "plausible"


def generate_crowd(
    items: pl.DataFrame, *, seed: int, target: int = 10, batch: int = 24
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the slider ratings (1 to 5, start in the middle) of a crowd, and who gave them.

    Each person does one batch with a check. Careful people answer on the side the item leans to,
    biased ones lean to plausible, uniform spammers answer anything (the unmoved middle included),
    straight liners always the same, dropouts are careful and leave after a few items.

    Args:
        items: Items with condition attested or perturbed, and checks with an expected side.
        seed: Fixes everything.
        target: Ratings per item, before dropouts leave.
        batch: Items per person.
    """
    generator = np.random.default_rng(seed)
    items = ITEMS.sort(ITEMS.check(items))
    checks = items.filter(pl.col("kind") == "check")
    rated = items.filter(pl.col("kind") == "item")
    appeal = {
        item: float(generator.beta(*APPEAL[condition]))
        for item, condition in rated.select("item", "condition").iter_rows()
    }
    appeal |= {item: CHECK[side] for item, side in checks.select("item", "expected").iter_rows()}
    batches = deal(rated["item"].to_list(), target, batch, generator)
    kinds = _kinds(len(batches), generator)
    rows = []
    for person, (dealt, kind) in enumerate(zip(batches, kinds, strict=True)):
        shown = _with_check(dealt, checks["item"].to_list(), generator)
        shown = shown[: generator.integers(2, DROPOUT)] if kind == "dropout" else shown
        answers = _answers(kind, np.array([appeal[item] for item in shown]), generator)
        pace = 1.6 if kind in {"careful", "biased"} else 0.4  # of the logarithm of seconds
        seconds = generator.lognormal(pace, 0.5, len(shown))
        rows += [
            {
                "item": item,
                "annotator": _name(person),
                "question": QUESTION,
                "answer": str(answer),
                "value": float(answer),
                "seconds": round(float(second), 2),
            }
            for item, answer, second in zip(shown, answers, seconds, strict=True)
        ]
    return RATINGS.sort(RATINGS.check(pl.DataFrame(rows))), _annotators(kinds, generator)


def deal(
    items: list[str], target: int, size: int, generator: np.random.Generator
) -> list[list[str]]:
    """Return batches that have every item `target` times, and no item twice in one of them."""
    batches: list[list[str]] = [[]]
    for _ in range(target):
        for item in generator.permutation(np.array(items, dtype=object)):
            home = next((b for b in batches if len(b) < size and item not in b), None)
            if home is None:
                batches.append([item])
            else:
                home.append(item)
        batches.sort(key=lambda b: len(b) < size)
    return [batch for batch in batches if batch]


def _with_check(batch: list[str], checks: list[str], generator: np.random.Generator) -> list[str]:
    shown = batch + [checks[place] for place in generator.permutation(len(checks))[:1]]
    return [shown[place] for place in generator.permutation(len(shown))]


def _kinds(people: int, generator: np.random.Generator) -> list[str]:
    """Return the kind of each person; shares are kept as closely as whole people allow."""
    edges = np.cumsum(list(MIX.values())) * people
    places = np.searchsorted(edges, np.arange(people) + 0.5)
    names = list(MIX)
    return [names[min(place, len(names) - 1)] for place in generator.permutation(places)]


def _answers(kind: str, appeal: Floats, generator: np.random.Generator) -> Whole:
    size = len(appeal)
    if kind == "uniform-spammer":
        return generator.integers(1, 6, size)
    if kind == "straight-liner":
        return np.full(size, generator.choice([1, 4, 5]))
    lean = appeal**0.35 if kind == "biased" else appeal
    plausible = generator.random(size) < lean
    sure = generator.random(size) < 0.25 + np.abs(lean - 0.5)
    return np.where(plausible, np.where(sure, 5, 4), np.where(sure, 1, 2)).astype(np.int64)


def _annotators(kinds: list[str], generator: np.random.Generator) -> pl.DataFrame:
    good = generator.integers(90, 101, len(kinds))
    poor = generator.integers(0, 101, len(kinds))
    honest = np.array([kind in READERS for kind in kinds], dtype=bool)
    return ANNOTATORS.check(
        pl.DataFrame(
            {
                "annotator": [_name(person) for person in range(len(kinds))],
                "kind": "simulated",
                "approval": np.where(honest, good, poor).astype(np.float64),
                "simulated_kind": kinds,
            }
        )
    )


def _name(person: int) -> str:
    return f"p{person:04d}"
