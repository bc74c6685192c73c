"""Who sees what: lists over groups and conditions, filled evenly though people drop out."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.errors import StudyError
from plausibly.ratings.lists import latin_square, spaced
from plausibly.ratings.served import Content
from plausibly.tables import ITEMS
from plausibly.web.app import create_app
from plausibly.web.serve import unused_lists
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.desk import entered
from worlds.protocols import protocol_folder
from worlds.served import Clock, joins, study_folder

RESEARCHER = {"Authorization": f"Bearer {TOKEN}"}
CONDITIONS = ("original", "perturbed", "restored")


def contents_of(groups: int, conditions: int) -> dict[str, Content]:
    return {
        f"g{g}-{c}": Content(f"story {g}, {c}", condition=f"c{c}", group=f"g{g}")
        for g in range(groups)
        for c in range(conditions)
    }


@given(st.integers(1, 20), st.integers(1, 4), st.integers(1, 8), st.integers(0, 5))
def test_every_item_is_in_one_list_and_every_list_has_a_group_once(
    groups: int, conditions: int, batch: int, seed: int
) -> None:
    contents = contents_of(groups, conditions)
    lists = latin_square(contents, batch=batch, seed=seed, where="items")
    assert sorted(item for part in lists.values() for item in part) == sorted(contents)
    for part in lists.values():
        assert len({contents[item].group for item in part}) == len(part) <= batch
        shares = Counter(contents[item].condition for item in part)
        counts = [shares[f"c{c}"] for c in range(conditions)]
        assert max(counts) - min(counts) <= 1


@given(st.lists(st.sampled_from("abcd"), max_size=30), st.integers(0, 5))
def test_equal_conditions_are_neighbours_only_where_it_cannot_be_helped(
    keys: list[str], seed: int
) -> None:
    order = spaced(keys, np.random.default_rng(seed))
    assert sorted(order) == list(range(len(keys)))
    meetings = sum(keys[a] == keys[b] for a, b in pairwise(order))
    most = max(Counter(keys).values(), default=0)
    assert meetings == max(0, 2 * most - len(keys) - 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"g0-0": Content("x", condition="c0")}, "lacks one"),
        ({"extra": Content("x", condition="c0", group="g1")}, "have the same group and condition"),
        ({"g9-0": Content("x", condition="c0", group="g9")}, "1 groups lack one"),
    ],
)
def test_items_that_make_no_square_are_refused(change: dict[str, Content], message: str) -> None:
    with pytest.raises(StudyError, match=message):
        latin_square({**contents_of(3, 2), **change}, batch=3, seed=1, where="items")


def folder_of(path: Path, groups: int = 6, **ratings: Any) -> Path:
    rows = [
        {"item": f"g{g}-{c[0]}", "text": f"{c} {g}", "item_group": f"g{g}", "condition": c}
        for g in range(groups)
        for c in CONDITIONS
    ]
    said = {"batch": 6, "checks_per_batch": 0, "quota": 6, "lists": "latin-square"}
    sections = {"ratings": {**said, **ratings}}
    return study_folder(path, ITEMS.check(pl.DataFrame(rows)), sections)


class Voice:
    """A person who speaks HTTP."""

    def __init__(self, client: TestClient, name: str) -> None:
        self.client, self.name = client, name
        self.joined = joins(client, name)
        self.headers = {"Authorization": f"Bearer {self.joined.json().get('token')}"}
        self.items: list[str] = []

    def work(self, most: int) -> None:
        """Answer so many items, or fewer if there are no more."""
        while len(self.items) < most:
            shown = self.client.get("/api/v1/next", headers=self.headers).json()
            if "item" not in shown:
                return
            self.items.append(shown["item"])
            sent = {"reservation": shown["reservation"], "answers": {"plausible": 5}}
            sent["key"] = shown["item"]
            answer = self.client.post("/api/v1/answers", json=sent, headers=self.headers)
            assert answer.status_code == 201


def test_two_hundred_people_fill_the_lists_evenly_though_some_drop_out(tmp_path: Path) -> None:
    """Drop-outs do not count, and their list is the next to be handed out."""
    folder = folder_of(tmp_path, target=50, min_answered=1.0, lease_minutes=5.0)
    clock, lot = Clock(), np.random.default_rng(1)
    lists = {item: name for name, part in read_study(folder).surveys.items() for item in part}
    people: list[Voice] = []
    with TestClient(create_app(read_study(folder), token=TOKEN, clock=clock)) as client:
        for n in range(200):
            clock.now += 60
            person = Voice(client, f"p{n}")
            if person.joined.status_code == 200:
                person.work(int(lot.integers(0, 6)) if lot.random() < 0.2 else 6)
                people.append(person)
            if n % 20 == 19:
                taken = _taken(folder)
                assert max(taken) - min(taken) <= 1
        clock.now += 3600
        while True:
            late = Voice(client, f"late{len(people)}")
            if late.joined.status_code != 200:
                break
            late.work(6)
            people.append(late)
        ratings = client.get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()
    for person in people:
        groups = [item.partition("-")[0] for item in person.items]
        assert len(groups) == len(set(groups))
        assert len({lists[item] for item in person.items}) <= 1
    assert any(0 < len(person.items) < 6 for person in people)
    valid = Counter(json.loads(line)["item"] for line in ratings)
    assert set(valid.values()) == {50}
    assert len(valid) == 18


def _taken(folder: Path) -> list[int]:
    """Return how many people hold each item or are through with it."""
    with closing(sqlite3.connect(folder / "answers.sqlite")) as connection:
        return [count for (count,) in connection.execute("SELECT taken FROM items")]


def test_conditions_are_kept_apart_in_what_a_person_sees(tmp_path: Path) -> None:
    with TestClient(create_app(read_study(folder_of(tmp_path)), token=TOKEN)) as client:
        for name in ("ann", "bob", "cyd"):
            person = Voice(client, name)
            person.work(6)
            conditions = [item.partition("-")[2] for item in person.items]
            assert len(conditions) == 6
            assert all(a != b for a, b in pairwise(conditions))


def test_a_list_whose_items_are_full_in_part_is_handed_out_without_them(tmp_path: Path) -> None:
    clock = Clock()
    folder = folder_of(tmp_path, target=1, lease_minutes=1.0)
    with TestClient(create_app(read_study(folder), token=TOKEN, clock=clock)) as client:
        first = Voice(client, "ann")
        first.work(2)
        clock.now += 120
        seen: list[str] = list(first.items)
        for name in ("bob", "cyd", "dan"):
            person = Voice(client, name)
            person.work(6)
            seen += person.items
        assert sorted(seen) == sorted(set(seen))
        assert len(seen) == 18


@pytest.mark.parametrize("lists", ["latin-square", ""])
def test_everybody_sees_all_fillers_between_the_items_of_a_list(tmp_path: Path, lists: str) -> None:
    folder = folder_of(tmp_path, target=3, lists=lists)
    items = pl.read_parquet(folder / "items.parquet")
    rows = [{"item": f"f{n}", "text": f"filler {n}", "kind": "filler"} for n in range(4)]
    fillers = ITEMS.check(pl.DataFrame(rows))
    pl.concat([items, fillers], how="diagonal").write_parquet(folder / "items.parquet")
    clock = Clock()
    with TestClient(create_app(read_study(folder), token=TOKEN, clock=clock)) as client:
        people = [Voice(client, f"p{n}") for n in range(9)]
        for person in people:
            person.work(20)
        lines = client.get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()
        progress = client.get("/api/v1/progress", headers=RESEARCHER).json()
    for person in people:
        assert {"f0", "f1", "f2", "f3"} <= set(person.items)
        assert len(person.items) == 10
    kinds = {row["item"]: row["kind"] for row in map(json.loads, lines)}
    assert Counter(kinds.values()) == {"item": 18, "filler": 4}
    valid = Counter(json.loads(line)["item"] for line in lines)
    assert {count for item, count in valid.items() if item.startswith("g")} == {3}
    assert {valid[f"f{n}"] for n in range(4)} == {9}
    assert progress["items"]["complete"] == 18


def test_lists_that_came_with_the_items_and_are_not_used_are_announced(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, lists="")
    assert unused_lists(read_study(folder)) == []
    (folder / "lists.parquet").touch()
    (warning,) = unused_lists(read_study(folder))
    assert "[ratings] lists is not set, so items are drawn freely" in warning
    assert unused_lists(read_study(folder_of(tmp_path / "used"))) == []


def test_nobody_gets_a_second_list_that_does_not_fit_their_quota(tmp_path: Path) -> None:
    """Who got the rest of a list for the pay of a round is not given a whole one on top."""
    clock = Clock()
    folder = folder_of(tmp_path, groups=12, target=2, lease_minutes=1.0)
    with TestClient(create_app(read_study(folder), token=TOKEN, clock=clock)) as client:
        for name in ("ann", "bob", "cyd", "dan"):
            Voice(client, name).work(2)
        clock.now += 120
        given = []
        for n in range(12):
            person = Voice(client, f"p{n}")
            person.work(20)
            given.append(len(person.items))
    assert sorted(given) == [4] * 4 + [6] * 8


def test_what_is_left_of_a_list_is_given_when_no_other_makes_a_round(tmp_path: Path) -> None:
    clock = Clock()
    folder = folder_of(tmp_path, groups=12, target=1, lease_minutes=1.0)
    with TestClient(create_app(read_study(folder), token=TOKEN, clock=clock)) as client:
        Voice(client, "ann").work(4)
        clock.now += 120
        given = []
        for n in range(6):
            person = Voice(client, f"p{n}")
            person.work(20)
            given.append(len(person.items))
    assert given == [6, 6, 6, 6, 6, 2]


def test_a_list_with_too_few_answers_is_named_as_such_and_paid(tmp_path: Path) -> None:
    folder = protocol_folder(tmp_path / "s", "sp10k", server={"reward": 2.0})
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        bearer = {"Authorization": f"Bearer {joins(client, 'ann').json()['token']}"}
        while "item" in (shown := client.get("/api/v1/next", headers=bearer).json()):
            sent = {"reservation": shown["reservation"], "answers": {"preference": "not sure"}}
            sent["key"] = shown["item"]
            assert client.post("/api/v1/answers", json=sent, headers=bearer).status_code == 201
        owner = entered(client, "owner")
        person = pb.people_list(folder).people.row(0, named=True)
        assert (person["data"], person["pay"], person["amount"]) == ("incomplete", "pay", 2.0)
        pages = [owner.get("/desk/people", params={"data": "incomplete"}).text]
        pages += [owner.get("/desk/person", params={"name": person["annotator"]}).text]
        assert all("not used: too few answers" in page for page in pages)
        assert "void: too few items of the list were judged" in pages[1]
        for page in ("progress", "agreement", "download"):
            assert "Lists with too few answers are not included." in owner.get(f"/desk/{page}").text
        cells = re.findall(r"<td[^>]*>(.*?)</td>", owner.get("/desk/progress").text)
        place = cells.index("dobj-1")
        assert cells[place + 2] == "3", "checks are no items"
