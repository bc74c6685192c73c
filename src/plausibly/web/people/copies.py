"""Copies made earlier that still have data of a person: backups, releases, lists of pay."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

from plausibly.errors import TableError
from plausibly.io import read_json, write_bytes
from plausibly.io.archive import read_listing
from plausibly.ratings.store.ids import PlatformId
from plausibly.study.manifest import FILE as MANIFEST


def copies_with(
    folder: Path, database: Path, annotator: str, known: PlatformId | None
) -> tuple[str, ...]:
    """Return the backups, releases and lists in a study or next to it that still have a person.

    Args:
        folder: The study.
        database: Its answers.
        annotator: The person.
        known: What the platform calls them, if anything.
    """
    copies = _answers(folder, database)
    return tuple(sorted({*copies, *_backups(folder, annotator), *_lists(folder, known)}))


def _answers(folder: Path, database: Path) -> tuple[str, ...]:
    """Return copies of the answers, and releases of the study next to it, which nobody changes."""
    copies = [one for one in database.parent.glob(f"{database.name}.v*") if one.is_file()]
    manifests = folder.resolve().parent.glob(f"*/{MANIFEST}")
    releases = [one.parent for one in manifests if _releases(one, folder.resolve().name)]
    return tuple(str(one) for one in (*copies, *releases))


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


def remove_lines(folder: Path, known: PlatformId | None) -> None:
    """Remove the lines in which a cell is one of the platform's ids of a person, from all lists."""
    ids = set(_ids(known))
    for path in map(Path, _lists(folder, known)):
        lines = path.read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if ids.isdisjoint(re.split(rb'[,;\t"\r\n]+', line))]
        write_bytes(path, b"".join(kept))


def _lists(folder: Path, known: PlatformId | None) -> tuple[str, ...]:
    """Return files of the study with the platform's ids of a person, such as lists of pay."""
    ids = _ids(known)
    files = sorted(one for one in folder.rglob("*.csv") if one.is_file()) if ids else []
    return tuple(str(one) for one in files if any(i in one.read_bytes() for i in ids))


def _ids(known: PlatformId | None) -> list[bytes]:
    return [one.encode() for one in (known.person, known.submission) if one] if known else []


def _releases(manifest: Path, study: str) -> bool:
    """Return whether a manifest is that of a release of a study."""
    try:
        document = read_json(manifest)
    except TableError:
        return False
    if not isinstance(document, dict) or "release" not in document:
        return False
    return study in dict(document.get("parameters", {})).values()
