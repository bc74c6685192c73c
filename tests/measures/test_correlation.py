from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from plausibly.errors import StudyError
from plausibly.measures.correlation import average_ranks, kendall, spearman


@pytest.mark.parametrize("seed", range(3))
def test_correlations_with_ties_are_those_of_scipy(seed: int) -> None:
    generator = np.random.default_rng(seed)
    x = generator.integers(6, size=50).astype(float)
    y = x + generator.integers(4, size=50)
    assert spearman(x, y).value == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert kendall(x, y).value == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    np.testing.assert_array_equal(average_ranks(y), stats.rankdata(y))


@pytest.mark.parametrize("measure", [spearman, kendall])
def test_undefined_correlations_say_why(measure: object) -> None:
    assert callable(measure)
    assert measure([1, 1], [1, 2]).reason == "all values of the first column are the same"
    assert measure([1, 2], [2, 2]).reason == "all values of the second column are the same"
    assert measure([1], [2]).reason == "1 rows are too few"
    assert measure([1, np.nan], [2, 3]).reason == "some values are missing or infinite"


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(StudyError, match="equal length"):
        spearman([1, 2], [1, 2, 3])
