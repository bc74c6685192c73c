"""The interval of balanced accuracy holds for labels that hardly occur."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from plausibly.measures.graded import balanced_accuracies
from plausibly.measures.recall import mean_recall

Tables = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def drawn(sizes: tuple[int, ...], recall: float, generator: np.random.Generator) -> Tables:
    """Return clusters of three rows; half of the skill belongs to a cluster."""
    labels = generator.permutation(np.repeat(np.arange(len(sizes)), sizes))
    cluster = np.arange(len(labels)) // 3
    skill = generator.beta(2 * recall, 2 * (1 - recall), len(labels))[cluster]
    said = np.where(generator.random(len(labels)) < skill, labels, (labels + 1) % len(sizes))
    tables = np.zeros((int(cluster.max()) + 1, len(sizes), len(sizes)))
    np.add.at(tables, (cluster, labels, said), 1)
    return tables


@pytest.mark.parametrize("sizes", [(1, 50, 50, 100), (2, 200), (5, 60, 100), (30, 200)])
@pytest.mark.parametrize("recall", [0.7, 0.9])
def test_intervals_hold_the_truth_although_a_label_is_rare(
    sizes: tuple[int, ...], recall: float
) -> None:
    """Percentiles of resamples held it in 0 to 93 % of the cases."""
    generator = np.random.default_rng(28)
    found = [mean_recall(drawn(sizes, recall, generator)) for _ in range(200)]
    held = [(one.low or 0.0) <= recall <= (one.high or 0.0) for one in found]
    assert np.mean(held) >= 0.9


@given(arrays(np.float64, (4, 3, 3), elements=st.integers(0, 3).map(float)))
def test_limits_stay_in_range_and_hold_the_value(tables: Tables) -> None:
    measure = mean_recall(tables)
    value = float(balanced_accuracies(tables.sum(axis=0)[None])[0])
    if np.isnan(value):
        assert measure.value is None
        assert measure.reason
        return
    assert measure.value is not None
    assert measure.low is not None
    assert measure.high is not None
    assert measure.value == pytest.approx(value)
    assert 0 <= measure.low <= measure.value <= measure.high <= 1
    assert measure.low < measure.high
