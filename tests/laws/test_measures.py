"""Laws of every agreement measure."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plausibly.domain import Measure
from plausibly.measures.agreement import agreement
from plausibly.measures.resampling import Resampling
from worlds.tables import ratings_of

law = settings(deadline=None, max_examples=40)

DRAWN = Resampling("both", 20, 1)
EXACT = Resampling(resamples=0)
OVER_PAIRS = (
    "krippendorff_alpha.nominal",
    "krippendorff_alpha.ordinal",
    "krippendorff_alpha.interval",
    "krippendorff_alpha.ratio",
    "soft_jaccard",
    "cohen_kappa",
    "cohen_kappa_linear",
    "cohen_kappa_quadratic",
    "percent_agreement",
    "pairwise_spearman",
    "one_vs_rest_spearman",
)

rows = st.text("1245-", min_size=4, max_size=4)
crowds = (
    st.lists(rows, min_size=1, max_size=8)
    .filter(lambda given: any(set(row) != {"-"} for row in given))
    .map(lambda given: ratings_of({f"t{place}": row for place, row in enumerate(given)}))
)


def measures_of(ratings: pl.DataFrame, resampling: Resampling = EXACT) -> Mapping[str, Measure]:
    return agreement(ratings, resampling=resampling)["rating"].measures


def assert_same_values(one: Mapping[str, Measure], other: Mapping[str, Measure]) -> None:
    for name, measure in one.items():
        assert other[name].value == pytest.approx(measure.value, abs=1e-9), name


@law
@given(crowds, st.randoms(use_true_random=False))
def test_row_order_never_matters_not_even_for_intervals(
    ratings: pl.DataFrame, shuffler: object
) -> None:
    order = list(range(ratings.height))
    shuffler.shuffle(order)  # type: ignore[attr-defined]
    one, other = measures_of(ratings, DRAWN), measures_of(ratings[order], DRAWN)
    assert_same_values(one, other)
    for name, measure in one.items():
        assert other[name].low == pytest.approx(measure.low, abs=1e-9), name
        assert other[name].high == pytest.approx(measure.high, abs=1e-9), name


@law
@given(crowds, st.permutations(["w", "x", "y", "z"]), st.booleans())
def test_names_never_matter(ratings: pl.DataFrame, names: list[str], backwards: bool) -> None:
    renamed = ratings.with_columns(
        annotator=pl.col("annotator").replace_strict(["a0", "a1", "a2", "a3"], names),
        item=pl.col("item").replace({f"t{p}": f"u{9 - p}" for p in range(9)})
        if backwards
        else pl.col("item"),
    )
    assert_same_values(measures_of(ratings), measures_of(renamed))


@law
@given(st.lists(st.sampled_from("1245"), min_size=2, max_size=8), st.integers(2, 5))
def test_perfect_agreement_on_varied_answers_is_one(answers: list[str], people: int) -> None:
    assume(len(set(answers)) > 1)
    ratings = ratings_of({f"t{place}": answer * people for place, answer in enumerate(answers)})
    for name, measure in measures_of(ratings, DRAWN).items():
        assert measure.value == pytest.approx(1), name
        if measure.low is not None:
            assert measure.low == pytest.approx(0.025 ** (1 / len(answers))), name
            assert measure.high == pytest.approx(1), name


@law
@given(crowds, st.sampled_from("1245"))
def test_an_item_rated_once_does_not_change_what_compares_pairs(
    ratings: pl.DataFrame, answer: str
) -> None:
    single = ratings_of({"once": answer}).with_columns(annotator=pl.lit(ratings["annotator"][0]))
    before, after = measures_of(ratings), measures_of(pl.concat([ratings, single]))
    for name in OVER_PAIRS:
        assert after[name].value == pytest.approx(before[name].value, abs=1e-9), name
        assert after[name].n == before[name].n, name


@law
@given(crowds)
def test_every_null_has_a_reason_and_every_interval_an_order(ratings: pl.DataFrame) -> None:
    for name, measure in measures_of(ratings, DRAWN).items():
        if measure.value is None:
            assert measure.reason, name
            assert measure.low is None, name
            assert measure.high is None, name
        else:
            assert -1e9 < measure.value <= 1 + 1e-12, name
            assert (measure.low is None) == (measure.high is None) == bool(measure.reason), name
            if measure.low is not None and measure.high is not None:
                assert measure.low <= measure.high, name


@law
@given(crowds)
def test_the_same_seed_gives_the_same_interval(ratings: pl.DataFrame) -> None:
    assert measures_of(ratings, DRAWN) == measures_of(ratings, DRAWN)


@law
@given(crowds, st.sampled_from([0.5, 3.0, 100.0]))
def test_alpha_of_numbers_does_not_depend_on_the_unit(ratings: pl.DataFrame, factor: float) -> None:
    scaled = ratings.with_columns(
        answer=(pl.col("value") * factor).cast(pl.String), value=pl.col("value") * factor
    )
    assert_same_values(measures_of(ratings), measures_of(scaled))
