"""A number of draws nobody waits for is refused by every measure that draws."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from plausibly.errors import StudyError
from plausibly.measures.permutation import sign_flip_test
from plausibly.measures.ranking import unit_draws
from plausibly.measures.ratios import ratio_bootstrap
from plausibly.measures.resampling import Resampling
from plausibly.measures.within_items import spearman_within

MANY = 10**30
HALVES = np.array([0.5, 1.5])
RANKED = pl.DataFrame({"item": ["a", "a"], "x": [1.0, 2.0], "y": [1.0, 2.0]})


@pytest.mark.parametrize(
    "draw",
    [
        lambda: Resampling(resamples=MANY),
        lambda: ratio_bootstrap(HALVES, np.ones(2), resamples=MANY),
        lambda: list(unit_draws(np.array([0, 1]), resamples=MANY, seed=1)),
        lambda: spearman_within(RANKED, resamples=MANY, seed=1),
        lambda: sign_flip_test(HALVES, permutations=MANY, seed=1),
    ],
)
def test_a_slip_of_the_keyboard_is_refused_before_anything_is_drawn(
    draw: Callable[[], object],
) -> None:
    with pytest.raises(StudyError, match=r"between 0 and 1,000,000"):
        draw()
