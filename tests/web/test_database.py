"""Where answers lie: in a file that lasts, for its owner only, whatever the folder is called."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError
from starlette.testclient import TestClient

from plausibly.errors import StudyError
from plausibly.ratings import import_ratings
from plausibly.ratings.store.dialect import connect, database_url
from plausibly.ratings.store.schema import RESERVED, items, slots
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from worlds.served import items_of, joins, served_of, store_of, study_folder

STRANGE = ["st?x=1", "st 50%25", "st#1", "st:memory:", "ü & ñ"]


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite+pysqlite:///:memory:",
        "sqlite:///file::memory:?uri=true",
        "sqlite:///file:shared?mode=memory&uri=true",
        "sqlite:////tmp/answers.sqlite?mode=memory",
    ],
)
def test_a_database_that_would_not_last_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(StudyError, match=r"database=: .*sqlite:////path/to/answers\.sqlite"):
        database_url(tmp_path, url)


def test_a_driver_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"database=: .*'sqlite\+aiosqlite'"):
        database_url(tmp_path, "sqlite+aiosqlite:////tmp/answers.sqlite")


@pytest.mark.parametrize("name", STRANGE)
def test_a_study_folder_may_be_called_anything(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = study_folder(tmp_path / name, items_of(2), {"ratings": {"target": 1, "batch": 2}})
    with TestClient(create_app(read_study(folder))) as client:
        token = joins(client, "ann").json()["token"]
        mine = {"Authorization": f"Bearer {token}"}
        shown = client.get("/api/v1/next", headers=mine).json()
        sent = {"reservation": shown["reservation"], "key": "k", "answers": {"plausible": 5}}
        assert client.post("/api/v1/answers", json=sent, headers=mine).status_code == 201
    assert [path.name for path in tmp_path.iterdir()] == [name]
    path = folder / "answers.sqlite"
    assert import_ratings(path, form="answers").ratings["item"].to_list() == [shown["item"]]
    monkeypatch.chdir(folder)
    assert import_ratings(Path(path.name), form="answers").ratings.height == 1


def test_answers_are_for_their_owner_only(tmp_path: Path) -> None:
    folder = study_folder(tmp_path, items_of(2), {})
    with TestClient(create_app(read_study(folder))) as client:
        joins(client, "ann")
        modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in folder.glob("answers.*")}
    assert {"answers.sqlite", "answers.sqlite-wal", "answers.key"} <= modes.keys()
    assert set(modes.values()) == {0o600}


def test_a_file_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    store_of(tmp_path, served_of(1)).dispose()
    path = tmp_path / "answers.sqlite"
    path.chmod(0o640)
    engine = connect(database_url(tmp_path, None))
    with engine.begin() as connection:
        assert connection.scalar(select(items.c.item)) == "t000"
    engine.dispose()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_failed_statement_does_not_tell_what_was_answered(tmp_path: Path) -> None:
    engine = store_of(tmp_path, served_of(1))
    twice = text("INSERT INTO facts VALUES (:name, :value)")
    secret = {"name": "study", "value": "what someone wrote"}
    with engine.begin() as connection, pytest.raises(IntegrityError) as failed:
        connection.execute(twice, secret)
    assert "what someone wrote" not in str(failed.value)
    engine.dispose()


def test_the_index_of_what_is_reserved_is_added_to_earlier_answers_and_used(tmp_path: Path) -> None:
    served = served_of(1)
    engine = store_of(tmp_path, served)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP INDEX reserved")
    engine.dispose()
    engine = store_of(tmp_path, served)
    mine = (
        select(slots).where(slots.c.annotator == "ann", RESERVED).order_by(slots.c.batch).limit(1)
    )
    with engine.begin() as connection:
        text_of_mine = str(mine.compile(engine, compile_kwargs={"literal_binds": True}))
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text_of_mine}").all()
    engine.dispose()
    assert [row[3] for row in plan] == ["SEARCH slots USING INDEX reserved (annotator=?)"]
