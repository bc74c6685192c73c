"""Server and cleaning give one answer to the question whether a check was passed."""

from __future__ import annotations

from itertools import product

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.cleaning.probes import failed_attention, failed_check, off_gold
from plausibly.cleaning.rule import Context
from plausibly.errors import StudyError
from plausibly.ratings.answers import check_answers
from plausibly.ratings.expected import refuse_impossible
from plausibly.ratings.forms import Form, Question
from plausibly.ratings.served import Content, passes
from plausibly.tables import ITEMS, RATINGS

FIVE = ("impossible", "less likely", "equally likely", "more likely", "necessary")
QUESTIONS = (
    Question(id="q", type="slider", min=1, max=5, start=3, middle="accept"),
    Question(
        id="q", type="slider", min=1, max=5, start=3, labels=("implausible", "plausible"),
        sides="1,2|4,5", middle="refuse",
    ),
    Question(id="q", type="slider", min=0, max=1, start=0.5, step=0.25, labels=("no", "yes")),
    Question(id="q", type="likert", options=("1", "2", "3", "4", "5")),
    Question(id="q", type="likert", options=("1", "2", "3", "4", "5"), sides="1,2|4,5"),
    Question(id="q", type="choice", options=FIVE),
    Question(id="q", type="choice", options=("plausible", "implausible")),
)  # fmt: skip
WORDS = ("plausible", "implausible", "1", "2", "3", "4", "5", "0", "0.25", "yes", "no", "4,5")


EXPECTED = (*WORDS, *FIVE, "1;2", "more likely | necessary")
KINDS = ("check", "gold", "attention")


def answerable(question: Question, answer: str) -> bool:
    return not check_answers(Form("f", (question,)), {"q": answer}).refusals


def expectable(question: Question, expected: str, kind: str) -> bool:
    try:
        refuse_impossible(expected, Form("f", (question,)), (), where="check", kind=kind)
    except StudyError:
        return False
    return True


CASES = [
    (question, answer, expected, kind)
    for question, answer, expected, kind in product(QUESTIONS, (*WORDS, *FIVE), EXPECTED, KINDS)
    if answerable(question, answer) and expectable(question, expected, kind)
]


@given(case=st.sampled_from(CASES))
def test_a_check_is_passed_on_the_server_if_and_only_if_cleaning_keeps_the_person(
    case: tuple[Question, str, str, str],
) -> None:
    question, answer, expected, kind = case
    form = Form("f", (question,))
    checked = check_answers(form, {"q": answer})
    content = Content("x", kind=kind, expected=expected)
    served = passes(form, content, checked.answers)
    rule = {
        "check": failed_check(),
        "attention": failed_attention(),
        "gold": off_gold(more_than=0.0, scale=question.options),
    }[kind]
    item = {"item": "c", "text": "x", "condition": None, "kind": kind, "expected": expected}
    items = ITEMS.check(pl.DataFrame([item], schema=ITEMS.schema))
    rating = {"item": "c", "annotator": "ann", "question": "q", "answer": checked.answers[0].answer}
    other = {"item": "t", "annotator": "ann", "question": "q", "answer": answer}
    schema = dict(RATINGS.schema)
    probes = RATINGS.check(pl.DataFrame([rating], schema=schema))
    ratings = RATINGS.check(pl.DataFrame([other], schema=schema))
    context = Context(items=items, sides=question.answer_sides, probes=probes)
    assert served is (rule.find(ratings, context).height == 0)


@pytest.mark.parametrize(("answer", "well"), [("4", True), ("2", False), ("3", False)])
def test_sides_that_a_form_declares_make_a_neighbour_as_good(answer: str, well: bool) -> None:
    form = Form("f", (QUESTIONS[4],))
    checked = check_answers(form, {"q": answer})
    assert passes(form, Content("x", kind="check", expected="5"), checked.answers) is well
