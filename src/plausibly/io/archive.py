"""Archives of files that only their owner may read, checked by the hashes in their first member."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from plausibly.errors import StudyError
from plausibly.io.atomic import replacing
from plausibly.io.failures import reading

OWNER = 0o600
Part = bytes | Path
Parts = Mapping[str, Part]


def write_archive(path: Path, listing: str, facts: Mapping[str, Any], parts: Parts) -> None:
    """Write files into one archive with mode 0600, after a member with facts and their hashes.

    Args:
        path: The archive, which appears whole or not at all.
        listing: Name of the first member.
        facts: What the first member holds besides the hashes.
        parts: The content of each file by its name; a path is streamed.
    """
    hashes = {name: _hash(part) for name, part in parts.items()}
    document = json.dumps({**facts, "files": hashes}, indent=2).encode()
    with replacing(path) as temporary:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER)
        with (
            os.fdopen(descriptor, "wb") as target,
            tarfile.open(fileobj=target, mode="w:gz", compresslevel=6) as archive,
        ):
            for name, part in {listing: document, **parts}.items():
                _add(archive, name, part)


def _add(archive: tarfile.TarFile, name: str, part: Part) -> None:
    member = tarfile.TarInfo(name)
    member.mode = OWNER
    if isinstance(part, bytes):
        member.size = len(part)
        archive.addfile(member, io.BytesIO(part))
        return
    member.size = part.stat().st_size
    with part.open("rb") as source:
        archive.addfile(member, source)


def read_listing(path: Path, listing: str) -> dict[str, Any] | None:
    """Return the first member of an archive of ours; None if the file is something else."""
    try:
        with reading(path), tarfile.open(path) as archive:
            first = archive.next()
            if first is None or first.name != listing:
                return None
            source = archive.extractfile(first)
            document = json.loads(source.read()) if source else None
    except (tarfile.TarError, EOFError, ValueError):
        return None
    return document if isinstance(document, dict) else None


def unpack_archive(path: Path, listing: str, folder: Path) -> dict[str, Any]:
    """Write the files of an archive into a folder; return its facts once every hash is right."""
    facts = read_listing(path, listing)
    if facts is None or not isinstance(facts.get("files"), dict):
        raise StudyError(f"{path}: not a backup. Name a file that `plausibly backup` wrote.")
    hashes = dict(facts["files"])
    try:
        with reading(path), tarfile.open(path) as archive:
            for member in archive:
                if member.name == listing:
                    continue
                _refuse_unsafe(path, member)
                target = folder / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                archive.extract(member, folder, filter="data")
                if hashes.pop(member.name, None) != _hash(target):
                    raise StudyError(
                        f"{path}: {member.name} was changed or damaged. Use another backup."
                    )
    except (tarfile.TarError, EOFError) as error:
        raise StudyError(f"{path}: damaged ({error}). Use another backup.") from error
    if hashes:
        raise StudyError(f"{path}: {min(hashes)} is missing. Use another backup.")
    return facts


def _refuse_unsafe(path: Path, member: tarfile.TarInfo) -> None:
    """Raise on a member that would be written anywhere but into the folder."""
    name = PurePosixPath(member.name)
    if not member.isfile() or name.is_absolute() or ".." in name.parts:
        raise StudyError(f"{path}: {member.name!r} is not a plain file of a study.")


def _hash(part: Part) -> str:
    if isinstance(part, bytes):
        return hashlib.sha256(part).hexdigest()
    with part.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
