"""Erase a person at once: their rows, their ids, and what the study derived from them."""

from __future__ import annotations

import tarfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from plausibly.errors import StudyError, TableError, option
from plausibly.io import read_json
from plausibly.io.archive import read_listing
from plausibly.ratings.store.desk import DeskAction, log_action
from plausibly.ratings.store.erasing import (
    ERASED,
    Tombstone,
    clear_traces,
    erase,
    erased_before,
)
from plausibly.ratings.store.ids import PlatformId
from plausibly.ratings.store.places import Denied
from plausibly.study.arguments import checked
from plausibly.study.manifest import FILE as MANIFEST
from plausibly.web.people.deciding import COMMAND
from plausibly.web.people.derived import remove_derived, remove_mentions
from plausibly.web.people.erasures import keep_erasures
from plausibly.web.people.opening import OpenPeople, opened_people


@dataclass(frozen=True, slots=True)
class PersonErased:
    """What is gone, and what a researcher has to look after.

    Args:
        items: How many items the person had answered.
        answers: How many answers they had given.
        comments: How many comments they had written.
        removed: Files of the study that were derived from answers; `run` makes them again.
        elsewhere: Backups, releases and pay lists made earlier, which still have the person.
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
    Backups, releases and pay lists in the study folder or next to it are named: those you have to
    look after.

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
        people.ids.forget(annotator)
        folder, path = people.desk.served.folder, people.path
    keep_erasures(path)
    clear_traces(path)
    removed, outside = remove_derived(folder, path)
    more, others = remove_mentions(folder, annotator)
    kept = (*_backups(folder, annotator), *_lists(folder, known))
    pay = rows[annotator]["pay"] if annotator in rows else "none"
    due = pay in {"pay", "part"} and (known is None or known.status is None)
    return PersonErased(
        **asdict(tombstone),
        removed=(*removed, *more),
        elsewhere=tuple(sorted({*outside, *others, *_copies(folder, path), *kept})),
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
                log_action(connection, DeskAction(now, COMMAND, ERASED, 1, tombstone.answers))
                return annotator, tombstone
            earlier = erased_before(connection, mark)
            if earlier is not None:
                return annotator, earlier
    raise StudyError(
        f"{people.path}: nobody here is called {person!r}. See: plausibly people list."
    )


def _copies(folder: Path, database: Path) -> tuple[str, ...]:
    """Return copies of the answers, and releases of the study next to it, which nobody changes."""
    copies = [one for one in database.parent.glob(f"{database.name}.v*") if one.is_file()]
    manifests = folder.resolve().parent.glob(f"*/{MANIFEST}")
    releases = [one.parent for one in manifests if _releases(one, folder.resolve().name)]
    return tuple(sorted(str(one) for one in (*copies, *releases)))


def _backups(folder: Path, annotator: str) -> tuple[str, ...]:
    """Return the backups in the study folder and next to it that contain a person."""
    near = (*folder.rglob("*.gz"), *folder.parent.glob("*.gz"))
    return tuple(str(one) for one in near if _contains(one, annotator.encode()))


def _contains(archive: Path, name: bytes) -> bool:
    """Return whether an archive is a backup with a name in one of its files."""
    from plausibly.web.backing_up import LISTING  # which imports this room

    if read_listing(archive, LISTING) is None:
        return False
    with tarfile.open(archive) as backup:
        parts = (backup.extractfile(one) for one in backup if one.isfile())
        return any(part is not None and name in part.read() for part in parts)


def _lists(folder: Path, known: PlatformId | None) -> tuple[str, ...]:
    """Return files of the study with the platform's ids of a person, such as lists of pay."""
    if known is None:
        return ()
    ids = [one.encode() for one in (known.person, known.submission) if one]
    files = sorted(one for one in folder.rglob("*.csv") if one.is_file())
    return tuple(str(one) for one in files if any(i in one.read_bytes() for i in ids))


def _releases(manifest: Path, study: str) -> bool:
    """Return whether a manifest is that of a release of a study."""
    try:
        document = read_json(manifest)
    except TableError:
        return False
    if not isinstance(document, dict) or "release" not in document:
        return False
    return study in dict(document.get("parameters", {})).values()
