"""Invite people: personal links, numbers that may enter, and people a platform confirms."""

from __future__ import annotations

import csv
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL

from plausibly.errors import StudyError
from plausibly.ratings.payroll import PERSON_COLUMNS
from plausibly.ratings.server import door_of
from plausibly.ratings.store.dialect import connect, database_url
from plausibly.ratings.store.doors import admit, confirm
from plausibly.study.arguments import checked
from plausibly.web.app import open_desk
from plausibly.web.people.desk import HERE
from plausibly.web.study import read_study

ELSEWHERE = "0.0.0.0"  # noqa: S104 - nothing listens: people come from outside
MOST_LINKS = 10_000


@dataclass(frozen=True, slots=True)
class Admitted:
    """Who may enter now.

    Args:
        links: Personal links, in the order of the file or of their making.
        people: How many people are newly admitted or confirmed.
        known: How many had been admitted or confirmed already, or have not begun.
    """

    links: tuple[str, ...] = ()
    people: int = 0
    known: int = 0


@checked
def people_admit(
    study: str | Path,
    file: str | Path | None = None,
    *,
    number: int = 0,
    database: str | None = None,
) -> Admitted:
    """Admit people to a study: make personal links, list numbers, or confirm a panel's people.

    What is done follows from `[server] door`: `links` returns a personal link for each person,
    `list` admits the numbers of the file, and `panel` confirms the people whom the platform's
    export of submissions names.

    Args:
        study: The study folder.
        file: One participant number per line, or a CSV file that names them in a column.
        number: How many personal links to make without a file.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people admit my-study -n 50
        plausibly people admit my-study numbers.txt

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     people_admit(Path(place, "otters"), number=2)
    Traceback (most recent call last):
    plausibly.errors.StudyError: [server] door = "open" admits anyone. Set it to "links".
    """
    served = read_study(Path(study))
    door = door_of(served.server, ELSEWHERE)
    numbers = _numbers(Path(file)) if file is not None else ()
    if door == "open":
        raise StudyError('[server] door = "open" admits anyone. Set it to "links".')
    if door != "links" and not numbers:
        raise StudyError(f'people admit: door = "{door}" needs a file with participant numbers.')
    if not numbers and not 1 <= number <= MOST_LINKS:
        raise StudyError(f"people admit: give a file, or -n from 1 to {MOST_LINKS}; got {number}.")
    desk = open_desk(served, database=database, token="", clock=time.time)
    try:
        texts = numbers or tuple(secrets.token_urlsafe(16) for _ in range(number))
        coded = [desk.keys.annotator(text) for text in texts]
        new = _store(coded, door, database_url(served.folder, database))
    finally:
        desk.dispose()
    site = str(served.server["public_url"]).rstrip("/") or HERE
    links = tuple(f"{site}/resume/{desk.keys.link(one)}" for one in coded)
    return Admitted(links if door == "links" else (), new, len(coded) - new)


def _store(coded: Sequence[str], door: str, url: URL) -> int:
    """Admit or confirm people, and return how many of them are new."""
    engine, now = connect(url), time.time()
    try:
        with engine.begin() as connection:
            if door == "panel":
                return confirm(connection, coded, now=now)
            return admit(connection, coded, door=door, now=now)
    finally:
        engine.dispose()


def _numbers(path: Path) -> tuple[str, ...]:
    """Return the participant numbers of a file: a column of a CSV file, or one per line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError(f"{path}: cannot be read as text ({error}).") from error
    header = next(csv.reader(lines[:1]), [])
    named = [name for name in PERSON_COLUMNS if name in header]
    if named:
        texts = [row[named[0]] or "" for row in csv.DictReader(lines)]
    elif len(header) > 1:
        known = ", ".join(PERSON_COLUMNS)
        raise StudyError(f"{path}: no column names the participant. Expected one of: {known}.")
    else:
        texts = lines
    numbers = tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))
    if not numbers:
        raise StudyError(f"{path}: there are no participant numbers.")
    return numbers
