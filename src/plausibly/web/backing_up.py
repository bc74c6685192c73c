"""Back up a study in one file, while people answer."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from plausibly.errors import StudyError
from plausibly.io.archive import read_listing, write_archive
from plausibly.ratings.store.copying import checked_counts, copy_database, study_number
from plausibly.ratings.store.dialect import FILE as ANSWERS
from plausibly.ratings.store.dialect import database_url
from plausibly.ratings.store.ids import ids_file
from plausibly.study.settings import FILE as SETTINGS
from plausibly.web.people.derived import derived_from

LISTING = "backup.json"
FORMAT = 1
LARGEST = 64 * 2**20  # bytes of a file that is copied; corpora can be fetched or built again


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What a backup holds.

    Args:
        file: The archive.
        made: When the answers were copied.
        counts: Rows of each kind.
        files: Names of the files in the archive.
        left_out: Files of the study that are too large and are not in the archive.
    """

    file: str
    made: str
    counts: dict[str, int]
    files: tuple[str, ...]
    left_out: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return all of it."""
        return asdict(self)


def backed_up(study: str | Path, *, output: str | Path, database: str | None = None) -> BackedUp:
    """Back up a study; see `plausibly.backup`."""
    folder, target = Path(study), Path(output)
    if not (folder / SETTINGS).is_file():
        raise StudyError(f"{folder}: not a study: there is no {SETTINGS}.")
    source = Path(str(database_url(folder, database).database))
    if not source.is_file():
        raise StudyError(f"{source}: there are no answers to back up yet.")
    with tempfile.TemporaryDirectory(prefix="plausibly-backup-") as scratch:
        made = datetime.now(UTC).isoformat(timespec="seconds")
        copies = _copied(source, Path(scratch))
        kept, left_out = _others(folder, source, target)
        counts = checked_counts(copies[ANSWERS])
        facts = {"format": FORMAT, "study": study_number(copies[ANSWERS]), "made": made}
        write_archive(target, LISTING, {**facts, "counts": counts}, {**kept, **copies})
    return BackedUp(str(target), made, counts, tuple(sorted({*kept, *copies})), left_out)


def _copied(source: Path, scratch: Path) -> dict[str, Path]:
    """Copy both databases: answers first, so that everybody in them has their ids in the other."""
    answers = scratch / ANSWERS
    copy_database(source, answers)
    ids = ids_file(answers)
    if not ids_file(source).is_file():
        return {ANSWERS: answers}
    copy_database(ids_file(source), ids)
    return {ANSWERS: answers, ids.name: ids}


def _others(folder: Path, source: Path, target: Path) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Return the other files of a study, and the names of those that are too large."""
    kept: dict[str, bytes] = {}
    large = []
    for path in _files(folder, source, target):
        name = path.relative_to(folder).as_posix()
        if path.stat().st_size > LARGEST:
            large.append(name)
        elif read_listing(path, LISTING) is None:
            kept[name] = path.read_bytes()
    return kept, tuple(large)


def _files(folder: Path, source: Path, target: Path) -> Iterator[Path]:
    """Yield the files that are neither databases, nor derived from the answers, nor scratch."""
    derived = derived_from(folder, source)
    databases = (ANSWERS, source.name, ids_file(source).name, ids_file(folder / ANSWERS).name)
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if hidden or path.is_symlink() or not path.is_file() or path.name.startswith(databases):
            continue
        if path.resolve() not in {*derived, target.resolve()}:
            yield path
