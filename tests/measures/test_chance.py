from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats import inter_rater

from measures.crowds import Floats, coded_of, random_grid
from plausibly.measures.chance import fleiss_kappa, gwet_ac1, gwet_ac2, percent_agreement
from plausibly.measures.coded import Coded, code
from worlds.tables import ratings_of

# Four people, twelve items, gaps: the example of Gwet's handbook, with its published results.
WORKED: Floats = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, np.nan, np.nan, np.nan],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, np.nan, 3],
        [np.nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, np.nan],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, np.nan],
    ]
)


def complete(seed: int) -> Floats:
    return np.random.default_rng(seed).integers(1, 5, size=(5, 30)).astype(np.float64)


def gwet(grid: Floats, weights: Floats) -> float:
    """Return Gwet's coefficient by loops over items and answers, as the handbook writes it."""
    answers = np.unique(grid[~np.isnan(grid)])
    counts = np.array([[(column == a).sum() for a in answers] for column in grid.T], dtype=float)
    counts = counts[counts.sum(axis=1) > 0]
    observed = []
    for row in counts:
        n = row.sum()
        if n > 1:
            near = weights @ row
            observed.append(sum(row * (near - 1)) / (n * (n - 1)))
    shares = (counts / counts.sum(axis=1, keepdims=True)).mean(axis=0)
    q = len(answers)
    by_chance = weights.sum() / (q * (q - 1)) * (shares * (1 - shares)).sum()
    return float((np.mean(observed) - by_chance) / (1 - by_chance))


@pytest.mark.parametrize("seed", range(5))
def test_fleiss_kappa_is_that_of_statsmodels(seed: int) -> None:
    grid = complete(seed)
    counts, _ = inter_rater.aggregate_raters(grid.T)
    expected = inter_rater.fleiss_kappa(counts, method="fleiss")
    assert fleiss_kappa(coded_of(grid)).value == pytest.approx(expected, abs=1e-12)


def test_the_worked_example_of_gwet_comes_out_as_published() -> None:
    coded = coded_of(WORKED)
    assert percent_agreement(coded).value == pytest.approx(0.81818, abs=5e-6)
    assert fleiss_kappa(coded).value == pytest.approx(0.76117, abs=5e-6)
    assert gwet_ac1(coded).value == pytest.approx(0.77544, abs=5e-6)


@pytest.mark.parametrize("seed", range(5))
def test_ac1_and_ac2_follow_the_handbook_on_gaps_and_uneven_scales(seed: int) -> None:
    points = np.array([1, 2, 4, 9.0])
    grid = random_grid(seed, answers=tuple(points))
    coded = coded_of(grid)
    quadratic = 1 - ((points[:, None] - points) / np.ptp(points)) ** 2
    assert gwet_ac1(coded).value == pytest.approx(gwet(grid, np.eye(4)), abs=1e-12)
    assert gwet_ac2(coded).value == pytest.approx(gwet(grid, quadratic), abs=1e-12)


def test_percent_agreement_is_the_mean_share_of_equal_pairs_in_an_item() -> None:
    coded = code(ratings_of({"t1": "112", "t2": "11-", "t3": "3--"}))
    assert percent_agreement(coded).value == pytest.approx((1 / 3 + 1) / 2)


def test_one_and_the_same_answer_is_full_agreement_but_no_kappa() -> None:
    coded = code(ratings_of({"t1": "22", "t2": "22"}))
    assert percent_agreement(coded).value == 1
    for measure in (fleiss_kappa(coded), gwet_ac1(coded), gwet_ac2(coded)):
        assert (measure.value, measure.reason) == (None, "all answers are the same")


def test_ac2_needs_numbers() -> None:
    coded: Coded = code(ratings_of({"t1": ["yes", "no"], "t2": ["no", "no"]}))
    assert gwet_ac1(coded).value is not None
    assert gwet_ac2(coded).reason == "answers are not numbers (first: 'no')"


def test_a_single_annotator_is_named() -> None:
    coded = code(ratings_of({"t1": "1", "t2": "2"}))
    assert fleiss_kappa(coded).reason == "the only annotator is a0"
