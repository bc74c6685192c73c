from __future__ import annotations

from typing import Any

import pytest

from plausibly.errors import StudyError
from plausibly.ratings.answers import Answer, check_answers
from plausibly.ratings.collection import collection_form, plan_of
from plausibly.ratings.forms import Form, form_of
from plausibly.study import PROTOCOLS

SLIDER = {"id": "plausible", "type": "slider", "min": 1, "max": 5, "start": 3, "middle": "refuse"}
GRAMMAR = {
    "id": "grammar",
    "type": "likert",
    "options": ["NO", "ALMOST", "YES"],
    "per": "candidate",
}
COHERENT = {
    "id": "coherent",
    "type": "choice",
    "options": ["yes", "no"],
    "per": "candidate",
    "skip_if": {"grammar": ["NO"]},
}
BEST = {"id": "best", "type": "best-of-n", "ties": True, "skip_if": {"grammar": ["NO"]}}
KINDS = {"id": "kinds", "type": "set", "options": ["a", "b", "c"], "required": False}
WHY = {"id": "why", "type": "text", "required": False, "longest": 10}


def form(*questions: dict[str, Any]) -> Form:
    return form_of({"questions": list(questions)}, where="study.toml")


def reasons(form: Form, given: dict[str, object], *candidates: str) -> dict[str, str]:
    checked = check_answers(form, given, candidates=candidates)
    return {f"{r.question}{r.candidate}": r.reason for r in checked.refusals}


def stored(form: Form, given: dict[str, object], *candidates: str) -> tuple[Answer, ...]:
    checked = check_answers(form, given, candidates=candidates)
    assert not checked.refusals
    return checked.answers


def pap(middle: str = "refuse") -> Form:
    section = {**PROTOCOLS["pap"].sections["form"], "middle": middle}
    return collection_form(PROTOCOLS["pap"], section, where="study.toml")


class TestPap:
    @pytest.mark.parametrize("given", [1, 2, 4, 5, "1", "5", 4.0, "2.0", " 4 "])
    def test_every_answer_but_the_middle_is_taken(self, given: object) -> None:
        (answer,) = stored(pap(), {"plausible": given})
        assert answer.answer in {"1", "2", "4", "5"}
        assert answer.value == float(answer.answer)

    @pytest.mark.parametrize("given", [3, "3", 3.0, "3.00"])
    def test_the_middle_is_refused(self, given: object) -> None:
        assert reasons(pap(), {"plausible": given}) == {"plausible": "middle"}

    def test_the_middle_is_taken_where_the_study_accepts_it(self) -> None:
        assert stored(pap("accept"), {"plausible": 3}) == (Answer("plausible", "", "3", 3.0),)

    @pytest.mark.parametrize(
        "given",
        [0, 6, 2.5, "a", True, [], {}, [4], "NaN", "inf", -1, 10**400, "4;5", "\u0664x"],
    )
    def test_nothing_else_is_an_answer(self, given: object) -> None:
        wrong = reasons(pap(), {"plausible": given})["plausible"]
        assert wrong in {"range", "required"}

    def test_no_answer_is_refused(self) -> None:
        assert reasons(pap(), {}) == {"plausible": "required"}
        assert reasons(pap(), {"comment": "hm"}) == {"plausible": "required"}

    def test_a_comment_stands_beside_the_answer(self) -> None:
        checked = check_answers(pap(), {"plausible": 4, "comment": " odd \r\n"})
        assert checked.comment == "odd"
        assert [a.question for a in checked.answers] == ["plausible"]

    def test_a_question_nobody_asked_is_refused(self) -> None:
        assert reasons(pap(), {"plausible": 4, "extra": 1}) == {"extra": "unknown"}

    def test_the_api_shows_what_it_promises(self) -> None:
        document = pap().document
        slider, comment = document["questions"]
        assert set(document) == {"id", "version", "questions"}
        assert (slider["id"], slider["type"], slider["required"]) == ("plausible", "slider", True)
        assert (slider["min"], slider["max"], slider["start"]) == (1, 5, 3)
        assert (slider["per"], slider["skip_if"]) == ("item", {})
        assert (comment["id"], comment["required"]) == ("comment", False)

    def test_what_is_said_about_the_middle_is_what_is_done_about_it(self) -> None:
        for middle, told in (("refuse", "not accepted"), ("accept", "leave it in the middle")):
            lines = [line for line in pap(middle).instructions if "middle" in line]
            assert len(lines) == 1
            assert told in lines[0]
            assert "{" not in lines[0]
        assert pap("refuse").questions[0].hint == "Move the slider to one side."
        assert "or leave it in the middle" in pap("accept").questions[0].hint

    def test_the_version_changes_with_what_people_answer_to(self) -> None:
        assert pap().version == pap().version != pap("accept").version


class TestTypes:
    def test_a_likert_answer_has_its_place_as_value(self) -> None:
        scale = form({"id": "q", "type": "likert", "options": ["low", "mid", "high"]})
        assert stored(scale, {"q": "high"}) == (Answer("q", "", "high", 3.0),)

    def test_numbered_options_keep_their_number(self) -> None:
        scale = form({"id": "q", "type": "likert", "options": ["0", "1", "2"]})
        assert stored(scale, {"q": 0}) == (Answer("q", "", "0", 0.0),)

    def test_a_choice_is_one_of_the_options(self) -> None:
        choice = form({"id": "q", "type": "choice", "options": ["yes", "no"]})
        assert stored(choice, {"q": "no"}) == (Answer("q", "", "no", None),)
        for wrong in ("maybe", ["yes"], 1, {"yes": 1}):
            assert reasons(choice, {"q": wrong}) == {"q": "option"}

    def test_a_set_keeps_the_order_of_the_options(self) -> None:
        kinds = form(SLIDER, KINDS)
        answers = stored(kinds, {"plausible": 1, "kinds": ["c", "a", "a"]})
        assert answers[1] == Answer("kinds", "", "a;c", None)
        assert reasons(kinds, {"plausible": 1, "kinds": ["d"]}) == {"kinds": "option"}
        assert len(stored(kinds, {"plausible": 1, "kinds": []})) == 1

    def test_a_text_has_a_longest(self) -> None:
        why = form(SLIDER, WHY)
        assert reasons(why, {"plausible": 1, "why": "x" * 11}) == {"why": "length"}
        assert reasons(why, {"plausible": 1, "why": "a\x00"}) == {"why": "text"}
        assert reasons(why, {"plausible": 1, "why": "\ud800"}) == {"why": "text"}

    def test_a_comment_alone_is_an_answer_of_its_own(self) -> None:
        lone = form(KINDS, {"id": "comment", "type": "text", "required": False})
        assert stored(lone, {"comment": "hm"}) == (Answer("comment", "", "hm", None),)


class TestCandidates:
    def test_every_candidate_is_asked_about(self) -> None:
        both = form(GRAMMAR)
        given: dict[str, object] = {"grammar": {"i": "YES", "ii": "NO"}}
        assert [(a.candidate, a.value) for a in stored(both, given, "i", "ii")] == [
            ("i", 3.0),
            ("ii", 1.0),
        ]
        assert reasons(both, {"grammar": {"i": "YES"}}, "i", "ii") == {"grammarii": "required"}
        assert reasons(both, {"grammar": "YES"}, "i") == {"grammar": "per-candidate"}
        strange: dict[str, object] = {"grammar": {"i": "YES", "x": "NO"}}
        assert reasons(both, strange, "i") == {"grammarx": "unknown-candidate"}

    def test_a_skipped_question_is_neither_required_nor_taken(self) -> None:
        both = form(GRAMMAR, COHERENT)
        grammar = {"i": "NO", "ii": "YES"}
        given: dict[str, object] = {"grammar": grammar, "coherent": {"ii": "yes"}}
        assert len(stored(both, given, "i", "ii")) == 3
        told: dict[str, object] = {"grammar": grammar, "coherent": {"i": "no", "ii": "yes"}}
        assert reasons(both, told, "i", "ii") == {"coherenti": "skipped"}

    def test_the_best_is_one_of_those_that_were_not_skipped(self) -> None:
        best = form(GRAMMAR, BEST)
        grammar = {"i": "NO", "ii": "YES", "iii": "YES"}
        given: dict[str, object] = {"grammar": grammar, "best": ["iii", "ii"]}
        assert stored(best, given, "i", "ii", "iii")[-1].answer == "ii;iii"
        barred: dict[str, object] = {"grammar": grammar, "best": ["i"]}
        assert reasons(best, barred, "i", "ii", "iii") == {"best": "option"}

    def test_where_all_are_skipped_there_is_no_best(self) -> None:
        best = form(GRAMMAR, BEST)
        assert len(stored(best, {"grammar": {"i": "NO"}}, "i")) == 1


class TestWriting:
    @pytest.mark.parametrize(
        ("question", "message"),
        [
            ({"id": "q"}, "unknown type 'None'"),
            ({"id": "q", "type": "slidr"}, "Did you mean 'slider'"),
            ({"id": "q", "type": "slider", "min": 1, "max": 5}, "needs 'start'"),
            ({"id": "q", "type": "choice"}, "needs 'options'"),
            ({"id": "q", "type": "set"}, "needs 'options'"),
            ({"id": "q", "type": "choice", "options": ["a", "a"]}, "listed twice"),
            ({"id": "q", "type": "choice", "options": ["a;b"]}, "must not be empty or contain"),
            ({"id": "q", "type": "choice", "options": 5}, "a list of texts"),
            ({"id": "q", "type": "text", "optoins": []}, "Did you mean 'options'"),
            ({"id": "q", "type": "text", "per": "person"}, "'item' or 'candidate'"),
            ({"id": "q", "type": "text", "skip_if": {"x": ["1"]}}, "unknown earlier question"),
            ({"id": "q", "type": "text", "skip_if": {"grammar": ["NO"]}}, "per candidate too"),
            ({"id": "grammar", "type": "text"}, "two questions"),
            ({**SLIDER, "start": 9}, "min <= start <= max"),
            ({**SLIDER, "min": "1"}, "must be numbers"),
            ({**SLIDER, "step": 0}, "step must be above 0"),
            ({**SLIDER, "labels": ["one"]}, "two labels"),
            ({**SLIDER, "middle": "maybe"}, "one of refuse, accept, touch"),
            ("q", "table with an id"),
        ],
    )
    def test_a_form_that_cannot_be_asked_is_refused(self, question: object, message: str) -> None:
        with pytest.raises(StudyError, match=message):
            form_of({"questions": [GRAMMAR, question]}, where="study.toml")

    def test_a_form_needs_a_question(self) -> None:
        for questions in ([], [{"id": "comment", "type": "text"}]):
            with pytest.raises(StudyError, match="Add"):
                form_of({"questions": questions}, where="study.toml")

    @pytest.mark.parametrize(
        ("key", "value"),
        [("target", 0), ("batch", 0), ("quota", -1), ("rule", "most"), ("lease_minutes", 0.0)],
    )
    def test_a_plan_that_is_none_is_refused(self, key: str, value: object) -> None:
        section = {**PROTOCOLS["pap"].sections["ratings"], key: value}
        with pytest.raises(StudyError, match=key):
            plan_of(section, seed=1, where="study.toml")

    def test_a_middle_that_is_neither_refused_nor_accepted_is_an_error(self) -> None:
        with pytest.raises(StudyError, match="middle"):
            pap("perhaps")


LIKERT = {"id": "natural", "type": "likert"}


def test_a_likert_may_name_its_ends_instead_of_its_options() -> None:
    (question,) = form({**LIKERT, "min": 1, "max": 7, "labels": ["odd", "natural"]}).questions
    assert question.options == ("1", "2", "3", "4", "5", "6", "7")
    assert question.labels == ("1: odd", "2", "3", "4", "5", "6", "7: natural")
    assert (question.min, question.max) == (None, None)


def test_a_point_with_an_empty_word_is_read_as_its_number() -> None:
    asked = form({**LIKERT, "options": ["1", "2", "3"], "labels": ["never", "", "always"]})
    assert asked.questions[0].labels == ("1: never", "2", "3: always")


def test_a_likert_may_have_words_for_its_ends_and_its_middle() -> None:
    words = ["odd", "so so", "natural"]
    (question,) = form({**LIKERT, "options": [-2, -1, 0, 1, 2], "labels": words}).questions
    assert question.labels == ("-2: odd", "-1", "0: so so", "1", "2: natural")
    with pytest.raises(StudyError, match="3 labels for 4 options"):
        form({**LIKERT, "min": 1, "max": 4, "labels": words})


@pytest.mark.parametrize(
    "ends",
    [{}, {"min": 1}, {"min": 7, "max": 1}, {"min": 0, "max": 100}, {"min": 1, "max": 4, "step": 2}],
)
def test_ends_that_make_no_scale_are_refused(ends: dict[str, int]) -> None:
    with pytest.raises(StudyError, match=r"a likert (needs|has)"):
        form({**LIKERT, **ends})


@pytest.mark.parametrize("name", ["自然さ", "poprawność", "ταίρι-2", "q_1"])
def test_a_question_may_be_named_in_any_script(name: str) -> None:
    assert form(dict(GRAMMAR, id=name)).questions[0].id == name
