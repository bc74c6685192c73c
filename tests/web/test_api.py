"""The participant's and the researcher's API, status by status."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, select
from starlette.testclient import TestClient

from plausibly.ratings.store.schema import people, slots, submissions
from plausibly.ratings.store.writer import Job
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.study import read_study
from worlds.served import Clock, items_of, joins, study_folder

RESEARCHER = {"Authorization": "Bearer secret-of-the-researcher"}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[TestClient]:
    ratings = {"target": 2, "batch": 3, "quota": 3, "lease_minutes": 1.0}
    study = study_folder(tmp_path, items_of(3, 2), {"ratings": ratings})
    app = create_app(read_study(study), token="secret-of-the-researcher", clock=clock)  # noqa: S106
    with TestClient(app, follow_redirects=False) as client:
        yield client


class Person:
    """Someone who speaks to the participant's API."""

    def __init__(self, client: TestClient, name: str) -> None:
        self.client = client
        joined = joins(client, name, source="prolific")
        self.status = joined.status_code
        self.headers = {"Authorization": f"Bearer {joined.json().get('token')}"}
        self.annotator = joined.json().get("annotator")

    def next(self) -> Any:
        return self.client.get("/api/v1/next", headers=self.headers)

    def send(self, shown: dict[str, Any], given: object = 5, key: str = "") -> Any:
        sent = {"reservation": shown["reservation"], "key": key or shown["item"]}
        sent["answers"] = {"plausible": given} if not isinstance(given, dict) else given
        return self.client.post("/api/v1/answers", json=sent, headers=self.headers)

    def finish(self) -> None:
        while not (shown := self.next().json()).get("done"):
            given = 1 if shown["item"] == "c001" else 5
            assert self.send(shown, given).status_code == 201


def ratings(client: TestClient, query: str = "") -> list[dict[str, Any]]:
    response = client.get(f"/api/v1/ratings{query}", headers=RESEARCHER)
    assert response.status_code == 200
    return [json.loads(line) for line in response.text.splitlines()]


def post(client: TestClient, path: str, body: object = None) -> Any:
    return client.post(f"/api/v1/{path}", headers=RESEARCHER, json=body)


def test_next_shows_what_is_promised(client: TestClient) -> None:
    shown = Person(client, "ann").next().json()
    assert set(shown) == {"item", "form", "step", "content", "reservation", "progress"}
    assert set(shown["content"]) == {"text"}
    assert shown["progress"] == {"batch": 1, "position": 1, "of": 4, "answered": 0}


def test_an_answer_is_stored_with_all_that_belongs_to_it(client: TestClient, clock: Clock) -> None:
    ann = Person(client, "ann")
    shown = ann.next().json()
    clock.now += 2.5
    response = ann.send(shown, {"plausible": 4, "comment": "odd"})
    assert (response.status_code, response.json()) == (201, {"revision": 1})
    assert ratings(client) == [
        {
            "item": shown["item"],
            "annotator": ann.annotator,
            "question": "plausible",
            "answer": "4",
            "value": 4.0,
            "batch": f"{ann.annotator}-1",
            "started": "1970-01-12T13:46:40.000+00:00",
            "submitted": "1970-01-12T13:46:42.500+00:00",
            "seconds": 2.5,
            "comment": "odd",
            "revision": 1,
            "form": f"pap@{shown['form']['version']}",
            "position": 1,
            "state": "answered",
            "kind": "check" if shown["item"].startswith("c") else "item",
            "channel": "api",
        }
    ]


@pytest.mark.parametrize("given", [3, "3", 3.0, 0, 6, "x", None, [], True])
def test_an_answer_the_form_does_not_admit_is_422_and_counted(
    client: TestClient, given: object
) -> None:
    ann = Person(client, "ann")
    shown = ann.next().json()
    response = ann.send(shown, {"plausible": given})
    assert response.status_code == 422
    document = response.json()
    assert document["ok"] is False
    assert document["error"]
    assert document["errors"][0]["question"] == "plausible"
    assert ratings(client) == []
    progress = client.get("/api/v1/progress", headers=RESEARCHER).json()
    assert progress["refused"] == {"total": 1, "items": {shown["item"]: 1}}


def test_the_code_comes_after_the_last_answer_and_not_before(client: TestClient) -> None:
    ann = Person(client, "ann")
    for _ in range(4):
        shown = ann.next().json()
        assert "code" not in shown
        assert "code" not in ann.send(shown).json()
    done = ann.next().json()
    assert done["done"] is True
    assert done["code"]
    assert ann.next().json() == done


def test_an_expired_reservation_is_409(client: TestClient, clock: Clock) -> None:
    ann = Person(client, "ann")
    shown = ann.next().json()
    clock.now += 61
    assert ann.send(shown).status_code == 409
    again = ann.next().json()
    assert again["item"] == shown["item"]
    assert ann.send(again).status_code == 201


def test_someone_elses_reservation_is_403(client: TestClient) -> None:
    ann, bob = Person(client, "ann"), Person(client, "bob")
    assert bob.send(ann.next().json()).status_code == 403


def test_a_finished_batch_is_409(client: TestClient) -> None:
    ann = Person(client, "ann")
    shown = ann.next().json()
    ann.finish()
    assert ann.send(shown, key="another").status_code == 409
    assert ann.send(shown, 1 if shown["item"] == "c001" else 5).status_code == 200


def test_who_comes_when_all_is_taken_is_turned_away_and_who_was_here_is_not(
    client: TestClient,
) -> None:
    people = [Person(client, f"p{n}") for n in range(2)]
    for person in people:
        person.finish()
    late = joins(client, "late")
    assert (late.status_code, late.json()["errors"]) == (403, [{"reason": "full"}])
    again = joins(client, "p0", headers=people[0].headers)
    assert (again.status_code, again.json()["annotator"]) == (200, people[0].annotator)


def test_who_comes_while_places_are_only_reserved_is_told_when_to_come_back(
    client: TestClient, clock: Clock
) -> None:
    people = [Person(client, f"p{n}") for n in range(2)]
    for person in people:
        person.next()
    late = joins(client, "late")
    assert (late.status_code, late.json()) == (
        409,
        {
            "ok": False,
            "error": Texts("en")("denied.taken", minutes=1),
            "reason": "reserved",
            "retry_after": 60,
            "errors": [{"reason": "reserved", "minutes": 1}],
        },
    )
    people[0].finish()
    clock.now += 61
    assert Person(client, "late").status == 200


def test_an_excluded_person_is_403_everywhere_and_restored_is_back(client: TestClient) -> None:
    ann = Person(client, "ann")
    shown = ann.next().json()
    ann.send(shown)
    verdict = post(client, "people/ann/exclude", {"reason": "a bot"}).json()
    assert verdict["voided"] == 4
    assert verdict["annotator"] == ann.annotator
    assert ratings(client) == []
    assert [row["state"] for row in ratings(client, "?state=all")] == ["void"]
    assert ann.next().status_code == 403
    assert ann.send(shown, key="new").status_code == 403
    assert joins(client, "ann", headers=ann.headers).status_code == 403
    assert post(client, f"people/{ann.annotator}/restore").json()["restored"] == 1
    assert [row["state"] for row in ratings(client)] == ["answered"]
    assert ann.next().status_code == 200


def test_excluding_reopens_places_for_others(client: TestClient) -> None:
    ann, bob = (Person(client, name) for name in ("ann", "bob"))
    for person in (ann, bob):
        person.finish()
    post(client, "people/ann/exclude")
    cyd = Person(client, "cyd")
    assert cyd.status == 200
    cyd.finish()
    assert post(client, "people/ann/restore").json() == {
        "ok": True,
        "annotator": ann.annotator,
        "voided": 0,
        "restored": 1,
        "surplus": 3,
        "people": 0,
    }
    per_item = [row["item"] for row in ratings(client) if row["item"].startswith("t")]
    assert all(per_item.count(item) == 2 for item in per_item)


def test_unknown_people_and_items_are_404(client: TestClient) -> None:
    for path in ("people/nobody/exclude", "people/nobody/restore", "items/nothing/withdraw"):
        assert post(client, path).status_code == 404


def test_a_withdrawn_item_is_gone_from_the_ratings(client: TestClient) -> None:
    Person(client, "ann").finish()
    assert post(client, "items/t0001/withdraw").json()["voided"] == 1
    assert "t0001" not in {row["item"] for row in ratings(client)}


def test_a_round_is_opened_for_new_people(client: TestClient) -> None:
    for name in ("ann", "bob"):
        Person(client, name).finish()
    assert post(client, "rounds", {"fewer_than": 2, "ratings": 5}).status_code == 409
    post(client, "people/bob/exclude")
    waiting = post(client, "rounds", {"fewer_than": 2, "ratings": 5})
    assert (waiting.status_code, waiting.json()["errors"]) == (
        409,
        [{"reason": "round-open", "places": 3}],
    )
    opened = post(client, "rounds", {"fewer_than": 2, "ratings": 5, "close": True})
    assert (opened.status_code, opened.json()) == (201, {"round": 2, "items": 3, "places": 15})
    new = Person(client, "new")
    new.finish()
    assert new.next().json()["code"]
    progress = client.get("/api/v1/progress", headers=RESEARCHER).json()
    assert (progress["round"], progress["items"]["targets"]) == (2, {"6": 3})
    undone = post(client, "rounds/2/undo")
    assert (undone.status_code, undone.json()) == (200, {"round": 1, "items": 3, "places": 0})
    assert post(client, "rounds/2/undo").status_code == 404
    assert post(client, "rounds", {"fewer_than": 9, "ratings": 1, "close": 1}).status_code == 422


@pytest.mark.parametrize("query", ["?stat=all", "?state=all&since=2020", "?state=some"])
def test_a_query_the_ratings_do_not_know_is_refused_by_name(client: TestClient, query: str) -> None:
    response = client.get(f"/api/v1/ratings{query}", headers=RESEARCHER)
    assert response.status_code == 422
    wrong = re.split("[?&=]", query)[-2]
    assert [error["field"] for error in response.json()["errors"]] == [wrong]
    assert wrong in response.json()["error"]


def test_a_round_with_a_key_that_is_not_known_is_not_opened(client: TestClient) -> None:
    body = {"fewer_than": 2, "ratings": 5, "item": ["t0001"]}
    response = post(client, "rounds", body)
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == "item"
    assert client.get("/api/v1/progress", headers=RESEARCHER).json()["round"] == 1


def test_progress_counts_what_there_is(client: TestClient) -> None:
    ann = Person(client, "ann")
    ann.finish()
    bob = Person(client, "bob")
    bob.send(bob.next().json(), 1)
    progress = client.get("/api/v1/progress", headers=RESEARCHER).json()
    assert progress["people"] == {
        "joined": 2,
        "finished": 1,
        "excluded": 0,
        "unconfirmed": 0,
        "held": 0,
    }
    assert progress["slots"]["accepted"] == 4
    assert progress["slots"]["answered"] == 1
    assert progress["slots"]["reserved"] == 3
    assert progress["slots"]["open"] == 0
    assert progress["items"]["total"] == 3
    assert sum(check["passed"] for check in progress["checks"].values()) >= 1


def test_places_and_answers_wait_for_the_disk_and_what_is_only_shown_does_not(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = client.app.state.desk  # type: ignore[attr-defined]
    write, kinds = desk.store.run, list[bool]()
    counted = [select(func.count()).select_from(one) for one in (people, slots, submissions)]

    async def watched(job: Job[Any], *, lasting: bool = True) -> Any:
        def counting(connection: Connection) -> tuple[Any, bool]:
            before = [connection.scalar(one) for one in counted]
            result = job(connection)
            return result, before != [connection.scalar(one) for one in counted]

        result, grown = await write(counting, lasting=lasting)
        assert lasting or not grown
        kinds.append(lasting)
        return result

    monkeypatch.setattr(desk.store, "run", watched)
    Person(client, "ann").finish()
    # joining; shown and answered, three items and a check; nothing kept any more, so the end
    assert kinds == [True, *[False, True] * 4, False, True]
