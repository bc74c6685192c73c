"""Crowds with a known truth: named designs for the benchmark, random designs for tuning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Generator = np.random.Generator


@dataclass(frozen=True, eq=False)
class Crowd:
    """Ratings as codes, with the true label of each item.

    Args:
        item: Item of each rating.
        annotator: Annotator of each rating.
        answer: Answer of each rating.
        truth: True label of each item.
        annotators: How many annotators there are.
        labels: How many labels there are.
    """

    item: Ints
    annotator: Ints
    answer: Ints
    truth: Ints
    annotators: int
    labels: int


@dataclass(frozen=True)
class Design:
    """How a crowd is drawn.

    Args:
        items: How many items.
        each: Ratings per item; a pair is a range, drawn evenly.
        annotators: How many annotators.
        shares: Share of each label.
        skill: Mean and concentration of the annotators' accuracy (a beta distribution).
        near: Share of errors that go to a neighbouring label instead of the label shares.
        lean: How far annotators' errors differ: 0 is alike.
        places: Items have places on a line, and labels are stretches of it; `skill` is unused.
        noise: With places, the median spread of an annotator's view.
        hard: Share of items whose accuracy is half of the way to guessing.
        careless: Share of annotators who answer at random.
        adversaries: Share of annotators who answer with another label on purpose.
        block: Items that one group of annotators rates completely; 0 is without groups.
    """

    items: int
    each: tuple[int, int]
    annotators: int
    shares: tuple[float, ...]
    skill: tuple[float, float] = (0.75, 12.0)
    near: float = 0.0
    lean: float = 0.3
    places: bool = False
    noise: float = 0.6
    hard: float = 0.0
    careless: float = 0.0
    adversaries: float = 0.0
    block: int = 0


def even(labels: int) -> tuple[float, ...]:
    """Return equal shares."""
    return (1 / labels,) * labels


DESIGNS: Mapping[str, Design] = {
    "sparse": Design(300, (3, 3), 150, even(4), skill=(0.72, 8)),
    "skewed 90/8/2": Design(300, (5, 5), 60, (0.9, 0.08, 0.02), skill=(0.8, 12)),
    "skewed 90/8/2, 3 ratings": Design(400, (3, 3), 80, (0.9, 0.08, 0.02), skill=(0.82, 12)),
    "PAP-like, 5 points": Design(
        600, (8, 11), 90, (0.08, 0.13, 0.12, 0.3, 0.37), places=True, noise=0.6
    ),
    "PAP-like, binary": Design(600, (6, 9), 90, (0.3, 0.7), places=True, noise=0.7),
    "ADEPT-like": Design(
        800, (3, 3), 60, (0.14, 0.12, 0.67, 0.06, 0.01), skill=(0.82, 20), near=0.6
    ),
    "SP-10K-like": Design(
        600, (10, 10), 60, (0.35, 0.2, 0.15, 0.15, 0.15), places=True, noise=0.5, block=100
    ),
    "few annotators": Design(800, (4, 4), 4, even(3), skill=(0.78, 20)),
    "one rating each": Design(300, (3, 3), 900, even(3), skill=(0.75, 12)),
    "biased binary": Design(300, (5, 5), 50, (0.6, 0.4), skill=(0.75, 15), lean=1.0),
    "hard items": Design(400, (6, 6), 60, even(3), skill=(0.85, 15), hard=0.3),
    "uneven": Design(300, (1, 8), 80, (0.5, 0.3, 0.2), skill=(0.75, 10)),
    "eight labels": Design(400, (5, 5), 60, even(8), skill=(0.65, 10)),
    "a third careless": Design(300, (5, 5), 60, even(4), skill=(0.85, 20), careless=0.33),
    "dense": Design(100, (10, 10), 10, even(3), skill=(0.6, 10)),
}

HOSTILE = ("sparse", "PAP-like, 5 points", "ADEPT-like", "few annotators", "uneven")
DESIGNS_WITH_ADVERSARIES: Mapping[str, Design] = {
    f"{name} + 20 % adversaries": replace(DESIGNS[name], adversaries=0.2) for name in HOSTILE
}


def random_design(generator: Generator) -> Design:
    """Return a design to tune on; none of the benchmark's is among them."""
    labels = int(generator.integers(2, 7))
    least = int(generator.integers(2, 8))
    shares = np.sort(generator.dirichlet(np.full(labels, 2.0)))[::-1]
    shares = np.maximum(shares, 0.02)
    items = int(generator.integers(100, 700))
    most = least + int(generator.integers(0, 3))
    return Design(
        items,
        (least, most),
        max(int(items * least / generator.choice([3, 8, 20, 60])), most),
        tuple(shares / shares.sum()),
        skill=(float(generator.uniform(0.6, 0.9)), float(generator.uniform(5, 30))),
        near=float(generator.choice([0.0, 0.5])),
        lean=float(generator.uniform(0, 1)),
        places=bool(generator.random() < 0.35),
        noise=float(generator.uniform(0.3, 0.9)),
        hard=float(generator.choice([0.0, 0.0, 0.2])),
        careless=float(generator.choice([0.0, 0.0, 0.2])),
    )


def draw(design: Design, seed: int) -> Crowd:
    """Return a crowd of this design."""
    generator = np.random.default_rng(seed)
    labels = len(design.shares)
    item, annotator = _pairs(design, generator)
    if design.places:
        truth, answer = _by_place(design, item, annotator, generator)
    else:
        truth, answer = _by_table(design, item, annotator, generator)
    careless = generator.random(design.annotators) < design.careless
    answer = np.where(careless[annotator], generator.integers(0, labels, len(item)), answer)
    hostile = np.zeros(design.annotators, dtype=np.bool_)
    count = round(design.adversaries * design.annotators)
    hostile[generator.permutation(design.annotators)[:count]] = True
    shift = generator.integers(1, labels, design.annotators)
    wrong = (truth[item] + shift[annotator]) % labels
    turned = hostile[annotator] & (generator.random(len(item)) < 0.9)
    return Crowd(item, annotator, np.where(turned, wrong, answer), truth, design.annotators, labels)


def _pairs(design: Design, generator: Generator) -> tuple[Ints, Ints]:
    """Return item and annotator of each rating."""
    least, most = design.each
    each = generator.integers(least, most + 1, design.items)
    keys = generator.random((design.items, design.annotators))
    if design.block:
        groups = -(-design.items // design.block)
        keys = np.repeat(generator.random((groups, design.annotators)), design.block, axis=0)
    order = np.argsort(keys[: design.items], axis=1)[:, :most]
    if design.annotators >= design.items * most:  # nobody twice
        order = generator.permutation(design.annotators)[: order.size].reshape(order.shape)
    kept = np.arange(most) < each[:, None]
    return np.repeat(np.arange(design.items), each), order[kept]


def _by_table(
    design: Design, item: Ints, annotator: Ints, generator: Generator
) -> tuple[Ints, Ints]:
    labels = len(design.shares)
    shares = np.array(design.shares)
    truth = generator.choice(labels, design.items, p=shares)
    mean, weight = design.skill
    skill = generator.beta(mean * weight, (1 - mean) * weight, design.annotators)
    away = np.abs(np.subtract.outer(np.arange(labels), np.arange(labels)))
    toward = (1 - design.near) * (0.5 / labels + 0.5 * shares) + design.near * (away == 1)
    toward = np.where(away == 0, 0.0, toward)
    toward = toward * np.exp(design.lean * generator.normal(size=(design.annotators, 1, labels)))
    toward /= toward.sum(axis=2, keepdims=True)
    hits = skill[:, None] * np.exp(0.3 * design.lean * generator.normal(size=(len(skill), labels)))
    table = np.minimum(hits, 0.99)[:, :, None] * np.eye(labels)
    table = table + (1 - table.sum(axis=2, keepdims=True)) * toward
    rows = table[annotator, truth[item]]
    hard = generator.random(design.items) < design.hard
    rows = np.where(hard[item][:, None], 0.5 * rows + 0.5 / labels, rows)
    return truth, _chosen(rows, generator)


def _chosen(rows: Floats, generator: Generator) -> Ints:
    below = np.cumsum(rows, axis=1) < generator.random(len(rows))[:, None]
    return np.asarray(np.minimum(below.sum(axis=1), rows.shape[1] - 1), dtype=np.int64)


def _by_place(
    design: Design, item: Ints, annotator: Ints, generator: Generator
) -> tuple[Ints, Ints]:
    """Return labels as stretches of a line, which annotators see moved and blurred."""
    place = generator.normal(size=design.items)
    cuts = np.quantile(generator.normal(size=100_000), np.cumsum(design.shares)[:-1])
    moved = 0.25 * generator.normal(size=design.annotators)
    blur = design.noise * np.exp(0.4 * generator.normal(size=design.annotators))
    seen = place[item] + moved[annotator] + blur[annotator] * generator.normal(size=len(item))
    return np.searchsorted(cuts, place), np.searchsorted(cuts, seen)
