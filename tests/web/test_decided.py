"""Items that are closed as soon as enough people agree: what is asked for, saved and distorted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, select
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.errors import StudyError
from plausibly.measures.early import first_answers
from plausibly.ratings.stopping import early_closing, stopping
from plausibly.ratings.store.answering import Sent, answer
from plausibly.ratings.store.schema import items
from plausibly.ratings.store.verdicts import exclude, restore
from plausibly.web.app import create_app
from plausibly.web.rehearsal import rehearse
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.served import (
    NOW,
    answered,
    items_of,
    joined,
    joins,
    served_of,
    shown,
    store_of,
    study_folder,
)


def wanted(connection: Connection) -> dict[str, tuple[int, int]]:
    """Return of every item how many ratings it has or holds, and how many it wants in all."""
    rows = connection.execute(select(items.c.item, items.c.taken, items.c.target))
    return {row.item: (row.taken, row.target) for row in rows}


def rates(connection: Connection, name: str, served: Any, given: str) -> str | None:
    joined(connection, name, served)
    return answered(connection, name, served, given=given)


def test_two_equal_answers_of_three_close_an_item(tmp_path: Path) -> None:
    served = served_of(1, target=3, batch=1, quota=1, decided=2)
    with store_of(tmp_path, served).begin() as connection:
        assert wanted(connection) == {"t000": (0, 2)}
        assert rates(connection, "ann", served, "5") == "t000"
        assert rates(connection, "bob", served, "5") == "t000"
        assert wanted(connection) == {"t000": (2, 2)}
        assert not joined(connection, "cat", served)


def test_two_answers_that_differ_ask_for_a_third_and_no_fourth(tmp_path: Path) -> None:
    served = served_of(1, target=3, batch=1, quota=1, decided=2)
    with store_of(tmp_path, served).begin() as connection:
        rates(connection, "ann", served, "5")
        rates(connection, "bob", served, "1")
        assert wanted(connection) == {"t000": (2, 3)}
        assert rates(connection, "cat", served, "2") == "t000"  # three ways, and still closed
        assert wanted(connection) == {"t000": (3, 3)}
        assert not joined(connection, "dan", served)


def test_who_revises_an_answer_opens_the_item_again(tmp_path: Path) -> None:
    served = served_of(2, target=3, batch=2, quota=2, decided=2)
    with store_of(tmp_path, served).begin() as connection:
        joined(connection, "ann", served)
        slot = shown(connection, "ann", served)
        assert slot is not None
        answered(connection, "ann", served)
        for _ in range(2):
            rates(connection, "bob", served, "5")
        assert wanted(connection)[slot.item] == (2, 2)
        sent = Sent(slot.reservation, {"plausible": "1"}, "again")
        answer(connection, "ann", sent, served=served, now=NOW)
        assert wanted(connection)[slot.item] == (2, 3)


def test_who_is_excluded_leaves_what_the_others_have_decided(tmp_path: Path) -> None:
    served = served_of(1, target=3, batch=1, quota=1, decided=2)
    with store_of(tmp_path, served).begin() as connection:
        for name, said in (("ann", "5"), ("odd", "1"), ("cat", "5")):
            rates(connection, name, served, said)
        exclude(connection, "odd", check=None, reason="test", now=NOW)
        assert wanted(connection) == {"t000": (2, 2)}
        restore(connection, "odd", now=NOW)  # no place is free: it waits
        exclude(connection, "ann", check=None, reason="test", now=NOW)
        assert wanted(connection)["t000"] == (2, 3)  # the odd one steps in, and they differ


@settings(max_examples=25, deadline=None)
@given(
    said=st.lists(st.sampled_from("125"), min_size=5, max_size=5), decided=st.sampled_from((3, 4))
)
def test_what_is_not_asked_could_not_change_the_majority(
    tmp_path_factory: pytest.TempPathFactory, said: list[str], decided: int
) -> None:
    served = served_of(1, target=5, batch=1, quota=1, decided=decided)
    with store_of(tmp_path_factory.mktemp("law"), served).begin() as connection:
        asked = []
        for n, one in enumerate(said):
            if rates(connection, f"p{n}", served, one) is not None:
                asked.append(one)
    assert asked == said[: len(asked)]
    most = Counter(said).most_common(1)[0]
    if most[1] >= decided:
        assert Counter(asked)[most[0]] == decided
        assert asked[-1] == most[0]
    else:
        assert asked == said


@pytest.mark.parametrize(
    ("ratings", "why"),
    [
        ({"target": 3, "decided": 1}, "more than half of target = 3"),
        ({"target": 3, "decided": 4}, "not above it"),
        ({"target": 3, "decided": 2, "rule": "at least"}, 'needs rule = "exactly"'),
    ],
)
def test_what_cannot_be_decided_is_refused(ratings: dict[str, Any], why: str) -> None:
    with pytest.raises(StudyError, match=why):
        served_of(2, **ratings)


def test_surveys_are_not_closed_item_by_item(tmp_path: Path) -> None:
    pb.init("sp10k", tmp_path / "pairs", example=True)
    path = tmp_path / "pairs" / "study.toml"
    told = path.read_text().replace("decided = 0", "decided = 7")
    path.write_text(told.replace('rule = "at least"', 'rule = "exactly"'))
    with pytest.raises(StudyError, match=r"decided = 7 works only without surveys"):
        read_study(tmp_path / "pairs")


def test_progress_says_what_was_saved_and_how_far_agreement_is_off(tmp_path: Path) -> None:
    ratings = {"target": 3, "batch": 4, "quota": 4, "decided": 2, "checks_per_batch": 0}
    folder = study_folder(tmp_path / "s", items_of(4), {"ratings": ratings})
    with TestClient(create_app(read_study(folder), token=TOKEN)) as client:
        for person, said in (("ann", "5555"), ("bob", "5511"), ("cat", "5555")):
            _works(client, person, {f"t{n:04}": one for n, one in enumerate(said)})
        mine = {"Authorization": f"Bearer {TOKEN}"}
        document = client.get("/api/v1/progress", headers=mine).json()
    report = document["decided"]
    assert (report["items"], report["decided"], report["closed"]) == (4, 4, 4)
    assert (report["ratings"], report["saved"]) == (10, 2)
    assert report["saving"] == pytest.approx(2 / 12)
    assert report["agreement_of_first"] == pytest.approx(0.5)
    assert report["agreement"] == pytest.approx((1 + 1 + 1 / 3 + 1 / 3) / 4)
    assert report["bias"] == pytest.approx(report["agreement"] - 0.5)


def _works(client: TestClient, person: str, said: dict[str, str]) -> None:
    joining = joins(client, person)
    assert joining.status_code == 200, joining.text
    mine = {"Authorization": f"Bearer {joining.json()['token']}"}
    while "item" in (document := client.get("/api/v1/next", headers=mine).json()):
        sent = {"reservation": document["reservation"], "key": document["item"]}
        sent["answers"] = {"plausible": said[document["item"]]}
        assert client.post("/api/v1/answers", json=sent, headers=mine).status_code == 201


def test_a_rehearsal_that_stops_asks_for_less_and_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "nouns"
    pb.init("adept", folder, example=True)
    whole = rehearse(folder, people=40, mix={"careful": 1.0}, stop_at=2)
    path = folder / "study.toml"
    path.write_text(path.read_text().replace("decided = 0", "decided = 2"))
    early = rehearse(folder, people=40, mix={"careful": 1.0})
    own = whole.ratings.filter(pl.col("kind") == "item")
    assert early.report["decided"]["ratings"] < own.filter(pl.col("question") == "effect").height
    assert early.report["decided"]["saving"] > 0
    assert "decided" in early.text()
    assert whole.report["stopping"]["labels_changed"] == 0
    assert "early" not in whole.ratings.columns
    asked = early.ratings.filter(kind="item", question="effect").sort("submitted")
    for item in asked.partition_by("item"):
        first = item["early"].to_list()
        assert first == [1] * min(2, len(first)) + [0] * (len(first) - 2)
    kept, notes = first_answers(asked)
    assert kept.height == int(asked["early"].sum())
    assert (len(notes) == 1) == (kept.height < asked.height)


def test_the_first_ratings_are_what_a_plain_collection_has() -> None:
    rows = [
        {
            "item": f"t{n}",
            "annotator": f"p{place}",
            "question": "q",
            "answer": one,
            "submitted": place,
        }
        for n, said in enumerate(("55", "515", "551"))
        for place, one in enumerate(said)
    ]
    ratings = pl.DataFrame(rows).with_columns(pl.col("submitted").cast(pl.String))
    plain = stopping(ratings, question="q", at_least=2)
    early = early_closing(ratings, question="q", at_least=2, target=3, items=3)
    assert early["agreement_of_first"] == pytest.approx(2 / 3)
    assert plain["needed"] == 7
