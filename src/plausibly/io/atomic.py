"""Writes that either happen whole or not at all, and never over what is being read."""

from __future__ import annotations

import glob
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from plausibly.errors import StudyError
from plausibly.io.failures import writing

Identity = tuple[int, int]

_SPARED: ContextVar[frozenset[Identity]] = ContextVar("spared", default=frozenset())


@contextmanager
def sparing(paths: Iterable[Path]) -> Iterator[None]:
    """Refuse to write over any of these files, under whatever name, while the block runs."""
    known = {identity for path in paths if (identity := _identity(path)) is not None}
    before = _SPARED.set(_SPARED.get() | known)
    try:
        yield
    finally:
        _SPARED.reset(before)


def check_target(path: Path) -> None:
    """Raise if a file may not be written: over an input, a folder, a device or a pipe."""
    if path.is_dir():
        raise StudyError(f"{path}: a folder. Name the file to write.")
    if path.exists() and not path.is_file():
        raise StudyError(f"{path}: a device or pipe, not a file. Name the file to write.")
    if _identity(path) in _SPARED.get():
        raise StudyError(f"{path}: is an input and would be overwritten. Write to another file.")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path; on success it replaces `path`, on any failure it is removed.

    The bytes are on disk before the name changes, so whoever reads `path` finds either the old
    file or the new one, whole. Where `path` is a link, what it leads to is replaced. A temporary
    file left by a killed process is removed by the next write to the same path, or by `sweep`.
    """
    with writing(path):
        target = _followed(path)
        check_target(target)
        if not target.parent.is_dir():
            what = f"no such folder to write {target.name} into. Create it."
            raise StudyError(f"{target.parent}: {what}")
        _sweep(target)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            yield temporary
            _sync(temporary)
            check_target(target)
            temporary.replace(target)
            _sync_folder(target.parent)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def filling(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder; on success its files move into `folder`, on failure none does.

    A folder that did not exist appears whole; files of the same names in one that did are
    replaced, others stay.
    """
    with writing(folder):
        target = Path(os.path.realpath(folder))
        if not target.name:
            raise StudyError(f"{folder}: the root of all folders. Name a folder to write.")
        if not target.parent.is_dir():
            what = f"no such folder to put {target.name} into. Create it."
            raise StudyError(f"{folder.parent}: {what}")
        if target.exists() and not target.is_dir():
            raise StudyError(f"{folder}: a file of that name is in the way of the folder to write.")
        temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        try:
            yield temporary
            _move(temporary, target)
            _sync_folder(target)
            _sync_folder(target.parent)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def _move(temporary: Path, target: Path) -> None:
    """Put what was written in its place, all of it or nothing."""
    if not target.exists():
        temporary.replace(target)
        return
    inside = sorted(temporary.rglob("*"))
    places = {path: target / path.relative_to(temporary) for path in inside}
    folders = [place for path, place in places.items() if path.is_dir()]
    for folder in folders:
        if folder.exists() and not folder.is_dir():
            raise StudyError(f"{folder}: a file of that name is in the way of the folder to write.")
    files = {path: place for path, place in places.items() if not path.is_dir()}
    for place in files.values():
        check_target(place)
    for folder in folders:
        folder.mkdir(exist_ok=True)
    for path, place in files.items():
        path.replace(place)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, where they are not there."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    """Write `content` to `path`, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, content: str) -> None:
    """Write `content` to `path` as UTF-8, whole or not at all."""
    with writing(path):
        encoded = content.encode()
    write_bytes(path, encoded)


def _followed(path: Path) -> Path:
    """Return what a link leads to, everything else unchanged."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _identity(path: Path) -> Identity | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """Keep the new names; a folder that may be written but not read cannot be synchronised."""
    with suppress(PermissionError):
        _sync(folder)


def _sweep(path: Path) -> None:
    """Remove what a process that no longer runs left behind for `path`."""
    _remove_leftovers(path.parent.glob(f".{glob.escape(path.name)}.*.tmp"))


def sweep(folder: Path) -> tuple[Path, ...]:
    """Remove what processes that no longer run left half-written in a folder; return what it was.

    A killed process can leave any file it was writing, under another name.
    """
    return _remove_leftovers(sorted(folder.rglob(".*.tmp")))


def _remove_leftovers(paths: Iterable[Path]) -> tuple[Path, ...]:
    removed = []
    for path in paths:
        process = path.name.removesuffix(".tmp").rpartition(".")[2]
        if not process.isdecimal() or Path(f"/proc/{process}").exists():
            continue
        if not Path("/proc").exists():
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
        removed.append(path)
    return tuple(removed)


def write_json(path: Path, document: object) -> None:
    """Write one JSON document, readable, whole or not at all."""
    with writing(path):
        text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False).encode()
    write_bytes(path, text + b"\n")
