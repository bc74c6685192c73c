"""Counts of several corpora in one folder, each row with the corpus it was counted in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, make_dataclass
from pathlib import Path
from typing import Any, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

from plausibly.corpus._outputs import MARKED_SVO, write_sorted
from plausibly.errors import StudyError, TableError
from plausibly.io import file_hash, read_json
from plausibly.ports import Engine
from plausibly.tables import COUNTS, EXAMPLES, Table

CORPUS = "corpus"
VERB = "counts merge"
TABLES = {"counts": COUNTS, "svo": MARKED_SVO, "examples": EXAMPLES}
OPTIONAL = ("examples",)

_NAME = re.compile(r"[\w.+ -]+")


@dataclass(frozen=True, slots=True)
class Corpus:
    """An extracted corpus: its name and its folder."""

    name: str
    folder: Path


def corpora(named: Sequence[str]) -> list[Corpus]:
    """Return the corpora of folders given as DIR or NAME=DIR; DIR alone is also the name.

    >>> [one.name for one in corpora(["wiki=out/a", "out/news"])]
    ['wiki', 'news']
    """
    parsed = []
    for one in named:
        name, _, folder = one.rpartition("=")
        parsed.append(Corpus(name or Path(folder).resolve().name, Path(folder)))
    names = [one.name for one in parsed]
    for name in names:
        if not _NAME.fullmatch(name):
            raise StudyError(f"{name!r} cannot name a corpus. Write NAME=DIR, in plain letters.")
        if names.count(name) > 1:
            raise StudyError(f"two corpora are called {name!r}. Rename one with NAME=DIR.")
    if len(parsed) < 2:
        raise StudyError(f"merging needs two or more folders; got {len(parsed)}.")
    return parsed


def check_corpora(sources: Sequence[Corpus], output: Path) -> None:
    """Raise if counts would be counted twice, or other files overwritten.

    Args:
        sources: The corpora to merge.
        output: The folder to write into, new, empty or written by an earlier merge.
    """
    before: dict[str, str] = {}
    for one in sources:
        file = one.folder / "counts.parquet"
        if one.folder.resolve() == output.resolve():
            raise StudyError(f"{output}: merging would overwrite its input. Name a new folder.")
        if not file.is_file():
            raise TableError(f"{file}: no such file. Name folders that extract has written.")
        if CORPUS in _columns(file):
            raise StudyError(
                f"{file}: merged already. Name the folders it was merged from, each once."
            )
        twin = before.setdefault(file_hash(file), one.name)
        if twin != one.name and pq.read_metadata(file).num_rows:
            raise StudyError(
                f"{twin!r} and {one.name!r} hold the same counts, which would be counted twice. "
                "Name each corpus once."
            )
    manifest = output / "manifest.json"
    if output.is_dir() and any(output.iterdir()):
        merged = read_json(manifest) if manifest.is_file() else {}
        if not isinstance(merged, dict) or merged.get("verb") != VERB:
            raise StudyError(
                f"{output}: not empty, and not written by counts merge. Name a new folder."
            )


def _columns(file: Path) -> list[str]:
    try:
        return list(pq.read_schema(file).names)
    except pa.ArrowInvalid as error:
        raise TableError(f"{file}: not Parquet. Name folders that extract has written.") from error


def merge(sources: Sequence[Corpus], folder: Path, *, engine: Engine) -> dict[str, Any]:
    """Write the tables of all corpora into a folder, sorted; return rows and hash of each.

    A column that one of them lacks, such as `negated` in counts of an earlier version, is dropped,
    and `left_away` of the table lists the corpora without it.

    Args:
        sources: The corpora, as `corpora` returns them.
        folder: The existing folder to write into.
        engine: Sorts the rows within its memory limit.
    """
    written: dict[str, Any] = {}
    for name, table in TABLES.items():
        files = {one.name: one.folder / f"{name}.parquet" for one in sources}
        missing = [file for file in files.values() if not file.is_file()]
        if missing and name in OPTIONAL:
            continue
        if missing:
            raise TableError(f"{missing[0]}: no such file. Name folders that extract has written.")
        target = folder / f"{name}.parquet"
        lacking = _lacking(files, table)
        merged = with_corpus(_without(table, lacking))
        rows = write_sorted(_rows(files, merged, engine), target, merged)
        written[target.name] = {"sha256": file_hash(target), "rows": rows}
        if lacking:
            written[target.name]["left_away"] = lacking
    return written


def _lacking(files: Mapping[str, Path], table: Table) -> dict[str, list[str]]:
    """Return the columns that some corpora lack, with those corpora."""
    lacking: dict[str, list[str]] = {}
    for name, file in files.items():
        there = _columns(file)
        for column in (one for one in table.schema if one not in there):
            if column in (*table.key, "count", "sentence"):
                raise TableError(f"{file}: no column {column!r}. Extract this corpus again.")
            lacking.setdefault(column, []).append(name)
    return lacking


def _without(table: Table, columns: Collection[str]) -> Table:
    if not columns:
        return table
    types = get_type_hints(table.row)
    kept = [(one.name, types[one.name]) for one in fields(table.row) if one.name not in columns]
    row = make_dataclass(f"Known{table.row.__name__}", kept, frozen=True, kw_only=True)
    return Table(table.name, row, key=table.key)


def with_corpus(table: Table) -> Table:
    """Return the contract of a table with an additional column that names the corpus."""
    row = make_dataclass(
        f"{table.row.__name__}OfCorpus",
        [(CORPUS, str)],
        bases=(table.row,),
        frozen=True,
        kw_only=True,
    )
    return Table(table.name, row, key=(*table.key, CORPUS))


def _rows(files: Mapping[str, Path], table: Table, engine: Engine) -> Iterator[pa.RecordBatch]:
    columns = [column for column in table.schema if column != CORPUS]
    selected = ", ".join(columns)
    parts = []
    for place, (name, file) in enumerate(files.items()):
        view = f"{table.name}_{place}"
        engine.register(view, [file])
        parts.append(f"SELECT {selected}, '{name}' AS {CORPUS} FROM {view}")  # noqa: S608 - names are checked
    order = ", ".join(table.key)
    yield from engine.rows(f"{' UNION ALL '.join(parts)} ORDER BY {order}")
