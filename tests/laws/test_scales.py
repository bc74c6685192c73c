"""Laws of scales: what is inferred from answers, what is declared, and what the user sets."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.errors import PlausiblyError
from plausibly.measures.question_facts import QuestionFacts
from plausibly.measures.questions import question_scales, with_codes, without_unsure
from plausibly.measures.scales import MOST_ORDINAL, scale_of

WORDS = st.text("abcdefgh", min_size=1, max_size=6)
SCALES = st.sampled_from(["nominal", "ordinal", "interval", "text"])


def one_item(answers: list[str], question: str = "fit") -> pl.DataFrame:
    """Return ratings of one item, which gets every answer."""
    return pl.DataFrame({"item": ["t1"] * len(answers), "answer": answers}).with_columns(
        question=pl.lit(question)
    )


@given(st.integers(-20, 20), st.integers(3, MOST_ORDINAL), st.randoms())
def test_few_consecutive_whole_numbers_are_ordinal(low: int, size: int, shuffle: object) -> None:
    answers = [str(low + place) for place in range(size)]
    assert scale_of(one_item(answers)).scale == "ordinal"
    assert scale_of(one_item(answers[::-1] * 2)).scale == "ordinal"


@given(st.integers(-20, 20), st.integers(MOST_ORDINAL + 1, 101))
def test_many_whole_numbers_are_interval(low: int, size: int) -> None:
    assert scale_of(one_item([str(low + place) for place in range(size)])).scale == "interval"


@given(st.lists(st.integers(0, 100), min_size=2, max_size=20, unique=True))
def test_decimals_are_interval_and_two_values_nominal(numbers: list[int]) -> None:
    answers = [f"{number}.5" for number in numbers]
    expected = "nominal" if len(answers) == 2 else "interval"
    assert scale_of(one_item(answers)).scale == expected


@given(st.lists(WORDS, min_size=1, max_size=15, unique=True), st.integers(1, 3))
def test_words_are_nominal_until_their_order_is_declared(words: list[str], times: int) -> None:
    table = one_item(words * times)
    assert scale_of(table).scale == "nominal"
    assert scale_of(table, order=words).scale == "ordinal"


@given(st.sets(st.integers(0, 60), min_size=3, max_size=11))
def test_codes_that_never_meet_their_neighbours_are_asked_about(codes: set[int]) -> None:
    low, *middle, high = sorted(codes)
    rows = {"item": ["t1", "t1", *(f"m{n}" for n in middle)]}
    table = pl.DataFrame({**rows, "answer": [str(low), str(high), *map(str, middle)]})
    assert scale_of(table).scale == "ask"
    scale = question_scales(table.with_columns(question=pl.lit("fit")))["fit"]
    with pytest.raises(PlausiblyError, match=r"Declare its scale with scale="):
        scale.require()


@given(st.lists(st.integers(1, 7), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_copies_change_a_scale(
    numbers: list[int], random: object
) -> None:
    answers = [str(number) for number in numbers]
    shuffled = answers[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert scale_of(one_item(answers)) == scale_of(one_item(shuffled + shuffled))


@given(st.lists(WORDS, min_size=1, max_size=8), SCALES, SCALES)
def test_the_user_overrules_the_form_and_the_form_the_answers(
    words: list[str], declared: str, wanted: str
) -> None:
    table = one_item(words)
    facts = {"fit": QuestionFacts(scale=declared, reason="a form")}
    form = question_scales(table, facts=facts)["fit"]
    assert (form.scale, form.reason, form.source) == (declared, "a form", "declared")
    for scale in (wanted, f"fit={wanted}", {"fit": wanted}):
        user = question_scales(table, facts=facts, scale=scale)["fit"]
        assert (user.scale, user.reason, user.source) == (wanted, "set by the user", "set")


def test_comments_are_texts_however_few_there_are() -> None:
    both = pl.concat([one_item(["yes", "no"]), one_item(["nice", "too long"], "comment")])
    scales = question_scales(both)
    assert (scales["comment"].scale, scales["comment"].headline) == ("text", None)
    assert (scales["fit"].scale, scales["fit"].headline) == (
        "nominal",
        "krippendorff_alpha.nominal",
    )


@given(st.integers(3, 7), st.sampled_from(["not sure", "I don't know", "Unsure"]))
def test_not_sure_is_not_a_part_of_the_scale(size: int, word: str) -> None:
    table = one_item([*map(str, range(1, size + 1)), word])
    scales = question_scales(table)
    assert scales["fit"].scale == "ordinal"
    assert repr(word) in scales["fit"].reason
    kept, missing = without_unsure(table, scales, words=True)
    assert (kept.height, missing) == (size, {word: 1})
    assert without_unsure(table, scales) == (table, {})


@given(st.lists(WORDS, min_size=2, max_size=9, unique=True))
@settings(max_examples=25)
def test_codes_follow_the_declared_order(words: list[str]) -> None:
    table = one_item(words)
    scales = question_scales(table, facts={"fit": QuestionFacts(order=tuple(words))})
    assert with_codes(table, scales)["value"].to_list() == [n + 1.0 for n in range(len(words))]


@pytest.mark.parametrize("scale", ["odd", "fit=odd", "foot=nominal"])
def test_an_unknown_scale_or_question_is_refused_with_the_known_ones(scale: str) -> None:
    with pytest.raises(PlausiblyError, match="unknown"):
        question_scales(one_item(["a", "b"]), scale=scale)


def test_a_word_among_numbers_is_named_because_it_may_be_a_missing_answer() -> None:
    answers = ["3.5", "4", "k. A.", "2", "5"]
    ratings = pl.DataFrame({"item": [f"t{i}" for i in range(5)], "answer": answers})
    found = scale_of(ratings)
    assert found.scale == "nominal"
    assert found.reason == "1 of 5 answers is not a number: 'k. A.'"
