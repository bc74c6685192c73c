"""Erase a person at once: their rows, their ids, and what the study derived from them."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from plausibly.errors import StudyError, option
from plausibly.ratings.store.desk import DeskAction, log_action
from plausibly.ratings.store.erasing import (
    ERASED,
    Tombstone,
    clear_traces,
    erase,
    erased_before,
    files_cleared,
    leave_uncleared,
)
from plausibly.ratings.store.places import Denied
from plausibly.study.arguments import checked
from plausibly.web.people.copies import copies_with, whole_reports
from plausibly.web.people.deciding import COMMAND
from plausibly.web.people.opening import OpenPeople, opened_people
from plausibly.web.people.purging import remove_files


@dataclass(frozen=True, slots=True)
class PersonErased:
    """What was erased, and what is left for the researcher to do.

    Args:
        items: How many items the person had answered.
        answers: How many answers they had given.
        comments: How many comments they had written.
        removed: Files of the study that were derived from answers; `run` makes them again.
        elsewhere: Backups, releases, explorers, tables and pay lists made earlier, which still have
            the person.
        unpaid: Whether the person was still to be paid.
    """

    items: int
    answers: int
    comments: int
    removed: tuple[str, ...]
    elsewhere: tuple[str, ...]
    unpaid: bool

    def as_json(self) -> dict[str, Any]:
        """Return the counts and the files."""
        return asdict(self)


@checked
def people_erase(
    study: str | Path, person: str, *, yes: bool = False, database: str | None = None
) -> PersonErased:
    """Erase a person: answers, comments, times and ids are gone at once; only counts are kept.

    What the study folder derived from answers is removed, and the next `run` makes it again.
    Backups, releases, explorers, tables and pay lists that still have the person are listed, for
    you to deal with, if they are in the study folder, next to it or in a folder next to it.

    Args:
        study: The study folder.
        person: Name of the ratings table, or participant number.
        yes: Do it; this cannot be undone.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people erase my-study p1a2b3 --yes
        plausibly people erase my-study p1a2b3 --yes --json

    >>> people_erase("my-study", "p1")
    Traceback (most recent call last):
    plausibly.errors.StudyError: people erase cannot be undone. To erase 'p1', pass yes=.
    """
    if not yes:
        raise StudyError(
            f"people erase cannot be undone. To erase {person!r}, pass {option('yes')}."
        )
    with opened_people(study, database) as people:
        rows = {row["annotator"]: row for row in people.roster().iter_rows(named=True)}
        annotator, tombstone = _erase_rows(people, person)
        known = people.ids.of([annotator]).get(annotator)
        folder, path = people.desk.served.folder, people.path
        removed, named = remove_files(people.desk, path, (annotator,))
        with people.engine.begin() as connection:
            files_cleared(connection, (annotator,))
    clear_traces(path)
    kept = copies_with(folder, path, annotator, known)
    pay = rows[annotator]["pay"] if annotator in rows else "none"
    due = pay in {"pay", "part"} and (known is None or known.status is None)
    return PersonErased(
        **asdict(tombstone),
        removed=removed,
        elsewhere=whole_reports({*named, *kept}, folder),
        unpaid=due,
    )


def _erase_rows(people: OpenPeople, person: str) -> tuple[str, Tombstone]:
    """Delete a person's rows; whoever is erased already keeps the counts of the first time.

    A second call finishes what the first could not, such as rewriting a file that was in use.
    """
    with people.engine.begin() as connection:
        for annotator in (person, people.desk.keys.annotator(person)):
            mark = people.desk.keys.hashed("erased", annotator)
            now = time.time()
            tombstone = erase(connection, annotator, person=mark, now=now)
            if not isinstance(tombstone, Denied):
                leave_uncleared(connection, (annotator,))
                log_action(connection, DeskAction(now, COMMAND, ERASED, 1, tombstone.answers))
                return annotator, tombstone
            earlier = erased_before(connection, mark)
            if earlier is not None:
                return annotator, earlier
    raise StudyError(
        f"{people.path}: nobody here is called {person!r}. See: plausibly people list."
    )
