"""Objections of excluded people: list them, and reply."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import Connection

from plausibly.errors import StudyError, option
from plausibly.ratings.store.desk import DeskAction, log_action
from plausibly.ratings.store.objections import LONGEST, Objection, list_objections, reply_to
from plausibly.ratings.store.reading import iso
from plausibly.study.arguments import checked
from plausibly.web.people.deciding import COMMAND
from plausibly.web.people.opening import opened_people

REPLIED = "replied to an objection"
COLUMNS = {
    "number": pl.Int64(),
    "annotator": pl.String(),
    "made": pl.String(),
    "reasons": pl.String(),
    "text": pl.String(),
    "replied": pl.String(),
    "reply": pl.String(),
}


@dataclass(frozen=True, slots=True)
class Objections:
    """What excluded people object: open objections first."""

    objections: pl.DataFrame

    def as_json(self) -> list[dict[str, Any]]:
        """Return one object per objection."""
        return self.objections.to_dicts()


@checked
def people_objections(
    study: str | Path,
    *,
    number: int | None = None,
    reply: str = "",
    database: str | None = None,
) -> Objections:
    """List the objections of excluded people, or reply to one.

    People see the reply with their personal link. It changes no verdict: to use the answers after
    all, call `people restore`.

    Args:
        study: The study folder.
        number: The objection to reply to; if omitted, all are listed.
        reply: What its person reads.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people objections my-study
        plausibly people objections my-study --number 1 --reply "We listened again: you are right."

    >>> people_objections("my-study", number=1)
    Traceback (most recent call last):
    plausibly.errors.StudyError: people objections: write the reply with reply=.
    """
    if (number is None) != (not reply.strip()):
        given, missing = ("reply", "number") if number is None else ("number", "reply")
        del given
        what = "write the reply" if missing == "reply" else "name the objection"
        raise StudyError(f"people objections: {what} with {option(missing)}.", parameter=missing)
    if len(reply) > LONGEST:
        raise StudyError(
            f"{option('reply')} may have at most {LONGEST} characters; got {len(reply)}.",
            parameter="reply",
        )
    with opened_people(study, database) as people, people.engine.begin() as connection:
        if number is None:
            return Objections(_table(list_objections(connection)))
        answered = reply_logged(connection, number, reply.strip(), by=COMMAND, now=time.time())
        if answered is None:
            raise StudyError(f"{people.path}: there is no objection {number}.", parameter="number")
        return Objections(_table([answered]))


def reply_logged(
    connection: Connection, number: int, reply: str, *, by: str, now: float
) -> Objection | None:
    """Store the reply to an objection and count it in the log; None if there is none such."""
    answered = reply_to(connection, number, reply, now=now)
    if answered is not None:
        log_action(connection, DeskAction(now, by, REPLIED, 1))
    return answered


def _table(objections: list[Objection]) -> pl.DataFrame:
    rows = [
        {
            "number": one.number,
            "annotator": one.annotator,
            "made": iso(one.made),
            "reasons": one.reasons,
            "text": one.text,
            "replied": None if one.replied is None else iso(one.replied),
            "reply": one.reply or None,
        }
        for one in objections
    ]
    return pl.DataFrame(rows, schema=COLUMNS)
