"""Who comes back after their time ran out: what they get again, and what they do not."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from plausibly.ratings.store import allocation
from plausibly.ratings.store.allocation import Done, join, next_item
from plausibly.ratings.store.doors import Person
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.rounds import Reopening, reopen
from plausibly.ratings.store.verdicts import exclude, restore
from plausibly.web.app import create_app
from plausibly.web.people import people_list
from plausibly.web.study import read_study
from worlds.desk import entered
from worlds.served import (
    NOW,
    Clock,
    answered,
    items_of,
    joined,
    served_of,
    shown,
    store_of,
    study_folder,
    works_through,
)

TOKEN = "secret-of-the-researcher"  # noqa: S105
RESEARCHER = {"Authorization": f"Bearer {TOKEN}"}

LATER = NOW + 120


def test_the_places_of_a_further_round_are_for_new_people_only(tmp_path: Path) -> None:
    served = served_of(3, batch=3, quota=3, target=1, lease_minutes=1.0)
    with store_of(tmp_path, served).begin() as connection:
        joined(connection, "old", served)
        assert answered(connection, "old", served) is not None
        joined(connection, "new", served, now=LATER)  # what "old" did not answer is free again
        reopen(connection, Reopening(fewer_than=1, ratings=1, close=True), now=LATER)
        end = next_item(connection, "old", served=served, now=LATER)
        assert end == Done(finished=True)
        assert len(works_through(connection, "newer", served, now=LATER)) == 2


def test_nobody_gets_a_check_alone_and_a_code_for_it(tmp_path: Path) -> None:
    served = served_of(2, checks=1, batch=2, quota=2, target=1, lease_minutes=1.0)
    with store_of(tmp_path, served).begin() as connection:
        joined(connection, "ann", served)
        assert shown(connection, "ann", served) is not None
        assert len(works_through(connection, "bob", served, now=LATER)) == 3
        end = next_item(connection, "ann", served=served, now=LATER)
        assert end == Done(finished=False)


def test_who_answered_nothing_but_a_check_has_not_finished(tmp_path: Path) -> None:
    served = served_of(1, checks=8, batch=1, checks_per_batch=8, target=1, lease_minutes=1.0)
    with store_of(tmp_path, served).begin() as connection:
        joined(connection, "ann", served)
        assert str(answered(connection, "ann", served)).startswith("c")
        works_through(connection, "bob", served, now=LATER)
        end = next_item(connection, "ann", served=served, now=LATER)
        assert end == Done(finished=False)


def test_who_rated_the_items_of_a_batch_may_still_answer_its_check(tmp_path: Path) -> None:
    served = served_of(2, checks=8, batch=2, checks_per_batch=8, target=1, lease_minutes=1.0)
    with store_of(tmp_path, served).begin() as connection:
        joined(connection, "ann", served)
        done = [str(answered(connection, "ann", served)) for _ in range(9)]
        assert sum(name.startswith("t") for name in done) == 2
        left = shown(connection, "ann", served, now=LATER)
        assert left is not None
        assert left.item.startswith("c")


def test_a_reservation_nobody_needs_keeps_no_one_waiting(tmp_path: Path) -> None:
    served = served_of(3, batch=2, quota=2, target=1, rule="at least")
    late = Person("late", "link")
    with store_of(tmp_path, served).begin() as connection:
        for name in ("ann", "bob"):  # two items for ann, the third and one of hers for bob
            joined(connection, name, served)
            assert shown(connection, name, served) is not None
        hers = works_through(connection, "ann", served)
        waits = join(connection, late, served=served, now=NOW)
        assert waits == Denied("taken", seconds=1800)
        assert answered(connection, "bob", served) not in hers
        assert join(connection, late, served=served, now=NOW) == Denied("full")
        assert answered(connection, "bob", served) in hers


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[tuple[TestClient, Clock]]:
    """A study in which answers wait for places that were handed out, and whose time is over."""
    clock = Clock()
    ratings = {"target": 1, "batch": 3, "quota": 3, "checks_per_batch": 0, "lease_minutes": 1.0}
    folder = study_folder(tmp_path / "s", items_of(3), {"ratings": ratings})
    with TestClient(create_app(read_study(folder), token=TOKEN, clock=clock)) as client:
        desk: Any = client.app.state.desk  # type: ignore[attr-defined]

        def collect(connection: Any) -> None:
            joined(connection, "ann", desk.served)
            works_through(connection, "ann", desk.served)
            exclude(connection, "ann", check=None, reason="a bot", now=NOW)
            joined(connection, "bob", desk.served)
            assert shown(connection, "bob", desk.served) is not None
            assert restore(connection, "ann", now=NOW).surplus == 3  # type: ignore[union-attr]

        client.portal.call(desk.write, collect)  # type: ignore[union-attr]
        clock.now = LATER
        yield client, clock


def test_progress_counts_what_stepped_into_places_whose_time_is_over(
    waiting: tuple[TestClient, Clock],
) -> None:
    found = waiting[0].get("/api/v1/progress", headers=RESEARCHER).json()
    assert found["items"]["complete"] == 3
    assert found["slots"] == {"reserved": 0, "answered": 0, "accepted": 3, "void": 3, "open": 0}


def test_an_export_has_what_stepped_into_places_whose_time_is_over(
    waiting: tuple[TestClient, Clock],
) -> None:
    lines = waiting[0].get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()
    assert {json.loads(line)["annotator"] for line in lines} == {"ann"}
    assert len(lines) == 3


def test_the_desk_has_what_stepped_into_places_whose_time_is_over(
    waiting: tuple[TestClient, Clock],
) -> None:
    table = entered(waiting[0], "owner").get("/desk/ratings.csv").text
    assert table.count("ann,") == 3


def test_commands_see_what_stepped_into_places_whose_time_is_over(tmp_path: Path) -> None:
    ratings = {"target": 1, "batch": 3, "quota": 3, "checks_per_batch": 0, "lease_minutes": 1.0}
    folder = study_folder(tmp_path / "s", items_of(3), {"ratings": ratings})
    with TestClient(create_app(read_study(folder))) as client:
        desk: Any = client.app.state.desk  # type: ignore[attr-defined]
        then = time.time() - 120

        def collect(connection: Any) -> None:
            joined(connection, "ann", desk.served, now=then)
            assert shown(connection, "ann", desk.served, now=then) is not None

        client.portal.call(desk.write, collect)  # type: ignore[union-attr]
        people_list(folder)
        with desk.reader.begin() as connection:
            assert allocation.held_item(connection, "ann") is None


def test_the_desk_is_shown_although_nothing_can_be_written(
    waiting: tuple[TestClient, Clock], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, clock = waiting
    clock.now = NOW
    owner = entered(client, "owner")
    desk: Any = client.app.state.desk  # type: ignore[attr-defined]

    async def hang(*_: object, **__: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(desk.store, "run", hang)
    monkeypatch.setattr("plausibly.web.context.LONGEST_TRIAL", 0.05)
    clock.now = LATER
    assert owner.get("/desk/people").status_code == 200
