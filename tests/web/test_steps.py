"""Items in steps: what a later step shows is in nothing that is sent before it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from plausibly.errors import StudyError
from plausibly.ratings.collected import read_answers
from plausibly.ratings.forms import form_of
from plausibly.study import PROTOCOLS
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.participant.fields import field_name
from plausibly.web.study import read_study
from worlds.served import form_address, joins
from worlds.steps import REFERENCES, first_step, iks_folder, second_step

RESEARCHER = {"Authorization": "Bearer secret-of-the-researcher"}
TEXTS = Texts("en")


def client_of(folder: Path) -> TestClient:
    app = create_app(read_study(folder), token="secret-of-the-researcher")  # noqa: S106
    return TestClient(app)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with client_of(iks_folder(tmp_path)) as client:
        yield client


class Judge:
    """Someone who judges through the API, with everything the server ever sent them."""

    def __init__(self, client: TestClient, name: str) -> None:
        self.client, self.name, self.keys = client, name, 0
        self.heard: list[str] = []
        joined = self.hear(joins(client, name))
        self.headers = {"Authorization": f"Bearer {joined['token']}"}

    def hear(self, response: Response) -> dict[str, Any]:
        self.heard.append(response.text + str(response.headers))
        document: dict[str, Any] = response.json()
        return document

    def next(self) -> dict[str, Any]:
        return self.hear(self.client.get("/api/v1/next", headers=self.headers))

    def send(self, shown: dict[str, Any], answers: dict[str, Any], **more: Any) -> Response:
        self.keys += 1
        sent = {"reservation": shown["reservation"], "answers": answers, "key": f"k{self.keys}"}
        response = self.client.post("/api/v1/answers", json={**sent, **more}, headers=self.headers)
        self.hear(response)
        return response

    def knows(self, reference: str) -> bool:
        return any(reference in text for text in self.heard)


def names_of(shown: dict[str, Any]) -> list[str]:
    return sorted(candidate["id"] for candidate in shown["content"]["candidates"])


def test_the_reference_is_in_no_response_before_step_1_is_committed(client: TestClient) -> None:
    judge = Judge(client, "ann")
    for _ in REFERENCES:
        shown = judge.next()
        reference, names = REFERENCES[shown["item"]], names_of(shown)
        assert (shown["step"], "reference" in shown["content"]) == (1, False)
        assert judge.send(shown, {**first_step(names), **second_step(names)}).status_code == 422
        assert judge.send(shown, second_step(names), step=2).status_code == 409
        assert judge.send(shown, second_step(names), step=2.0).status_code == 409
        assert judge.send(shown, second_step(names), step=1.5).status_code == 422
        assert judge.send(shown, second_step(names)).status_code == 422
        assert judge.next() == shown
        assert not judge.knows(reference)
        assert judge.send(shown, first_step(names)).status_code == 201
        assert not judge.knows(reference)
        later = judge.next()
        assert (later["item"], later["reservation"]) == (shown["item"], shown["reservation"])
        assert (later["step"], later["content"]["reference"]) == (2, reference)
        assert judge.send(later, first_step(names), step=1).status_code == 409
        assert judge.send(later, second_step(names)).status_code == 201
    assert judge.next()["code"]


def test_one_reservation_serves_all_steps_and_an_item_counts_when_all_are_answered(
    client: TestClient, tmp_path: Path
) -> None:
    judge = Judge(client, "ann")
    shown = judge.next()
    names = names_of(shown)
    judge.send(shown, first_step(names))
    assert client.get("/api/v1/ratings", headers=RESEARCHER).text == ""
    assert read_answers(tmp_path / "answers.sqlite", names={}).ratings.is_empty()
    judge.send(shown, second_step(names))
    rows = [
        json.loads(line)
        for line in client.get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()
    ]
    assert {row["revision"] for row in rows} == {1}
    stored = {(row["item"], row["question"]): row["answer"] for row in rows}
    item = shown["item"]
    assert stored[f"{item}#{names[0]}", "grammaticality"] == "NO"
    assert (f"{item}#{names[0]}", "comparison_a") not in stored
    assert stored[item, "content_d"] == f"{names[1]};{names[2]}"
    assert stored[item, "comparison_c"] == names[1]
    assert len(stored) == 3 + 2 + 1 + 2 + 2 + 1 + 2 + 2 + 1


@pytest.mark.parametrize(
    ("question", "changes", "reason"),
    [
        ("coherence", {"coherence": {"i": "YES", "ii": "YES", "iii": "YES"}}, "skipped"),
        ("content_d", {"content_d": ["i"]}, "option"),
        ("content_b", {"content_b": {"ii": "YES"}}, "required"),
        ("comparison_a", {"comparison_a": {"ii": "YES"}}, "step"),
        ("nothing", {"nothing": "YES"}, "unknown"),
    ],
)
def test_what_skips_rule_out_is_refused_by_question_candidate_and_reason(
    client: TestClient, question: str, changes: dict[str, Any], reason: str
) -> None:
    judge = Judge(client, "ann")
    shown = judge.next()
    refused = judge.send(shown, first_step(["i", "ii", "iii"], **changes))
    assert refused.status_code == 422
    (error,) = refused.json()["errors"]
    assert (error["question"], error["reason"]) == (question, reason)
    assert error["message"]


def test_what_step_1_ruled_out_stays_out_in_step_2(client: TestClient) -> None:
    judge = Judge(client, "ann")
    shown = judge.next()
    names = ["i", "ii", "iii"]
    judge.send(shown, first_step(names))
    for changes in ({"comparison_c": "i"}, {"comparison_a": dict.fromkeys(names, "YES")}):
        assert judge.send(shown, second_step(names, **changes)).status_code == 422
    assert judge.send(shown, second_step(names)).status_code == 201


def test_a_step_may_be_reopened_where_the_study_says_so_as_a_revision_of_its_own(
    tmp_path: Path,
) -> None:
    with client_of(iks_folder(tmp_path, reopen=True)) as client:
        judge = Judge(client, "ann")
        shown = judge.next()
        names = names_of(shown)
        judge.send(shown, first_step(names))
        changed = first_step(names, content_a="NO")
        assert judge.send(shown, changed, step=1).json() == {"revision": 2}
        assert judge.next()["step"] == 2
        judge.send(shown, second_step(names))
        lines = client.get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()
        rows = [json.loads(line) for line in lines]
    assert {row["revision"] for row in rows if row["question"].startswith("content")} == {2}
    assert {row["revision"] for row in rows if row["question"].startswith("comp")} == {1}
    assert [row["answer"] for row in rows if row["question"] == "content_a"] == ["NO"]


class TestPages:
    def visitor(self, client: TestClient) -> TestClient:
        visitor = TestClient(client.app)
        page = visitor.get("/?person=ann").text
        visitor.post("/consent", data={**hidden(page), "agree": "yes"})
        return visitor

    def test_from_step_to_step(self, client: TestClient) -> None:
        visitor = self.visitor(client)
        page = visitor.get("/work")
        first, names = str(page.url), ["i", "ii", "iii"]
        (reference,) = [REFERENCES[item] for item in REFERENCES if f"about {item}." in page.text]
        assert reference not in page.text
        assert "comparison_a" not in page.text
        sent = {**hidden(page.text), **flat(first_step(names))}
        later = visitor.post(form_address(page.text), data=sent)
        assert reference in later.text
        assert str(later.url) == f"{first}/2"
        assert TEXTS("work.settled") in later.text
        assert 'name="grammaticality' not in later.text
        assert 'name="comparison_a:i"' not in later.text
        assert 'name="comparison_c" value="i"' not in later.text
        again = visitor.get(first)
        assert str(again.url) == f"{first}/2"
        refused = visitor.post(form_address(later.text), data=hidden(later.text))
        assert refused.status_code == 422
        sent = {**hidden(refused.text), **flat(second_step(names))}
        onward = visitor.post(form_address(refused.text), data=sent)
        assert "/work/" in str(onward.url)
        assert not str(onward.url).startswith(first)

    def test_a_page_of_step_1_cannot_be_sent_any_more_after_step_2_was_shown(
        self, client: TestClient
    ) -> None:
        visitor = self.visitor(client)
        page = visitor.get("/work").text
        names = ["i", "ii", "iii"]
        sent = {**hidden(page), **flat(first_step(names))}
        visitor.post(form_address(page), data=sent)
        again = visitor.post(form_address(page), data=sent)  # a second click changes nothing
        assert again.status_code == 200
        changed = {**sent, **flat(first_step(names, content_a="NO"))}
        assert visitor.post(form_address(page), data=changed).status_code == 409


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def flat(answers: dict[str, Any]) -> dict[str, Any]:
    """Return answers as the fields of a page."""
    fields: dict[str, Any] = {}
    for question, given in answers.items():
        if isinstance(given, dict):
            fields |= {f"{question}:{name}": answer for name, answer in given.items()}
        else:
            fields[question] = given
    return fields


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"questions": [{"id": "a", "type": "text", "form_step": 2}]}, "form_step must be 1 here"),
        (
            {"questions": [{"id": "a", "type": "text"}], "reveal": {"2": ["reference"]}},
            "no step '2'",
        ),
    ],
)
def test_a_form_whose_steps_do_not_follow_is_refused(
    document: dict[str, Any], message: str
) -> None:
    with pytest.raises(StudyError, match=message):
        form_of(document, where="study.toml")


@pytest.mark.parametrize("place", [1, 2])
def test_people_practise_on_five_candidates_in_both_steps(client: TestClient, place: int) -> None:
    joins_by_page(client)
    form = form_of(PROTOCOLS["iks"].form_in("en"), where="form")
    practice = form.practice[place - 1]
    assert (practice.form_step, len(practice.candidates)) == (place, 5)
    expected = {
        field_name(*whole.partition(":")[::2]): answers[0]
        for whole, answers in practice.expect.items()
    }
    page = client.get(f"/practice/{place}").text
    assert ("cannot manage the stairs" in page) == (place == 2)
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    agreed = client.post(f"/practice/{place}", data={**hidden, **expected})
    assert agreed.status_code == 200, agreed.text
    assert "We would say something else" not in agreed.text
    assert agreed.text.count("<details>") == 1  # the verdicts that agree are folded away
    assert "Our answer: Candidate 1." in agreed.text  # as the page calls it, not as the file does
    other = {name: "NO" if answer == "YES" else answer for name, answer in expected.items()}
    if place == 2:
        contrary = client.post(f"/practice/{place}", data={**hidden, **other})
        assert "We would say something else" in contrary.text


def joins_by_page(client: TestClient) -> None:
    page = client.get("/", params={"person": "ann"}).text
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    client.post("/consent", data={**hidden, "agree": "yes", "eligible": "yes"})
