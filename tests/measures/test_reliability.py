from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from measures.crowds import coded_of, frame_of, random_grid
from plausibly.errors import UnknownName
from plausibly.measures._crossing import Crossing
from plausibly.measures.agreement import agreement
from plausibly.measures.coded import code
from plausibly.measures.reliability import (
    Form,
    icc,
    ratings_needed,
    split_half,
    variance_components,
)
from plausibly.measures.resampling import Resampling
from worlds.tables import ratings_of

# The example of Shrout and Fleiss (1979, Table 2): four judges by six targets.
JUDGES = np.array(
    [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]], dtype=float
)


@pytest.mark.parametrize(
    ("form", "printed"), [("1,1", 0.17), ("2,1", 0.29), ("1,k", 0.44), ("2,k", 0.62)]
)
def test_the_published_example_gives_the_published_numbers(form: Form, printed: float) -> None:
    assert icc(coded_of(JUDGES), form).value == pytest.approx(printed, abs=0.005)


def test_two_way_forms_need_everybody_on_every_item() -> None:
    grid = random_grid(1)
    measure = icc(coded_of(grid), "2,1")
    assert measure.value is None
    assert "not every annotator rated every item" in str(measure.reason)
    assert icc(coded_of(grid), "1,1").value is not None


def test_variances_of_a_generated_crowd_are_found_without_a_crossed_design() -> None:
    generator = np.random.default_rng(0)
    scores = generator.normal(0, 2, 400) + generator.normal(0, 1, (60, 1))
    scores += generator.normal(0, 1.5, scores.shape)
    scores[generator.random(scores.shape) < 0.8] = np.nan
    found = variance_components(Crossing(coded_of(np.round(scores, 1))))
    assert found is not None
    assert found["item"] == pytest.approx(4, rel=0.2)
    assert found["annotator"] == pytest.approx(1, rel=0.4)
    assert found["residual"] == pytest.approx(2.25, rel=0.1)


def test_all_splits_at_once_are_the_mean_of_many_splits() -> None:
    grid = random_grid(3, people=6, items=200)
    generator = np.random.default_rng(4)
    rated = [column[~np.isnan(column)] for column in grid.T]
    rated = [column for column in rated if len(column) > 1]
    found = []
    for _ in range(300):
        mixed = [generator.permutation(column) for column in rated]
        one = [column[: len(column) // 2].mean() for column in mixed]
        other = [column[len(column) // 2 :].mean() for column in mixed]
        r = np.corrcoef(one, other)[0, 1]
        found.append(2 * r / (1 + r))
    assert split_half(coded_of(grid)).value == pytest.approx(np.mean(found), abs=0.01)


def test_equal_ratings_make_both_reliabilities_one() -> None:
    coded = code(ratings_of({"t1": "11", "t2": "22", "t3": "44"}))
    for measure in (icc(coded, "1,k"), icc(coded, "2,1"), split_half(coded)):
        assert measure.value == pytest.approx(1)


@pytest.mark.parametrize("answers", [{"t1": "11", "t2": "11"}, {"t1": "ab", "t2": "ba"}])
def test_what_has_no_reliability_says_why(answers: dict[str, str]) -> None:
    coded = code(ratings_of(answers))
    for measure in (icc(coded), split_half(coded)):
        assert measure.value is None
        assert measure.reason


def test_an_unknown_form_is_named() -> None:
    with pytest.raises(UnknownName, match=r"Known: 1,1, 1,k, 2,1, 2,k"):
        icc(coded_of(JUDGES), "3,1")  # type: ignore[arg-type]


def test_a_reliability_wanted_needs_so_many_ratings() -> None:
    assert ratings_needed(0.5) == {"0.8": 4, "0.9": 9}
    assert ratings_needed(1.0) == {"0.8": 1, "0.9": 1}
    assert ratings_needed(-0.1) == ratings_needed(None) == {"0.8": None, "0.9": None}


def test_agreement_reports_reliability_beside_the_rest() -> None:
    ratings = frame_of(random_grid(5, people=6))
    document = agreement(ratings, resampling=Resampling(resamples=10))["rating"].as_json()
    assert set(document["icc"]) == {"1,1", "1,k", "2,1", "2,k"}  # type: ignore[call-overload]
    assert set(document["variance_components"]) == {  # type: ignore[call-overload]
        "item",
        "annotator",
        "residual",
    }
    needed = document["ratings_needed"]
    assert isinstance(needed, dict)
    assert needed["0.9"] > needed["0.8"] > 1
    only = agreement(ratings, measures=["fleiss_kappa"])["rating"].as_json()
    assert "variance_components" not in only


def test_agreement_within_surveys_is_averaged_beside_the_whole() -> None:
    surveys = [
        ratings_of(answers).with_columns(pl.format("{}{}", pl.lit(name), "item").alias("item"))
        for name, answers in (("a", {"t1": "11", "t2": "22"}), ("b", {"t1": "12", "t2": "12"}))
    ]
    parts = [one.with_columns(batch=pl.lit(str(n))) for n, one in enumerate(surveys)]
    plan = Resampling(resamples=0)
    found = agreement(pl.concat(parts), by="batch", resampling=plan)["rating"]
    average = found.averages["batch"].measures["percent_agreement"]
    assert (average.value, average.n) == (0.5, 2)
    document = found.as_json()["averaged"]
    assert isinstance(document, dict)
    assert document["batch"]["parts"] == 2
    with pytest.raises(UnknownName, match="unknown column of the ratings 'survey'"):
        agreement(pl.concat(parts), by="survey")
