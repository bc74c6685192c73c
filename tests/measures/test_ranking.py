"""Ranks of weighted rows, and what is computed from them, against scipy and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from plausibly.errors import StudyError
from plausibly.measures.ranking import (
    auc_draws,
    auc_parts,
    ranks_within,
    sorted_column,
    spearman_draws,
    spearman_within,
    unit_draws,
)

COLUMN = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=4, max_size=30)


@given(COLUMN, st.integers(0, 99))
def test_a_drawn_spearman_is_that_of_the_repeated_rows(
    rows: list[tuple[int, int]], seed: int
) -> None:
    said, truth = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    weights = next(unit_draws(np.arange(len(rows)), resamples=1, seed=seed))
    repeated = np.repeat(np.arange(len(rows)), weights[0].astype(int))
    rho = spearman_draws([sorted_column(said)], sorted_column(truth), weights)[0, 0]
    if len(set(said[repeated])) < 2 or len(set(truth[repeated])) < 2:
        assert np.isnan(rho)
    else:
        expected = stats.spearmanr(said[repeated], truth[repeated]).statistic
        assert rho == pytest.approx(expected)


@given(COLUMN, st.integers(0, 99))
def test_a_drawn_area_is_that_of_the_repeated_rows(rows: list[tuple[int, int]], seed: int) -> None:
    said, truth = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    positive = truth > 2
    weights = next(unit_draws(np.arange(len(rows)), resamples=1, seed=seed))
    repeated = np.repeat(np.arange(len(rows)), weights[0].astype(int))
    area = auc_draws([sorted_column(said)], positive, weights)[0, 0]
    if len(set(positive[repeated])) < 2:
        assert np.isnan(area)
    else:
        assert area == pytest.approx(roc_auc_score(positive[repeated], said[repeated]))


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6), st.booleans()), min_size=2, max_size=30
    )
)
def test_exchanging_two_models_scores_of_a_row_changes_the_sign_of_its_part(
    rows: list[tuple[int, int, bool]],
) -> None:
    first, second, exchanged = (np.array(column) for column in zip(*rows, strict=True))
    positive = np.arange(len(rows)) % 3 == 0
    parts = auc_parts(first.astype(float), second.astype(float), positive)
    swapped = np.where(exchanged, second, first), np.where(exchanged, first, second)
    areas = [roc_auc_score(positive, column) for column in swapped]
    assert (np.where(exchanged, -parts, parts)).sum() == pytest.approx(areas[0] - areas[1])


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 5)), min_size=1))
def test_spearman_within_groups_is_that_of_each_group(rows: list[tuple[int, int, int]]) -> None:
    names, said, truth = (np.array(column) for column in zip(*rows, strict=True))
    groups = np.unique(names, return_inverse=True)[1].astype(np.int64)
    rho = spearman_within(said, truth, groups)
    for group, value in enumerate(rho):
        own = groups == group
        if len(set(said[own])) < 2 or len(set(truth[own])) < 2:
            assert np.isnan(value)
        else:
            assert value == pytest.approx(stats.spearmanr(said[own], truth[own]).statistic)


def test_units_are_drawn_whole_and_as_many_as_there_are() -> None:
    units = np.array([0, 0, 1, 1, 2, 2])
    drawn = np.concatenate(list(unit_draws(units, resamples=50, seed=1)))
    assert drawn.shape == (50, 6)
    assert (drawn[:, 0] == drawn[:, 1]).all()
    assert (drawn[:, ::2].sum(axis=1) == 3).all()


def test_same_seed_same_draws() -> None:
    first, second = (
        np.concatenate(list(unit_draws(np.arange(9), resamples=20, seed=7))) for _ in range(2)
    )
    assert (first == second).all()


def test_nothing_to_rank_is_an_empty_column() -> None:
    assert ranks_within([], np.empty(0, dtype=np.int64)).tolist() == []


def test_a_score_that_is_not_a_number_is_refused() -> None:
    with pytest.raises(StudyError, match="1 of 2 scores are NaN"):
        sorted_column([1.0, float("nan")])
