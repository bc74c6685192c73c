"""ConceptNet: assertions with their authors' wording, or the bare table of three columns."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from plausibly.datasets.catalogue import locate
from plausibly.errors import Problem, TableError
from plausibly.io import Flaw, json_value, read_rows, reading

FILE = "english_assertions.tsv.gz"

# ADEPT, section 4.1; the paper's IsCapableOf is ConceptNet's CapableOf.
RELATIONS = ("CapableOf", "HasProperty", "ReceivesAction", "HasA", "UsedFor")
OMCS = "/d/conceptnet/4/"
"""The prefix of Open Mind Common Sense among ConceptNet's datasets."""

SCHEMA = {
    "relation": pl.String(),
    "start": pl.String(),
    "end": pl.String(),
    "surface": pl.String(),
    "dataset": pl.String(),
}
_COLUMNS = ("relation", "start", "end")
_MAGIC = b"/a/["


def read_assertions(
    path: Path,
    *,
    lang: str = "en",
    relations: tuple[str, ...] | None = RELATIONS,
    dataset: str | None = None,
) -> pl.DataFrame:
    """Return relation, start, end, surface and dataset of the assertions of some relations.

    Args:
        path: ConceptNet's assertions file (`.csv` or `.csv.gz`, tab separated, five columns), or
            a table with the columns relation, start, end and, if you like, surface and dataset.
        lang: Both ends must be in this language.
        relations: Those to keep; None keeps all.
        dataset: Keep only assertions whose dataset has this prefix; `OMCS` for Open Mind Common
            Sense.
    """
    if _is_own_format(path):
        rows = list(_own_format(path, lang, relations))
        frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    else:
        frame = _table(path, relations)
    if dataset is not None:
        if frame["dataset"].null_count() == frame.height:
            raise TableError(
                f"{path}: the file does not name the dataset of an assertion. "
                "Use ConceptNet's assertions file, or do not ask for a dataset."
            )
        frame = frame.filter(pl.col("dataset").str.starts_with(dataset))
    keys = ["relation", "start", "end"]
    frame = frame.sort(*keys, "surface", nulls_last=True)
    return frame.unique(keys, keep="first", maintain_order=True)


def _lines(path: Path) -> Iterator[bytes]:
    with reading(path):
        try:
            with path.open("rb") as file:
                yield from gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            what = f"the archive is damaged ({error}). Fetch it again."
            raise TableError(f"{path}: {what}") from error


def _is_own_format(path: Path) -> bool:
    return next(iter(_lines(path)), b"").startswith(_MAGIC)


def _own_format(
    path: Path, lang: str, relations: tuple[str, ...] | None
) -> Iterator[tuple[str, str, str, str | None, str | None]]:
    """Yield the matching lines, which their first address shows without reading the rest."""
    place = f"/c/{lang}/".encode()
    starts: tuple[bytes, ...] = (b"/a/[/r/",)
    if relations is not None:
        starts = tuple(f"/a/[/r/{relation}/,".encode() + place for relation in relations)
    for number, line in enumerate(_lines(path), start=1):
        if not line.startswith(starts) or place not in line:
            continue
        relation, start, end, details = _cells(line, f"{path}:{number}")
        if not end.startswith(place.decode()):
            continue
        if relations is None and not start.startswith(place.decode()):
            continue
        words = [_words(one, f"{path}:{number}") for one in (start, end)]
        surface, dataset = (details.get(name) for name in ("surfaceText", "dataset"))
        yield relation.removeprefix("/r/"), words[0], words[1], surface, dataset


def _cells(line: bytes, where: str) -> tuple[str, str, str, dict[str, str]]:
    """Return relation, start, end and details of a line of ConceptNet's file."""
    try:
        cells = line.decode().rstrip("\r\n").split("\t")
    except UnicodeDecodeError as error:
        raise TableError(f"{where}: not UTF-8 ({error.reason}). Fetch the file again.") from error
    if len(cells) != 5:
        raise TableError(f"{where}: {len(cells)} columns, expected ConceptNet's five.")
    details = json_value(cells[4])
    if isinstance(details, Flaw):
        raise TableError(f"{where}: {details.message}.")
    if not isinstance(details, dict):
        raise TableError(f"{where}: the fifth column is not a JSON object.")
    return cells[1], cells[2], cells[3], details


def _words(address: str, where: str) -> str:
    """Return the words of a concept's address.

    >>> _words("/c/en/table_of_contents/n", "assertions.csv:1")
    'table of contents'
    """
    parts = address.split("/")
    if len(parts) < 4 or not parts[3]:
        raise TableError(f"{where}: {address!r} is not a concept, such as /c/en/table.")
    return parts[3].replace("_", " ")


def _table(path: Path, relations: tuple[str, ...] | None) -> pl.DataFrame:
    rows = read_rows(path)
    missing = [column for column in _COLUMNS if column not in rows.frame.columns]
    if missing:
        raise TableError(
            f"{path}: no column {missing[0]!r}. Expected ConceptNet's assertions file, or a table "
            f"with relation, start, end. Columns found: {', '.join(rows.frame.columns)}."
        )
    holes = pl.any_horizontal(pl.col(_COLUMNS).is_null())
    empty = rows.frame.with_row_index("row").filter(holes)["row"]
    what = f"an empty cell; {', '.join(_COLUMNS)} must all be filled."
    rows.reject([Problem(row, what) for row in empty])
    selected = {name: pl.col(name).cast(pl.String) for name in _COLUMNS}
    for name in ("surface", "dataset"):
        there = name in rows.frame.columns
        selected[name] = pl.col(name).cast(pl.String) if there else pl.lit(None, dtype=pl.String)
    frame = rows.frame.select(**selected)
    return frame if relations is None else frame.filter(pl.col("relation").is_in(relations))


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    """Return the assertions of the data folder, of the relations ADEPT uses."""
    return file_tables(locate(folder, "conceptnet", FILE))


def file_tables(path: Path) -> dict[str, pl.DataFrame]:
    """Return the English assertions of one file, of the relations ADEPT uses."""
    return {"assertions": read_assertions(path)}
