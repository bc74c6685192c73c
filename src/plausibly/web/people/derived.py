"""What a study derived from its answers, and how to take people out of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.io import read_json, sweep, write_frame
from plausibly.ratings.store.ids import ids_file
from plausibly.study.manifest import read_manifest
from plausibly.tables import TABLES

SIDECAR = ".manifest.json"
ENDS = ("", "-wal", "-shm", "-journal")  # of the files of a database


def remove_people(folder: Path, database: Path, annotators: Sequence[str]) -> tuple[str, ...]:
    """Take people who withdrew out of what a study derived; return the files that are gone."""
    removed, _ = remove_derived(folder, database)
    remove_rows(folder, annotators)
    return removed


def remove_derived(folder: Path, database: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Remove what a study derived from its answers; return that, and what is outside the folder.

    Which files these are follows from the manifest of each step, also of one that failed: what read
    the answers, what read that, and so on. What a killed process left half-written goes, too.
    """
    own = folder.resolve()
    removed = [str(one.relative_to(own)) for one in sweep(own)]
    outside = []
    for one in sorted(derived_from(folder, database)):
        if not one.is_file():
            continue
        if one.is_relative_to(own):
            one.unlink()
            removed.append(str(one.relative_to(own)))
        else:
            outside.append(str(one))
    return tuple(removed), tuple(outside)


def derived_from(folder: Path, database: Path) -> set[Path]:
    """Return the files a study derived from its answers, directly or through others."""
    tainted = {database.resolve()}
    made = _made(folder.resolve())
    growing = True
    while growing:
        size = len(tainted)
        for sources, outputs in made:
            if sources & tainted:
                tainted |= outputs
        growing = len(tainted) > size
    return tainted - {database.resolve()}


def remove_mentions(
    folder: Path, database: Path, annotator: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Remove a person from our tables; return files that are gone, and others that name them.

    The databases themselves are not read as files: a process that closes such a file loses every
    lock SQLite holds on it, and the next program to close it then deletes the log of the server.
    """
    remove_rows(folder, [annotator])
    removed, others = [], []
    used = {f"{one.resolve()}{end}" for one in (database, ids_file(database)) for end in ENDS}
    for path in sorted(one for one in folder.resolve().rglob("*") if one.is_file()):
        if str(path.resolve()) in used or not names_person(path, annotator):
            continue
        name = path.relative_to(folder.resolve())
        if path.stem in TABLES:
            path.unlink()
            removed.append(str(name))
        else:
            others.append(str(folder / name))
    return tuple(removed), tuple(others)


def remove_rows(folder: Path, annotators: Sequence[str]) -> None:
    """Rewrite our tables of a study without the rows of people; other rows and columns stay."""
    for path in sorted(folder.resolve().rglob("*.parquet")):
        if path.is_symlink() or path.stem not in TABLES:
            continue
        if any(names_person(path, one) for one in annotators):
            table = pl.read_parquet(path)
            write_frame(table.filter(~pl.col("annotator").is_in(annotators)), path)


def names_person(path: Path, annotator: str) -> bool:
    """Return whether a file names a person: as a table, or as text."""
    if path.suffix == ".parquet":
        try:
            people = pl.scan_parquet(path).select(pl.col("annotator") == annotator)
            return bool(people.select(pl.col("annotator").any()).collect().item())
        except (pl.exceptions.PolarsError, OSError):
            return False
    return annotator.encode() in path.read_bytes()


def _made(folder: Path) -> list[tuple[set[Path], set[Path]]]:
    """Return what was made from what: steps of the study, also failed ones, and single results."""
    made = []
    manifest = read_manifest(folder)
    for entry in (*manifest["steps"].values(), *manifest.get("failed", {}).values()):
        sources = {(folder / name).resolve() for name in entry["inputs"]}
        made.append((sources, {(folder / name).resolve() for name in entry["outputs"]}))
    for path in sorted(folder.rglob(f"*{SIDECAR}")):
        document = read_json(path)
        described = document.get("inputs", {}) if isinstance(document, dict) else {}
        sources = {one.resolve() for one in _paths(described, path.parent, folder)}
        result = path.with_name(path.name.removesuffix(SIDECAR))
        made.append((sources, {result.resolve(), path.resolve()}))
    return made


def _paths(described: Any, *folders: Path) -> list[Path]:
    """Return the files a manifest names as inputs, wherever they may be."""
    if isinstance(described, dict):
        names = [value for value in described.values() if isinstance(value, str)]
        inner = [value for value in described.values() if isinstance(value, dict | list)]
        found = [folder / name for name in names for folder in folders if (folder / name).is_file()]
        return found + [path for one in inner for path in _paths(one, *folders)]
    if isinstance(described, list):
        return [path for one in described for path in _paths(one, *folders)]
    return []
