"""Reads back a release: the folder that `plausibly release` writes."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from plausibly.errors import StudyError, TableError, listed
from plausibly.io import file_hash, read_json, read_text
from plausibly.tables import TABLES

CHECKSUMS = "checksums.sha256"
MANIFEST = "manifest.json"
RELEASE_FACTS = ("title", "version", "licence", "citation", "sources")
"""What a release states about itself, besides its name and protocol."""
_LINE = re.compile(r"^([0-9a-f]{64}) [ *](.+)$")


def is_release(folder: Path) -> bool:
    """Return whether a folder looks like a release."""
    return (folder / CHECKSUMS).is_file() and (folder / "data").is_dir()


def read_release_tables(folder: Path) -> dict[str, pl.DataFrame]:
    """Return the tables of a release, items of all splits in one; contracts are checked.

    Raises:
        StudyError: If the folder is not a release, or a file is missing or was changed.
    """
    if not is_release(folder):
        raise StudyError(
            f"{folder}: not a release. Expected {CHECKSUMS} and data/*.parquet, as "
            "'plausibly release' writes them."
        )
    frames: dict[str, list[pl.DataFrame]] = {}
    for path in sorted(folder / name for name in released_files(folder)):
        if path.parent != folder / "data":
            continue
        name = "items" if path.stem.startswith("items-") else path.stem
        frames.setdefault(name, []).append(_frame(path))
    order = [name for name in TABLES if name in frames]
    order += [name for name in frames if name not in TABLES]
    return {name: _checked(name, pl.concat(frames[name])) for name in order}


def _frame(path: Path) -> pl.DataFrame:
    try:
        with path.open("rb") as file:
            return pl.read_parquet(file)
    except pl.exceptions.PolarsError as error:
        raise TableError(f"{path}: not a Parquet file ({error}).") from error


def _checked(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    return TABLES[name].sort(TABLES[name].check(frame)) if name in TABLES else frame


def released_files(folder: Path) -> list[str]:
    """Return the files of a release; raise if one is missing or was changed."""
    names, problems = [], []
    for number, line in enumerate(read_text(folder / CHECKSUMS).splitlines(), start=1):
        match = _LINE.match(line)
        if match is None:
            problems.append(f"{folder / CHECKSUMS}:{number}: not a checksum and a path")
            continue
        names.append(match[2])
        path = folder / match[2]
        if not path.is_file():
            problems.append(f"{path}: missing")
        elif file_hash(path) != match[1]:
            problems.append(f"{path}: changed since it was released")
    if problems:
        raise StudyError(listed(problems, total=len(problems), noun="fault"))
    return names


def release_facts(folder: Path) -> dict[str, str]:
    """Return the name, title, licence, version and citation that a release states, as known."""
    document = read_json(folder / MANIFEST)
    facts = document.get("release") if isinstance(document, dict) else None
    if not isinstance(facts, dict):
        raise StudyError(f"{folder / MANIFEST}: no facts about the release. Release it again.")
    return {str(key): str(value) for key, value in facts.items() if value is not None}
