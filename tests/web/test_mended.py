"""What once went wrong on the server, each as it was noticed."""

from __future__ import annotations

import logging
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from sqlalchemy import event
from starlette.testclient import TestClient

from plausibly.errors import StudyError
from plausibly.ratings.store.allocation import Joined, join, next_item
from plausibly.ratings.store.doors import Person
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.verdicts import give_back, withdraw
from plausibly.web import keys as web_keys
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.running import listen
from plausibly.web.study import read_study
from serving import Client, hosted, serving
from worlds.served import (
    NOW,
    Clock,
    form_address,
    items_of,
    joins,
    served_of,
    store_of,
    study_folder,
    works_through,
)

RESEARCHER = {"Authorization": "Bearer secret-of-the-researcher"}
TEXTS = Texts("en")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[TestClient]:
    study = study_folder(tmp_path, items_of(6, 2), {"ratings": {"batch": 3, "quota": 3}})
    app = create_app(read_study(study), token="secret-of-the-researcher", clock=clock)  # noqa: S106
    with TestClient(app) as client:
        yield client


def bearer(client: TestClient, person: str) -> dict[str, str]:
    token = joins(client, person).json()["token"]
    return {"Authorization": f"Bearer {token}"}


def test_a_kept_connection_does_not_wait_for_acknowledgements(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP
    study = study_folder(tmp_path, items_of(2), {})
    with hosted(study) as server:
        client, waits = Client(server.port), []
        for n in range(15):
            began = time.perf_counter()
            assert client.ask("POST", "/api/v1/join", {"person": f"p{n}"})[0] == 403
            waits.append(time.perf_counter() - began)
    assert min(waits) < 0.035  # with Nagle's algorithm the quickest takes 40 ms
    assert median(waits) < 1.0


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_connection_that_never_asks_is_not_kept(
    tmp_path: Path, workers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAUSIBLY_PATIENCE", "0.5")
    study = study_folder(tmp_path, items_of(2), {})
    with serving(study, "--workers", workers) as server:
        for said in (b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "):
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as idle:
                idle.sendall(said)
                assert idle.recv(1) == b""


class TestAddresses:
    def joins(self, tmp_path: Path, address: str, **server: object) -> list[int]:
        ratings = {"batch": 4, "quota": 4, "checks_per_batch": 1}
        sections: dict[str, dict[str, object]]
        sections = {"ratings": {**ratings}, "server": {"held_per_address": 12, **server}}
        study = study_folder(tmp_path, items_of(20, 2), sections)
        with TestClient(create_app(read_study(study)), client=(address, 50000)) as client:
            return [
                joins(client, f"p{n}", headers={"X-Forwarded-For": f"203.0.113.{n}"}).status_code
                for n in range(4)
            ]

    def test_one_address_does_not_hold_every_place(self, tmp_path: Path) -> None:
        assert self.joins(tmp_path, "198.51.100.7") == [200, 200, 409, 409]

    def test_this_machine_may(self, tmp_path: Path) -> None:
        assert self.joins(tmp_path, "127.0.0.1") == [200] * 4

    def test_behind_a_trusted_proxy_everyone_has_an_address_of_their_own(
        self, tmp_path: Path
    ) -> None:
        proxies = {"trusted_proxies": ["127.0.0.1"]}
        assert self.joins(tmp_path, "127.0.0.1", **proxies) == [200] * 4

    def test_what_a_stranger_says_about_addresses_is_not_believed(self, tmp_path: Path) -> None:
        proxies = {"trusted_proxies": ["10.0.0.1"]}
        assert self.joins(tmp_path, "198.51.100.7", **proxies) == [200, 200, 409, 409]


def test_a_full_disk_is_told_by_health_and_log(
    client: TestClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = bearer(client, "ann")
    shown = client.get("/api/v1/next", headers=headers).json()
    store, pages = client.app.state.desk.store, [1]  # type: ignore[attr-defined]

    @event.listens_for(store._engine, "connect")
    def _limit(connection: sqlite3.Connection, record: object) -> None:
        del record
        connection.execute(f"PRAGMA max_page_count = {pages[-1]}")  # as if the disk had no more

    store._held.close()  # opened again, now with the limit
    sent = {"reservation": shown["reservation"], "answers": {"plausible": 5, "comment": "x" * 1990}}
    with caplog.at_level(logging.WARNING):
        for n in range(40):
            answer = client.post("/api/v1/answers", json={**sent, "key": f"k{n}"}, headers=headers)
            if answer.status_code == 503:
                break
        assert answer.status_code == 503
        assert client.get("/healthz").status_code == 503
    assert [record.getMessage() for record in caplog.records].count(
        "answers cannot be stored: database or disk is full"
    ) == 1
    pages.append(1_000_000)
    assert client.get("/healthz").status_code == 200


def test_a_key_that_comes_back_with_another_answer_is_refused(client: TestClient) -> None:
    headers = bearer(client, "ann")
    shown = client.get("/api/v1/next", headers=headers).json()
    sent = {"reservation": shown["reservation"], "key": "k"}
    codes = [
        client.post(
            "/api/v1/answers", json={**sent, "answers": answers}, headers=headers
        ).status_code
        for answers in (
            {"plausible": 5},
            {"plausible": "5", "comment": ""},
            {"plausible": 1},
            {"plausible": 5, "comment": "x"},
            {"plausible": 3},
            {"plausible": 5},
        )
    ]
    assert codes == [201, 200, 409, 409, 409, 200]
    rows = client.get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()
    assert len(rows) == 1
    assert '"answer": "5"' in rows[0]


def test_a_page_out_of_the_browsers_memory_revises(client: TestClient) -> None:
    visitor = TestClient(client.app)
    page = visitor.get("/?person=ann").text
    token = page.split('name="_csrf" value="')[1].split('"')[0]
    said = {"_csrf": token, "person": "ann", "source": "link", "agree": "yes", "eligible": "yes"}
    visitor.post("/consent", data=said)
    page = visitor.get("/work").text
    key = page.split('name="_key" value="')[1].split('"')[0]
    token = page.split('name="_csrf" value="')[1].split('"')[0]
    for answer in ("5", "1", "1"):
        sent = {"_csrf": token, "_key": key, "plausible": answer}
        assert (
            visitor.post(form_address(page), data=sent, follow_redirects=False).status_code == 303
        )
    (row,) = client.get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()
    assert '"answer": "1"' in row


def test_a_first_item_of_ten_thousand_costs_hardly_more_than_one_of_a_hundred(
    tmp_path: Path,
) -> None:
    def spent(items: int) -> float:
        served = served_of(items, checks=4, batch=24, quota=24, target=100)
        (tmp_path / str(items)).mkdir()
        costs = []
        with store_of(tmp_path / str(items), served).begin() as connection:
            for n in range(25):
                began = time.thread_time()
                join(connection, Person(f"p{n}", "link"), served=served, now=NOW)
                next_item(connection, f"p{n}", served=served, now=NOW)
                costs.append(time.thread_time() - began)
        return min(costs)

    assert spent(10_000) < 4 * spent(100)  # more than ten times when every item was read


def test_a_clock_that_is_set_back_logs_nobody_out(
    client: TestClient, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = bearer(client, "ann")
    shown = client.get("/api/v1/next", headers=headers).json()
    clock.now -= 3
    before = time.time() - 3
    monkeypatch.setattr(web_keys, "datetime", _Stopped(before))
    sent = {"reservation": shown["reservation"], "answers": {"plausible": 5}, "key": "k"}
    assert client.post("/api/v1/answers", json=sent, headers=headers).status_code == 201
    (row,) = client.get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()
    assert '"seconds": 0.0' in row


class _Stopped:
    """Stands for the class datetime at a moment."""

    def __init__(self, moment: float) -> None:
        self.moment = moment

    def now(self, zone: object) -> object:
        from datetime import datetime

        return datetime.fromtimestamp(self.moment, zone)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", ["{{%PROLIFIC_PID%}}", " ", "x" * 300, "${pid}", "[[pid]]"])
def test_what_is_no_participant_number_is_not_taken_for_one(
    client: TestClient, number: str
) -> None:
    assert joins(client, number).status_code == 422
    page = client.get("/", params={"person": number})
    assert TEXTS("consent.number") in page.text
    assert "<form" not in page.text


def test_a_page_that_gets_json_says_so_in_its_own_words(client: TestClient) -> None:
    page = client.post("/consent", json={})
    assert page.status_code == 415
    assert TEXTS("status.form") in page.text
    assert "JSON" not in page.text


def test_nobody_chooses_where_a_personal_link_leads(client: TestClient) -> None:
    visitor = TestClient(client.app)
    page = visitor.get("/?person=ann").text
    token = page.split('name="_csrf" value="')[1].split('"')[0]
    said = {"_csrf": token, "person": "ann", "source": "link", "agree": "yes", "eligible": "yes"}
    visitor.post("/consent", data=said)
    page = visitor.get("/instructions", headers={"Host": "evil.example"}).text
    assert "/resume/" in page
    assert "evil.example" not in page


def test_a_start_that_is_refused_leaves_no_key_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = study_folder(tmp_path, items_of(2), {})
    monkeypatch.setenv("PLAUSIBLY_KEY", "a-key-from-elsewhere")
    with TestClient(create_app(read_study(study))):
        pass
    monkeypatch.delenv("PLAUSIBLY_KEY")
    with pytest.raises(StudyError, match="collected with another key"):
        create_app(read_study(study))
    assert not (study / "answers.key").exists()


def test_a_no_in_another_browser_stops_nobody_who_has_begun(client: TestClient) -> None:
    headers = bearer(client, "ann")
    assert client.get("/api/v1/next", headers=headers).status_code == 200
    other = TestClient(client.app)
    page = other.get("/?person=ann").text
    token = page.split('name="_csrf" value="')[1].split('"')[0]
    said = {"_csrf": token, "person": "ann", "source": "link", "agree": "yes", "eligible": "no"}
    other.post("/consent", data=said)
    answer = client.get("/api/v1/next", headers=headers)
    assert answer.status_code == 200


def test_a_withdrawal_can_be_undone(tmp_path: Path) -> None:
    served = served_of(3, checks=1, batch=3, quota=3, failed_check="exclude")
    with store_of(tmp_path, served).begin() as connection:
        works_through(connection, "ann", served)
        withdraw(connection, "t001", served=served, now=NOW)
        back = give_back(connection, "t001", served=served, now=NOW)
        assert (getattr(back, "restored", None), getattr(back, "surplus", None)) == (1, 0)
        assert give_back(connection, "nothing", served=served, now=NOW) == Denied("no-item")


def test_a_check_that_comes_back_judges_again(tmp_path: Path) -> None:
    served = served_of(3, checks=1, batch=3, quota=3, failed_check="exclude")
    with store_of(tmp_path, served).begin() as connection:
        works_through(connection, "ann", served, given="1")  # the check expects plausible
        withdraw(connection, "c000", served=served, now=NOW)
        assert isinstance(join(connection, Person("ann", "x"), served=served, now=NOW), Joined)
        give_back(connection, "c000", served=served, now=NOW)
        outcome = join(connection, Person("ann", "x"), served=served, now=NOW)
        assert outcome == Denied("excluded")


def test_the_file_is_readable_without_the_server(client: TestClient, tmp_path: Path) -> None:
    bearer(client, "ann")
    with sqlite3.connect(tmp_path / "answers.sqlite") as connection:
        assert connection.execute("SELECT COUNT(*) FROM slots").fetchone() == (4,)
    connection.close()
