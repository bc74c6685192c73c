from __future__ import annotations

import numpy as np
import pytest

from measures.crowds import Floats, coded_of, mean_of_pairs, random_grid
from plausibly.errors import StudyError
from plausibly.measures.coded import code
from plausibly.measures.jaccard import parse_sides, soft_jaccard, soft_jaccard_by_annotator
from worlds.tables import ratings_of

SIDES = parse_sides("1,2|4,5")


def same_side(one: Floats, other: Floats) -> float:
    below = (one < 3) & (other < 3)
    above = (one > 3) & (other > 3)
    return float(np.mean(below | above))


@pytest.mark.parametrize("seed", range(3))
def test_soft_jaccard_is_the_mean_share_of_one_side_over_pairs(seed: int) -> None:
    grid = random_grid(seed, people=9)
    expected = mean_of_pairs(grid, same_side)
    assert soft_jaccard(coded_of(grid), sides=SIDES).value == pytest.approx(expected)


def test_without_sides_answers_must_be_equal() -> None:
    grid = random_grid(5)
    expected = mean_of_pairs(grid, lambda one, other: float(np.mean(one == other)))
    assert soft_jaccard(coded_of(grid)).value == pytest.approx(expected)


def test_pairs_that_share_no_item_are_counted_and_left_out() -> None:
    measure = soft_jaccard(code(ratings_of({"t1": "12--", "t2": "--45"})), sides=SIDES)
    assert measure.value == 1
    assert measure.as_json() == {
        "value": 1.0,
        "n": 2,
        "low": None,
        "high": None,
        "pairs": 2,
        "pairs_without_overlap": 4,
        "pairs_undefined": 0,
    }


def test_an_answer_on_no_side_agrees_with_nothing_and_stays_in_the_union() -> None:
    coded = code(ratings_of({"t1": "33", "t2": "45"}))
    assert soft_jaccard(coded, sides=SIDES).value == 0.5


def test_sides_match_numbers_however_they_are_written() -> None:
    coded = code(ratings_of({"t1": ["4.0", "5"]}))
    assert soft_jaccard(coded, sides=SIDES).value == 1


def test_each_annotator_has_the_mean_over_its_pairs() -> None:
    coded = code(ratings_of({"t1": "114-", "t2": "154-", "t3": "---1"}))
    means = soft_jaccard_by_annotator(coded, sides=SIDES)
    assert means.rows() == [
        ("a0", 0.25, 2),
        ("a1", 0.5, 2),
        ("a2", 0.25, 2),
        ("a3", None, 0),
    ]


def test_the_mean_by_annotator_matches_a_loop_over_pairs() -> None:
    grid = random_grid(2, people=7)
    means = soft_jaccard_by_annotator(coded_of(grid), sides=SIDES)["value"].to_list()
    for person, mean in enumerate(means):
        others = np.delete(grid, person, axis=0)
        own = [mean_of_pairs(np.stack([grid[person], other]), same_side) for other in others]
        assert mean == pytest.approx(np.mean(own))


def test_sides_that_no_answer_lies_on_are_a_reason() -> None:
    coded = code(ratings_of({"t1": ["yes", "no"]}))
    measure = soft_jaccard(coded, sides=SIDES)
    assert (measure.value, measure.reason) == (None, "none of the answers lies on a side")


@pytest.mark.parametrize(
    ("text", "message"),
    [("1,2||4", "a side is empty"), ("", "a side is empty"), ("1,2|2.0,3", "lies on two sides")],
)
def test_malformed_sides_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        parse_sides(text)
