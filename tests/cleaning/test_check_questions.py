"""A check expects an answer to one question of the form, and only that one is compared."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.cleaning.probes import failed_check
from plausibly.cleaning.rule import Context
from plausibly.measures.jaccard import parse_sides
from plausibly.ratings.answers import Answer
from plausibly.ratings.forms import form_of
from plausibly.ratings.served import Content, passes, read_contents
from plausibly.tables import ITEMS, RATINGS

SIDES = parse_sides("1,2|4,5")
ANSWERS = {"a": ("5", "no"), "b": ("1", "yes")}
ITEM_ROWS = {
    "item": ["t1", "c1"],
    "text": ["Otters swim.", "Water is wet."],
    "kind": ["item", "check"],
    "expected": [None, "5"],
}
FORM = form_of(
    {
        "id": "two",
        "questions": [
            {"id": "why", "type": "text", "text": "Why?", "required": False},
            {"id": "natural", "type": "likert", "text": "Natural?", "options": list("12345")},
            {"id": "heard", "type": "choice", "text": "Heard?", "options": ["yes", "no"]},
        ],
    },
    where="form.toml",
)


def ratings_with(item: str) -> pl.DataFrame:
    rows = [
        (item, name, question, answer)
        for name, answers in ANSWERS.items()
        for question, answer in zip(("natural", "heard"), answers, strict=True)
    ]
    columns = ["item", "annotator", "question", "answer"]
    return RATINGS.check(pl.DataFrame(rows, columns, orient="row"))


def suspects(items: pl.DataFrame, check_question: str | None = None) -> set[str]:
    context = Context(items, sides=SIDES, probes=ratings_with("c1"), check_question=check_question)
    return set(failed_check().find(ratings_with("t1"), context)["annotator"])


@pytest.mark.parametrize("check_question", ["natural", None])
def test_who_passes_the_question_that_is_checked_is_kept(check_question: str | None) -> None:
    assert suspects(ITEMS.check(pl.DataFrame(ITEM_ROWS)), check_question) == {"b"}


def test_an_item_may_name_the_question_it_checks() -> None:
    items = {**ITEM_ROWS, "expected": [None, "no"], "expected_question": [None, "heard"]}
    assert suspects(ITEMS.check(pl.DataFrame(items)), "natural") == {"b"}
    items = {**items, "expected": [None, "yes"]}
    assert suspects(ITEMS.check(pl.DataFrame(items)), "natural") == {"a"}


def test_the_server_compares_the_same_question() -> None:
    answers = {"why": "5", "natural": "1", "heard": "no"}
    given = tuple(Answer(name, "", one, None) for name, one in answers.items())
    check = Content("Water is wet.", kind="check", expected="5")
    assert not passes(FORM, check, given)
    named = Content("Water is wet.", kind="check", expected="no", asked="heard")
    assert passes(FORM, named, given)


def test_a_check_of_a_question_that_is_not_asked_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "items.parquet"
    items = pl.DataFrame({**ITEM_ROWS, "expected_question": [None, "herd"]})
    items.write_parquet(place)
    with pytest.raises(pb.PlausiblyError, match="expected_question: unknown question 'herd'"):
        read_contents(place, FORM)


def test_cleaning_keeps_people_who_pass_the_check_of_a_form_with_two_questions() -> None:
    ratings = pl.concat([ratings_with("t1"), ratings_with("c1")])
    items = pl.DataFrame(ITEM_ROWS)
    rules = [failed_check()]
    cleaned = pb.clean(ratings, rules, items=items, sides="1,2|4,5", resamples=0)
    assert cleaned.ratings["annotator"].unique().to_list() == ["a"]
    seen = dict(cleaned.verdicts.select("annotator", "checks").iter_rows())
    assert seen == {"a": 1, "b": 1}
