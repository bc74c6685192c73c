"""Statements that every answer needs: compiled once, and handed to SQLite as they are."""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Insert
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.elements import ClauseElement

_NAMED_ROW: Any = namedtuple  # the names are known when the first row is there
_DIALECT = sqlite.dialect(paramstyle="named")


class Prepared:
    """A statement whose text is made once; its rows have the names of their columns.

    Args:
        statement: What SQLAlchemy would run. It must not hold lists of a length known only when it
            is run.
    """

    def __init__(self, statement: Executable) -> None:
        if not isinstance(statement, ClauseElement):
            raise TypeError("only what can be compiled can be prepared")
        compiled = statement.compile(dialect=_DIALECT)
        self.text = str(compiled)
        self._fixed = dict(compiled.params)
        if isinstance(statement, Insert):
            defaults = {c.name: getattr(c, "default", None) for c in statement.table.columns}
            self._fixed |= {name: one.arg for name, one in defaults.items() if one is not None}
        self._row: Any = None

    def run(self, connection: Connection, values: Mapping[str, Any]) -> sqlite3.Cursor:
        """Run the statement inside a transaction."""
        try:
            return _driver(connection).execute(self.text, {**self._fixed, **values})
        except sqlite3.Error as error:
            raise self._wrapped(error) from error

    def run_each(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run the statement once for every row."""
        try:
            _driver(connection).executemany(self.text, [{**self._fixed, **row} for row in rows])
        except sqlite3.Error as error:
            raise self._wrapped(error) from error

    def all(self, connection: Connection, values: Mapping[str, Any]) -> list[Any]:
        """Return every row."""
        cursor = self.run(connection, values)
        rows = cursor.fetchall()
        if not rows:
            return []
        made = self._named(cursor)
        return [made(*row) for row in rows]

    def first(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        """Return the first row, None if there is none."""
        cursor = self.run(connection, values)
        row = cursor.fetchone()
        named = None if row is None else self._named(cursor)(*row)
        cursor.close()
        return named

    def scalar(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        """Return the first value of the first row, None if there is none."""
        cursor = self.run(connection, values)
        row = cursor.fetchone()
        cursor.close()
        return None if row is None else row[0]

    def scalars(self, connection: Connection, values: Mapping[str, Any]) -> list[Any]:
        """Return the first value of every row."""
        return [row[0] for row in self.run(connection, values).fetchall()]

    def _named(self, cursor: sqlite3.Cursor) -> Any:
        """Return how rows are made."""
        if self._row is None:
            names = [name for name, *_ in cursor.description]
            self._row = _NAMED_ROW("StoredRow", names)
        return self._row

    def _wrapped(self, error: sqlite3.Error) -> BaseException:
        """Return an error as SQLAlchemy would raise it, to report all errors alike."""
        return DBAPIError.instance(self.text, None, error, sqlite3.Error, hide_parameters=True)


def _driver(connection: Connection) -> sqlite3.Connection:
    """Return the connection as Python itself brings it."""
    driver = connection.connection.dbapi_connection
    if not isinstance(driver, sqlite3.Connection):
        raise TypeError("answers are kept in SQLite")
    return driver
