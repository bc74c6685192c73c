"""Ratios of sums over units, resampled by unit."""

from __future__ import annotations

import numpy as np
import pytest

from plausibly.domain import Measure
from plausibly.measures.ratios import ratio_bootstrap
from plausibly.measures.resampling import cluster_bootstrap


def test_the_value_is_the_ratio_of_the_sums_and_not_the_mean_of_ratios() -> None:
    measure = ratio_bootstrap(np.array([1.0, 0.0]), np.array([1.0, 4.0]), resamples=0)
    assert measure == Measure(0.2, 2)


def test_nothing_counted_is_no_value() -> None:
    empty = np.zeros(0)
    assert ratio_bootstrap(empty, empty) == Measure(None, 0, reason="nothing is counted")
    assert ratio_bootstrap(np.zeros(3), np.zeros(3)).reason == "nothing is counted"


def test_the_same_seed_gives_the_same_interval() -> None:
    numerator, denominator = np.arange(30.0), np.full(30, 30.0)
    one = ratio_bootstrap(numerator, denominator, seed=4)
    assert one == ratio_bootstrap(numerator, denominator, seed=4)
    assert one != ratio_bootstrap(numerator, denominator, seed=5)


def test_units_that_are_all_alike_leave_room_for_others() -> None:
    measure = ratio_bootstrap(np.full(5, 1.0), np.full(5, 2.0))
    unlike = 1 - 0.025 ** (1 / 5)
    assert (measure.value, measure.method) == (0.5, "bootstrap")
    assert measure.low == pytest.approx(0.5 - unlike / 2)
    assert measure.high == pytest.approx(0.5 + unlike / 2)


def test_none_of_many_has_an_exact_limit() -> None:
    measure = ratio_bootstrap(np.zeros(115), np.ones(115))
    assert (measure.value, measure.low, measure.method) == (0.0, 0.0, "exact")
    assert measure.high == pytest.approx(0.0316, abs=1e-4)
    stories = ratio_bootstrap(np.zeros(115), np.full(115, 2.0))
    assert stories.low == 0.0
    assert stories.high == pytest.approx(0.0316, abs=1e-4)


def test_many_units_are_drawn_in_pieces_without_changing_the_number_of_draws(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plausibly.measures.ratios._AT_ONCE", 50)
    numerator, denominator = np.arange(20.0), np.full(20, 20.0)
    small = ratio_bootstrap(numerator, denominator, resamples=401, seed=1)
    monkeypatch.undo()
    assert small == ratio_bootstrap(numerator, denominator, resamples=401, seed=1)


def test_the_interval_is_that_of_the_general_bootstrap_within_sampling_error() -> None:
    right = np.random.default_rng(7).integers(2, size=60).astype(np.float64)

    def mean(rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Measure:
        return Measure(float(right[rows].mean()), len(rows))

    ours = ratio_bootstrap(right, np.ones(60), resamples=4000)
    theirs = cluster_bootstrap(mean, np.arange(60), resamples=4000)
    assert ours.value == pytest.approx(theirs.value)
    assert ours.low == pytest.approx(theirs.low, abs=0.03)
    assert ours.high == pytest.approx(theirs.high, abs=0.03)


def test_no_limit_lies_outside_what_the_units_can_give() -> None:
    numerator, denominator = np.array([4.0, 1.0, 0.0, 2.0]), np.array([4.0, 1.0, 2.0, 2.0])
    for seed in range(50):
        measure = ratio_bootstrap(numerator, denominator, resamples=3, seed=seed)
        assert measure.low is not None
        assert measure.high is not None
        assert 0.0 <= measure.low <= measure.high <= 1.0
