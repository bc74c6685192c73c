from __future__ import annotations

from typing import get_args

import krippendorff
import numpy as np
import pytest

from measures.crowds import coded_of, random_grid
from plausibly.errors import UnknownName
from plausibly.measures.coded import code
from plausibly.measures.krippendorff import Metric, krippendorff_alpha
from worlds.tables import ratings_of

METRICS = get_args(Metric)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_that_of_the_krippendorff_package(metric: Metric, seed: int) -> None:
    grid = random_grid(seed)
    expected = krippendorff.alpha(grid, level_of_measurement=metric)
    assert krippendorff_alpha(coded_of(grid), metric).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("metric", METRICS)
def test_alpha_agrees_with_the_package_on_uneven_scales_with_zero(metric: Metric) -> None:
    grid = random_grid(9, answers=(0, 0.5, 2, 30, 1000))
    expected = krippendorff.alpha(grid, level_of_measurement=metric)
    assert krippendorff_alpha(coded_of(grid), metric).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("metric", METRICS)
def test_alpha_agrees_with_the_package_when_almost_every_answer_is_another(metric: Metric) -> None:
    generator = np.random.default_rng(4)
    grid = np.round(generator.random((4, 30)), 6)
    grid[generator.random((4, 30)) < 0.3] = np.nan
    expected = krippendorff.alpha(grid, level_of_measurement=metric)
    assert krippendorff_alpha(coded_of(grid), metric).value == pytest.approx(expected, abs=1e-9)


def test_alpha_counts_the_items_with_two_ratings() -> None:
    coded = code(ratings_of({"t1": "12", "t2": "11", "t3": "2"}))
    assert krippendorff_alpha(coded).n == 2


def test_alpha_is_undefined_when_all_answers_are_the_same() -> None:
    coded = code(ratings_of({"t1": "11", "t2": "11"}))
    for metric in METRICS:
        measure = krippendorff_alpha(coded, metric)
        assert (measure.value, measure.reason) == (None, "all answers are the same")


def test_two_annotators_without_a_shared_item_are_named() -> None:
    coded = code(ratings_of({"t1": "1-", "t2": "-2"}))
    reason = "annotators a0 and a1 share no item"
    assert krippendorff_alpha(coded, "interval").reason == reason


def test_answers_that_are_not_numbers_have_only_the_nominal_alpha() -> None:
    coded = code(ratings_of({"t1": ["yes", "yes"], "t2": ["no", "no"], "t3": ["no", "yes"]}))
    assert krippendorff_alpha(coded, "nominal").value is not None
    for metric in METRICS[1:]:
        assert krippendorff_alpha(coded, metric).reason == "answers are not numbers (first: 'no')"


def test_a_ratio_scale_has_no_negative_numbers() -> None:
    coded = code(ratings_of({"t1": ["-1", "2"], "t2": ["2", "3"]}))
    measure = krippendorff_alpha(coded, "ratio")
    assert measure.value is None
    assert "-1 is among the answers" in str(measure.reason)


def test_an_unknown_metric_proposes_a_known_one() -> None:
    coded = code(ratings_of({"t1": "12"}))
    with pytest.raises(UnknownName, match="Did you mean 'ordinal'"):
        krippendorff_alpha(coded, "ordnal")  # type: ignore[arg-type]
