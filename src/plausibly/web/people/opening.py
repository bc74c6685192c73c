"""Opens a study for commands about its people; the server may go on meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from sqlalchemy import Connection, Engine, select

from plausibly.errors import StudyError, option
from plausibly.ratings.store.allocation import expire
from plausibly.ratings.store.dialect import connect, database_url
from plausibly.ratings.store.ids import PlatformIds
from plausibly.ratings.store.roster import roster
from plausibly.ratings.store.schema import admitted, people, screened
from plausibly.web.app import open_desk
from plausibly.web.context import Desk
from plausibly.web.study import read_study


@dataclass(frozen=True)
class OpenPeople:
    """A study whose people are looked at or decided about."""

    desk: Desk
    engine: Engine
    ids: PlatformIds
    path: Path

    def roster(self) -> pl.DataFrame:
        """Return everybody, as they are now."""
        with self.engine.begin() as connection:
            return roster(connection, self.desk.served, now=time.time())

    def named(self, connection: Connection, names: Sequence[str]) -> list[str]:
        """Return people by the names in the ratings table or by their participant numbers."""
        known: set[str] = set()
        for table in (people, screened, admitted):
            known |= set(connection.scalars(select(table.c.annotator)))
        coded = {name: name if name in known else self.desk.keys.annotator(name) for name in names}
        strange = [name for name, annotator in coded.items() if annotator not in known]
        if strange:
            raise StudyError(
                f"{self.path}: nobody here is called {strange[0]!r}. "
                "See: plausibly people list STUDY."
            )
        return list(dict.fromkeys(coded.values()))


@contextmanager
def opened_people(study: str | Path, database: str | None = None) -> Iterator[OpenPeople]:
    """Yield a study whose people can be listed and decided about."""
    served = read_study(Path(study))
    url = database_url(served.folder, database)
    path = Path(str(url.database))
    if not path.is_file():
        raise StudyError(f"{path.name}: nobody has been invited or has taken part yet.")
    desk = open_desk(served, database=database, token="", clock=time.time)
    engine = connect(url)
    try:
        with engine.begin() as connection:
            expire(connection, served=served, now=time.time())
        yield OpenPeople(desk, engine, desk.ids, path)
    finally:
        engine.dispose()
        desk.dispose()


def chosen(rows: pl.DataFrame, where: str) -> pl.DataFrame:
    """Return the people for whom a condition over the columns of the list holds."""
    try:
        return rows.filter(pl.sql_expr(where))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        columns = ", ".join(rows.columns)
        raise StudyError(
            f"{option('where')} {where!r} cannot be used ({str(error).splitlines()[0]}). Write a "
            f"condition as in SQL over: {columns}.",
            parameter="where",
        ) from error
