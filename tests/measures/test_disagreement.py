"""Whether disagreement belongs to items."""

from __future__ import annotations

import numpy as np

from plausibly.measures.disagreement import entropy_reliability


def test_items_that_differ_in_disagreement_have_reliable_entropies() -> None:
    draw = np.random.default_rng(1)
    item = np.repeat(np.arange(200), 20)
    divided = (np.arange(200) % 2 == 0)[item]
    answer = np.where(divided, draw.integers(0, 5, len(item)), 2)
    measure = entropy_reliability(item, answer)
    assert measure.value is not None
    assert measure.low is not None
    assert measure.low > 0.9


def test_chance_disagreement_is_not_reliable() -> None:
    draw = np.random.default_rng(2)
    item = np.repeat(np.arange(300), 10)
    measure = entropy_reliability(item, draw.integers(0, 5, len(item)))
    assert measure.low is not None
    assert measure.high is not None
    assert measure.low < 0.1
    assert measure.high < 0.4


def test_too_few_ratings_have_a_reason() -> None:
    item = np.repeat(np.arange(50), 3)
    assert entropy_reliability(item, item % 2).reason is not None


def test_the_seed_decides_the_splits() -> None:
    draw = np.random.default_rng(3)
    item = np.repeat(np.arange(60), 6)
    answer = draw.integers(0, 3, len(item))
    one, same, other = (entropy_reliability(item, answer, seed=seed).value for seed in (1, 1, 2))
    assert one == same != other
