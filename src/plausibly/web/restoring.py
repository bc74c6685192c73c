"""Restore a study from a backup, without the people who were erased since."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from plausibly.errors import StudyError, option
from plausibly.io import filling
from plausibly.io.archive import unpack_archive
from plausibly.ratings.store.copying import checked_counts, tombstones
from plausibly.ratings.store.dialect import FILE as ANSWERS
from plausibly.ratings.store.erasing import Tombstone, clear_traces, erase
from plausibly.ratings.store.schema import admitted, people, screened
from plausibly.web.addresses import forget_run_key
from plausibly.web.backing_up import FORMAT, LISTING
from plausibly.web.people.copies import copies_with, remove_lines, whole_reports
from plausibly.web.people.derived import remove_derived, remove_mentions
from plausibly.web.people.erasures import Erasures, keep_erasures, read_erasures
from plausibly.web.people.opening import OpenPeople, opened_people


@dataclass(frozen=True, slots=True)
class ReappliedErasure:
    """A person who was erased after the backup and is erased again.

    Args:
        person: The keyed hash under which the erasure is kept.
        items: How many items they had answered.
        answers: How many answers they had given.
        comments: How many comments they had written.
    """

    person: str
    items: int
    answers: int
    comments: int


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, or would be.

    Args:
        study: The folder.
        made: When the backup was made.
        counts: Rows of each kind in the backup.
        files: How many files it has.
        erased: Who was erased again.
        left_out: Reports, explorers, lists and copies in the backup that still have them.
        compared: Whether a list of later erasures was read.
        done: Whether anything was written.
    """

    study: str
    made: str
    counts: dict[str, int]
    files: int
    erased: tuple[ReappliedErasure, ...]
    left_out: tuple[str, ...]
    compared: bool
    done: bool

    def as_json(self) -> dict[str, Any]:
        """Return all of it."""
        return asdict(self)


def restored(
    file: str | Path,
    study: str | Path,
    *,
    check: bool = False,
    erasures: str | Path | None = None,
) -> Restored:
    """Restore a study; see `plausibly.restore`."""
    source, folder = Path(file), Path(study)
    exists = folder.is_dir() and any(folder.iterdir())
    if exists and not check:
        raise StudyError(
            f"{folder}: is in use. Restore into a new folder, and name the earlier one with "
            f"{option('erasures')}."
        )
    place = Path(erasures) if erasures is not None else folder if exists else None
    if check:
        with tempfile.TemporaryDirectory(prefix="plausibly-restore-") as scratch:
            result = _restored(source, Path(scratch), place)
    else:
        with filling(folder) as scratch_folder:
            result = _restored(source, scratch_folder, place)
    return Restored(str(folder), *result, compared=place is not None, done=not check)


def _restored(
    source: Path, folder: Path, place: Path | None
) -> tuple[str, dict[str, int], int, tuple[ReappliedErasure, ...], tuple[str, ...]]:
    """Unpack a backup into a folder, check it, and erase again whoever was erased since."""
    facts = unpack_archive(source, LISTING, folder)
    if facts.get("format") != FORMAT:
        raise StudyError(
            f"{source}: made by another version of this package. Restore it with that version."
        )
    counts = checked_counts(folder / ANSWERS)
    if counts != facts["counts"]:
        raise StudyError(f"{source}: has {counts}; expected {facts['counts']}. Use another backup.")
    known = read_erasures(place, str(facts["study"])) if place is not None else set()
    later = known - tombstones(folder / ANSWERS)
    again, left_out = _erase_again(folder, later) if later else ((), ())
    return str(facts["made"]), counts, len(facts["files"]), again, left_out


def _erase_again(
    folder: Path, later: Erasures
) -> tuple[tuple[ReappliedErasure, ...], tuple[str, ...]]:
    """Erase people by their keyed hashes; return those who were there, and what is left out."""
    again = []
    names = []
    with opened_people(folder) as study:
        times = dict(sorted(later))
        for annotator, mark in _marks(study).items():
            if mark in times:
                with study.engine.begin() as connection:
                    gone = erase(connection, annotator, person=mark, now=times[mark])
                remove_lines(folder, study.ids.of([annotator]).get(annotator))
                study.ids.forget(annotator)
                if isinstance(gone, Tombstone):
                    again.append(ReappliedErasure(mark, **asdict(gone)))
                    names.append(annotator)
        database = study.path
    forget_run_key(database)
    clear_traces(database)
    if names:
        remove_derived(folder, database)
    left_out = _leave_out(folder, database, names)
    keep_erasures(database)
    return tuple(again), left_out


def _leave_out(folder: Path, database: Path, gone: Sequence[str]) -> tuple[str, ...]:
    """Remove every file that still names people who are gone; the backup keeps it as it was.

    Lists of the platform's ids lost their lines already, and keep those of others.
    """
    own = folder.resolve()
    named: set[Path] = set()
    for name in gone:
        _, others = remove_mentions(own, database, name)
        copies = copies_with(own, database.resolve(), name, None)
        named |= {one for one in map(Path, (*others, *copies)) if one.is_relative_to(own)}
    whole = whole_reports(map(str, named), own)
    for one in map(Path, whole):
        shutil.rmtree(one) if one.is_dir() else one.unlink()
    return tuple(str(Path(one).relative_to(own)) for one in whole)


def _marks(study: OpenPeople) -> dict[str, str]:
    """Return the keyed hash of everybody, by their name."""
    with study.engine.begin() as connection:
        known = {
            str(name)
            for table in (people, screened, admitted)
            for name in connection.scalars(select(table.c.annotator))
        }
    return {name: study.desk.keys.hashed("erased", name) for name in sorted(known)}
