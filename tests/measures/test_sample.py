from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from measures.crowds import Floats, coded_of, frame_of, random_grid
from plausibly.measures import chance, cohen, jaccard, krippendorff, spearman
from plausibly.measures._crossing import Crossing
from plausibly.measures._sample import Sample, Statistic
from plausibly.measures.coded import code

STATISTICS: Mapping[str, Statistic] = {
    **{metric: krippendorff.alpha(metric) for metric in krippendorff.METRICS},
    "fleiss": chance.fleiss,
    "ac1": chance.ac1,
    "ac2": chance.ac2,
    "percent": chance.percent,
    "jaccard": jaccard.jaccard(jaccard.parse_sides("1,2|4,5")),
    "kappa": cohen.kappa(),
    "linear": cohen.kappa("linear"),
    "quadratic": cohen.kappa("quadratic"),
    "pairwise": spearman.pairwise,
    "one_vs_rest": spearman.one_vs_rest,
}


def value_of(statistic: Statistic, sample: Sample) -> float:
    value = statistic(sample).value
    assert value is not None
    return value


@pytest.mark.parametrize("name", STATISTICS)
def test_an_item_drawn_twice_counts_like_two_items(name: str) -> None:
    grid = random_grid(1)
    drawn = np.random.default_rng(0).integers(1, 4, size=(grid.shape[1],))
    weighted = Sample(Crossing(coded_of(grid)), item=drawn.astype(np.float64))
    copied = Sample(Crossing(coded_of(np.repeat(grid, drawn, axis=1))))
    statistic = STATISTICS[name]
    assert value_of(statistic, weighted) == pytest.approx(value_of(statistic, copied), abs=1e-12)


@pytest.mark.parametrize("name", [name for name in STATISTICS if name != "one_vs_rest"])
def test_an_item_or_annotator_not_drawn_counts_like_an_absent_one(name: str) -> None:
    grid = random_grid(2, people=6)
    items = np.ones(grid.shape[1])
    items[::4] = 0
    people = np.array([1, 1, 0, 1, 1, 1.0])
    weighted = Sample(Crossing(coded_of(grid)), items, people)
    rest = Sample(Crossing(coded_of(grid[people > 0][:, items > 0])))
    statistic = STATISTICS[name]
    assert value_of(statistic, weighted) == pytest.approx(value_of(statistic, rest), abs=1e-12)


def coratings(grid: Floats, people: Floats) -> list[list[tuple[float, float, float]]]:
    """Return for each item every two answers of different people, and how often both were drawn."""
    return [
        [
            (column[one], column[other], people[one] * people[other])
            for one, other in combinations(range(len(people)), 2)
            if not np.isnan(column[[one, other]]).any() and people[one] * people[other] > 0
        ]
        for column in grid.T
    ]


def test_an_annotator_drawn_twice_is_not_compared_with_its_copy() -> None:
    grid = random_grid(3)
    people = np.array([2, 0, 3, 1, 1, 0.0])
    sample = Sample(Crossing(coded_of(grid)), annotator=people)
    shares = [
        sum(w for one, other, w in item if one == other) / sum(w for *_, w in item)
        for item in coratings(grid, people)
        if item
    ]
    assert value_of(chance.percent, sample) == pytest.approx(np.mean(shares))


def test_a_pair_counts_as_often_as_both_were_drawn() -> None:
    grid = random_grid(4)
    people = np.array([2, 0, 3, 1, 1, 0.0])
    values, weights = [], []
    for one, other in combinations(range(len(people)), 2):
        shared = ~np.isnan(grid[[one, other]]).any(axis=0)
        values.append(np.mean(grid[one, shared] == grid[other, shared]))
        weights.append(people[one] * people[other])
    sample = Sample(Crossing(coded_of(grid)), annotator=people)
    expected = np.average(values, weights=weights)
    assert value_of(jaccard.jaccard(), sample) == pytest.approx(expected)


def test_alpha_of_drawn_annotators_pairs_only_different_people() -> None:
    grid = random_grid(5)
    people = np.array([2, 0, 3, 1, 1, 1.0])
    observed = 0.0
    given: dict[float, float] = {}
    for column, item in zip(grid.T, coratings(grid, people), strict=True):
        if item:
            rated = ~np.isnan(column)
            apart = sum(w for one, other, w in item if one != other) / sum(w for *_, w in item)
            observed += float(people[rated].sum()) * apart
            for answer, weight in zip(column[rated], people[rated], strict=True):
                given[answer] = given.get(answer, 0) + weight
    total = sum(given.values())
    expected = (total**2 - sum(count**2 for count in given.values())) / (total - 1)
    sample = Sample(Crossing(coded_of(grid)), annotator=people)
    assert value_of(krippendorff.alpha("nominal"), sample) == pytest.approx(1 - observed / expected)


def test_a_sample_without_pairs_says_so() -> None:
    crossing = Crossing(coded_of(random_grid(6, people=3)))
    alone = Sample(crossing, annotator=np.array([3, 0, 0.0]))
    for name, statistic in STATISTICS.items():
        outcome = statistic(alone)
        if name != "one_vs_rest":
            assert outcome.value is None, name
            assert outcome.reason, name


def test_drawing_annotators_leaves_the_others_all_others() -> None:
    grid = random_grid(6, people=4)
    crossing = Crossing(coded_of(grid))

    def of(people: list[float]) -> float:
        return value_of(spearman.one_vs_rest, Sample(crossing, annotator=np.array(people)))

    assert of([2, 0, 0, 0]) == pytest.approx(of([1, 0, 0, 0]))
    assert of([2, 1, 0, 0]) == pytest.approx((2 * of([1, 0, 0, 0]) + of([0, 1, 0, 0])) / 3)


def test_a_design_lists_pairs_in_the_order_of_names() -> None:
    ratings = frame_of(random_grid(7)).sample(fraction=1, shuffle=True, seed=1)
    crossing = Crossing(code(ratings))
    assert (crossing.pairs.left < crossing.pairs.right).all()
    assert len(crossing.pairs.item) == crossing.n_coratings
    shared = ratings.group_by("item").len().filter(pl.col("len") > 1)
    assert crossing.paired_items == shared.height
