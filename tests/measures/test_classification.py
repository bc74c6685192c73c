from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from plausibly.measures.classification import Confusion, balanced_accuracy, mcc

LABELS = ["a", "b", "c"]


def confusion(truth: list[str], predicted: list[str]) -> Confusion:
    return np.asarray(metrics.confusion_matrix(truth, predicted, labels=LABELS))


@pytest.mark.parametrize("seed", range(4))
def test_measures_are_those_of_scikit_learn(seed: int) -> None:
    generator = np.random.default_rng(seed)
    truth = generator.choice(LABELS, size=60, p=[0.6, 0.3, 0.1]).tolist()
    predicted = np.where(
        generator.random(60) < 0.5, truth, generator.choice(LABELS, size=60)
    ).tolist()
    table = confusion(truth, predicted)
    assert balanced_accuracy(table).value == pytest.approx(
        metrics.balanced_accuracy_score(truth, predicted)
    )
    assert mcc(table).value == pytest.approx(metrics.matthews_corrcoef(truth, predicted))
    assert balanced_accuracy(table).n == 60


def test_a_label_absent_from_the_truth_does_not_enter_balanced_accuracy() -> None:
    table = confusion(["a", "a", "b"], ["a", "c", "b"])
    assert balanced_accuracy(table).value == pytest.approx(0.75)


def test_undefined_cases_say_why() -> None:
    nothing = np.zeros((3, 3), dtype=np.int64)
    for measure in (balanced_accuracy, mcc):
        assert measure(nothing).reason == "there are no rows"
    assert mcc(confusion(["a", "a"], ["a", "b"])).reason == "all true labels are the same"
    always = confusion(["a", "b"], ["b", "b"])
    assert mcc(always).reason == "all predicted labels are the same"
