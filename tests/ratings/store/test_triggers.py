"""What the database refuses, from a connection that knows nothing of this package."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from plausibly.ratings.store.allocation import join
from plausibly.ratings.store.dialect import connect
from plausibly.ratings.store.doors import Person
from plausibly.ratings.store.erasing import erase
from plausibly.ratings.store.opening import prepare
from worlds.served import NOW, served_of, store_of, works_through

ROW = "SELECT annotator, item FROM slots WHERE state = 'accepted' LIMIT 1"


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A file with answers of one person, and places another holds; no pragma is set."""
    served = served_of(6, target=2, batch=2, quota=2, checks_per_batch=0)
    engine = store_of(tmp_path, served)
    with engine.begin() as connection:
        works_through(connection, "ann", served)
        join(connection, Person("bob", "link", consent=("v1", "en")), served=served, now=NOW)
    engine.dispose()
    with closing(sqlite3.connect(tmp_path / "answers.sqlite", isolation_level=None)) as file:
        yield file


def counts(file: sqlite3.Connection) -> list[tuple[str, int]]:
    """Return how many slots of each item are not void."""
    query = "SELECT item, count(*) FROM slots WHERE state <> 'void' GROUP BY item ORDER BY item"
    return list(file.execute(query))


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT OR REPLACE INTO slots SELECT * FROM slots",
        "INSERT OR REPLACE INTO submissions SELECT * FROM submissions",
        "INSERT OR REPLACE INTO answers SELECT * FROM answers",
        "INSERT OR REPLACE INTO people SELECT * FROM people",
        "INSERT OR REPLACE INTO items SELECT * FROM items",
        "INSERT OR REPLACE INTO consents SELECT * FROM consents",
        "UPDATE consents SET made = 0",
        "DELETE FROM consents",
        "REPLACE INTO submissions SELECT annotator, item, 9, 9, key, form, shown, submitted, "
        "comment, together FROM submissions",
        "UPDATE items SET taken = 0 WHERE taken > 0",
        "UPDATE items SET item = item || 'x'",
        "UPDATE items SET content = 'other' WHERE taken > 0",
        "UPDATE items SET kind = 'check' WHERE taken > 0",
        "DELETE FROM items WHERE taken > 0",
        "UPDATE OR REPLACE items SET item = (SELECT max(item) FROM items) WHERE taken = 0",
        "UPDATE people SET annotator = annotator || 'x'",
        "UPDATE people SET joined = 0",
        "DELETE FROM people",
        "DELETE FROM answers",
        "DELETE FROM slots",
        "UPDATE OR REPLACE slots SET annotator = 'ann'",
        "UPDATE slots SET item = 't000'",
        "UPDATE slots SET revision = 0 WHERE revision > 0",
        "UPDATE slots SET was = 'accepted' WHERE state = 'reserved'",
        "INSERT INTO slots (annotator, item, reservation, batch, position, state, expires, step, "
        "revision) SELECT 'ann', item, item, 1, 1, 'accepted', 0, 1, 1 FROM items",
    ],
)
def test_nothing_is_replaced_moved_or_made_up(answers: sqlite3.Connection, statement: str) -> None:
    before, dumped = counts(answers), "\n".join(answers.iterdump())
    assert answers.execute(ROW).fetchone()
    with pytest.raises(sqlite3.IntegrityError):
        answers.execute(statement)
    assert counts(answers) == before
    assert "\n".join(answers.iterdump()) == dumped


def test_consents_of_answers_begun_before_are_guarded_too_and_go_with_their_person(
    tmp_path: Path,
) -> None:
    served = served_of(6, target=2, batch=2, quota=2, checks_per_batch=0)
    store_of(tmp_path, served).dispose()
    replaced = "INSERT OR REPLACE INTO consents SELECT * FROM consents"
    with closing(sqlite3.connect(tmp_path / "answers.sqlite", isolation_level=None)) as file:
        for rule in ("stay", "append", "once"):
            file.execute(f"DROP TRIGGER consents_{rule}")
        engine = connect(f"sqlite:///{tmp_path / 'answers.sqlite'}")
        prepare(engine, served, now=NOW)
        for version, now in (("v1", NOW), ("v2", NOW + 1), ("v1", NOW + 2)):
            person = Person("bob", "link", consent=(version, "en"))
            with engine.begin() as connection:
                join(connection, person, served=served, now=now)
        kept = file.execute("SELECT version, made FROM consents ORDER BY made").fetchall()
        assert kept == [("v1", NOW), ("v2", NOW + 1)]
        with pytest.raises(sqlite3.IntegrityError):
            file.execute(replaced)
        with engine.begin() as connection:
            erase(connection, "bob", person="hash", now=NOW)
        assert not file.execute("SELECT * FROM consents").fetchall()
        engine.dispose()
