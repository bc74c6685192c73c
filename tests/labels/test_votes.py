from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, TableError
from plausibly.labels import Silent
from plausibly.labels.agreed_by import agreed_by
from plausibly.labels.averages import mean, median, rescale
from plausibly.labels.plurality import plurality
from plausibly.labels.strict_majority import strict_majority
from plausibly.labels.ties import ties
from worlds.tables import ratings_of

SIDES = LabelScheme(
    "sides", ("no", "yes"), {"1": "no", "2": "no", "4": "yes", "5": "yes"}, "a test"
)


def by_item(labels: pl.DataFrame) -> dict[str, str | None]:
    return dict(labels["item", "label"].iter_rows())


def test_seven_of_ten_are_seventy_per_cent() -> None:
    labels = strict_majority(ratings_of({"t1": "5555555444", "t2": "5555554444"}))
    assert by_item(labels) == {"t1": "5", "t2": None}


@pytest.mark.parametrize("total", range(10, 1001, 10))
def test_exactly_seventy_per_cent_always_count(total: int) -> None:
    agreeing = total * 7 // 10
    answers = {"t1": "5" * agreeing + "4" * (total - agreeing)}
    assert by_item(strict_majority(ratings_of(answers)))["t1"] == "5"


def test_disagreement_keeps_its_row() -> None:
    labels = strict_majority(ratings_of({"t1": "12", "t2": "11"}))
    assert labels.select("item", "label", "support", "ratings").rows() == [
        ("t1", None, 0.5, 2),
        ("t2", "1", 1.0, 2),
    ]


@pytest.mark.parametrize("share", [0.5, 0.4, 1.1, float("nan")])
def test_a_share_that_two_answers_could_reach_is_refused(share: float) -> None:
    with pytest.raises(StudyError, match=r"min_share must be in \(0\.5, 1\]"):
        strict_majority(ratings_of({"t1": "12"}), min_share=share)


def test_answers_outside_the_scheme_count_in_the_whole_but_for_nothing() -> None:
    labels = strict_majority(ratings_of({"t1": "5544433", "t2": "3333"}), scheme=SIDES)
    assert labels.select("item", "label", "support", "ratings").rows() == [
        ("t1", "yes", 5 / 7, 7),
        ("t2", None, 0.0, 4),
    ]
    assert json.loads(labels["distribution"][0]) == {"no": 0.0, "yes": 1.0}
    assert labels["distribution"][1] is None


def test_a_scheme_puts_answers_of_one_side_together() -> None:
    labels = plurality(ratings_of({"t1": "112455"}), scheme=SIDES)
    assert json.loads(labels["distribution"][0]) == {"no": 0.5, "yes": 0.5}
    assert ties(labels).rows() == [("t1", "rating")]


def test_two_spellings_of_a_number_are_one_answer() -> None:
    ratings = ratings_of({"t1": "1112"}).with_columns(answer=pl.Series(["1", "1.0", "1.00", "2.0"]))
    labels = strict_majority(ratings)
    assert by_item(labels) == {"t1": "1"}
    assert json.loads(labels["distribution"][0]) == {"1": 0.75, "2.0": 0.25}


def test_a_scheme_knows_its_numbers_however_they_are_spelt() -> None:
    ratings = ratings_of({"t1": "1145"}).with_columns(pl.col("answer") + ".0")
    assert json.loads(plurality(ratings, scheme=SIDES)["distribution"][0]) == {
        "no": 0.5,
        "yes": 0.5,
    }


def test_one_and_one_point_nought_are_two_names_among_names() -> None:
    ratings = ratings_of({"t1": "123"}).with_columns(answer=pl.Series(["1", "1.0", "beta"]))
    assert json.loads(plurality(ratings)["distribution"][0]).keys() == {"1", "1.0", "beta"}


def test_one_shared_answer_is_a_label_two_are_none() -> None:
    labels = agreed_by(ratings_of({"t1": "1122", "t2": "1123", "t3": "1234"}), at_least=2)
    assert by_item(labels) == {"t1": None, "t2": "1", "t3": None}


def test_agreement_by_nobody_is_refused() -> None:
    with pytest.raises(StudyError, match="at_least must be 1 or more; got 0"):
        agreed_by(ratings_of({"t1": "12"}), at_least=0)


def test_a_tie_goes_to_the_smallest_number_not_the_first_text() -> None:
    ratings = ratings_of({"t1": ["10", "9"], "t2": ["10", "10"]})
    labels = plurality(ratings)
    assert by_item(labels) == {"t1": "9", "t2": "10"}
    assert ties(labels)["item"].to_list() == ["t1"]


def test_questions_are_labelled_apart() -> None:
    ratings = pl.concat(
        [ratings_of({"t1": "11"}, question="a"), ratings_of({"t1": "223"}, question="b")]
    )
    labels = plurality(ratings)
    assert labels.select("item", "question", "label", "ratings").rows() == [
        ("t1", "a", "1", 2),
        ("t1", "b", "2", 3),
    ]
    assert json.loads(labels["distribution"][0]) == {"1": 1.0}


def test_items_nobody_answered_keep_a_row() -> None:
    labels = plurality(ratings_of({"t1": "11"}), silent=Silent(items=("t0", "t2")))
    assert labels.select("item", "label", "support", "ratings", "distribution").rows() == [
        ("t0", None, None, 0, None),
        ("t1", "1", 1.0, 2, '{"1": 1.0}'),
        ("t2", None, None, 0, None),
    ]


def test_a_table_without_ratings_labels_only_silent_items() -> None:
    empty = ratings_of({})
    for method in (plurality, strict_majority, mean, median):
        with pytest.raises(TableError, match="ratings: no rows"):
            method(empty)
        labels = method(empty, silent=Silent(items=("t1",)))
        assert by_item(labels) == {"t1": None}
    assert by_item(agreed_by(empty, at_least=1, silent=Silent(items=("t1",)))) == {"t1": None}


def test_a_rating_given_twice_is_refused() -> None:
    ratings = ratings_of({"t1": "1"})
    with pytest.raises(TableError, match="more than one row"):
        plurality(pl.concat([ratings, ratings]))


def test_the_median_of_an_even_number_is_between_the_middle_two() -> None:
    labels = median(ratings_of({"t1": "1245", "t2": "145"}))
    assert by_item(labels) == {"t1": "3.0", "t2": "4.0"}
    assert labels["support"].to_list() == [None, None]


def test_the_mean_is_that_of_the_values() -> None:
    ratings = ratings_of({"t1": ["low", "high", "unsure"]}).with_columns(
        value=pl.Series([1.0, 4.0, None])
    )
    assert by_item(mean(ratings)) == {"t1": "2.5"}


def test_a_mean_of_words_says_what_is_missing() -> None:
    with pytest.raises(StudyError, match="mean needs numbers: 2 of 2 answers to question 'rating'"):
        mean(ratings_of({"t1": ["good", "bad"]}))


def test_means_and_medians_tie_with_nothing() -> None:
    ratings = ratings_of({"t1": "12"})
    assert ties(mean(ratings)).is_empty()
    assert ties(median(ratings)).is_empty()


def test_answers_from_one_to_five_become_scores_from_nought_to_ten() -> None:
    labels = mean(ratings_of({"t1": "1", "t2": "5555", "t3": "34"}))
    scores = rescale(labels, old=(1, 5), new=(0, 10))
    expected = {item: (float(label) - 1) * 2.5 for item, label in labels["item", "label"].rows()}
    found = {item: float(label) for item, label in scores["item", "label"].rows()}
    assert found == pytest.approx(expected)
    assert found == {"t1": 0.0, "t2": 10.0, "t3": 6.25}


def test_words_cannot_be_rescaled() -> None:
    with pytest.raises(StudyError, match=r"1 of 1 labels are not numbers \(first: 'good'\)"):
        rescale(plurality(ratings_of({"t1": ["good"]})), old=(1, 5), new=(0, 10))
    with pytest.raises(StudyError, match="two different ends"):
        rescale(plurality(ratings_of({"t1": "1"})), old=(1, 1), new=(0, 10))


def test_a_label_with_quotes_stays_one_in_the_distribution() -> None:
    label = 'so-called "fact" \\ ü'
    labels = plurality(ratings_of({"t1": [label]}))
    assert json.loads(labels["distribution"][0]) == {label: 1.0}


def test_many_answers_give_the_same_shares_as_counting_by_hand() -> None:
    generator = np.random.default_rng(3)
    answers = {f"t{n}": [str(a) for a in generator.integers(0, 12, 9)] for n in range(40)}
    labels = plurality(ratings_of(answers))
    for item, text in labels["item", "distribution"].iter_rows():
        shares = json.loads(text)
        for label, share in shares.items():
            assert share == pytest.approx(answers[item].count(label) / 9)


def test_of_many_labels_only_those_with_a_vote_are_listed() -> None:
    ratings = ratings_of({f"t{n:02}": [str(n), str(n), str(n + 1)] for n in range(30)})
    labels = plurality(ratings, silent=Silent(items=("t99",)))
    assert json.loads(labels["distribution"][3]) == {"3": 2 / 3, "4": 1 / 3}
    assert by_item(labels)["t03"] == "3"
    assert labels["distribution"][-1] is None
    assert strict_majority(ratings, min_share=0.6)["label"].to_list() == [str(n) for n in range(30)]


def test_as_many_answers_as_ratings_take_little_room() -> None:
    n = 20_000
    ratings = pl.DataFrame(
        {
            "item": [f"t{row % 1000}" for row in range(n)],
            "annotator": [f"a{row // 1000}" for row in range(n)],
            "question": ["rating"] * n,
            "answer": [f"{row / 7:.6f}" for row in range(n)],
        }
    )
    for method in (mean, median, plurality):
        labels = method(ratings)
        assert labels["distribution"].str.len_bytes().max() < 1_000  # type: ignore[operator]


def test_an_answer_that_is_no_number_is_not_dropped_from_a_mean() -> None:
    ratings = ratings_of({"t1": ["4,5", "3,5", "1"]})
    with pytest.raises(StudyError, match=r"2 of 3 answers .* are not \(first: '4,5'\)"):
        mean(ratings)
