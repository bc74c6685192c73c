from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from plausibly.measures.coded import code
from plausibly.measures.masi import as_set, masi_alpha, masi_distance
from worlds.tables import ratings_of


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("ab", "ab", 0),
        ("", "", 0),
        ("a", "ab", 1 - 1 / 2 * 2 / 3),
        ("abc", "bcd", 1 - 2 / 4 * 1 / 3),
        ("ab", "cd", 1),
        ("", "a", 1),
    ],
)
def test_masi_follows_the_four_cases_of_passonneau(one: str, other: str, distance: float) -> None:
    assert masi_distance(frozenset(one), frozenset(other)) == pytest.approx(distance)
    assert masi_distance(frozenset(other), frozenset(one)) == pytest.approx(distance)


def alpha_by_loops(answers: dict[str, list[str]]) -> float:
    """Return alpha by walking over every two answers of an item, and every two answers at all."""
    units = [[as_set(a) for a in given] for given in answers.values() if len(given) > 1]
    observed = sum(
        2 * masi_distance(one, other) / (len(unit) - 1)
        for unit in units
        for one, other in combinations(unit, 2)
    )
    pool = [answer for unit in units for answer in unit]
    expected = sum(2 * masi_distance(one, other) for one, other in combinations(pool, 2))
    return 1 - (len(pool) - 1) * observed / expected


def test_alpha_with_masi_is_that_of_plain_loops() -> None:
    generator = np.random.default_rng(7)
    choices = ["i", "ii", "i;ii", "ii;iii", "i;ii;iii", "iii"]
    answers = {
        f"t{item}": generator.choice(choices, size=generator.integers(1, 5)).tolist()
        for item in range(25)
    }
    assert masi_alpha(code(ratings_of(answers))).value == pytest.approx(alpha_by_loops(answers))


def test_the_order_of_members_does_not_matter() -> None:
    coded = code(ratings_of({"t1": ["i;iii", "iii;i"], "t2": ["ii", "ii"]}))
    assert masi_alpha(coded).value == 1


def test_equal_sets_in_two_spellings_are_one_answer() -> None:
    measure = masi_alpha(code(ratings_of({"t1": ["i;iii", "iii;i"]})))
    assert (measure.value, measure.reason) == (None, "all answers are the same")
