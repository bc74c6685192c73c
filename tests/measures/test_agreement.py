from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from measures.crowds import coded_of, frame_of, random_grid
from plausibly.errors import TableError, UnknownName
from plausibly.measures.agreement import NAMES, agreement, measures_of
from plausibly.measures.jaccard import parse_sides, soft_jaccard
from plausibly.measures.krippendorff import krippendorff_alpha
from plausibly.measures.resampling import Resampling
from plausibly.tables import RATINGS
from worlds.tables import ratings_of

FEW = Resampling(resamples=20)


def test_every_measure_of_a_question_comes_at_once_and_equals_its_own_function() -> None:
    grid = random_grid(1)
    sides = parse_sides("1,2|4,5")
    found = agreement(frame_of(grid), sides=sides, resampling=FEW)["rating"]
    assert set(found.as_json()) >= set(NAMES)
    alone = krippendorff_alpha(coded_of(grid), "ordinal", resampling=FEW)
    assert found.measures["krippendorff_alpha.ordinal"] == alone
    assert found.measures["soft_jaccard"] == soft_jaccard(
        coded_of(grid), sides=sides, resampling=FEW
    )


@pytest.mark.parametrize("place", [0, 3, 8])
def test_somebody_who_rated_nothing_changes_no_value(place: int) -> None:
    coded = coded_of(random_grid(2, items=30, people=8))
    silent = replace(
        coded,
        annotator=(coded.annotator + (coded.annotator >= place)).astype(np.int32),
        annotators=pl.Series([str(code) for code in range(coded.n_annotators + 1)]),
    )
    none = Resampling(resamples=0)
    expected = {name: one.value for name, one in measures_of(coded, resampling=none).items()}
    found = {name: one.value for name, one in measures_of(silent, resampling=none).items()}
    assert found == pytest.approx(expected, nan_ok=True)


def test_each_question_is_measured_by_itself() -> None:
    first = ratings_of({"t1": "11", "t2": "22"}, question="one")
    second = ratings_of({"t1": "12", "t2": "21"}, question="two")
    found = agreement(pl.concat([second, first]), resampling=FEW)
    assert list(found) == ["one", "two"]
    assert found["one"].measures["percent_agreement"].value == 1
    assert found["two"].measures["percent_agreement"].value == 0


def test_words_have_nominal_measures_and_a_reason_for_the_rest() -> None:
    ratings = ratings_of({"t1": ["yes", "no", "yes"], "t2": ["no", "no", "no"]})
    measures = agreement(ratings, resampling=FEW)["rating"].measures
    nominal = {
        "krippendorff_alpha.nominal",
        "soft_jaccard",
        "cohen_kappa",
        "fleiss_kappa",
        "gwet_ac1",
        "percent_agreement",
    }
    for name, measure in measures.items():
        if name in nominal:
            assert measure.value is not None, name
        else:
            assert measure.reason == "answers are not numbers (first: 'no')", name


def test_words_with_a_value_are_measured_on_their_scale() -> None:
    numbers = ratings_of({"t1": "113", "t2": "223", "t3": "3-1"})
    words = numbers.with_columns(
        answer=pl.col("answer").replace_strict({"1": "never", "2": "hardly", "3": "always"})
    )
    by_number = agreement(numbers, resampling=FEW)["rating"]
    by_word = agreement(words, resampling=FEW)["rating"]
    for name, measure in by_number.measures.items():
        assert by_word.measures[name].value == pytest.approx(measure.value), name


def test_a_value_shared_by_two_answers_is_not_a_scale() -> None:
    ratings = ratings_of({"t1": ["a", "b"], "t2": ["b", "b"]}).with_columns(value=pl.lit(1.0))
    measure = agreement(ratings, resampling=FEW)["rating"].measures["krippendorff_alpha.interval"]
    assert measure.reason == "answers are not numbers (first: 'a')"


def test_spellings_of_one_number_are_one_answer() -> None:
    ratings = ratings_of({"t1": ["4", "4.0"], "t2": ["5", "5"]})
    measures = agreement(ratings, resampling=FEW)["rating"].measures
    assert measures["percent_agreement"].value == 1
    assert measures["krippendorff_alpha.nominal"].value == 1


def test_set_answers_add_alpha_with_masi() -> None:
    ratings = ratings_of({"t1": ["i;ii", "ii;i"], "t2": ["iii", "iii"]})
    found = agreement(ratings, separator=";", resampling=FEW)["rating"].as_json()
    alpha = found["krippendorff_alpha_masi"]
    assert isinstance(alpha, dict)
    assert (alpha["value"], alpha["n"]) == (1, 2)


def test_only_the_measures_asked_for_are_made() -> None:
    ratings = ratings_of({"t1": "12", "t2": "22"})
    found = agreement(ratings, measures=["fleiss_kappa"], resampling=FEW)["rating"]
    assert list(found.measures) == ["fleiss_kappa"]
    assert found.pairs is None
    with pytest.raises(UnknownName, match="Did you mean 'fleiss_kappa'"):
        agreement(ratings, measures=["fleis_kappa"])


def test_no_ratings_are_an_error() -> None:
    with pytest.raises(TableError, match="no rows"):
        agreement(RATINGS.empty())


def test_the_document_says_what_was_counted_and_drawn() -> None:
    ratings = ratings_of({"t1": "12-", "t2": "22-", "t3": "--1"})
    document = agreement(ratings, resampling=Resampling("items", 7, 3))["rating"].as_json()
    facts = {name: document[name] for name in list(document)[:9]}
    assert facts == {
        "items": 3,
        "annotators": 3,
        "ratings": 5,
        "pairs": 1,
        "pairs_without_overlap": 2,
        "resample": "items",
        "estimand": "these people, items like these",
        "resamples": 7,
        "seed": 3,
    }


def test_one_word_among_numbers_says_how_to_leave_it_out() -> None:
    ratings = ratings_of({"t1": "15", "t2": "51"}).with_columns(
        answer=pl.Series(["1", "5", "5", "not sure"])
    )
    measure = agreement(ratings, resampling=Resampling(resamples=0))["rating"].measures
    reason = measure["krippendorff_alpha.ordinal"].reason
    assert (
        reason
        == "answers are not numbers (first: 'not sure'); they can be left out as missing answers"
    )
