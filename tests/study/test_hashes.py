"""What a step's inputs are compared by."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from plausibly.study.manifest import hashes

NAMES = ("answers.sqlite", "answers.sqlite-wal")


def test_reading_a_database_is_no_change_and_a_new_entry_in_its_log_is_one(tmp_path: Path) -> None:
    path = tmp_path / NAMES[0]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE answers (item TEXT)")
        connection.commit()
    before = hashes(tmp_path, NAMES)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        connection.execute("SELECT * FROM answers").fetchall()
    assert (tmp_path / NAMES[1]).exists()
    assert hashes(tmp_path, NAMES) == before
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO answers VALUES ('t1')")
        connection.commit()
        assert hashes(tmp_path, NAMES) != before
