"""Tests that compare two systems: against packages that have them, and against themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar
from statsmodels.stats.multitest import multipletests

from plausibly.errors import StudyError
from plausibly.measures.graded import macro_f1s
from plausibly.measures.holm import holm
from plausibly.measures.mcnemar import mcnemar
from plausibly.measures.permutation import sign_flip_test, swap_test

PROBABILITIES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.parametrize("number", [1, 2, 7, 30])
def test_holm_is_that_of_statsmodels(number: int) -> None:
    values = np.random.default_rng(number).beta(0.5, 3, size=number).round(2).tolist()
    expected = multipletests(values, method="holm")[1]
    np.testing.assert_allclose(holm(values), expected, rtol=1e-12)


@given(PROBABILITIES)
def test_a_corrected_p_is_never_smaller_nor_above_one(values: list[float]) -> None:
    assert all(p <= corrected <= 1 for p, corrected in zip(values, holm(values), strict=True))


def test_a_p_outside_its_range_is_refused() -> None:
    with pytest.raises(StudyError, match=r"\[0, 1\]"):
        holm([0.5, float("nan")])


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_mcnemar_is_that_of_statsmodels(rows: list[tuple[bool, bool]]) -> None:
    first, second = zip(*rows, strict=True)
    table = [[sum((a, b) == (x, y) for a, b in rows) for y in (True, False)] for x in (True, False)]
    expected = min(1.0, float(reference_mcnemar(table, exact=True).pvalue))
    assert mcnemar(first, second, exact=True) == pytest.approx(expected)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_mid_p_of_mcnemar_leaves_out_half_of_what_is_observed(
    rows: list[tuple[bool, bool]],
) -> None:
    first, second = zip(*rows, strict=True)
    only, differ = rows.count((True, False)), rows.count((True, False)) + rows.count((False, True))
    shares = stats.binom.pmf(np.arange(differ + 1), differ, 0.5)
    far = np.abs(2 * np.arange(differ + 1) - differ)
    own = abs(2 * only - differ)
    expected = shares[far > own].sum() + shares[far == own].sum() / 2 if differ else 1.0
    assert mcnemar(first, second) == pytest.approx(expected)
    assert mcnemar(first, second) == mcnemar(second, first)
    assert mcnemar(first, second) <= mcnemar(first, second, exact=True) <= 1


def test_mcnemar_of_other_items_is_refused() -> None:
    with pytest.raises(StudyError, match="2 and 1"):
        mcnemar([1, 0], [1])


def test_a_sign_flip_test_of_few_units_nears_the_exact_one() -> None:
    gaps = np.array([1.0, 2.0, 3.0, 4.0, -0.5])
    signs = np.array(np.meshgrid(*[[1, -1]] * 5)).reshape(5, -1)
    exact = float(np.mean(np.abs(gaps @ signs) >= abs(gaps.sum())))
    found = sign_flip_test(gaps, permutations=20_000, seed=3, exact=True)
    assert found == pytest.approx(exact, abs=0.01)


GAPS = st.lists(st.integers(-3, 3), min_size=1, max_size=30).map(lambda own: np.array(own, float))


@given(GAPS, st.integers(0, 99))
def test_a_mid_p_is_at_most_the_exact_p_and_the_same_for_both_orders(
    gaps: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int
) -> None:
    mid, exact = (
        sign_flip_test(gaps, permutations=99, seed=seed, exact=whole) for whole in (False, True)
    )
    assert 1 / 100 <= mid <= exact <= 1
    assert (exact + 0.01) / 2 <= mid + 1e-12
    assert sign_flip_test(-gaps, permutations=99, seed=seed) == mid


@given(st.integers(0, 99))
def test_a_mid_p_of_continuous_differences_is_the_exact_p(seed: int) -> None:
    gaps = np.random.default_rng(seed).normal(size=30)
    mid, exact = (
        sign_flip_test(gaps, permutations=99, seed=seed, exact=whole) for whole in (False, True)
    )
    assert mid == exact


@given(GAPS, st.integers(0, 99))
def test_ties_of_a_statistic_count_as_those_of_its_sums(
    gaps: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int
) -> None:
    first, second = np.maximum(gaps, 0)[:, None], np.maximum(-gaps, 0)[:, None]
    ours = [
        swap_test(
            first, second, lambda sums: sums[:, 0] / 3, permutations=99, seed=seed, exact=whole
        )
        for whole in (False, True)
    ]
    theirs = [
        sign_flip_test(gaps, permutations=99, seed=seed, exact=whole) for whole in (False, True)
    ]
    assert ours == pytest.approx(theirs)


def test_a_mid_p_nears_its_level_where_the_exact_test_is_cautious() -> None:
    """Of 25 units of three items each, most are all right in both systems."""
    generator = np.random.default_rng(8)
    chances = generator.beta(8, 1, size=(2, 1500, 25))
    right = generator.binomial(3, chances).astype(float)
    ps = [
        [sign_flip_test(gap, permutations=199, seed=n, exact=exact) for exact in (False, True)]
        for n, gap in enumerate(right[0] - right[1])
    ]
    mid, exact = np.mean(np.array(ps) <= 0.05, axis=0)
    assert exact < 0.033
    assert 0.035 < mid < 0.065


def test_a_sign_flip_test_is_level_when_there_is_nothing() -> None:
    generator = np.random.default_rng(5)
    small = [
        sign_flip_test(generator.normal(size=40), permutations=200, seed=number) <= 0.1
        for number in range(200)
    ]
    assert 0.05 < np.mean(small) < 0.16


def test_a_swap_test_of_sums_is_the_sign_flip_test() -> None:
    generator = np.random.default_rng(1)
    first, second = generator.normal(0.3, 1, size=(60, 1)), generator.normal(size=(60, 1))
    one = swap_test(first, second, lambda totals: totals[:, 0], permutations=4000, seed=2)
    other = sign_flip_test((first - second)[:, 0], permutations=4000, seed=2)
    assert one == pytest.approx(other, abs=0.02)


def test_exchanging_the_systems_changes_no_p() -> None:
    generator = np.random.default_rng(4)
    first = generator.integers(0, 3, size=(50, 4)).astype(float)
    second = generator.integers(0, 3, size=(50, 4)).astype(float)

    def f1(totals: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> object:
        return macro_f1s(totals.reshape(-1, 2, 2))

    one = swap_test(first, second, f1, permutations=500, seed=1)  # type: ignore[arg-type]
    other = swap_test(second, first, f1, permutations=500, seed=1)  # type: ignore[arg-type]
    assert one == other


def test_equal_systems_have_p_one() -> None:
    table = np.ones((3, 4))
    assert swap_test(table, table, lambda totals: totals[:, 0]) == 1.0


def test_no_permutation_is_no_test() -> None:
    with pytest.raises(StudyError, match="permutations"):
        sign_flip_test(np.ones(3), permutations=0)
