"""What a verb returns: tables that can be looked at, written down, and told where they are from."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from plausibly.io import file_hash, filling, frame_hash, write_frame, write_table, write_text
from plausibly.io import write_json as write_document
from plausibly.study.manifest import versions
from plausibly.tables import TABLES

MANIFEST = "manifest.json"
SHOWN = 10
ABSENT = "\N{EN DASH}"

Cells = Iterable[Sequence[object]]


@dataclass(frozen=True, eq=False)
class Made:
    """How a result came about.

    Args:
        verb: Name of the function and of the command.
        inputs: From the name of an argument to the file or frame that was passed.
        parameters: What was asked for, in words and numbers; secrets have no place here.
        seed: What random steps were drawn from; None where nothing is drawn.
    """

    verb: str
    inputs: Mapping[str, object] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None

    def as_json(self, rows: Mapping[str, int | None]) -> dict[str, Any]:
        """Return the manifest: inputs with hashes, parameters, seed, versions, rows."""
        return {
            "verb": self.verb,
            "inputs": {
                name: described(source)
                for name, source in self.inputs.items()
                if source is not None
            },
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
            "seed": self.seed,
            "versions": versions(),
            "rows": dict(rows),
        }


def described(source: object) -> dict[str, Any]:
    """Return name and hash of what was read: of the bytes of a file, of the rows of a frame."""
    if isinstance(source, str | Path):
        path = Path(source)
        digest = file_hash(path) if path.is_file() else None
        return {"file": path.name, "sha256": digest}
    if isinstance(source, pl.DataFrame):
        return {"rows": source.height, "sha256": frame_hash(source)}
    return {"kind": type(source).__name__}


class Result:
    """A frozen dataclass of tables, one attribute each, that can show and write itself.

    A subclass declares its tables as fields (a Polars frame or None), has a field `made`, and says
    what `--json` prints. Texts and JSON that lie beside the tables are its `documents`.
    """

    made: Made

    def as_json(self) -> Any:
        """Return the document the command prints with `--json`."""
        raise NotImplementedError

    def text(self) -> str:
        """Return what the command prints for people."""
        return _summary(self.tables)

    @property
    def talk(self) -> tuple[str, ...]:
        """Sentences for the person at the terminal, beside the data."""
        return ()

    @property
    def documents(self) -> Mapping[str, object]:
        """From file name to the text or JSON document that belongs beside the tables."""
        return MappingProxyType({})

    @property
    def tables(self) -> dict[str, pl.DataFrame | pl.LazyFrame]:
        """The tables of the result, by name."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]
        return {
            name: value
            for name, value in own.items()
            if isinstance(value, pl.DataFrame | pl.LazyFrame)
        }

    @property
    def manifest(self) -> dict[str, Any]:
        """What the result was made from, and how many rows each table has."""
        rows = {name: _height(table) for name, table in self.tables.items()}
        return self.made.as_json(rows)

    def write(self, folder: str | Path) -> Path:
        """Write every table, every document and the manifest into a folder, and return it."""
        target = Path(folder)
        with filling(target) as inside:
            for name, table in self.tables.items():
                put_table(name, table, inside / f"{name}.parquet")
            for name, document in self.documents.items():
                put_document(document, inside / name)
            write_document(inside / MANIFEST, self.manifest)
        return target

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{self.text()}".rstrip()

    def _repr_html_(self) -> str:
        parts = [f"<p><b>{html.escape(type(self).__name__)}</b></p>"]
        parts += [f"<pre>{html.escape(self.text().rstrip())}</pre>"]
        for name, table in self.tables.items():
            if isinstance(table, pl.DataFrame):
                parts += [f"<p>{html.escape(name)}</p>", table.head(SHOWN)._repr_html_()]
        return "".join(parts)


def put_table(name: str, table: pl.DataFrame | pl.LazyFrame, path: Path) -> None:
    """Write one table under its contract, where its name has one."""
    frame = table.collect() if isinstance(table, pl.LazyFrame) else table
    if name in TABLES:
        write_table(frame, path, TABLES[name])
    else:
        write_frame(frame, path)


def put_document(document: object, path: Path) -> None:
    """Write one document: a text as it is, anything else as JSON."""
    if isinstance(document, str):
        write_text(path, document)
    else:
        write_document(path, finite(document))


def finite(value: object) -> object:
    """Return a JSON document in which what is not a number is null.

    >>> finite({"a": [1.0, float("nan")]})
    {'a': [1.0, None]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite(inner) for inner in value]
    return value


def text_table(header: Sequence[str], rows: Cells) -> str:
    """Return a table for people: padded columns, numbers to the right.

    >>> print(text_table(("label", "items"), [("plausible", 12), ("odd", 3)]), end="")
    label      items
    ---------  -----
    plausible     12
    odd            3
    """
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [
        max(len(name), *(len(row[column]) for row in cells)) if cells else len(name)
        for column, name in enumerate(header)
    ]
    right = [bool(cells) and all(_numeric(row[c]) for row in cells) for c in range(len(header))]
    lines = []
    for line in [list(header), ["-" * width for width in widths], *cells]:
        padded = [
            text.rjust(width) if numeric else text.ljust(width)
            for text, width, numeric in zip(line, widths, right, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ABSENT
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _numeric(text: str) -> bool:
    return text == ABSENT or text.replace(".", "", 1).replace("-", "", 1).isdecimal()


def _summary(tables: Mapping[str, pl.DataFrame | pl.LazyFrame]) -> str:
    rows = [(name, _height(table)) for name, table in tables.items()]
    return text_table(("table", "rows"), rows)


def _height(table: pl.DataFrame | pl.LazyFrame) -> int | None:
    if isinstance(table, pl.DataFrame):
        return table.height
    return int(table.select(pl.len()).collect().item())


def _plain(value: object) -> object:
    """Return a parameter as JSON knows it; a path by its name alone, without the machine's."""
    if isinstance(value, Path):
        return value.name
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(inner) for inner in value]
    if value is None or isinstance(value, str | int | float | bool):
        return finite(value)
    return str(value)
