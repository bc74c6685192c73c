from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from plausibly.errors import StudyError, UnknownName
from plausibly.measures.classification import accuracy, balanced_accuracy, confusion, mcc

LABELS = ["a", "b", "c"]


@pytest.mark.parametrize("seed", range(4))
def test_measures_are_those_of_scikit_learn(seed: int) -> None:
    generator = np.random.default_rng(seed)
    truth = generator.choice(LABELS, size=60, p=[0.6, 0.3, 0.1]).tolist()
    predicted = np.where(
        generator.random(60) < 0.5, truth, generator.choice(LABELS, size=60)
    ).tolist()
    table = confusion(truth, predicted, LABELS)
    np.testing.assert_array_equal(table, metrics.confusion_matrix(truth, predicted, labels=LABELS))
    assert accuracy(table).value == pytest.approx(metrics.accuracy_score(truth, predicted))
    assert balanced_accuracy(table).value == pytest.approx(
        metrics.balanced_accuracy_score(truth, predicted)
    )
    assert mcc(table).value == pytest.approx(metrics.matthews_corrcoef(truth, predicted))
    assert accuracy(table).n == 60


def test_a_label_absent_from_the_truth_does_not_enter_balanced_accuracy() -> None:
    table = confusion(["a", "a", "b"], ["a", "c", "b"], LABELS)
    assert balanced_accuracy(table).value == pytest.approx(0.75)


def test_undefined_cases_say_why() -> None:
    nothing = confusion([], [], LABELS)
    for measure in (accuracy, balanced_accuracy, mcc):
        assert measure(nothing).reason == "there are no rows"
    assert mcc(confusion(["a", "a"], ["a", "b"], LABELS)).reason == "all true labels are the same"
    always = confusion(["a", "b"], ["b", "b"], LABELS)
    assert mcc(always).reason == "all predicted labels are the same"


def test_unknown_labels_and_unequal_columns_are_refused() -> None:
    with pytest.raises(UnknownName, match="unknown label 'd'"):
        confusion(["a"], ["d"], LABELS)
    with pytest.raises(StudyError, match="do not match"):
        confusion(["a"], [], LABELS)
