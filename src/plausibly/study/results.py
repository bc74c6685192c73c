"""What a verb returns: tables to look at and to write, with a record of how they were made."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from plausibly.errors import StudyError, UnknownName, option, spelled
from plausibly.io import file_hash, filling, sparing, write_frame, write_table, write_text
from plausibly.io import write_json as write_document
from plausibly.study.made import Made, being_made
from plausibly.study.presenting import Ids, check_library, presented, table_of, view_of
from plausibly.study.text_tables import ABSENT, text_table
from plausibly.tables import TABLES

__all__ = ["ABSENT", "MANIFEST", "Result", "finite", "put_document", "put_table", "text_table"]

MANIFEST = "manifest.json"
SHOWN = 10


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Result:
    """A frozen dataclass of tables, one attribute each, that can show and write itself.

    A subclass declares its tables as fields (a Polars frame or None), and shows what `--json`
    prints. Texts and JSON that go with the tables are its `documents`. The verb that runs fills in
    `made`: how the result came about.
    """

    made: Made = field(default_factory=being_made, repr=False)

    def as_json(self) -> Any:
        """Return the document the command prints with `--json`."""
        raise NotImplementedError

    def text(self) -> str:
        """Return what the command prints for people."""
        return _summary(self.tables)

    @property
    def talk(self) -> tuple[str, ...]:
        """Sentences for the person at the terminal, next to the data."""
        return ()

    @property
    def noted(self) -> tuple[str, ...]:
        """What `--strict` turns into an error, one sentence each."""
        return ()

    def require_use(self) -> None:
        """Raise in a study whose next steps could do nothing with this."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a study reports after the step, one sentence each."""
        return ()

    @property
    def documents(self) -> Mapping[str, object]:
        """From file name to the text or JSON document that belongs next to the tables."""
        return MappingProxyType({})

    @property
    def tables(self) -> dict[str, pl.DataFrame | pl.LazyFrame]:
        """The tables of the result, by name."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        return {
            name: value
            for name, value in own.items()
            if isinstance(value, pl.DataFrame | pl.LazyFrame)
        }

    @cached_property
    def figures(self) -> tuple[Any, ...]:
        """What can be drawn of the result; each figure shows and saves itself."""
        return ()

    def figure(self, name: str | None = None) -> Any:
        """Return one figure, which shows itself in a notebook; `.save(path)` writes it.

        Args:
            name: Name of the figure (default: the first with a drawing).
        """
        drawn = {one.name: one for one in self.figures if one.svg}
        if not drawn:
            raise StudyError(f"{type(self).__name__} has nothing to draw.")
        if name is None:
            return next(iter(drawn.values()))
        if name not in drawn:
            raise UnknownName("figure", str(name), drawn, parameter="name")
        return drawn[name]

    @property
    def numeric_columns(self) -> Mapping[str, tuple[str, ...]]:
        """From a table to its columns that files keep as text although all they hold is numbers."""
        return MappingProxyType({})

    def as_(self, library: str) -> Any:
        """Return the result with its tables in another library: polars, pandas or arrow.

        Args:
            library: The library.
        """
        return presented(self, check_library(library), Ids())

    def get_table(self, name: str, *, as_: str | None = None, wide: bool = False) -> Any:
        """Return one table.

        Args:
            name: Name of the table.
            as_: Its library: polars, pandas or arrow (default: the one of the input).
            wide: Return one column per label, `distribution_LABEL`, in place of a column of
                mappings from labels to probabilities.
        """
        return table_of(view_of(self), name, as_=as_, wide=wide)

    @property
    def manifest(self) -> dict[str, Any]:
        """What the result was made from, and how many rows each table has."""
        rows = {name: _height(table) for name, table in self.tables.items()}
        return self.made.as_json(rows)

    def wrote(self, folder: Path) -> tuple[str, ...]:
        """Return what to say once the result is written into a folder."""
        del folder
        return ()

    def put(self, folder: Path) -> None:
        """Write every table and every document into a folder that is new."""
        for name, table in self.tables.items():
            put_table(name, table, folder / f"{name}.parquet")
        for name, document in self.documents.items():
            put_document(document, folder / name)

    def put_one(self, name: str, path: Path) -> None:
        """Write one table to a file."""
        if name not in self.tables:
            message = f"this result has no {name} to write. Leave out {option('output')}."
            raise StudyError(message, parameter="output")
        put_table(name, self.tables[name], path)

    def counted(self, name: str) -> str:
        """Return in words what the file of one table holds."""
        return f"{self.manifest['rows'][name]} {name}"

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """Write every table, every document and the manifest into a folder, and return it.

        Args:
            folder: The folder; files of an earlier run of the same verb are replaced.
            force: Overwrite files that this verb did not write, but never its inputs.
        """
        target = Path(folder)
        with sparing(self.made.paths), filling(target) as inside:
            self.put(inside)
            outputs = {name: file_hash(inside / name) for name in _files(inside)}
            write_document(inside / MANIFEST, finite({**self.manifest, "outputs": outputs}))
            if not force:
                self._require_own(target, target / MANIFEST, _files(inside))
        return target

    def write_table(self, name: str, path: Path, *, force: bool = False) -> None:
        """Write one table to a file, and the manifest next to it.

        Args:
            name: Name of the table.
            path: The file; that of an earlier run of the same verb is replaced.
            force: Overwrite a file that is something else, too; never what was read.
        """
        manifest = path.with_name(f"{path.name}.{MANIFEST}")
        if not force:
            self._require_own(path.parent, manifest, [path.name])
        with sparing(self.made.paths):
            self.put_one(name, path)
            outputs = {path.name: file_hash(path)}
            write_document(manifest, finite({**self.manifest, "outputs": outputs}))

    def _require_own(self, folder: Path, manifest: Path, names: Sequence[str]) -> None:
        """Raise if a file is in the way that no earlier run of this verb wrote."""
        present = [name for name in names if (folder / name).is_file()]
        if not present:
            return
        before: dict[str, Any] = {}
        with suppress(OSError, ValueError):
            document = json.loads(manifest.read_text(encoding="utf-8"))
            before = document if isinstance(document, dict) else {}
        written = before.get("outputs") if before.get("verb") == self.made.verb else None
        for name in present:
            if folder / name == manifest and written is not None:
                continue
            digest = written.get(name) if isinstance(written, dict) else None
            if digest != file_hash(folder / name):
                what = "was changed after this command wrote it" if digest else "is something else"
                raise StudyError(
                    f"{folder / name}: {what}, and would be overwritten. Write elsewhere, or pass "
                    f"{option('force')}."
                )

    def __repr__(self) -> str:
        return spelled(f"{type(self).__name__}\n{self.text()}".rstrip())

    def _repr_html_(self) -> str:
        parts = [f"<p><b>{html.escape(type(self).__name__)}</b></p>"]
        parts += [f"<pre>{html.escape(self.text().rstrip())}</pre>"]
        for name, table in self.tables.items():
            if isinstance(table, pl.DataFrame):
                parts += [f"<p>{html.escape(name)}</p>", table.head(SHOWN)._repr_html_()]
        return "".join(parts)


def _files(folder: Path) -> list[str]:
    """Return the names of the files in a folder and in the folders inside it."""
    found = (one for one in folder.rglob("*") if one.is_file())
    return sorted(one.relative_to(folder).as_posix() for one in found)


def put_table(name: str, table: pl.DataFrame | pl.LazyFrame, path: Path) -> None:
    """Write one table under its contract, where its name has one."""
    frame = table.collect() if isinstance(table, pl.LazyFrame) else table
    if name in TABLES:
        write_table(frame, path, TABLES[name])
    else:
        write_frame(frame, path)


def put_document(document: object, path: Path) -> None:
    """Write one document: a text unchanged, anything else as JSON."""
    if isinstance(document, str):
        write_text(path, spelled(document))
    else:
        write_document(path, finite(document))


def finite(value: object) -> object:
    """Return a JSON document in which what is not a number is null; parameters are spelled out.

    >>> finite({"a": [1.0, float("nan")]})
    {'a': [1.0, None]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite(inner) for inner in value]
    return spelled(value) if isinstance(value, str) else value


def _summary(tables: Mapping[str, pl.DataFrame | pl.LazyFrame]) -> str:
    rows = [(name, _height(table)) for name, table in tables.items()]
    return text_table(("table", "rows"), rows)


def _height(table: pl.DataFrame | pl.LazyFrame) -> int | None:
    if isinstance(table, pl.DataFrame):
        return table.height
    return int(table.select(pl.len()).collect().item())
