"""Consent is kept when it is given, and who is not eligible stays out, whichever way they come."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from plausibly.web.app import create_app
from plausibly.web.keys import Keys, Session
from plausibly.web.locale.texts import Texts
from plausibly.web.people import people_admit
from plausibly.web.study import read_study
from worlds.served import items_of, joins, study_folder

RESEARCHER = {"Authorization": "Bearer secret-of-the-researcher"}
SCREENED = Texts("en")("consent.screened")
YES = {"agree": "yes", "eligible": "yes"}
NO = {"agree": "yes", "eligible": "no"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    study = study_folder(tmp_path, items_of(2), {})
    app = create_app(read_study(study), token="secret-of-the-researcher")  # noqa: S106
    with TestClient(app, follow_redirects=False) as client:
        yield client


def fields(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def says(visitor: TestClient, person: str, said: dict[str, str]) -> Any:
    """Return what a browser gets for what its person said on the consent page."""
    page = visitor.get("/", params={"person": person} if person else {})
    return visitor.post("/consent", data={**fields(page.text), **said})


def visitor_of(client: TestClient) -> TestClient:
    return TestClient(client.app, follow_redirects=False)


def test_whoever_joins_has_consented_through_the_api_and_on_the_page(
    client: TestClient, tmp_path: Path
) -> None:
    assert joins(client, "ann").status_code == 200
    assert joins(client, "bob", consent="earlier").status_code == 403
    assert joins(client, "cyd", screening={}).status_code == 422
    assert says(visitor_of(client), "dan", YES).status_code == 303
    with sqlite3.connect(tmp_path / "answers.sqlite") as connection:
        rows = connection.execute("SELECT channel, consented IS NOT NULL FROM people")
        assert sorted(rows) == [("api", 1), ("pages", 1)]
    connection.close()


@pytest.mark.parametrize("same_browser", [True, False])
def test_who_is_screened_out_with_a_number_cannot_go_back_and_enter(
    client: TestClient, same_browser: bool
) -> None:
    visitor = visitor_of(client)
    assert SCREENED in says(visitor, "ann", NO).text
    again = visitor if same_browser else visitor_of(client)
    page = says(again, "ann", YES)
    assert (SCREENED in page.text) is same_browser
    assert again.get("/work").status_code == 401
    joined = joins(client, "ann")
    assert (joined.status_code, joined.json()["errors"]) == (403, [{"reason": "door"}])
    assert joined.json()["reason"] == "door"
    assert says(visitor_of(client), "bob", YES).status_code == 303


@pytest.mark.parametrize("turned_away", [True, False])
def test_a_number_does_not_show_that_its_person_was_screened_out(
    tmp_path: Path, turned_away: bool
) -> None:
    study = study_folder(tmp_path, items_of(2), {"server": {"door": "list"}})
    (tmp_path / "numbers.txt").write_text("ann\nbob\ncyd\n", encoding="utf-8")
    people_admit(study, tmp_path / "numbers.txt")
    with TestClient(create_app(read_study(study)), follow_redirects=False) as client:
        says(visitor_of(client), "ann", NO)
        says(visitor_of(client), "bob", YES)
        stranger = visitor_of(client)
        if turned_away:
            says(stranger, "nobody", NO)
        pages = {says(stranger, person, YES).text for person in ("ann", "bob", "nobody")}
        assert len(pages) == 1
        assert says(stranger, "cyd", YES).status_code == 303


def test_who_is_screened_out_without_a_number_cannot_go_back_and_enter(client: TestClient) -> None:
    visitor = visitor_of(client)
    sent = fields(visitor.get("/").text)
    assert SCREENED in visitor.post("/consent", data={**sent, **NO}).text
    assert SCREENED in visitor.post("/consent", data={**sent, **YES}).text
    assert SCREENED in visitor.get("/").text
    assert visitor.get("/work").status_code == 401
    assert says(visitor_of(client), "", YES).status_code == 303


def test_who_is_screened_out_with_a_number_cannot_enter_without_one(client: TestClient) -> None:
    visitor = visitor_of(client)
    says(visitor, "ann", NO)
    assert SCREENED in visitor.get("/").text


def test_someone_else_may_enter_with_a_number_of_their_own_at_the_same_browser(
    client: TestClient,
) -> None:
    visitor = visitor_of(client)
    says(visitor, "", NO)
    assert says(visitor, "bob", YES).status_code == 303
    assert visitor.get("/work").headers["location"].startswith("/work/")


def test_the_researcher_may_let_in_who_erred(client: TestClient) -> None:
    says(visitor_of(client), "ann", NO)
    says(visitor_of(client), "ann", NO)
    verdict = client.post("/api/v1/people/ann/restore", headers=RESEARCHER)
    assert (verdict.status_code, verdict.json()["people"]) == (200, 1)
    assert says(visitor_of(client), "ann", YES).status_code == 303
    assert client.post("/api/v1/people/eve/restore", headers=RESEARCHER).status_code == 404


def test_answers_begun_before_verdicts_were_kept_are_taken_up(tmp_path: Path) -> None:
    study = study_folder(tmp_path, items_of(2), {})
    with TestClient(create_app(read_study(study))) as client:
        joins(client, "ann")
    with sqlite3.connect(tmp_path / "answers.sqlite") as connection:
        connection.execute("DROP TABLE screened")
    connection.close()
    with TestClient(create_app(read_study(study))) as client:
        assert SCREENED in says(visitor_of(client), "bob", NO).text
        assert joins(client, "ann").status_code == 200


def test_a_session_is_read_as_it_was_written() -> None:
    keys = Keys(b"x" * 32, seconds=60)
    for session in (Session("n"), Session("n", "ann"), Session("n", None, screened=True)):
        assert keys.read_session(keys.session(session)) == session
