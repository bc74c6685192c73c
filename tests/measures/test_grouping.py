from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from plausibly.measures._grouping import distinct, pairs_within, quotients, running_totals


@pytest.mark.parametrize("size", [30, 1 << 40])
def test_distinct_codes_are_found_whether_the_range_is_small_or_huge(size: int) -> None:
    codes = np.random.default_rng(0).integers(30, size=200)
    known, place = distinct(codes, size=size)
    np.testing.assert_array_equal(known, np.unique(codes))
    np.testing.assert_array_equal(known[place], codes)


def test_every_pair_of_a_group_is_listed_once() -> None:
    group = np.sort(np.random.default_rng(1).integers(8, size=30))
    first, second = pairs_within(group)
    expected = {(i, j) for i, j in combinations(range(30), 2) if group[i] == group[j]}
    assert set(zip(first.tolist(), second.tolist(), strict=True)) == expected
    assert len(first) == len(expected)


@pytest.mark.parametrize("group", [[], [0, 1, 2]])
def test_groups_of_one_have_no_pairs(group: list[int]) -> None:
    first, second = pairs_within(np.array(group, dtype=np.int64))
    assert len(first) == len(second) == 0


def test_running_totals_start_anew_in_each_group() -> None:
    group = np.array([0, 0, 1, 1, 1])
    totals = running_totals(np.array([1, 2, 3, 4, 5.0]), group, np.array([3, 12.0]))
    assert totals.tolist() == [1, 3, 3, 7, 12]


def test_a_share_of_nothing_is_not_a_number() -> None:
    shares = quotients(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    assert shares[0] == 0.5
    assert np.isnan(shares[1])
