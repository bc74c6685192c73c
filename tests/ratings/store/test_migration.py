"""Answers that were begun with an earlier schema go on, and nothing of them is lost."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from plausibly.errors import StudyError
from plausibly.ratings.collected import read_answers
from plausibly.ratings.store.dialect import connect
from plausibly.ratings.store.migration import migrate
from plausibly.ratings.store.opening import prepare
from plausibly.ratings.store.reading import version_of
from plausibly.ratings.store.rounds import rounds_so_far
from plausibly.ratings.store.schema import VERSION, metadata, slots
from worlds.served import NOW, answered, joined, served_of, works_through

DUMP = Path(__file__).with_name("answers_v1.sql")  # of a small study, written by schema 1
TABLES = ("items", "people", "screened", "exclusions", "slots", "submissions", "answers", "rounds")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "answers.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DUMP.read_text(encoding="utf-8"))
    return path


def rows(path: Path) -> dict[str, Counter[Any]]:
    """Return every row of every table of schema 1, by the columns that schema had."""
    with closing(sqlite3.connect(":memory:")) as model, closing(sqlite3.connect(path)) as stored:
        model.executescript(DUMP.read_text(encoding="utf-8"))
        columns = {
            table: [name for _, name, *_ in model.execute(f"PRAGMA table_info({table})")]
            for table in TABLES
        }
        return {
            table: Counter(stored.execute(f"SELECT {', '.join(names)} FROM {table}"))  # noqa: S608
            for table, names in columns.items()
        }


def test_every_row_is_there_afterwards_and_the_copy_is_what_was(old: Path) -> None:
    before, ratings = rows(old), read_answers(old, names={}).ratings
    kept = migrate(old)
    assert kept == old.with_name("answers.sqlite.v1")
    assert rows(old) == rows(kept) == before
    assert read_answers(old, names={}).ratings.equals(ratings)
    assert read_answers(kept, names={}).ratings.equals(ratings)
    assert ratings.height == 22
    assert kept.stat().st_mode & 0o777 == 0o600
    for path, version in ((old, VERSION), (kept, 1)):
        with closing(sqlite3.connect(path)) as connection:
            assert version_of(connection) == version


def test_the_schema_is_that_of_answers_begun_today(old: Path, tmp_path: Path) -> None:
    migrate(old)
    (tmp_path / "new").mkdir()
    engine = connect(f"sqlite:///{tmp_path / 'new' / 'answers.sqlite'}")
    prepare(engine, served_of(6, checks=2), now=NOW)
    engine.dispose()

    def described(path: Path) -> Iterator[tuple[str, ...]]:
        with closing(sqlite3.connect(path)) as connection:
            parts = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
            for kind, name, table, sql in connection.execute(parts):
                yield kind, name, table, " ".join((sql or "").split())

    assert list(described(old)) == list(described(tmp_path / "new" / "answers.sqlite"))
    assert {table.name for table in metadata.sorted_tables} >= set(TABLES)


def test_the_collection_goes_on(old: Path) -> None:
    served = served_of(6, checks=2, target=3, batch=3, quota=0, lease_minutes=1.0)
    engine = connect(f"sqlite:///{old}")
    prepare(engine, served, now=NOW + 300)
    with engine.begin() as connection:
        assert joined(connection, "gus", served, now=NOW + 245)
        assert answered(connection, "gus", served, now=NOW + 245) is not None
        assert len(works_through(connection, "hal", served, now=NOW + 300)) > 3
        assert [one["round"] for one in rounds_so_far(connection)] == [1, 2]
    engine.dispose()
    assert migrate(old) is None


def test_a_copy_that_is_there_is_not_written_over(old: Path) -> None:
    kept = old.with_name("answers.sqlite.v1")
    kept.write_bytes(b"the first copy")
    migrate(old)
    assert kept.read_bytes() == b"the first copy"


def test_what_fails_half_way_leaves_the_answers_as_they_were(old: Path) -> None:
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("DROP TRIGGER slots_stay")
        connection.execute("DELETE FROM slots WHERE annotator = 'ann'")  # its answers stay
        connection.commit()
    before = rows(old)
    with pytest.raises(StudyError, match="rows that are missing"):
        migrate(old)
    assert rows(old) == before


def test_a_later_schema_is_refused(old: Path) -> None:
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("UPDATE facts SET value = '99' WHERE name = 'schema'")
        connection.commit()
    with pytest.raises(
        StudyError, match=rf"schema 99, expected {VERSION}\)\. Open it with that version"
    ):
        migrate(old)


@pytest.mark.parametrize("state", ["answered", "accepted", "reserved"])
def test_what_was_never_anything_does_not_come_back_as_something(
    tmp_path: Path, state: str
) -> None:
    served = served_of(1, batch=1, target=1)
    engine = connect(f"sqlite:///{tmp_path / 'answers.sqlite'}")
    prepare(engine, served, now=NOW)
    with engine.begin() as connection:
        works_through(connection, "ann", served)
        void = {"state": "void", "cause": "lapsed", "was": None}
        connection.execute(slots.update().values(void))
        with pytest.raises(IntegrityError, match="cannot change its state"):
            connection.execute(slots.update().values(state=state, cause=None))
    engine.dispose()


def test_answers_of_schema_2_go_on(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        dump = DUMP.with_name("answers_v2.sql")
        connection.executescript(dump.read_text(encoding="utf-8"))
    before = read_answers(path, names={}).ratings
    assert migrate(path) == path.with_name("answers.sqlite.v2")
    assert read_answers(path, names={}).ratings.equals(before)
    assert before.height == 5
    served = served_of(3, checks=1, target=2, batch=3, quota=3)
    engine = connect(f"sqlite:///{path}")
    prepare(engine, served, now=NOW)
    with engine.begin() as connection:
        assert len(works_through(connection, "cat", served)) == 3
    engine.dispose()
