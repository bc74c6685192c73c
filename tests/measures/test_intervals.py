from __future__ import annotations

import numpy as np
import pytest

from measures.crowds import coded_of, frame_of, random_grid
from plausibly.measures import _deletions
from plausibly.measures._crossing import Crossing
from plausibly.measures._deletions import deletions, means_without
from plausibly.measures._intervals import Spread, limits
from plausibly.measures._pairwise import PairMean
from plausibly.measures.agreement import agreement
from plausibly.measures.cohen import kappa
from plausibly.measures.jaccard import jaccard, parse_sides
from plausibly.measures.resampling import Resampling
from plausibly.measures.spearman import pairwise
from worlds.tables import ratings_of

SHARES = {"soft_jaccard", "percent_agreement"}
MEANS = {
    "jaccard": jaccard(parse_sides("1,2|4,5")),
    "plain": kappa(),
    "linear": kappa("linear"),
    "quadratic": kappa("quadratic"),
    "spearman": pairwise,
}


def grids() -> dict[str, np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    sparse = random_grid(3, people=30, items=60)
    sparse[np.random.default_rng(0).random(sparse.shape) < 0.75] = np.nan
    crossed = np.random.default_rng(1).integers(1, 4, size=(7, 200)).astype(np.float64)
    slider = np.random.default_rng(2).integers(0, 101, size=(6, 50)).astype(np.float64)
    decimals = np.random.default_rng(3).normal(size=(9, 40)).round(2)
    decimals[np.random.default_rng(4).random(decimals.shape) < 0.5] = np.nan
    constant = np.ones((6, 30))
    constant[2:, 0] = constant[3, 1] = 5
    return {
        "sparse": sparse,
        "crossed": crossed,
        "slider": slider,
        "decimals": decimals,
        "constant": constant,
    }


@pytest.mark.parametrize("most", [1 << 20, 100, 3])
@pytest.mark.parametrize("name", grids())
def test_means_over_pairs_without_many_groups_at_once_are_those_without_each(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_deletions, "ENTRIES", most)
    crossing = Crossing(coded_of(grids()[name]))
    means = {key: one for key, one in MEANS.items() if isinstance(one, PairMean)}
    assert set(means) == set(MEANS)
    means = {key: one for key, one in means.items() if not one.refusal(crossing.coded)}
    kinds = []
    for deletion in deletions(crossing, Resampling("both", 13, 1)):
        kinds.append(deletion.kind)
        at_once = means_without(means, crossing, deletion)
        for key, mean in means.items():
            one_by_one = [mean(sample).value for sample in deletion.samples(crossing)]
            expected = np.array(one_by_one, dtype=np.float64)
            np.testing.assert_allclose(at_once[key], expected, atol=1e-12, err_msg=key)
    assert kinds == ["items", "annotators", "ratings"]


def test_only_shares_have_an_exact_limit() -> None:
    rows = {f"t{number:02}": "111111" if number % 2 else "555555" for number in range(20)}
    found = agreement(ratings_of(rows), resampling=Resampling())["rating"]
    assert found.resampling.units == "both"
    for name, measure in found.measures.items():
        assert measure.value == pytest.approx(1), name
        if name in SHARES:
            assert measure.low == pytest.approx(0.025 ** (1 / 20))
            assert (measure.high, measure.method) == (1, "exact limit over items")
            assert measure.annotators is None
            assert "covers these people" in str(measure.warning)
        else:
            assert (measure.low, measure.high, measure.method) == (None, None, None), name
            assert str(measure.reason).startswith("no interval: leaving out items"), name


def test_a_kappa_of_0_reaches_below_it() -> None:
    rows = {"t1": "11", "t2": "12", "t3": "21", "t4": "22"}
    twice = {f"{name}-{copy}": row for name, row in rows.items() for copy in range(5)}
    measure = agreement(ratings_of(twice), resampling=Resampling())["rating"].measures
    kappas = [measure["cohen_kappa"], measure["fleiss_kappa"]]
    assert kappas[0].value == pytest.approx(0)
    for one in kappas:
        assert one.low is not None
        assert one.high is not None
        assert one.low < -0.2 < 0.2 < one.high
        assert one.method == "jackknife over items"


def test_a_share_that_does_not_vary_between_its_ends_is_no_point() -> None:
    rows = {f"t{number}": "112" if number % 2 else "221" for number in range(8)}
    measure = agreement(ratings_of(rows), resampling=Resampling())["rating"].measures
    share = measure["percent_agreement"]
    assert share.value == pytest.approx(1 / 3)
    assert share.low == pytest.approx(0.025 ** (1 / 8) / 3)
    assert share.method == "exact limit over items"


def test_intervals_of_annotators_have_their_own_exact_limit() -> None:
    rows = {"t1": "1111", "t2": "5555"}
    ratings = ratings_of(rows)
    found = agreement(ratings, resampling=Resampling("annotators"))["rating"].measures
    share = found["percent_agreement"]
    assert share.low == pytest.approx(0.025 ** (1 / 4))
    assert (share.method, share.annotators) == ("exact limit over annotators", 4)


@pytest.mark.parametrize("least", [0.0, -0.2, -1.0])
def test_limits_lie_between_the_ends_and_around_the_value(least: float) -> None:
    for value in (0.02, 0.5, 0.99):
        for deviation in (0.01, 0.3, 3.0):
            pair = limits(value, {"items": Spread(deviation**2, 30)}, least=least)
            assert pair is not None
            assert least <= pair[0] < value < pair[1] <= 1


def test_small_deviations_give_the_plain_interval_on_every_scale() -> None:
    for least in (0.0, -0.2, -1.0):
        pair = limits(0.4, {"items": Spread(1e-6, 10_000)}, least=least)
        assert pair is not None
        assert pair == pytest.approx((0.4 - 1.96e-3, 0.4 + 1.96e-3), abs=2e-5)


def test_nothing_that_varies_has_no_limits() -> None:
    assert limits(0.4, {"items": Spread(0.0, 30)}, least=-1.0) is None
    assert limits(1.0, {"items": Spread(1e-30, 30)}, least=-1.0) is None


def width(items: float, people: float, ratings: float) -> float:
    parts = {"items": items, "annotators": people, "ratings": ratings}
    spreads = {kind: Spread(1e-6 * part, 100_000) for kind, part in parts.items()}
    pair = limits(0.0, spreads, least=-1.0)
    assert pair is not None
    return (pair[1] - pair[0]) / (2 * 1.96e-3)


def test_parts_of_the_variance_are_counted_once() -> None:
    """Items 2, people 3, ratings 1; then what two people make with one, and with two items."""
    assert width(2 + 1, 3 + 1, 1) == pytest.approx(6**0.5, rel=1e-3)
    assert width(1, 2, 2) == pytest.approx(1, rel=1e-3)
    assert width(2, 2, 4) == pytest.approx(1, rel=1e-3)
    assert width(3, 3, 5) == pytest.approx(2**0.5, rel=1e-3)


def test_a_reliability_below_its_range_has_no_interval_but_a_reason() -> None:
    grid = np.array([[1, 5, 1, 5, 2.0, 4.0], [5, 1, 5, 2, 4.0, 1.0]])
    measures = agreement(frame_of(grid), resampling=Resampling())["rating"].measures
    reliability = measures["icc.1,k"]
    assert reliability.value is not None
    assert reliability.value < -1
    assert reliability.low is None
    assert "not between -1 and 1" in str(reliability.reason)


def test_a_full_table_and_a_short_one_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = frame_of(random_grid(4, people=7, items=30))
    full = agreement(ratings, resampling=Resampling(resamples=5))["rating"].measures
    monkeypatch.setattr("plausibly.measures._crossing.FULL", 0)
    short = agreement(ratings, resampling=Resampling(resamples=5))["rating"].measures
    for name, measure in full.items():
        for side in ("value", "low", "high"):
            expected = getattr(short[name], side)
            assert getattr(measure, side) == pytest.approx(expected, abs=1e-12), (name, side)
