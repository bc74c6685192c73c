"""Means, shares and contrasts of crossed ratings, and the scale of answers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.stats import t

from plausibly.errors import PlausiblyError, StudyError
from plausibly.measures.contrasts import paired_contrast, paired_contrasts
from plausibly.measures.crossed import Rated, crossed_mean, crossed_shares, rated
from plausibly.measures.scales import scale_of


def ratings_of(people: int, items: int, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    item, person = np.arange(people * items) % items, np.arange(people * items) // items
    value = rng.normal(size=items)[item] + rng.normal(size=people)[person]
    value = value + rng.normal(size=len(item))
    names = {"item": [f"i{i}" for i in item], "annotator": [f"a{p}" for p in person]}
    return pl.DataFrame({**names, "item_group": [f"g{i // 2}" for i in item], "value": value})


def test_the_variance_is_that_of_the_two_way_formula() -> None:
    table = ratings_of(7, 10).drop("item_group")
    wide = table["value"].to_numpy().reshape(7, 10)
    rest = (wide - wide.mean()) / wide.size
    people = 7 / 6 * (rest.sum(axis=1) ** 2).sum()
    items = 10 / 9 * (rest.sum(axis=0) ** 2).sum()
    variance = max(people + items - (rest**2).sum(), people, items)
    freedom = variance**2 / (people**2 / 6 + items**2 / 9)
    mean = crossed_mean(rated(table))
    assert mean.value == pytest.approx(wide.mean())
    assert mean.high is not None
    half = t.ppf(0.975, freedom) * np.sqrt(variance)
    assert mean.high - wide.mean() == pytest.approx(half)


def test_row_order_and_names_do_not_matter() -> None:
    table = ratings_of(8, 6)
    other = table.sample(fraction=1, shuffle=True, seed=3).with_columns(
        annotator=pl.col("annotator").str.replace("a", "z9")
    )
    first, second = crossed_mean(rated(table)), crossed_mean(rated(other))
    assert (first.low, first.high) == pytest.approx((second.low, second.high))


def test_items_count_equally_unless_ratings_do() -> None:
    table = pl.DataFrame(
        {"item": ["t1", "t1", "t1", "t2"], "annotator": list("abca"), "value": [1.0, 1.0, 1.0, 5.0]}
    )
    assert crossed_mean(rated(table)).value == 3
    assert crossed_mean(rated(table), weigh="ratings").value == 2


def test_fewer_than_five_people_give_an_interval_for_items_only() -> None:
    four, five = crossed_mean(rated(ratings_of(4, 10))), crossed_mean(rated(ratings_of(5, 10)))
    assert (four.over, five.over) == ("items", "both")
    assert four.warning is not None
    assert "new items only" in four.warning


def test_items_of_a_group_are_one_cluster() -> None:
    table = ratings_of(12, 20)
    alone, grouped = rated(table.drop("item_group")), rated(table)
    assert grouped.group.max() + 1 == 10
    assert crossed_mean(alone).high != crossed_mean(grouped).high


def test_an_item_without_a_group_stands_alone() -> None:
    table = ratings_of(6, 4).with_columns(
        item_group=pl.when(pl.col("item") == "i0").then(None).otherwise("item_group")
    )
    assert rated(table).group.max() + 1 == 3


def test_a_share_of_zero_has_the_exact_limit_of_the_smaller_side() -> None:
    columns = rated(ratings_of(10, 20).drop("item_group").with_columns(value=0.0))
    shares = crossed_shares(columns, answers=["no", "yes"])
    assert shares["yes"].value == 0
    assert shares["yes"].low == 0
    assert shares["yes"].high == pytest.approx(1 - 0.025**0.1)
    assert shares["no"].low == pytest.approx(0.025**0.1)
    assert shares["yes"].warning is not None


def test_limits_stay_within_the_scale() -> None:
    columns = rated(ratings_of(6, 4).with_columns(value=pl.col("value").clip(0, 1)))
    mean = crossed_mean(columns, bounds=(0.0, 1.0))
    assert mean.low is not None
    assert mean.high is not None
    assert 0 < mean.low < (mean.value or 0) < mean.high < 1


def test_rare_answers_about_one_item_leave_more_than_the_scale_as_an_interval() -> None:
    """With 2 degrees of freedom the logit of such a share reached from 0.00 to 1.00."""
    rows = [(f"t{i}", f"a{p}", float(i == 0 and p < 2)) for i in range(8) for p in range(6)]
    table = pl.DataFrame(rows, ("item", "annotator", "value"), orient="row")
    mean = crossed_mean(rated(table), bounds=(0.0, 1.0))
    assert mean.value == pytest.approx(2 / 48)
    assert mean.low is not None
    assert mean.high is not None
    assert 0 < mean.low < 2 / 48 < mean.high < 0.55
    flipped = table.with_columns(value=1 - pl.col("value"))
    mirrored = crossed_mean(rated(flipped), bounds=(0.0, 1.0))
    assert mirrored.low == pytest.approx(1 - mean.high)
    assert mirrored.high == pytest.approx(1 - mean.low)


def test_a_mirrored_scale_mirrors_the_interval() -> None:
    columns = rated(ratings_of(9, 12).with_columns(value=pl.col("value").clip(0, 2)))
    mirrored = Rated(2 - columns.value, columns.item, columns.annotator, columns.group)
    one, other = (crossed_mean(each, bounds=(0.0, 2.0)) for each in (columns, mirrored))
    assert (2 - (other.high or 0), 2 - (other.low or 0)) == pytest.approx((one.low, one.high))


@pytest.mark.parametrize("bounds", [(1.0, 0.0), (0.0, 0.5)])
def test_wrong_ends_of_a_scale_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(StudyError):
        crossed_mean(rated(ratings_of(6, 4)), bounds=bounds)


def test_an_unknown_weighing_is_refused() -> None:
    with pytest.raises(PlausiblyError, match="weighing"):
        crossed_mean(rated(ratings_of(6, 4)), weigh="people")


def test_no_ratings_give_no_mean() -> None:
    mean = crossed_mean(rated(ratings_of(6, 4).head(0)))
    assert mean.value is None
    assert mean.reason == "there are no ratings"


def test_a_contrast_is_the_mean_difference_over_groups() -> None:
    table = ratings_of(10, 12)
    columns = rated(table)
    side = np.array([int(name[1:]) % 2 for name in table["item"]])
    contrast = paired_contrasts(columns, side, names=["a", "b"])[0]
    wide = table["value"].to_numpy().reshape(10, 6, 2).mean(axis=0)
    assert (contrast.of, contrast.against, contrast.groups) == ("b", "a", 6)
    assert contrast.value == pytest.approx((wide[:, 1] - wide[:, 0]).mean())
    assert contrast.low is not None
    assert contrast.high is not None
    assert (contrast.p is not None and contrast.p < 0.05) == (contrast.low * contrast.high > 0)


def test_a_contrast_does_not_depend_on_how_groups_differ() -> None:
    table = ratings_of(10, 12)
    side = np.array([int(name[1:]) % 2 for name in table["item"]])
    shifted = table.with_columns(
        value=pl.col("value") + 50 * pl.col("item_group").str.slice(1).cast(pl.Float64)
    )
    one, other = (
        paired_contrast(rated(each), side, of=("b", 1), against=("a", 0))
        for each in (table, shifted)
    )
    assert (other.value, other.low, other.p) == pytest.approx((one.value, one.low, one.p))


def test_groups_with_one_condition_are_left_out_and_reported() -> None:
    table = ratings_of(10, 12).filter(pl.col("item") != "i0")
    side = np.array([int(name[1:]) % 2 for name in table["item"]])
    contrast = paired_contrast(rated(table), side, of=("b", 1), against=("a", 0))
    assert contrast.groups == 5
    assert contrast.warning is not None
    assert (
        "the contrast uses only the groups with items in both conditions (5 of 6)"
        in contrast.warning
    )


def test_conditions_that_share_no_group_have_no_contrast() -> None:
    table = ratings_of(10, 12)
    side = np.array([int(name[1:]) % 2 for name in table["item"]])
    contrast = paired_contrast(rated(table.drop("item_group")), side, of=("b", 1), against=("a", 0))
    assert contrast.value is None
    assert contrast.reason is not None


@pytest.mark.parametrize(
    ("rows", "scale"),
    [
        ({"t1": ["1", "2"], "t2": ["2", "2"]}, "nominal"),
        ({"t1": ["yes", "no", "maybe"]}, "nominal"),
        ({"t1": ["1", "2"], "t2": ["3", "3"]}, "ordinal"),
        ({"t1": ["1.0", "2"], "t2": ["3", "3"]}, "ordinal"),
        ({"t1": [str(n) for n in range(11)]}, "ordinal"),
        ({"t1": [str(n) for n in range(12)]}, "interval"),
        ({"t1": ["1", "2.5"], "t2": ["3", "3"]}, "interval"),
        ({"t1": ["1", "3"], "t2": ["2", "2"], "t3": ["3", "1"]}, "ask"),
        ({"t1": ["1", "2"], "t2": ["4", "5"]}, "ask"),
        ({"t1": ["1"], "t2": ["2"], "t3": ["3"]}, "ordinal"),
        ({"t1": ["1", "2", "not sure"]}, "nominal"),
        ({"t1": [f"remark {n}" for n in range(30)]}, "text"),
        ({"t1": []}, "ask"),
    ],
)
def test_the_scale_follows_from_the_answers(rows: dict[str, list[str]], scale: str) -> None:
    pairs = [(item, answer) for item, answers in rows.items() for answer in answers]
    table = pl.DataFrame(pairs, schema={"item": pl.String, "answer": pl.String}, orient="row")
    assert scale_of(table).scale == scale


def test_words_are_ordinal_only_in_a_declared_order() -> None:
    table = pl.DataFrame({"item": ["t1", "t1", "t2"], "answer": ["less", "same", "more"]})
    assert scale_of(table).scale == "nominal"
    assert scale_of(table, order=["less", "same", "more"]).scale == "ordinal"
    with pytest.raises(StudyError, match="more"):
        scale_of(table, order=["less", "same"])
