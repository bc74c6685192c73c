"""Who said that the study is not for them: the verdict holds, whichever way they come back."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select, update

from plausibly.ratings.store.dialect import upsert
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import screened

_OUT = Prepared(
    select(screened.c.annotator).where(
        screened.c.annotator == bindparam("who"), screened.c.undone.is_(None)
    )
)


def screen_out(connection: Connection, annotator: str, *, now: float) -> None:
    """Keep in mind that a person is not eligible."""
    row = upsert(screened).values(annotator=annotator, made=now)
    again = row.on_conflict_do_update(index_elements=["annotator"], set_={"undone": None})
    connection.execute(again)


def is_screened_out(connection: Connection, annotator: str) -> bool:
    """Return whether a person has said that they are not eligible."""
    return _OUT.scalar(connection, {"who": annotator}) is not None


def let_in_again(connection: Connection, annotator: str, *, now: float) -> bool:
    """Undo the verdict on a person; False if there was none."""
    mine = (screened.c.annotator == annotator) & screened.c.undone.is_(None)
    return connection.execute(update(screened).where(mine).values(undone=now)).rowcount > 0
