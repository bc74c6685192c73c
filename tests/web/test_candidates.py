"""Candidates on the pages: each person's own order, no names, answers under the names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plausibly.errors import StudyError
from plausibly.ratings.forms import form_of
from plausibly.ratings.served import Served
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.study import read_study
from worlds.compared import CANDIDATES, compared_folder
from worlds.served import form_address, token_of

TEXTS = Texts("en")
PEOPLE = [f"a{n:03}" for n in range(60)]


@pytest.fixture
def study(tmp_path: Path) -> Served:
    return read_study(compared_folder(tmp_path))


@pytest.fixture
def client(study: Served) -> Iterator[TestClient]:
    with TestClient(create_app(study, token="secret-of-the-researcher")) as client:  # noqa: S106
        yield client


def joined(client: TestClient, person: str) -> TestClient:
    visitor = TestClient(client.app)
    page = visitor.get("/", params={"person": person}).text
    visitor.post("/consent", data={**hidden(page), "agree": "yes"})
    return visitor


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def order_on(page: str) -> list[str]:
    """Return the names of the candidates in the order their texts stand on a page."""
    return sorted(CANDIDATES, key=lambda name: page.index(CANDIDATES[name]))


def fields_on(page: str, **given: str) -> dict[str, str]:
    """Return fields as a page calls them; `grammar_gpt` is the question about that candidate."""
    places = {name: str(place) for place, name in enumerate(order_on(page), 1)}
    parts = {name: name.partition("_") for name in given}
    fields = {
        name: f"{question}:{places[candidate]}" if candidate else question
        for name, (question, _, candidate) in parts.items()
    }
    return {fields[name]: places.get(answer, answer) for name, answer in given.items()}


def problems(page: str) -> list[str]:
    found = re.findall(r'<li><a href="[^"]*">(.*?)</a></li>', page)
    return [unescape(problem) for problem in found]


def test_every_order_is_shown_to_some(study: Served) -> None:
    orders = [study.content("e0", person).names for person in PEOPLE]
    assert len(set(orders)) == 6
    for place in range(3):
        assert 10 <= sum(order[place] == "gold" for order in orders) <= 30


def test_a_person_sees_items_in_different_orders_and_each_always_in_the_same(
    study: Served, tmp_path: Path
) -> None:
    again = read_study(tmp_path)
    for person in PEOPLE:
        assert study.content("e1", person) == again.content("e1", person)
    assert any(study.content("e0", p).names != study.content("e1", p).names for p in PEOPLE)


def test_a_form_may_ask_for_the_order_that_is_given(tmp_path: Path) -> None:
    folder = compared_folder(tmp_path, order="given", candidates="shown")
    study = read_study(folder)
    assert {study.content("e0", person).names for person in PEOPLE} == {tuple(CANDIDATES)}
    with TestClient(create_app(study)) as client:
        page = joined(client, "ann").get("/work").text
    assert order_on(page) == list(CANDIDATES)
    assert "Candidate gold" in page


def test_another_order_is_an_error_and_the_order_is_part_of_the_version(study: Served) -> None:
    questions = [{"id": "best", "type": "best-of-n"}]
    with pytest.raises(StudyError, match=r"order must be one of shuffled, given; got 'best'\."):
        form_of({"questions": questions, "order": "best"}, where="study.toml")
    shuffled, given = (
        form_of({"questions": questions, "order": order}, where="study.toml").version
        for order in ("shuffled", "given")
    )
    assert shuffled != given


def test_pages_show_each_person_the_same_order_again_and_no_names(client: TestClient) -> None:
    orders = set()
    for person in PEOPLE[:8]:
        visitor = joined(client, person)
        page = visitor.get("/work").text
        assert order_on(visitor.get("/work").text) == order_on(page)
        refused = visitor.post(form_address(page), data=hidden(page))
        assert refused.status_code == 422
        assert order_on(refused.text) == order_on(page)
        read = re.sub(r"<[^>]*>", " ", page)
        assert not [name for name in CANDIDATES if re.search(rf"\b{name}\b", read)]
        orders.add(tuple(order_on(page)))
    assert len(orders) > 1


def test_page_and_api_show_the_same_order(client: TestClient) -> None:
    for person in PEOPLE[:5]:
        visitor = joined(client, person)
        shown = client.get("/api/v1/next", headers=token_of(client, person)).json()
        texts = [candidate["text"] for candidate in shown["content"]["candidates"]]
        assert texts == [CANDIDATES[name] for name in order_on(visitor.get("/work").text)]


def test_answers_are_stored_under_the_candidates_own_names(client: TestClient) -> None:
    for person in PEOPLE[:5]:
        visitor = joined(client, person)
        page = visitor.get("/work").text
        given = {"grammar_gold": "YES", "grammar_gpt": "ALMOST", "grammar_rules": "NO"}
        given |= {"coherent_gold": "yes", "coherent_gpt": "no", "best": "gold", "sure": "7"}
        given = fields_on(page, **given)
        assert visitor.post(form_address(page), data={**hidden(page), **given}).status_code == 200
    lines = client.get(
        "/api/v1/ratings", headers={"Authorization": "Bearer secret-of-the-researcher"}
    ).text
    rows = [json.loads(line) for line in lines.splitlines()]
    stored = {(row["item"].partition("#")[2], row["question"]): row["answer"] for row in rows}
    assert len(rows) == 5 * 7
    assert stored == {
        ("gold", "grammar"): "YES",
        ("gpt", "grammar"): "ALMOST",
        ("rules", "grammar"): "NO",
        ("gold", "coherent"): "yes",
        ("gpt", "coherent"): "no",
        ("", "best"): "gold",
        ("", "sure"): "7",
    }


def test_a_candidate_that_is_ruled_out_is_marked_without_script(client: TestClient) -> None:
    visitor = joined(client, "ann")
    page = visitor.get("/work").text
    assert "ruled out" not in page
    given = {"grammar_gold": "YES", "grammar_gpt": "YES", "grammar_rules": "NO"}
    given |= {"coherent_gold": "yes", "coherent_gpt": "no", "best": "rules"}
    given = fields_on(page, **given)
    refused = visitor.post(form_address(page), data={**hidden(page), **given, "sure": "7"}).text
    place = 1 + order_on(page).index("rules")
    assert re.search(rf"Candidate {place}</span>.*\(ruled out by another answer", refused)
    assert refused.count("(ruled out by another answer of yours)") == 1
    assert not re.search(r'name="best" value="\w+" checked', refused)
    assert problems(refused) == [
        TEXTS("work.problem", question="Which is best?", what=TEXTS("refused.barred"))
    ]


def test_an_answer_nobody_asked_for_is_not_shown_again(client: TestClient) -> None:
    visitor = joined(client, "ann")
    page = visitor.get("/work").text
    given = {"grammar_gold": "YES", "grammar_gpt": "YES", "grammar_rules": "NO", "sure": "7"}
    given |= {"coherent_gold": "yes", "coherent_gpt": "no", "coherent_rules": "no", "best": "gpt"}
    given = fields_on(page, **given)
    refused = visitor.post(form_address(page), data={**hidden(page), **given}).text
    rules, gold = fields_on(page, coherent_rules="", coherent_gold="")
    assert not re.search(rf'name="{rules}" value="\w+" checked', refused)
    assert re.search(rf'name="{gold}" value="yes" checked', refused)
