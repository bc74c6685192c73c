"""Regressions that learn the shares of all answers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.errors import StudyError
from plausibly.models.soft import fit_soft, soft_shares


def crowd(items: int = 400, raters: int = 9) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(1)
    table = generator.normal(size=(items, 3))
    logits = table @ generator.normal(size=(3, 4))
    truth = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return table, generator.multinomial(raters, truth).astype(float), truth


def test_the_shares_that_made_the_answers_come_back() -> None:
    table, counts, truth = crowd()
    found = soft_shares(table, fit_soft(table, counts, penalty=0.1))
    assert np.abs(found - truth).mean() < 0.02


@settings(max_examples=20, deadline=None)
@given(st.floats(0.1, 1e6))
def test_a_large_penalty_leads_to_the_shares_of_all(penalty: float) -> None:
    table, counts, _ = crowd(50)
    found = soft_shares(table, fit_soft(table, counts, penalty=penalty))
    np.testing.assert_allclose(found.sum(axis=1), 1)
    if penalty > 1e5:
        alike = np.tile(counts.sum(axis=0) / counts.sum(), (50, 1))
        np.testing.assert_allclose(found, alike, atol=0.02)


def test_a_penalty_of_nothing_is_refused() -> None:
    table, counts, _ = crowd(10)
    with pytest.raises(StudyError, match="above 0"):
        fit_soft(table, counts, penalty=0.0)
