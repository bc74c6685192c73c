"""Tau-b of cross tables is scipy's, and its interval comes from units."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from plausibly.measures.association import table_association

CASES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=30
)


@given(CASES)
def test_tau_b_of_a_cross_table_is_that_of_its_cases(cases: list[tuple[int, int, int]]) -> None:
    tables = np.zeros((4, 4, 3))
    for case in cases:
        tables[case] += 1
    tau = table_association(tables, resamples=0)
    expected = stats.kendalltau([c[1] for c in cases], [c[2] for c in cases]).statistic
    if np.isnan(expected):
        assert tau.value is None
        assert tau.reason
    else:
        assert tau.value == pytest.approx(expected)


def test_the_interval_is_about_units_and_holds_the_value() -> None:
    tables = np.random.default_rng(1).integers(0, 4, size=(30, 3, 2)).astype(float)
    tau = table_association(tables, seed=1)
    assert tau.n == 30
    assert tau.value is not None
    assert tau.low is not None
    assert tau.high is not None
    assert -1 <= tau.low < tau.value < tau.high <= 1
    assert table_association(tables, seed=1) == tau
    assert table_association(tables[:0]).reason == "nobody answered both questions"
