"""Consent is recorded and states what becomes of the data; withdrawn people are deleted."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.errors import StudyError
from plausibly.ratings.consent import consent_version
from plausibly.ratings.store.dialect import connect
from plausibly.ratings.store.overview import recent_answers, stamp
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.desk import entered
from worlds.visiting import WORDS, client_of, folder_of, hidden, rows, takes_part

DAY = 24 * 3600.0
HEAD = {"Authorization": f"Bearer {TOKEN}"}
NOBODY = """
title = "Nobody"
source = "this test"
sides = "1,2|4,5"
[[rules]]
rule = "few_ratings"
fewer_than = 1000
row = "Few ratings"
source = "this test"
"""


def withdraws(visitor: TestClient) -> int:
    page = visitor.get("/withdraw")
    return visitor.post("/withdraw", data=hidden(page.text)).status_code


def test_the_consent_states_what_becomes_of_the_data_and_marks_blanks(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, purpose="A study of verbs & <nouns>.", withdraw_until="2999-12-31")
    page = client_of(folder).get("/?person=ann").text
    assert "A study of verbs &amp; &lt;nouns&gt;." in page
    assert "2999-12-31" in page
    assert page.count(">«…»</dd>") == 2


def test_the_version_of_the_consent_is_kept_with_language_and_time(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, interface="it", purpose="Verbs.")
    with client_of(folder) as client:
        takes_part(client, "ann")
    served = read_study(folder)
    ((version, language, made),) = rows(folder, "SELECT version, language, made FROM consents")
    assert (version, language) == (consent_version(served.form, served.server), "it")
    assert abs(made - time.time()) < 600
    other = {**served.server, "purpose": "Nouns."}
    assert consent_version(served.form, other) != version


def test_withdrawn_people_are_deleted_after_seven_days_and_not_before(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    with client_of(folder) as client:
        takes_part(client, "bob")
        assert withdraws(takes_part(client, "ann")) == 200
        given_out = client.get("/api/v1/ratings", headers=HEAD).text
        assert f"{WORDS}-bob" in given_out
        assert f"{WORDS}-ann" not in given_out
    with client_of(folder, 6.9 * DAY) as client:
        client.get("/healthz")
    assert rows(folder, "SELECT count(*) FROM people") == [(2,)]
    with client_of(folder, 7.1 * DAY) as client:
        client.get("/healthz")
        assert rows(folder, "SELECT count(*) FROM people") == [(1,)]
    assert rows(folder, "SELECT items, answers, comments FROM erased") == [(5, 5, 5)]
    assert rows(folder, "SELECT count(*) FROM consents") == [(1,)]
    kept = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert f"{WORDS}-bob".encode() in kept
    assert f"{WORDS}-ann".encode() not in kept


OUTSIDE = """
import sqlite3, sys
from contextlib import closing
with closing(sqlite3.connect(sys.argv[1])) as connection:
    print(connection.execute("SELECT count(*) FROM people").fetchone()[0])
"""


def test_other_programs_see_what_arrives_after_an_erasure(tmp_path: Path) -> None:
    """A process that closes a file loses its locks on it, and others then take it for unused."""
    folder = folder_of(tmp_path)

    def people_outside() -> int:
        command = [sys.executable, "-c", OUTSIDE, str(folder / "answers.sqlite")]
        return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    with client_of(folder) as client:
        ann = takes_part(client, "ann")
        sent = {**hidden(ann.get("/withdraw/erase").text), "sure": "yes"}
        assert ann.post("/withdraw/erase", data=sent).status_code == 200
        assert people_outside() == 0
        log = (folder / "answers.sqlite-wal").stat().st_ino
        takes_part(client, "bob")
        assert people_outside() == 1
        assert (folder / "answers.sqlite-wal").stat().st_ino == log
    assert rows(folder, "SELECT count(*) FROM people") == [(1,)]


@pytest.mark.parametrize("at_once", [True, False])
def test_copies_that_still_have_an_erased_person_are_named_at_the_desk(
    tmp_path: Path, *, at_once: bool
) -> None:
    folder, early = folder_of(tmp_path), tmp_path / "early.tar.gz"
    with client_of(folder) as client:
        ann = takes_part(client, "ann")
        (folder / "notes.csv").write_text(annotator_of(folder, f"{WORDS}-ann"), encoding="utf-8")
        pb.backup(folder, output=early)
        if at_once:
            sent = {**hidden(ann.get("/withdraw/erase").text), "sure": "yes"}
            assert ann.post("/withdraw/erase", data=sent).status_code == 200
        else:
            assert withdraws(ann) == 200
    with client_of(folder, 0 if at_once else 7.1 * DAY) as client:
        page = entered(client, "owner").get("/desk/").text
        assert f"2 files made earlier still contain data of people who were erased: {early}" in page
        assert str(folder / "notes.csv") in page
        assert "answers.sqlite" not in page
        assert "early.tar.gz" not in entered(client, "viewer").get("/desk/").text
    early.unlink()
    with client_of(folder) as client:
        assert "1 file made earlier" in entered(client, "owner").get("/desk/").text


@pytest.mark.parametrize("by_command", [False, True])
def test_an_erasure_that_was_cut_short_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, by_command: bool
) -> None:
    folder = folder_of(tmp_path)

    def killed(*_: object) -> None:
        raise OSError("cut short")

    with client_of(folder) as client:
        takes_part(client, "bob")
        ann = takes_part(client, "ann")
        name = annotator_of(folder, f"{WORDS}-ann")
        derived = pb.read(folder / "answers.sqlite", format="answers").ratings
        derived.write_parquet(folder / "ratings.parquet")
        sent = {**hidden(ann.get("/withdraw/erase").text), "sure": "yes"}
        begun: Callable[[], object] = partial(ann.post, "/withdraw/erase", data=sent)
        if by_command:
            begun = partial(pb.people_erase, folder, name, yes=True)
        with monkeypatch.context() as patch:
            patch.setattr("plausibly.web.people.derived.derived_from", killed)
            with pytest.raises(OSError, match="cut short"):
                begun()
    assert name in pl.read_parquet(folder / "ratings.parquet")["annotator"]
    with client_of(folder) as client:
        assert client.get("/healthz").status_code == 200
        takes_part(client, "cid")
    for path in folder.rglob("*"):
        if path.is_file():
            assert name.encode() not in path.read_bytes(), path
            assert f"{WORDS}-ann".encode() not in path.read_bytes(), path


@pytest.mark.parametrize("by_command", [False, True])
def test_a_withdrawal_takes_people_out_of_what_was_derived_at_once(
    tmp_path: Path, *, by_command: bool
) -> None:
    folder = folder_of(tmp_path)
    with client_of(folder) as client:
        takes_part(client, "bob")
        ann = takes_part(client, "ann")
        name = annotator_of(folder, f"{WORDS}-ann")
        settings = (folder / "study.toml").read_text(encoding="utf-8")
        source = settings.replace("[ratings]", '[ratings]\nsource = "answers.sqlite"')
        (folder / "study.toml").write_text(source, encoding="utf-8")
        pb.run(folder, to="ratings")
        people = pl.read_parquet(folder / "annotators.parquet")
        people.with_columns(age=pl.lit(30)).write_parquet(folder / "annotators.parquet")
        if by_command:
            assert "ratings.parquet" in pb.people_withdraw(folder, [name]).removed
        else:
            assert withdraws(ann) == 200
        for path in folder.rglob("*"):
            if path.is_file() and not path.name.startswith("answers"):
                assert name.encode() not in path.read_bytes(), path
                assert f"{WORDS}-ann".encode() not in path.read_bytes(), path
        takes_part(client, "cid")
        pb.run(folder, to="ratings")
        people = pl.read_parquet(folder / "annotators.parquet")
        assert name not in people["annotator"].to_list()
        assert sorted(people["age"].to_list(), key=str) == [30, None]


def test_a_withdrawal_removes_what_a_step_wrote_that_failed(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    with client_of(folder) as client:
        ann = takes_part(client, "ann")
        name = annotator_of(folder, f"{WORDS}-ann")
        settings = (folder / "study.toml").read_text(encoding="utf-8")
        source = settings.replace("[ratings]", '[ratings]\nsource = "answers.sqlite"')
        source += '[clean]\npreset = "rules.toml"\n'
        (folder / "study.toml").write_text(source, encoding="utf-8")
        (folder / "rules.toml").write_text(NOBODY, encoding="utf-8")
        with pytest.raises(StudyError, match="set aside all"):
            pb.run(folder)
        assert (folder / "clean" / "verdicts.parquet").is_file()
        assert withdraws(ann) == 200
        for path in folder.rglob("*"):
            if path.is_file() and not path.name.startswith("answers"):
                assert name.encode() not in path.read_bytes(), path
        assert not (folder / "clean" / "verdicts.parquet").exists()


def test_the_desk_counts_no_answers_of_people_who_withdrew(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    with client_of(folder) as client:
        takes_part(client, "bob")
        withdraws(takes_part(client, "ann"))
    engine = connect(f"sqlite:///{folder / 'answers.sqlite'}")
    with engine.begin() as connection:
        recent = recent_answers(connection, now=time.time())
    engine.dispose()
    assert (recent.last_hour, recent.comments) == (5, 5)


def test_an_arrival_is_not_a_decision_that_makes_the_desk_count_again(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    engine = connect(f"sqlite:///{folder / 'answers.sqlite'}")
    stamps = []
    with client_of(folder) as client:
        for act in (
            lambda: takes_part(client, "ann"),
            lambda: withdraws(takes_part(client, "bob")),
        ):
            with engine.begin() as connection:
                stamps.append(stamp(connection))
            act()
        with engine.begin() as connection:
            stamps.append(stamp(connection))
    engine.dispose()
    assert stamps[0].is_like(stamps[1])
    assert not stamps[1].is_like(stamps[2])


def annotator_of(folder: Path, words: str) -> str:
    said = rows(folder, "SELECT annotator, comment FROM submissions")
    (name,) = {str(name) for name, comment in said if words in comment}
    return name


def test_after_the_last_day_nobody_can_withdraw(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, withdraw_until="2001-01-01")
    later = [0.0]

    def clock() -> float:
        return sum(later) + 31 * 365 * DAY  # in the year 2000

    app = create_app(read_study(folder), token=TOKEN, clock=clock)
    with TestClient(app) as client:
        visitor = takes_part(client, "ann")
        sent = hidden(visitor.get("/withdraw").text)
        later.append(400 * DAY)
        page = visitor.post("/withdraw", data=sent)
        assert page.status_code == visitor.get("/withdraw").status_code == 409
        assert "The last day to withdraw has passed" in page.text
    assert rows(folder, "SELECT count(*) FROM people WHERE withdrew IS NOT NULL") == [(0,)]
    with pytest.raises(StudyError, match="can no longer withdraw"):
        pb.people_withdraw(folder, ["ann"])


def test_a_last_day_that_is_not_a_date_is_refused(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, withdraw_until="next year")
    with pytest.raises(StudyError, match="withdraw_until must be a date"):
        read_study(folder)
