"""Distances of distributions, and the floor a perfect model meets."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats
from scipy.spatial.distance import jensenshannon

from plausibly.errors import StudyError
from plausibly.evaluation.soft import Scale, Shared, score_soft
from plausibly.measures.dirichlet import fit_dirichlet_multinomial, perfect_models
from plausibly.measures.distances import DISTANCES, cross_entropy, entropy, manhattan, wasserstein

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
ROWS = hnp.arrays(np.float64, (2, 4), elements=st.floats(0.01, 1)).map(
    lambda table: table / table.sum(axis=1, keepdims=True)
)
POSITIONS = np.array([1.0, 2.0, 4.0, 5.0])


@given(ROWS)
def test_distances_are_those_of_scipy(rows: Floats) -> None:
    people, model = rows[:1], rows[1:]
    moved = stats.wasserstein_distance(POSITIONS, POSITIONS, people[0], model[0])
    assert wasserstein(POSITIONS)(people, model)[0] == pytest.approx(moved, abs=1e-12)
    shared = jensenshannon(people[0], model[0], base=2) ** 2
    assert DISTANCES["jsd"](people, model)[0] == pytest.approx(shared, abs=1e-9)
    away = stats.entropy(people[0], model[0])
    assert DISTANCES["kl_people_model"](people, model)[0] == pytest.approx(away, abs=1e-9)


@given(ROWS)
def test_a_distribution_is_nearest_to_itself(rows: Floats) -> None:
    people, model = rows[:1], rows[1:]
    assert manhattan(people, people)[0] == 0
    assert cross_entropy(people, people)[0] <= cross_entropy(people, model)[0] + 1e-12
    assert DISTANCES["soft_accuracy"](people, people)[0] == pytest.approx(1)
    assert entropy(people)[0] <= np.log(4) + 1e-12


def test_the_parameters_of_a_dirichlet_multinomial_come_back() -> None:
    generator = np.random.default_rng(1)
    alpha = np.array([0.8, 0.5, 1.5, 1.0])
    truth = generator.dirichlet(alpha, size=4000)
    counts = generator.multinomial(9, truth).astype(float)
    np.testing.assert_allclose(fit_dirichlet_multinomial(counts), alpha, rtol=0.12)


def test_the_floor_is_the_true_one_and_plugging_shares_in_is_too_low() -> None:
    generator = np.random.default_rng(2)
    truth = generator.dirichlet([0.9, 0.8, 1.9, 1.4], size=1500)
    counts = generator.multinomial(9, truth).astype(float)
    shares = counts / 9
    true_floor = manhattan(shares, truth).mean()
    drawn = [manhattan(people, model).mean() for people, model in perfect_models(counts, draws=20)]
    plugged = generator.multinomial(9, shares) / 9
    assert np.mean(drawn) == pytest.approx(true_floor, rel=0.03)
    assert manhattan(plugged, shares).mean() < 0.9 * true_floor


def test_one_item_does_not_say_how_answers_scatter() -> None:
    with pytest.raises(StudyError, match="two items"):
        fit_dirichlet_multinomial(np.array([[1.0, 2.0]]))


def test_means_are_compared_and_a_tie_is_never_right() -> None:
    scale = Scale(("1", "2", "4", "5"), (1.0, 2.0, 4.0, 5.0))
    counts = np.array([[6, 2, 0, 0], [0, 0, 3, 5], [4, 0, 0, 4], [0, 1, 7, 0]], dtype=np.float64)
    model = np.array([[1, 0, 0, 0], [0, 0, 0.5, 0.5], [0.5, 0, 0, 0.5], [0, 0, 0.4, 0.6]])
    shared = Shared(pl.Series(list("abcd")), counts, model, 4, np.arange(4))
    found = score_soft(shared, scale, model="m", resamples=50, seed=1).slices["all"]
    right = found["decided_accuracy"]
    assert right.value == pytest.approx(1 / 3)  # c is divided, b tied
    assert right.n == 3
    means = np.array([1.25, 4.625, 3.0, 3.75]), np.array([1.0, 4.5, 3.0, 4.6])
    assert found["mean_mae"].value == pytest.approx(np.abs(means[0] - means[1]).mean())
    assert found["mean_spearman"].value == pytest.approx(stats.spearmanr(*means).statistic)
