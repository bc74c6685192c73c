"""Erase a person at once: their rows, their ids, and what the study derived from them."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import StudyError, TableError, option
from plausibly.io import read_json
from plausibly.ratings.store.desk import DeskAction, log_action
from plausibly.ratings.store.erasing import (
    ERASED,
    Tombstone,
    clear_traces,
    erase,
    erased_before,
)
from plausibly.ratings.store.places import Denied
from plausibly.study.arguments import checked
from plausibly.study.manifest import FILE as MANIFEST
from plausibly.study.manifest import read_manifest
from plausibly.tables import TABLES
from plausibly.web.people.deciding import COMMAND
from plausibly.web.people.erasures import keep_erasures
from plausibly.web.people.opening import OpenPeople, opened_people

SIDECAR = ".manifest.json"


@dataclass(frozen=True, slots=True)
class PersonErased:
    """What is gone, and what a researcher has to look after.

    Args:
        items: How many items the person had answered.
        answers: How many answers they had given.
        comments: How many comments they had written.
        removed: Files of the study that were derived from answers; `run` makes them again.
        elsewhere: Backups and releases made earlier, which still hold the person's answers.
        unpaid: Whether the person was still to be paid.
    """

    items: int
    answers: int
    comments: int
    removed: tuple[str, ...]
    elsewhere: tuple[str, ...]
    unpaid: bool

    def as_json(self) -> dict[str, Any]:
        """Return the counts and the files."""
        return asdict(self)


@checked
def people_erase(
    study: str | Path, person: str, *, yes: bool = False, database: str | None = None
) -> PersonErased:
    """Erase a person: answers, comments, times and ids are gone at once; only counts are kept.

    What the study folder derived from answers is removed, and the next `run` makes it again.
    Backups and releases made earlier are named: those you have to look after.

    Args:
        study: The study folder.
        person: Name of the ratings table, or participant number.
        yes: Do it; this cannot be undone.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people erase my-study p1a2b3 --yes
        plausibly people erase my-study p1a2b3 --yes --json

    >>> people_erase("my-study", "p1")
    Traceback (most recent call last):
    plausibly.errors.StudyError: people erase cannot be undone. To erase 'p1', pass yes=.
    """
    if not yes:
        raise StudyError(
            f"people erase cannot be undone. To erase {person!r}, pass {option('yes')}."
        )
    with opened_people(study, database) as people:
        rows = {row["annotator"]: row for row in people.roster().iter_rows(named=True)}
        annotator, tombstone = _erase_rows(people, person)
        known = people.ids.of([annotator]).get(annotator)
        people.ids.forget(annotator)
        folder, path = people.desk.served.folder, people.path
    keep_erasures(path)
    clear_traces(path)
    removed, outside = remove_derived(folder, path)
    more, others = remove_mentions(folder, annotator)
    pay = rows[annotator]["pay"] if annotator in rows else "none"
    due = pay in {"pay", "part"} and (known is None or known.status is None)
    return PersonErased(
        **asdict(tombstone),
        removed=(*removed, *more),
        elsewhere=tuple(sorted({*outside, *others, *_copies(folder, path)})),
        unpaid=due,
    )


def _erase_rows(people: OpenPeople, person: str) -> tuple[str, Tombstone]:
    """Delete a person's rows; whoever is erased already keeps the counts of the first time.

    A second call finishes what the first could not, such as rewriting a file that was in use.
    """
    with people.engine.begin() as connection:
        for annotator in (person, people.desk.keys.annotator(person)):
            mark = people.desk.keys.hashed("erased", annotator)
            now = time.time()
            tombstone = erase(connection, annotator, person=mark, now=now)
            if not isinstance(tombstone, Denied):
                log_action(connection, DeskAction(now, COMMAND, ERASED, 1, tombstone.answers))
                return annotator, tombstone
            earlier = erased_before(connection, mark)
            if earlier is not None:
                return annotator, earlier
    raise StudyError(
        f"{people.path}: nobody here is called {person!r}. See: plausibly people list."
    )


def remove_derived(folder: Path, database: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Remove what a study derived from its answers; return that, and what is outside the folder.

    Which files these are follows from the manifest of each step: what read the answers, what read
    that, and so on.
    """
    own = folder.resolve()
    removed, outside = [], []
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


def remove_mentions(folder: Path, annotator: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Remove our tables that still name a person; return them, and other files that do."""
    removed, others = [], []
    for path in sorted(one for one in folder.resolve().rglob("*") if one.is_file()):
        if not _mentions(path, annotator):
            continue
        name = path.relative_to(folder.resolve())
        if path.stem in TABLES:
            path.unlink()
            removed.append(str(name))
        else:
            others.append(str(folder / name))
    return tuple(removed), tuple(others)


def _mentions(path: Path, annotator: str) -> bool:
    """Return whether a file names a person: as a table, or as text."""
    if path.suffix == ".parquet":
        try:
            people = pl.scan_parquet(path).select(pl.col("annotator") == annotator)
            return bool(people.select(pl.col("annotator").any()).collect().item())
        except (pl.exceptions.PolarsError, OSError):
            return False
    return annotator.encode() in path.read_bytes()


def _made(folder: Path) -> list[tuple[set[Path], set[Path]]]:
    """Return what was made from what: the steps of the study, and single results next to it."""
    made = []
    for entry in read_manifest(folder)["steps"].values():
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


def _copies(folder: Path, database: Path) -> tuple[str, ...]:
    """Return copies of the answers, and releases of the study next to it, which nobody changes."""
    copies = [one for one in database.parent.glob(f"{database.name}.v*") if one.is_file()]
    manifests = folder.resolve().parent.glob(f"*/{MANIFEST}")
    releases = [one.parent for one in manifests if _releases(one, folder.resolve().name)]
    return tuple(sorted(str(one) for one in (*copies, *releases)))


def _releases(manifest: Path, study: str) -> bool:
    """Return whether a manifest is that of a release of a study."""
    try:
        document = read_json(manifest)
    except TableError:
        return False
    if not isinstance(document, dict) or "release" not in document:
        return False
    return study in dict(document.get("parameters", {})).values()
