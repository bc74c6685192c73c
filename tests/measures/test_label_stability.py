"""Whether another panel gives the same labels, against panels that were really drawn again."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.measures.coded import code
from plausibly.measures.label_stability import (
    UNDECIDED,
    Classes,
    answers_as_classes,
    halves_of_scale,
    label_stability,
    some_items,
)
from plausibly.measures.resampling import Resampling

Ints = npt.NDArray[np.int64]


def panels(ratings: int, top: int, spread: float, seed: int) -> tuple[Ints, Ints]:
    """Return two panels' answers about the same 400 items."""
    draw = np.random.default_rng(seed)
    place = draw.normal(0, spread, 400)[:, None]
    felt = (top + 1) / 2 + place + draw.normal(0, 1, (2, 400, ratings))
    answers = np.clip(np.round(felt), 1, top).astype(np.int64)
    return answers[0], answers[1]


def ratings_of(answers: Ints) -> pl.DataFrame:
    items, each = answers.shape
    return pl.DataFrame(
        {
            "item": [f"t{number:03d}" for number in np.repeat(np.arange(items), each)],
            "annotator": [f"a{number}" for number in range(items * each)],
            "answer": answers.ravel().astype(str),
        }
    )


def labels(answers: Ints, classes: Classes, top: int) -> Ints:
    counts = np.stack([(answers == value).sum(axis=1) for value in range(1, top + 1)], axis=1)
    return classes.labels(classes.counts(counts.astype(np.float64)))


@pytest.mark.parametrize(
    ("ratings", "top", "spread"), [(3, 2, 1.0), (3, 5, 2.5), (10, 5, 1.0), (20, 5, 2.5)]
)
def test_it_foresees_how_many_labels_another_panel_repeats(
    ratings: int, top: int, spread: float
) -> None:
    foreseen, repeated = [], []
    for seed in range(6):
        one, other = panels(ratings, top, spread, seed)
        coded = code(ratings_of(one))
        classes = halves_of_scale(coded, (1.0, float(top)))
        value = label_stability(coded, classes).value
        assert value is not None
        foreseen.append(value)
        same = labels(one, classes, top) == labels(other, classes, top)
        repeated.append(float(same.mean()))
    assert np.mean(foreseen) == pytest.approx(np.mean(repeated), abs=0.035)


def test_three_equal_answers_do_not_make_an_item_certain() -> None:
    draw = np.random.default_rng(0)
    coin = draw.integers(1, 3, (300, 3))
    coded = code(ratings_of(coin))
    value = label_stability(coded, answers_as_classes(coded)).value
    assert value is not None
    assert value < 0.6


def test_full_agreement_is_stable() -> None:
    answers = np.repeat(np.arange(200)[:, None] % 3 + 1, 5, axis=1)
    coded = code(ratings_of(answers))
    measure = label_stability(coded, answers_as_classes(coded), resampling=Resampling("items", 10))
    assert measure.value is not None
    assert measure.value > 0.97
    assert measure.low is not None
    assert measure.low > 0.9


def test_ties_are_undecided() -> None:
    most, ends = Classes(np.arange(3), 3, "most"), Classes(np.arange(3), 3, "ends")
    counts = np.array([[2, 2, 0], [1, 3, 2], [2, 5, 2]])
    assert most.labels(counts).tolist() == [UNDECIDED, 1, 1]
    assert ends.labels(counts).tolist() == [0, 2, UNDECIDED]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_it_is_a_share_and_the_order_of_rows_does_not_matter(seed: int) -> None:
    ratings = ratings_of(panels(4, 5, 1.0, seed)[0][:30])
    shuffled = ratings.sample(fraction=1.0, shuffle=True, seed=seed)
    values = []
    for one in (ratings, shuffled):
        coded = code(one)
        values.append(label_stability(coded, halves_of_scale(coded, (1.0, 5.0))).value)
    assert values[0] is not None
    assert 0 <= values[0] <= 1
    assert values[0] == pytest.approx(values[1])


def test_some_items_keep_all_their_ratings() -> None:
    ratings = ratings_of(panels(4, 5, 1.0, 0)[0])
    some = some_items(ratings, most=50, seed=1)
    assert (some.n_items, some.n_ratings) == (50, 200)
