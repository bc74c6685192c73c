"""Copies made earlier that still have a person: backups, releases, explorers, tables, lists."""

from __future__ import annotations

import base64
import gzip
import mmap
import os
import re
import tarfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from plausibly.errors import TableError
from plausibly.io import read_json, write_bytes
from plausibly.io.archive import read_listing
from plausibly.ratings.store.ids import PlatformId
from plausibly.study.manifest import FILE as MANIFEST
from plausibly.study.settings import FILE as SETTINGS
from plausibly.web.people.derived import names_person

REPORT = "report.html"
KINDS = (".csv", ".gz", ".html", ".json", ".jsonl", ".parquet", ".tsv", ".txt")
PACKED = re.compile(rb"H4sI[A-Za-z0-9+/]+=*")  # gzip in base64, as an explorer has its tables


def copies_with(
    folder: Path, database: Path, annotator: str, known: PlatformId | None
) -> tuple[str, ...]:
    """Return the copies in a study, next to it or in a folder next to it that still have a person.

    Args:
        folder: The study.
        database: Its answers.
        annotator: The person.
        known: What the platform calls them, if anything.
    """
    own = folder.resolve()
    copies = [one for one in database.parent.glob(f"{database.name}.v*") if one.is_file()]
    releases = [one.parent for one in own.parent.glob(f"*/{MANIFEST}") if _releases(one, own.name)]
    others = [one for one in _near(own) if not any(map(one.is_relative_to, releases))]
    named = [one for one in others if _has(one, annotator, _ids(known))]
    return tuple(sorted({str(one) for one in (*copies, *releases, *named)}))


def _near(folder: Path) -> Iterator[Path]:
    """Yield the readable files in a study, next to it and in folders next to it, not of studies."""
    beside = folder.parent
    folders = [one for one in beside.glob("*/") if os.access(one, os.R_OK | os.X_OK)]
    others = [one for one in folders if not (one / SETTINGS).exists()]
    near = (folder.rglob("*"), beside.glob("*"), *(one.glob("*") for one in others))
    for path in (path for paths in near for path in paths):
        if path.suffix in KINDS and path.is_file() and os.access(path, os.R_OK):
            yield path


def _has(path: Path, annotator: str, ids: Sequence[bytes]) -> bool:
    """Return whether a file has the name of a person, or one of the platform's ids of them."""
    if path.suffix == ".parquet":
        return names_person(path, annotator)
    if path.suffix == ".gz":
        return _contains(path, annotator.encode())
    if not path.stat().st_size:
        return False
    names = (annotator.encode(), *ids)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if any(content.find(one) >= 0 for one in names):
            return True
        packed = PACKED.findall(content) if path.suffix == ".html" else []
    return any(names[0] in _unpacked(one) for one in packed)


def _unpacked(packed: bytes) -> bytes:
    """Return what an explorer has packed; nothing for what another page has."""
    try:
        return gzip.decompress(base64.b64decode(packed))
    except (EOFError, OSError, ValueError, zlib.error):
        return b""


def _contains(archive: Path, name: bytes) -> bool:
    """Return whether an archive is a backup with a name in one of its files."""
    from plausibly.web.backing_up import LISTING  # which imports this room

    if read_listing(archive, LISTING) is None:
        return False
    with tarfile.open(archive) as backup:
        parts = (backup.extractfile(one) for one in backup if one.isfile())
        return any(part is not None and name in part.read() for part in parts)


def whole_reports(paths: Iterable[str], study: Path) -> tuple[str, ...]:
    """Return paths, with a report as its folder: some of its tables have words without names."""
    own = study.resolve()

    def whole(path: str) -> str:
        reports = (one for one in Path(path).absolute().parents if (one / REPORT).is_file())
        tables = (one for one in reports if (one / "tables").is_dir())
        return next((str(one) for one in tables if not own.is_relative_to(one)), path)

    return tuple(sorted({whole(one) for one in paths}))


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
