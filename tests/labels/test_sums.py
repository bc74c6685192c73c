"""What MACE computes with instead of whole libraries equals what they compute."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special
from scipy.sparse import csr_array

from plausibly.labels._digamma import digamma
from plausibly.labels._sums import Sums


def test_digamma_is_scipys() -> None:
    numbers = np.concatenate([np.logspace(-6, 8, 500), np.linspace(0.01, 20, 500)])
    assert digamma(numbers) == pytest.approx(special.digamma(numbers), rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_sums_are_products_with_a_matrix_of_ones(seed: int) -> None:
    draw = np.random.default_rng(seed)
    counts = draw.integers(0, 4, size=6)
    ends = np.append(0, counts.cumsum()).astype(np.int32)
    columns = draw.integers(0, 5, size=int(ends[-1])).astype(np.int32)
    ones = np.ones(len(columns))
    matrix = csr_array((ones, columns, ends), shape=(6, 5))
    sums = Sums(columns, ends, ones, 5)
    wide, tall = draw.normal(size=(5, 3)), draw.normal(size=(6, 3))
    assert sums.of_columns(wide) == pytest.approx(matrix @ wide)
    assert sums.of_rows(tall) == pytest.approx(matrix.T @ tall)
