"""Audit of the server: ties that stay closed, an open API, strangers, limits per address."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select
from starlette.testclient import TestClient

from plausibly.ratings.served import Served
from plausibly.ratings.store.schema import items
from plausibly.ratings.store.verdicts import exclude, restore, withdraw
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.served import (
    NOW,
    Clock,
    answered,
    form_address,
    items_of,
    joined,
    served_of,
    shown,
    store_of,
    study_folder,
    works_through,
)

ADDRESS = ("198.51.100.7", 50000)  # not a loopback address: limits apply to it
PER_HOUR = 60  # people who may join from one address
LATER = NOW + 120  # after a lease of one minute
REFUSED = {401, 403, 404, 422}
REMARK = "only ann knows this remark"
RESEARCHER = {"Authorization": f"Bearer {TOKEN}"}


def open_study(path: Path, number: int, **sections: dict[str, Any]) -> Served:
    """Return a study on disk that anybody may enter; [server] keys need not exist yet."""
    own = sections.pop("server", {})
    served = read_study(study_folder(path, items_of(number), sections))
    return replace(served, server={**served.server, "door": "open", **own})


def client_of(served: Served) -> TestClient:
    return TestClient(create_app(served, token=TOKEN, clock=Clock()), client=ADDRESS)


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def visitor_of(client: TestClient, person: str) -> TestClient:
    """Return a new browser after someone gave a number, agreed and said they are eligible."""
    visitor = TestClient(client.app, client=ADDRESS)
    page = visitor.get("/", params={"person": person}).text
    visitor.post("/consent", data={**hidden(page), "agree": "yes", "eligible": "yes"})
    return visitor


def finished_of(client: TestClient, person: str) -> tuple[TestClient, str]:
    """Return the browser of a person who has answered everything, and their code."""
    visitor = visitor_of(client, person)
    for _ in range(2):
        page = visitor.get("/work").text
        sent = {**hidden(page), "plausible": "5", "comment": REMARK}
        assert visitor.post(form_address(page), data=sent).status_code == 200
    code = re.search(r"<code>(\w+)</code>", visitor.get("/done").text)
    assert code is not None
    return visitor, code.group(1)


def progress(client: TestClient) -> dict[str, Any]:
    return dict(client.get("/api/v1/progress", headers=RESEARCHER).json())


def rows(client: TestClient) -> list[str]:
    return client.get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()


def wanted(connection: Connection, item: str) -> tuple[int, int]:
    """Return how many places of an item are taken and how many there are."""
    row = connection.execute(select(items).where(items.c.item == item)).one()
    return row.taken, row.target


class TestDecided:
    def test_an_answer_that_steps_in_and_differs_asks_for_a_third(self, tmp_path: Path) -> None:
        served = served_of(1, target=3, batch=1, quota=1, decided=2, lease_minutes=1.0)
        with store_of(tmp_path, served).begin() as connection:
            for name, given in (("ann", "5"), ("bob", "1")):
                joined(connection, name, served)
                answered(connection, name, served, given=given)
            exclude(connection, "ann", check=None, reason="test", now=NOW)
            assert joined(connection, "cat", served)
            assert shown(connection, "cat", served) is not None
            restore(connection, "ann", now=NOW)  # no place is free: the answer is surplus
            assert joined(connection, "dan", served, now=LATER), "turned away from a tie"
            assert wanted(connection, "t000") == (3, 3)

    def test_an_answer_that_a_withdrawn_check_brings_back_asks_for_a_third(
        self, tmp_path: Path
    ) -> None:
        checked: dict[str, Any] = {"checks": 1, "checks_per_batch": 1, "failed_check": "exclude"}
        served = served_of(1, target=3, batch=1, quota=1, decided=2, **checked)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "bob", served, given="5")
            works_through(connection, "ann", served, given="1")  # fails the check
            assert wanted(connection, "t000") == (1, 2)
            withdraw(connection, "c000", served=served, now=NOW)
            assert wanted(connection, "t000") == (2, 3)


class TestParticipantInterface:
    def joins(self, served: Served) -> tuple[int, int]:
        """Return how the server answers an invented number, and how many people it has then."""
        with client_of(served) as client:
            response = client.post("/api/v1/join", json={"person": "invented"})
            return response.status_code, progress(client)["people"]["joined"]

    @pytest.mark.parametrize("server", [{}, {"api": False}])
    def test_it_is_closed_unless_the_study_opens_it(
        self, tmp_path: Path, server: dict[str, Any]
    ) -> None:
        status, people = self.joins(open_study(tmp_path, 2, server=server))
        assert status in REFUSED
        assert people == 0

    def test_nobody_joins_through_it_without_consent_and_eligibility(self, tmp_path: Path) -> None:
        served = open_study(tmp_path, 2, server={"api": True})
        assert served.form.consent
        assert served.form.eligibility
        status, people = self.joins(served)
        assert status in REFUSED
        assert people == 0

    def test_one_address_brings_at_most_sixty_people_per_hour(self, tmp_path: Path) -> None:
        ratings = {"target": 100, "batch": 1, "quota": 1, "checks_per_batch": 0}
        with client_of(open_study(tmp_path, 1, ratings=ratings)) as client:
            for n in range(PER_HOUR + 2):
                visitor_of(client, f"invented-{n}")
            assert progress(client)["people"]["joined"] == PER_HOUR


class TestStrangers:
    """A stranger who knows a participant number, and nothing else of that person."""

    @pytest.fixture
    def served(self, tmp_path: Path) -> Served:
        ratings = {"batch": 2, "quota": 2, "target": 3}
        return open_study(tmp_path, 2, ratings=ratings, server={"api": True})

    def test_a_number_alone_shows_no_code(self, served: Served) -> None:
        with client_of(served) as client:
            _, code = finished_of(client, "ann")
            stranger = visitor_of(client, "ann")
            assert code not in stranger.get("/work").text
            assert code not in stranger.get("/done").text

    def test_a_number_alone_shows_no_answer(self, served: Served) -> None:
        with client_of(served) as client:
            ann, _ = finished_of(client, "ann")
            last = re.search(r'href="(/work/[^"]+)"', ann.get("/done").text)
            assert last is not None
            assert REMARK in ann.get(last.group(1)).text
            assert REMARK not in visitor_of(client, "ann").get(last.group(1)).text

    def test_a_number_alone_opens_no_session_in_progress(self, served: Served) -> None:
        with client_of(served) as client:
            address = form_address(visitor_of(client, "ann").get("/work").text)
            page = visitor_of(client, "ann").get("/work")
            assert address not in page.text

    def test_a_number_alone_gives_no_code_to_programs(self, served: Served) -> None:
        with client_of(served) as client:
            _, code = finished_of(client, "ann")
            token = client.post("/api/v1/join", json={"person": "ann"}).json().get("token", "")
            headers = {"Authorization": f"Bearer {token}"}
            assert code not in client.get("/api/v1/next", headers=headers).text

    def test_a_number_alone_withdraws_nobody(self, served: Served) -> None:
        with client_of(served) as client:
            finished_of(client, "ann")
            before = rows(client)
            assert before
            stranger = visitor_of(client, "ann")
            stranger.post("/withdraw", data=hidden(stranger.get("/withdraw").text))
            assert rows(client) == before

    def test_the_personal_link_lets_a_person_undo_a_withdrawal(self, served: Served) -> None:
        with client_of(served) as client:
            ann, _ = finished_of(client, "ann")
            link = re.search(r"/resume/[\w.-]+", ann.get("/instructions").text)
            assert link is not None
            ann.post("/withdraw", data=hidden(ann.get("/withdraw").text))
            page = TestClient(client.app, client=ADDRESS).get(link.group())
            assert page.status_code == 200
            assert '<form method="post"' in page.text


def test_one_address_holds_no_more_places_across_two_workers(tmp_path: Path) -> None:
    ratings = {"batch": 5, "quota": 5, "target": 10, "checks_per_batch": 0}
    served = open_study(tmp_path, 20, ratings=ratings, server={"held_per_address": 10})
    with client_of(served) as one, client_of(served) as other:
        for n in range(4):
            for worker, client in enumerate((one, other)):
                visitor_of(client, f"invented-{worker}-{n}")
        assert progress(one)["slots"]["reserved"] == 10
