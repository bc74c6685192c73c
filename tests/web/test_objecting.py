"""Excluded people see why and can object; people who ask for it are erased at once."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.errors import StudyError
from plausibly.ratings.store.objections import LONGEST
from worlds.served import items_of, study_folder
from worlds.visiting import WORDS, client_of, folder_of, hidden, rows, takes_part

WHY = "Seven answers in four seconds & more."
TEXT = "I read fast,\nand I meant every answer <really>."


def excluded(folder: Path, client: TestClient, person: str = "ann") -> TestClient:
    visitor = takes_part(client, person)
    pb.people_exclude(folder, [person], reason=WHY)
    return visitor


def objects(visitor: TestClient, text: str) -> str:
    said = {**hidden(visitor.get("/excluded").text), "text": text}
    return visitor.post("/excluded", data=said).text


def test_an_excluded_person_reads_the_reason_objects_and_reads_the_reply(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    with client_of(folder) as client:
        visitor = excluded(folder, client)
        end = visitor.get("/done").text
        assert 'href="/excluded"' in end  # the code stays, with a way to the reason
        page = visitor.get("/excluded")
        assert page.status_code == 403
        assert "Seven answers in four seconds &amp; more." in page.text
        assert objects(visitor, " ").count("Write a few words first.") == 1
        assert "&lt;really&gt;" in objects(visitor, "first words <really>")
        objects(visitor, TEXT)  # replaces what nobody has answered yet
        ((number, text, replied),) = (
            pb.people_objections(folder).objections.select("number", "text", "replied").rows()
        )
        assert (text, replied) == (TEXT, None)
        pb.people_objections(folder, number=number, reply="We listened: you are right.")
        assert "We listened: you are right." in visitor.get("/excluded").text
        pb.people_restore(folder, ["ann"])
        assert visitor.get("/excluded").url.path == "/done"
    with pytest.raises(StudyError, match="there is no objection 7"):
        pb.people_objections(folder, number=7, reply="x")
    with pytest.raises(StudyError, match="name the objection with number="):
        pb.people_objections(folder, reply="x")


def test_nobody_else_can_object_and_long_texts_are_cut(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    with client_of(folder) as client:
        stranger = TestClient(client.app)
        assert stranger.get("/excluded").status_code == 401
        visitor = takes_part(client, "bob")
        assert visitor.get("/excluded").url.path == "/done"
        said = {**hidden(visitor.get("/withdraw").text), "text": "let me object"}
        assert visitor.post("/excluded", data=said).status_code == 403
        long = excluded(folder, client)
        objects(long, "x" * (LONGEST + 50))
        (stored,) = pb.people_objections(folder).objections["text"].to_list()
        assert len(stored) == LONGEST


def test_the_failed_check_is_a_reason_that_does_not_name_the_check(tmp_path: Path) -> None:
    ratings = {"target": 4, "batch": 4, "quota": 4, "checks_per_batch": 1}
    rules = {"ratings": {**ratings, "failed_check": "exclude"}}
    items = items_of(4, 1).with_columns(
        expected=pl.when(pl.col("kind") == "check").then(pl.lit("1"))
    )
    folder = study_folder(tmp_path / "s", items, rules)
    with client_of(folder) as client:
        page = takes_part(client, "ann").get("/excluded")
    assert page.status_code == 403
    reason = page.text.partition("<ul>")[2].partition("</ul>")[0]
    assert "checks attention" in reason
    assert str(items.filter(pl.col("kind") == "check")["item"].item()) not in reason


def test_a_person_can_be_erased_at_once_with_everything_derived(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    with client_of(folder) as client:
        takes_part(client, "bob")
        visitor = excluded(folder, client)
        objects(visitor, f"{WORDS}-objection")
        derived = folder / "ratings.parquet"
        annotator = rows(folder, "SELECT annotator FROM objections")[0][0]
        pb.read(folder / "answers.sqlite", format="answers").ratings.write_parquet(derived)
        link = re.search(r"/resume/[^\"<?\s]+", visitor.get("/instructions").text)
        assert link is not None
        asked = visitor.get("/withdraw/erase")
        unsure = visitor.post("/withdraw/erase", data=hidden(asked.text))
        assert unsure.status_code == 422
        said = {**hidden(unsure.text), "sure": "yes"}
        gone = visitor.post("/withdraw/erase", data=said)
        assert gone.status_code == 200
        assert visitor.get("/work").status_code == 401
        again = visitor.get(link[0])  # a personal link does not outlive its person
        assert (again.status_code, "<form" in again.text) == (200, False)
        assert "Everything is deleted" in again.text
        blank = hidden(visitor.get("/?person=cleo").text)
        sent = {**blank, "person": "", "link": link[0].rpartition("/")[2]}
        sent |= {"agree": "yes", "eligible": "yes"}
        assert visitor.post("/consent", data=sent).status_code == 409
        with closing(sqlite3.connect(folder / "answers.sqlite")) as connection:
            people = connection.execute("SELECT COUNT(*) FROM people").fetchone()
        assert people == (1,)
    kept = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert f"{WORDS}-bob".encode() in kept
    assert f"{WORDS}-ann".encode() not in kept
    assert f"{WORDS}-objection".encode() not in kept
    assert annotator.encode() not in kept


def test_after_the_last_day_nothing_is_erased(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, withdraw_until="2001-01-01")
    with client_of(folder) as client:
        visitor = takes_part(client, "ann")
        assert visitor.get("/withdraw/erase").status_code == 409
