"""Writes that either happen whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plausibly.errors import StudyError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path; on success it replaces `path`, on any failure it is removed.

    The bytes are on disk before the name changes, so whoever reads `path` finds either the old
    file or the new one, whole. A temporary file left by a killed process is removed by the next
    write to the same path.
    """
    if not path.parent.is_dir():
        raise StudyError(f"{path.parent}: no such folder to write {path.name} into. Create it.")
    _sweep(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        _sync(temporary)
        temporary.replace(path)
        _sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def filling(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder; on success its files move into `folder`, on failure none does.

    A folder that did not exist appears whole; files of the same names in one that did are
    replaced, others stay.
    """
    if not folder.parent.is_dir():
        raise StudyError(f"{folder.parent}: no such folder to put {folder.name} into. Create it.")
    if folder.exists() and not folder.is_dir():
        raise StudyError(f"{folder}: a file of that name is in the way of the folder to write.")
    temporary = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    try:
        yield temporary
        if not folder.exists():
            temporary.replace(folder)
        else:
            for path in sorted(temporary.iterdir()):
                path.replace(folder / path.name)
            temporary.rmdir()
        _sync(folder)
        _sync(folder.parent)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_bytes(path: Path, content: bytes) -> None:
    """Write `content` to `path`, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, content: str) -> None:
    """Write `content` to `path` as UTF-8, whole or not at all."""
    write_bytes(path, content.encode())


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(path: Path) -> None:
    """Remove what a process that no longer runs left behind for `path`."""
    for leftover in path.parent.glob(f".{path.name}.*.tmp"):
        process = leftover.name.removeprefix(f".{path.name}.").removesuffix(".tmp")
        if process.isdecimal() and not Path(f"/proc/{process}").exists() and Path("/proc").exists():
            leftover.unlink(missing_ok=True)
