from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from measures.crowds import coded_of, mean_of_pairs, random_grid
from plausibly.errors import UnknownName
from plausibly.measures.coded import code
from plausibly.measures.cohen import cohen_kappa
from worlds.tables import ratings_of

WEIGHTS: list[tuple[Literal["none", "linear", "quadratic"], str | None]] = [
    ("none", None),
    ("linear", "linear"),
    ("quadratic", "quadratic"),
]


@pytest.mark.parametrize(("ours", "theirs"), WEIGHTS)
@pytest.mark.parametrize("seed", range(4))
def test_two_annotators_have_the_kappa_of_scikit_learn(
    ours: Literal["none", "linear", "quadratic"], theirs: str | None, seed: int
) -> None:
    grid = random_grid(seed, people=2, items=60, answers=(1, 2, 4, 5))
    shared = ~np.isnan(grid).any(axis=0)
    expected = cohen_kappa_score(*grid[:, shared].astype(int), weights=theirs)
    assert cohen_kappa(coded_of(grid), ours).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("ours", "theirs"), WEIGHTS)
def test_many_annotators_have_the_mean_kappa_of_their_pairs(
    ours: Literal["none", "linear", "quadratic"], theirs: str | None
) -> None:
    grid = random_grid(3, people=8)
    one = partial(cohen_kappa_score, weights=theirs, labels=[1, 2, 3, 4, 5])
    expected = mean_of_pairs(grid, lambda a, b: float(one(a.astype(int), b.astype(int))))
    assert cohen_kappa(coded_of(grid), ours).value == pytest.approx(expected, abs=1e-12)


def test_pairs_without_a_kappa_are_left_out_and_counted() -> None:
    coded = code(ratings_of({"t1": "11-", "t2": "12-", "t3": "2-2", "t4": "2-2"}))
    measure = cohen_kappa(coded)
    assert measure.counts == {"pairs": 2, "pairs_without_overlap": 1, "pairs_undefined": 1}
    assert measure.value == cohen_kappa(code(ratings_of({"t1": "11", "t2": "12"}))).value


def test_kappa_is_undefined_when_no_pair_varies() -> None:
    measure = cohen_kappa(code(ratings_of({"t1": "11-", "t2": "-22"})))
    assert measure.value is None
    assert measure.reason == (
        "no pair of annotators gave more than one answer to the items it shares"
    )


def test_weights_need_an_order() -> None:
    coded = code(ratings_of({"t1": ["a", "b"], "t2": ["b", "b"], "t3": ["a", "a"]}))
    assert cohen_kappa(coded).value is not None
    assert cohen_kappa(coded, "linear").reason == "answers are not numbers (first: 'a')"


def test_unknown_weights_are_refused() -> None:
    with pytest.raises(UnknownName, match="unknown weights 'cubic'"):
        cohen_kappa(code(ratings_of({"t1": "12"})), "cubic")  # type: ignore[arg-type]
