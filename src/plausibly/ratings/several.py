"""Exports of several files: a folder or a ZIP archive, often with one file per person."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Protocol

import polars as pl

from plausibly.errors import TableError, option
from plausibly.io.answers import NoAnswers, merged
from plausibly.io.choices import dropping, reading_now
from plausibly.io.imported import Imported
from plausibly.io.missing import Missing
from plausibly.io.opening import read_bytes
from plausibly.tables import ANNOTATORS, ITEMS, RATINGS

ZIPPED = (".zip", ".jrzip")  # JATOS gives its archives a name of their own
DATA = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".xlsx", ".parquet", ".gz")
NO_DATA = ("metadata.json", "readme.txt", "manifest.json")
MOST_BYTES = 1 << 31


class OneFile(Protocol):
    """Reads one file of a form."""

    def __call__(self, path: Path, *, names: Mapping[str, str], **missing: Missing) -> Imported:
        """Return what the file holds."""


def is_several(path: Path) -> bool:
    """Return whether a path is a folder or an archive."""
    return path.is_dir() or path.suffix.lower() in ZIPPED


def files_in(path: Path) -> list[Path]:
    """Return the files of data in a folder or archive, in the order of their names.

    The files of an archive are kept in memory while it is read.
    """
    if path.is_dir():
        return sorted(one for one in path.rglob("*") if one.is_file() and _is_data(path, one))
    now = reading_now()
    unpacked = {path / name: content for name, content in _unpacked(path).items()}
    if now is not None:
        now.contents.update(unpacked)
    return sorted(unpacked)


def _is_data(folder: Path, path: Path) -> bool:
    parts = path.relative_to(folder).parts
    hidden = any(part.startswith((".", "__MACOSX")) for part in parts)
    known = path.suffix.lower() in DATA and path.name.lower() not in NO_DATA
    return known and not hidden


def _unpacked(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(path))) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
            kept = [one for one in members if _is_data(path, path / _inner(path, one.filename))]
            if sum(one.file_size for one in kept) > MOST_BYTES:
                raise TableError(f"{path}: more than 2 GB unpacked. Unpack it, and pass a file.")
            return {_inner(path, one.filename): archive.read(one) for one in kept}
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise TableError(f"{path}: the archive cannot be unpacked ({error}).") from error


def _inner(path: Path, name: str) -> str:
    """Return the name of a file in an archive; raise if it leads out of it."""
    inner = PurePosixPath(name)
    if inner.is_absolute() or ".." in inner.parts or "\0" in name:
        raise TableError(f"{path}: {name!r} is not a plain file of an archive.")
    return str(inner)


def read_several(
    path: Path,
    files: Sequence[Path],
    read: OneFile,
    *,
    names: Mapping[str, str],
    **missing: Missing,
) -> Imported:
    """Return what several files of one form hold, as if they were one.

    Where each file has the same single annotator, because no column names people, the name of the
    file is the person.
    """
    parts, answered = [], []
    for one in files:
        try:
            parts.append(read(one, names=names, **missing))
            answered.append(one)
        except NoAnswers as error:
            empty = error
    if not parts:
        raise empty
    dropping("files without ratings", len(files) - len(parts))
    files = answered
    people = {name for part in parts for name in part.ratings["annotator"].unique()}
    if len(parts) > 1 and len(people) == 1:
        parts = [
            _of_person(part, _person(path, one)) for part, one in zip(parts, files, strict=True)
        ]
    if len(parts) == 1:
        return parts[0]
    joined = merged(path, parts)
    items = [part.items for part in parts if part.items is not None]
    facts = [part.annotators for part in parts if part.annotators is not None]
    return replace(
        joined,
        ratings=RATINGS.sort(RATINGS.check(joined.ratings)),
        items=ITEMS.sort(ITEMS.check(_once(items, "item"))) if items else None,
        annotators=ANNOTATORS.sort(ANNOTATORS.check(_once(facts, "annotator"))) if facts else None,
        notes=(f"{path}: {len(files)} files are read as one.", *joined.notes),
    )


def _person(folder: Path, path: Path) -> str:
    """Return the name of a file within its folder, without its ending.

    >>> _person(Path("data"), Path("data/run7/data.txt")), _person(Path("d"), Path("d/anna.csv"))
    ('run7/data', 'anna')
    """
    inner = path.relative_to(folder)
    return str(PurePosixPath(*inner.parent.parts, path.name.partition(".")[0]))


def _of_person(part: Imported, person: str) -> Imported:
    named = pl.lit(person).alias("annotator")
    facts = None if part.annotators is None else part.annotators.with_columns(named)
    return replace(part, ratings=part.ratings.with_columns(named), annotators=facts)


def _once(tables: Sequence[pl.DataFrame], key: str) -> pl.DataFrame:
    return pl.concat(tables, how="diagonal_relaxed").unique(key, keep="first", maintain_order=True)


def no_files(path: Path) -> TableError:
    """Return the error for a folder or archive without a file of data."""
    return TableError(
        f"{path}: no file of ratings in it. Expected {', '.join(DATA[:-1])}, or the output folder "
        f"of Potato. Choose the file, or its {option('format')}."
    )
