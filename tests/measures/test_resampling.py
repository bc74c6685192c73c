from __future__ import annotations

import numpy as np
import pytest

from measures.crowds import coded_of, random_grid
from plausibly.domain import Measure
from plausibly.errors import StudyError, UnknownName
from plausibly.measures._grouping import Ints
from plausibly.measures.chance import gwet_ac1, percent_agreement
from plausibly.measures.coded import code
from plausibly.measures.cohen import cohen_kappa
from plausibly.measures.resampling import (
    Resampling,
    Units,
    bounded_interval,
    cluster_bootstrap,
    percentile_interval,
    with_interval,
)
from worlds.tables import ratings_of


def mean_of(column: list[float]) -> Measure:
    return Measure(float(np.mean(column)), len(column))


def test_clusters_are_drawn_whole() -> None:
    units = np.array([7, 3, 3, 9, 7, 3])
    seen: list[list[int]] = []

    def watch(rows: Ints) -> Measure:
        seen.append(rows.tolist())
        return Measure(float(len(rows)), len(rows))

    cluster_bootstrap(watch, units, resamples=20, seed=1)
    for rows in seen:
        for members in ([1, 2, 5], [0, 4], [3]):
            times = {rows.count(row) for row in members}
            assert len(times) == 1


def test_the_cluster_interval_is_that_of_the_mean_of_unit_means() -> None:
    generator = np.random.default_rng(3)
    column = generator.normal(size=400)
    measure = cluster_bootstrap(
        lambda rows: mean_of(column[rows].tolist()), np.arange(400), resamples=2000, seed=2
    )
    error = 1.96 * column.std() / 20
    assert measure.n == 400
    assert measure.low == pytest.approx(column.mean() - error, abs=0.02)
    assert measure.high == pytest.approx(column.mean() + error, abs=0.02)


def test_a_cluster_measure_without_a_value_keeps_its_reason() -> None:
    measure = cluster_bootstrap(lambda rows: Measure(None, len(rows), reason="why"), np.arange(3))
    assert (measure.value, measure.reason) == (None, "why")


def test_too_few_defined_resamples_give_no_interval() -> None:
    assert percentile_interval([0.1] * 24, asked=100) is None
    assert percentile_interval([0.1] * 25, asked=100) == (0.1, 0.1)
    assert percentile_interval([0.1], asked=1) is None


def test_resamples_that_are_all_too_low_are_moved_onto_the_value() -> None:
    low = [0.10, 0.11, 0.12, 0.13, 0.14]
    moved = with_interval(0.20, 9, low, asked=5)
    plain = with_interval(0.12, 9, low, asked=5)
    assert (plain.low, plain.high) == percentile_interval(low, asked=5)
    assert moved.low == pytest.approx((plain.low or 0) + 0.08)
    assert moved.high == pytest.approx((plain.high or 0) + 0.08)


def test_moved_resamples_stay_within_what_the_measure_can_be() -> None:
    low = [0.6, 0.7, 0.8]
    assert (with_interval(0.95, 9, low, asked=3).high or 0) > 1
    assert with_interval(0.95, 9, low, asked=3, within=(0.0, 1.0)).high == 1.0
    assert with_interval(0.05, 9, low, asked=3, within=(0.0, 1.0)).low == 0.0


def test_no_bootstrap_makes_a_point_of_a_share() -> None:
    measure = with_interval(1.0, 2, [1.0] * 100, asked=100, within=(0.0, 1.0))
    assert (measure.value, measure.high) == (1.0, 1.0)
    assert measure.low == pytest.approx(0.025**0.5)


def test_no_limit_lies_outside_what_a_measure_can_be() -> None:
    grid = random_grid(11, people=30, items=60)
    grid[np.random.default_rng(0).random(grid.shape) < 0.75] = np.nan
    kappa = cohen_kappa(coded_of(grid), resampling=Resampling("both", 60, 0))
    assert kappa.value is not None
    assert kappa.low is not None
    assert kappa.high is not None
    assert -1 <= kappa.low < kappa.value < kappa.high <= 1


def test_an_interval_that_cannot_be_made_says_why() -> None:
    coded = code(ratings_of({"t1": "12", "t2": "-2", "t3": "-1", "t4": "-1", "t5": "-3"}))
    measure = gwet_ac1(coded, resampling=Resampling("both", 200, 0))
    assert measure.value is not None
    assert measure.low is None
    assert str(measure.reason).startswith("no interval: without some items")


def test_resamples_that_never_differ_make_no_interval() -> None:
    measure = with_interval(2.5, 4, [2.5] * 100, asked=100)
    assert (measure.low, measure.high) == (None, None)
    assert measure.reason == "no interval: all resamples have the same value"


def test_resamples_that_differ_by_rounding_are_the_same() -> None:
    third = 1 / 3
    values = [third, float(np.nextafter(third, 1))] * 50
    measure = bounded_interval(third, 1, values, asked=100, most=1.0)
    assert measure.method == "exact"
    assert measure.low is not None
    assert measure.high is not None
    assert measure.high - measure.low > 0.5


def test_two_items_make_no_point() -> None:
    measure = percent_agreement(code(ratings_of({"t1": "11", "t2": "22"})), resampling=Resampling())
    assert (measure.value, measure.high) == (1.0, 1.0)
    assert measure.low == pytest.approx(0.025**0.5)


@pytest.mark.parametrize("units", ["items", "annotators", "both"])
def test_n_counts_items_whatever_is_resampled(units: Units) -> None:
    coded = coded_of(random_grid(0, people=6, items=40))
    measure = percent_agreement(coded, resampling=Resampling(units, 50, 0))
    assert measure.n == 40
    assert measure.annotators == (None if units == "items" else 6)
    assert measure.warning is None


def test_few_people_are_these_people() -> None:
    coded = coded_of(random_grid(0, people=5, items=40))
    by_default = percent_agreement(coded, resampling=Resampling())
    asked_for = percent_agreement(coded, resampling=Resampling("both"))
    assert by_default.method == "jackknife over items"
    assert "covers these people" in str(by_default.warning)
    assert asked_for.method == "two-way jackknife"
    assert "represent others poorly" in str(asked_for.warning)


def test_resampling_both_is_wider_than_either() -> None:
    coded = coded_of(random_grid(8, people=8, items=60))

    def width(units: Units) -> float:
        measure = percent_agreement(coded, resampling=Resampling(units, 400, 1))
        assert measure.low is not None
        assert measure.high is not None
        return measure.high - measure.low

    assert width("both") > width("items")


def test_the_interval_of_items_is_that_of_a_mean_of_items() -> None:
    grid = np.random.default_rng(5).integers(1, 3, size=(2, 500)).astype(np.float64)
    agree = float(np.mean(grid[0] == grid[1]))
    measure = percent_agreement(coded_of(grid), resampling=Resampling("items", 500, 3))
    error = 1.96 * np.sqrt(agree * (1 - agree) / 500)
    assert measure.low == pytest.approx(agree - error, abs=0.006)
    assert measure.high == pytest.approx(agree + error, abs=0.006)


EXPECTED, DEVIATION = 0.410, 0.0344  # of 3,000 such crowds


def test_the_two_way_interval_holds_its_level() -> None:
    generator = np.random.default_rng(1)
    limits = []
    for _ in range(60):
        place = generator.normal(size=50) + generator.normal(0, 0.5, (8, 1))
        answers = np.searchsorted([-0.8, 0.0, 0.8], place + generator.normal(0, 0.8, (8, 50)))
        measure = percent_agreement(
            coded_of(answers.astype(np.float64)), resampling=Resampling(resamples=50)
        )
        assert measure.low is not None
        assert measure.high is not None
        limits.append((measure.low, measure.high))
    low, high = np.array(limits).T
    assert 53 <= np.count_nonzero((low <= EXPECTED) & (high >= EXPECTED)) <= 60
    assert np.mean(high - low) == pytest.approx(2 * 1.96 * DEVIATION, rel=0.3)


def test_fewer_groups_are_left_out_of_very_many_ratings_unless_asked_for() -> None:
    assert Resampling().planned(9, 1_000).resamples == 60
    assert Resampling().planned(9, 10**6).resamples == 40
    assert Resampling().planned(9, 10**9).resamples == 20
    assert Resampling(resamples=500).planned(9, 10**9).resamples == 500


def test_what_an_interval_is_about_has_a_name() -> None:
    assert Resampling("both").estimand == "people like these, items like these"
    assert Resampling("items").estimand == "these people, items like these"
    assert Resampling("annotators").estimand == "people like these, these items"


def test_wrong_parameters_say_what_would_be_right() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'items'"):
        Resampling("item")  # type: ignore[arg-type]
    for wrong in (-1, 1):
        with pytest.raises(StudyError, match=f"resamples must be 0, or 2 or more; got {wrong}"):
            Resampling(resamples=wrong)
    with pytest.raises(StudyError, match="seed must be 0 or more; got -1"):
        Resampling(seed=-1)
