"""MACE's word-sense test set, and its format: a wide CSV without a header, one line per item."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from plausibly.datasets.catalogue import find, locate
from plausibly.errors import StudyError, TableError, listed
from plausibly.io import read_bytes, read_cells, read_text, write_text
from plausibly.io.choices import noting
from plausibly.io.imported import QUESTION, Imported, check_names, one_question, values_of
from plausibly.io.layout import note_columns
from plausibly.io.missing import MISSING, Missing
from plausibly.tables import LABELS, RATINGS

FILE, KEY = "wsd.csv", "wsd.key"


def read_mace(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings from a wide CSV; items are "0", "1", … by line, annotators by column.

    An empty cell and NA are missing answers. A blank line is an item that nobody answered.
    """
    check_names(names, form="mace")
    if {suffix.lower() for suffix in path.suffixes} & {".json", ".jsonl", ".parquet"}:
        raise TableError(f"{path}: the mace format is delimited text without a header.")
    content = read_bytes(path)
    cells, size, width = _rectangle(path, content) or _by_line(path, content)
    given = cells.with_columns(pl.col("answer").str.strip_chars()).filter(pl.col("answer") != "")
    none = missing.marks(given["answer"])
    frame = given.filter(~none).with_columns(
        pl.col("item", "annotator").cast(pl.String), question=pl.lit(QUESTION)
    )
    ratings = RATINGS.check(frame.with_columns(value=values_of(frame["answer"])))
    counts = Counter(given["answer"].filter(none).to_list())
    noting(header_lines=())
    _note_annotators(given, size, width)
    return Imported(
        RATINGS.sort(ratings),
        silent_items=_silent(size, ratings["item"]),
        silent_annotators=_silent(width, ratings["annotator"]),
        missing=dict(sorted(counts.items())),
    )


def _note_annotators(given: pl.DataFrame, size: int, width: int) -> None:
    """Keep that each column holds the answers of one annotator."""
    answers = {int(own[0]): cells["answer"] for own, cells in given.group_by("annotator")}
    nothing = pl.Series(dtype=pl.String)
    columns = {str(n): answers.get(n, nothing) for n in range(width)}
    cells = [
        own.alias(name).extend_constant(None, size - len(own)) for name, own in columns.items()
    ]
    note_columns(pl.DataFrame(cells), dict.fromkeys(columns, "answer"))


def _rectangle(path: Path, content: bytes) -> tuple[pl.DataFrame, int, int] | None:
    """Return item, annotator and answer of every cell that is not empty, with lines and columns.

    None if a line differs from the others or a cell is in quotes: such a file is read more
    carefully, and more slowly.
    """
    content = content.removeprefix(BOM_UTF8).removesuffix(b"\n")
    if b'"' in content or b"\r" in content:
        return None
    try:
        content.decode()
    except UnicodeDecodeError:
        return None
    signs = np.frombuffer(content, np.uint8)
    broken, parted = signs == ord("\n"), signs == _separator(path)
    breaks, marks = np.flatnonzero(broken), np.flatnonzero(parted)
    line_starts, line_ends = np.append(0, breaks + 1), np.append(breaks, len(signs))
    before = np.searchsorted(marks, line_starts)  # separators before each line
    widths = np.searchsorted(marks, line_ends) - before + 1
    if len(set(widths[line_ends > line_starts].tolist())) != 1:
        return None
    edges = np.flatnonzero(np.diff(broken | parted, prepend=True, append=True))
    starts, ends = edges[::2], edges[1::2]
    item = np.searchsorted(breaks, starts)
    annotator = np.searchsorted(marks, starts) - before[item]
    places = zip(starts.tolist(), ends.tolist(), strict=True)
    answers = [content[start:end] for start, end in places]
    frame = pl.DataFrame({"item": item, "annotator": annotator}).with_columns(
        answer=pl.Series(answers, dtype=pl.Binary).cast(pl.String)
    )
    noting(delimiter=chr(_separator(path)))
    return frame, len(widths), int(widths.max())


def _separator(path: Path) -> int:
    return ord("\t" if ".tsv" in path.suffixes else ",")


def _by_line(path: Path, content: bytes) -> tuple[pl.DataFrame, int, int]:
    lines = _lines(path, content)
    answers = [
        (item, annotator, cell)
        for item, cells in enumerate(lines)
        for annotator, cell in enumerate(cells)
    ]
    schema = {"item": pl.Int64(), "annotator": pl.Int64(), "answer": pl.String()}
    frame = pl.DataFrame(answers, schema=schema, orient="row")
    return frame, len(lines), max(map(len, lines), default=0)


def _lines(path: Path, content: bytes) -> list[list[str]]:
    """Return the cells of every line; raise if one is not as wide as most."""
    records = read_cells(path, content=content)
    widths = Counter(len(cells) for _, cells in records if cells)
    width = max(widths, key=lambda size: (widths[size], size), default=0)
    ragged = [
        f"{path}:{line}: {len(cells)} columns, most lines have {width}"
        for line, cells in records
        if cells and len(cells) != width
    ]
    if ragged:
        raise TableError(
            listed(ragged, total=len(ragged), noun="bad row") + " Nothing was written."
        )
    return [cells for _, cells in records]


def _silent(size: int, names: pl.Series) -> tuple[str, ...]:
    heard = set(names.unique().to_list())
    return tuple(name for name in map(str, range(size)) if name not in heard)


def write_mace(ratings: pl.DataFrame, path: Path, *, items: pl.DataFrame | None = None) -> None:
    """Write a wide CSV, with items and annotators in the order of their names.

    With an `items` table, every item in it gets a line, blank if nobody answered. Names that are
    all whole numbers are ordered as numbers, so that reading and writing is a round trip.
    """
    ratings = one_question(RATINGS.check(ratings), form="mace")
    rows = _ordered(ratings["item"] if items is None else items["item"])
    strangers = sorted(set(ratings["item"].unique().to_list()) - set(rows))
    if strangers:
        raise StudyError(
            f"{len(strangers)} items of the ratings are not in the items table (first: "
            f"{strangers[0]!r}). Pass the table with all of them."
        )
    columns = {name: place for place, name in enumerate(_ordered(ratings["annotator"]))}
    cells: dict[str, list[str]] = {name: [] for name in rows}
    for item, annotator, answer in ratings.select("item", "annotator", "answer").iter_rows():
        line = cells[item] or cells.setdefault(item, [])
        if not line:
            line.extend([""] * len(columns))
        line[columns[annotator]] = answer
    target = io.StringIO(newline="")
    csv.writer(target, lineterminator="\n").writerows(cells.values())
    write_text(path, target.getvalue())


def _ordered(names: pl.Series) -> list[str]:
    distinct: list[str] = names.unique().to_list()
    if all(name.isdecimal() for name in distinct):
        return sorted(distinct, key=lambda name: (int(name), name))
    return sorted(distinct)


def read_key(path: Path) -> pl.DataFrame:
    """Return the right label of each item, "0", "1", … by line, from one of MACE's key files."""
    lines = read_text(path).splitlines()
    return pl.DataFrame(
        {"item": [str(line) for line in range(len(lines))], "label": [x.strip() for x in lines]},
        schema={"item": pl.String(), "label": pl.String()},
    )


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    """Return the word-sense test set of the data folder: ratings, and the key as labels."""
    known = file_tables(locate(folder, "mace", FILE))
    key = find(folder, "mace", KEY)
    if key is None:
        return known
    counts = known["ratings"].group_by("item").agg(ratings=pl.len().cast(pl.Int64))
    right = (
        read_key(key)
        .join(counts, on="item", how="left")
        .with_columns(
            pl.col("ratings").fill_null(0), question=pl.lit(QUESTION), method=pl.lit("key")
        )
    )
    return {**known, "labels": LABELS.sort(LABELS.check(right))}


def file_tables(path: Path) -> dict[str, pl.DataFrame]:
    """Return the ratings of one file in MACE's format."""
    return {"ratings": read_mace(path, names={}).ratings}
