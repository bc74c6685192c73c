"""Crowds of many kinds with a known truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.random import Generator

from worlds.label_crowds import Crowd, Floats, Ints

Answer = Callable[[int, int], int]


def rated(
    generator: Generator, truth: Ints, people: int, each: tuple[int, int], answer: Answer
) -> Crowd:
    """Return a crowd in which so many people, drawn evenly, answer about each item."""
    rows = [
        (item, int(person), answer(item, int(person)))
        for item in range(len(truth))
        for person in generator.choice(
            people, int(generator.integers(each[0], each[1] + 1)), replace=False
        )
    ]
    item, annotator, given = (
        np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)
    )
    labels = int(max(given.max(), truth.max())) + 1
    return Crowd(item, annotator, given, truth, people, labels)


def other(generator: Generator, label: int, labels: int) -> int:
    """Return one of the other labels."""
    return int((label + generator.integers(1, labels)) % labels)


def skilled(
    seed: int,
    *,
    items: int,
    people: int,
    each: tuple[int, int],
    shares: tuple[float, ...],
    skill: tuple[float, float],
) -> Crowd:
    """Return a crowd whose people are right with a chance of their own."""
    generator = np.random.default_rng(seed)
    truth = generator.choice(len(shares), items, p=np.array(shares) / sum(shares))
    chance = generator.beta(*skill, people)

    def answer(item: int, person: int) -> int:
        right = generator.random() < chance[person]
        return int(truth[item]) if right else other(generator, int(truth[item]), len(shares))

    return rated(generator, truth, people, each, answer)


def on_a_scale(
    seed: int, *, items: int, people: int, each: int, points: int, careless: float = 0.0
) -> Crowd:
    """Return a crowd of shifted and stretched judgements of a place; the truth is its bin."""
    generator = np.random.default_rng(seed)
    place = generator.normal(size=items)
    cuts = np.quantile(np.random.default_rng(0).normal(size=20_000), np.arange(1, points) / points)
    shift, spread = generator.normal(0, 0.4, people), np.exp(generator.normal(0, 0.2, people))
    noise = 0.6 * np.exp(generator.normal(0, 0.3, people))
    guesses = generator.random(people) < careless

    def answer(item: int, person: int) -> int:
        if guesses[person]:
            return int(generator.integers(points))
        seen = spread[person] * place[item] + shift[person] + generator.normal(0, noise[person])
        return int(np.digitize(seen, cuts))

    return rated(generator, np.digitize(place, cuts), people, (each, each), answer)


def neighbours(seed: int) -> Crowd:
    """Return a crowd of classes whose errors go to neighbouring ones."""
    generator = np.random.default_rng(seed)
    truth, reach = generator.integers(0, 5, 400), generator.uniform(0.15, 0.5, 50)

    def answer(item: int, person: int) -> int:
        weight: Floats = reach[person] ** np.abs(np.arange(5) - truth[item])
        return int(generator.choice(5, p=weight / weight.sum()))

    return rated(generator, truth, 50, (6, 6), answer)


def lazy(seed: int) -> Crowd:
    """Return a crowd in which three people of ten mostly give the first answer."""
    generator = np.random.default_rng(seed)
    truth, idle = generator.integers(0, 4, 400), generator.random(60) < 0.3

    def answer(item: int, person: int) -> int:
        if idle[person] and generator.random() < 0.8:
            return 0
        return int(truth[item]) if generator.random() < 0.85 else int(generator.integers(4))

    return rated(generator, truth, 60, (4, 4), answer)


def tired(seed: int) -> Crowd:
    """Return a crowd that gets worse the more it has rated."""
    generator = np.random.default_rng(seed)
    truth, chance = generator.integers(0, 3, 400), generator.uniform(0.8, 0.98, 60)

    def answer(item: int, person: int) -> int:
        right = generator.random() < chance[person]
        chance[person] = max(0.4, chance[person] - 0.012)
        return int(truth[item]) if right else other(generator, int(truth[item]), 3)

    return rated(generator, truth, 60, (5, 5), answer)


def alike(seed: int) -> Crowd:
    """Return a crowd that takes two of five classes for each other."""
    generator = np.random.default_rng(seed)
    truth, mixed_up = generator.integers(0, 5, 450), generator.beta(4, 8, 80)

    def answer(item: int, person: int) -> int:
        label = int(truth[item])
        if label in (1, 3) and generator.random() < mixed_up[person]:
            label = 4 - label
        return label if generator.random() > 0.07 else int(generator.integers(5))

    return rated(generator, truth, 80, (3, 3), answer)


def missed(seed: int) -> Crowd:
    """Return a crowd that misses a rare label in a third of its answers, the other in a tenth."""
    generator = np.random.default_rng(seed)
    truth = (generator.random(500) < 0.15).astype(np.int64)
    finds, leaves = generator.beta(6, 3, 100), generator.beta(18, 2, 100)

    def answer(item: int, person: int) -> int:
        right = generator.random() < (finds if truth[item] else leaves)[person]
        return int(truth[item]) if right else 1 - int(truth[item])

    return rated(generator, truth, 100, (5, 5), answer)


EVEN = (1.0, 1.0, 1.0)
STRANGERS: Mapping[str, Callable[[int], Crowd]] = {
    "30 items, 5 of 8 annotators each, 3 labels": partial(
        skilled, items=30, people=8, each=(5, 5), shares=EVEN, skill=(6, 3)
    ),
    "300 items, 2 of 2 annotators each, 3 labels": partial(
        skilled, items=300, people=2, each=(2, 2), shares=EVEN, skill=(6, 2)
    ),
    "400 items, 2 of 40 annotators each, 3 labels": partial(
        skilled, items=400, people=40, each=(2, 2), shares=EVEN, skill=(6, 3)
    ),
    "500 items, 5 of 60 annotators each, 20 labels": partial(
        skilled, items=500, people=60, each=(5, 5), shares=(1.0,) * 20, skill=(6, 3)
    ),
    "500 items, 5 of 50 annotators each, a label of 3 %": partial(
        skilled, items=500, people=50, each=(5, 5), shares=(0.97, 0.03), skill=(12, 2)
    ),
    "500 items, 5 of 100 annotators each, a label of 15 % that a third of answers miss": missed,
    "400 items, 4 of 60 annotators each, three in ten mostly give the first of 4 labels": lazy,
    "400 items, 5 of 60 annotators each, who get worse, 3 labels": tired,
    "400 items, 6 of 50 annotators each, errors go to neighbours, 5 labels": neighbours,
    "450 items, 3 of 80 annotators each, two of 5 labels are alike": alike,
    "400 items, 4 of 60 annotators each, 5 points": partial(
        on_a_scale, items=400, people=60, each=4, points=5
    ),
    "400 items, 10 of 60 annotators each, 5 points": partial(
        on_a_scale, items=400, people=60, each=10, points=5
    ),
    "300 items, 7 of 40 annotators each, 7 points": partial(
        on_a_scale, items=300, people=40, each=7, points=7
    ),
    "400 items, 6 of 60 annotators each, 5 points, a fifth careless": partial(
        on_a_scale, items=400, people=60, each=6, points=5, careless=0.2
    ),
}
