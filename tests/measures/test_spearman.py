from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

from measures.crowds import Floats, coded_of, mean_of_pairs, random_grid
from plausibly.measures.coded import code
from plausibly.measures.spearman import one_vs_rest_spearman, pairwise_spearman
from worlds.tables import ratings_of


def rho(one: Floats, other: Floats) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        return float(stats.spearmanr(one, other).statistic) if len(one) > 1 else float("nan")


def one_against_mean_of_others(grid: Floats) -> float:
    values = []
    for person in range(len(grid)):
        others = np.delete(grid, person, axis=0)
        meets = ~np.isnan(grid[person]) & ~np.isnan(others).all(axis=0)
        values.append(rho(grid[person, meets], np.nanmean(others[:, meets], axis=0)))
    return float(np.nanmean(values))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("answers", [(1, 2, 3, 4, 5), (0.1, 0.2, 0.3, 0.7)])
def test_both_figures_are_means_of_scipy_correlations(
    seed: int, answers: tuple[float, ...]
) -> None:
    grid = random_grid(seed, people=7, answers=answers)
    coded = coded_of(grid)
    exact = np.round(grid * 10)
    assert pairwise_spearman(coded).value == pytest.approx(mean_of_pairs(grid, rho), abs=1e-12)
    expected = one_against_mean_of_others(exact)
    assert one_vs_rest_spearman(coded).value == pytest.approx(expected, abs=1e-12)


def test_an_annotator_who_never_varies_is_left_out_and_counted() -> None:
    coded = code(ratings_of({"t1": "113", "t2": "223", "t3": "333"}))
    pairs = pairwise_spearman(coded)
    rest = one_vs_rest_spearman(coded)
    assert (pairs.value, pairs.counts["pairs_undefined"]) == (1, 2)
    assert (rest.value, rest.counts) == (1, {"annotators": 2, "annotators_undefined": 1})


def test_a_single_shared_item_has_no_correlation() -> None:
    coded = code(ratings_of({"t1": "12"}))
    assert "vary" in str(pairwise_spearman(coded).reason)
    assert "vary" in str(one_vs_rest_spearman(coded).reason)


def test_correlations_need_numbers_and_shared_items() -> None:
    words = code(ratings_of({"t1": ["x", "y"], "t2": ["y", "y"]}))
    apart = code(ratings_of({"t1": "1-", "t2": "-2"}))
    for measure in (pairwise_spearman, one_vs_rest_spearman):
        assert measure(words).reason == "answers are not numbers (first: 'x')"
        assert measure(apart).reason == "annotators a0 and a1 share no item"
