"""Measures of ordered labels against scikit-learn, many tables at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from plausibly.errors import StudyError
from plausibly.measures.graded import MEASURES, calibration_error

LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=40)


def kappa(truth: Any, said: Any) -> float:
    return float(metrics.cohen_kappa_score(truth, said, weights="quadratic", labels=range(4)))


REFERENCES: dict[str, Callable[[Any, Any], float]] = {
    "accuracy": metrics.accuracy_score,
    "macro_f1": lambda truth, said: metrics.f1_score(
        truth, said, average="macro", labels=sorted({*truth, *said}), zero_division=0
    ),
    "balanced_accuracy": lambda truth, said: metrics.recall_score(
        truth, said, average="macro", labels=sorted(set(truth))
    ),
    "mcc": metrics.matthews_corrcoef,
    "quadratic_kappa": kappa,
    "adjacent_accuracy": lambda truth, said: float(
        np.mean(np.abs(np.array(truth) - np.array(said)) <= 1)
    ),
}


@pytest.mark.parametrize("name", sorted(MEASURES))
@given(rows=LABELS)
def test_a_measure_is_that_of_scikit_learn(name: str, rows: list[tuple[int, int]]) -> None:
    truth, said = zip(*rows, strict=True)
    table = np.zeros((1, 4, 4))
    np.add.at(table[0], (list(truth), list(said)), 1)
    value = MEASURES[name](table)[0]
    constant = len(set(truth)) == 1 or len(set(said)) == 1
    if (name == "mcc" and constant) or (name == "quadratic_kappa" and len({*truth, *said}) == 1):
        assert np.isnan(value)
    else:
        assert value == pytest.approx(REFERENCES[name](truth, said), abs=1e-12)


@given(LABELS, LABELS)
def test_many_tables_at_once_are_each_alone(
    first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    tables = np.zeros((2, 4, 4))
    for table, rows in zip(tables, (first, second), strict=True):
        truth, said = zip(*rows, strict=True)
        np.add.at(table, (list(truth), list(said)), 1)
    for measure in MEASURES.values():
        both = measure(tables)
        alone = [measure(tables[n : n + 1])[0] for n in (0, 1)]
        np.testing.assert_array_equal(both, alone)


def test_a_sure_and_right_model_is_calibrated() -> None:
    assert calibration_error(np.eye(3), np.array([0, 1, 2])) == 0


def test_a_sure_and_wrong_model_is_off_by_one() -> None:
    assert calibration_error(np.eye(2), np.array([1, 0])) == 1


def test_calibration_of_nothing_is_nothing() -> None:
    assert calibration_error(np.empty((0, 2)), np.empty(0, dtype=np.int64)) is None
    with pytest.raises(StudyError, match="bins"):
        calibration_error(np.eye(2), np.array([0, 1]), bins=0)
