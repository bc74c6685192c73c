"""Generated crowds: people of known kinds who rate a set of items, for demos and rehearsals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.errors import StudyError, UnknownName
from plausibly.tables import ANNOTATORS, ITEMS, RATINGS

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

KINDS = ("careful", "biased", "uniform-spammer", "straight-liner", "dropout")
MIX = {
    "careful": 0.8,
    "biased": 0.05,
    "uniform-spammer": 0.05,
    "straight-liner": 0.05,
    "dropout": 0.05,
}
# Share of plausible answers an item draws, as a Beta distribution: PAP's released ratings are
# plausible in 77 % of attested and 61 % of perturbed answers (section 5.1 and the data).
APPEAL = {"attested": (5.4, 1.6), "perturbed": (1.55, 1.0)}
CHECK = {"plausible": 0.98, "implausible": 0.02}
DROPOUT = 8


@dataclass(frozen=True, eq=False)
class Crowd:
    """Ratings a generated crowd gave, and who gave them (`simulated_kind`)."""

    ratings: pl.DataFrame
    annotators: pl.DataFrame


@dataclass(frozen=True, slots=True)
class CrowdPlan:
    """How the work is spread: ratings wanted an item, items a batch, checks a batch."""

    target: int = 10
    batch: int = 24
    checks_per_batch: int = 1


def generate_crowd(
    items: pl.DataFrame,
    *,
    seed: int,
    plan: CrowdPlan | None = None,
    mix: Mapping[str, float] | None = None,
    question: str = "plausible",
) -> Crowd:
    """Return the slider ratings (1 to 5, start in the middle) of a generated crowd.

    Each person does one batch. Careful people answer on the side the item leans to, biased ones
    lean to plausible, uniform spammers answer anything (the unmoved middle included), straight
    liners always the same, dropouts are careful and leave after a few items.

    Args:
        items: Items with condition attested or perturbed, and checks with an expected side.
        seed: Fixes everything.
        plan: How the work is spread; PAP's by default.
        mix: Share of each kind of people; they must sum to 1.
        question: Name of the question answered.
    """
    plan, shares = plan or CrowdPlan(), _shares(MIX if mix is None else mix)
    generator = np.random.default_rng(seed)
    items = ITEMS.sort(ITEMS.check(items))
    checks = items.filter(pl.col("kind") == "check")
    rated = items.filter(pl.col("kind") == "item")
    appeal = {**_appeal(rated, generator), **_check_appeal(checks)}
    batches = _batches(rated["item"].to_list(), plan, generator)
    kinds = _kinds(len(batches), shares, generator)
    rows = []
    for person, (batch, kind) in enumerate(zip(batches, kinds, strict=True)):
        shown = _with_checks(batch, checks["item"].to_list(), plan, generator)
        shown = shown[: generator.integers(2, DROPOUT)] if kind == "dropout" else shown
        answers = _answers(kind, np.array([appeal[item] for item in shown]), generator)
        seconds = generator.lognormal(
            1.6 if kind in {"careful", "biased"} else 0.4, 0.5, len(shown)
        )
        rows += [
            {
                "item": item,
                "annotator": _name(person),
                "question": question,
                "answer": str(answer),
                "value": float(answer),
                "seconds": round(float(second), 2),
            }
            for item, answer, second in zip(shown, answers, seconds, strict=True)
        ]
    return Crowd(RATINGS.sort(RATINGS.check(pl.DataFrame(rows))), _annotators(kinds, generator))


def _shares(mix: Mapping[str, float]) -> dict[str, float]:
    for kind in mix:
        if kind not in KINDS:
            raise UnknownName("kind of annotator", kind, KINDS)
    if abs(sum(mix.values()) - 1) > 1e-9 or min(mix.values()) < 0:
        raise StudyError(f"the shares of a mix must sum to 1; got {sum(mix.values()):g}.")
    return dict(mix)


def _appeal(items: pl.DataFrame, generator: np.random.Generator) -> dict[str, float]:
    conditions = items["condition"].fill_null("attested").to_list()
    strangers = sorted(set(conditions) - set(APPEAL))
    if strangers:
        raise UnknownName("condition", strangers[0], APPEAL)
    drawn = [float(generator.beta(*APPEAL[condition])) for condition in conditions]
    return dict(zip(items["item"].to_list(), drawn, strict=True))


def _check_appeal(checks: pl.DataFrame) -> dict[str, float]:
    expected = checks["expected"].to_list()
    strangers = [side for side in expected if side not in CHECK]
    if strangers:
        raise UnknownName("expected side", str(strangers[0]), CHECK)
    return dict(zip(checks["item"].to_list(), [CHECK[side] for side in expected], strict=True))


def _batches(items: list[str], plan: CrowdPlan, generator: np.random.Generator) -> list[list[str]]:
    """Deal every item `target` times into batches, none of which holds an item twice."""
    batches: list[list[str]] = [[]]
    for _ in range(plan.target):
        for item in generator.permutation(np.array(items, dtype=object)):
            home = next((b for b in batches if len(b) < plan.batch and item not in b), None)
            if home is None:
                batches.append([item])
            else:
                home.append(item)
        batches = [b for b in batches if len(b) == plan.batch] + [
            b for b in batches if len(b) < plan.batch
        ]
    return [batch for batch in batches if batch]


def _with_checks(
    batch: list[str], checks: list[str], plan: CrowdPlan, generator: np.random.Generator
) -> list[str]:
    some = min(plan.checks_per_batch, len(checks))
    shown = batch + [checks[place] for place in generator.permutation(len(checks))[:some]]
    return [shown[place] for place in generator.permutation(len(shown))]


def _kinds(people: int, shares: Mapping[str, float], generator: np.random.Generator) -> list[str]:
    """Return the kind of each person; shares are kept as closely as whole people allow."""
    edges = np.cumsum(list(shares.values())) * people
    places = np.searchsorted(edges, np.arange(people) + 0.5)
    names = list(shares)
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
    honest = np.array([kind in {"careful", "biased", "dropout"} for kind in kinds], dtype=bool)
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
