"""Pause, close and reopen a study; the server notices at once."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import Connection

from plausibly.ratings.store.desk import DeskAction, log_action
from plausibly.ratings.store.pausing import CLOSED, OPEN, PAUSED, set_gate
from plausibly.study.arguments import checked
from plausibly.web.people.deciding import COMMAND
from plausibly.web.people.opening import opened_people

LOGGED = {OPEN: "opened the study again", PAUSED: "paused the study", CLOSED: "closed the study"}


@dataclass(frozen=True, slots=True)
class GateState:
    """Whether a study takes people.

    Args:
        state: open, paused or closed.
        before: What it was.
        working: How many people have begun and may finish.
    """

    state: str
    before: str
    working: int

    def as_json(self) -> dict[str, Any]:
        """Return the state now and before."""
        return asdict(self)


@checked
def people_pause(study: str | Path, *, database: str | None = None) -> GateState:
    """Pause a study: nobody can join, and people who have begun can continue.

    Args:
        study: The study folder.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people pause my-study
        plausibly people pause my-study --json

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     people_pause(Path(place, "otters"))
    Traceback (most recent call last):
    plausibly.errors.StudyError: answers.sqlite: nobody has been invited or has taken part yet.
    """
    return _set(study, PAUSED, database)


@checked
def people_close(study: str | Path, *, database: str | None = None) -> GateState:
    """Close a study: nobody can join, and people who have begun can finish their batch.

    Args:
        study: The study folder.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people close my-study
        plausibly people close my-study --json

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     people_close(Path(place, "otters"))
    Traceback (most recent call last):
    plausibly.errors.StudyError: answers.sqlite: nobody has been invited or has taken part yet.
    """
    return _set(study, CLOSED, database)


@checked
def people_reopen(study: str | Path, *, database: str | None = None) -> GateState:
    """Reopen a paused or closed study.

    Args:
        study: The study folder.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people reopen my-study
        plausibly people reopen my-study --json

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     people_reopen(Path(place, "otters"))
    Traceback (most recent call last):
    plausibly.errors.StudyError: answers.sqlite: nobody has been invited or has taken part yet.
    """
    return _set(study, OPEN, database)


def change_gate(connection: Connection, state: str, *, by: str, now: float) -> str:
    """Open, pause or close a study, append it to the log, and return what it was before."""
    before = set_gate(connection, state)
    if before != state:
        log_action(connection, DeskAction(now, by, LOGGED[state]))
    return before


def _set(study: str | Path, state: str, database: str | None) -> GateState:
    with opened_people(study, database) as people:
        with people.engine.begin() as connection:
            before = change_gate(connection, state, by=COMMAND, now=time.time())
        begun = people.roster().filter(pl.col("state").is_in(["reading", "working"]))
    return GateState(state, before, begun.height)
