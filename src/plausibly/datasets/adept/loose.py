"""Reads pairs from a file that may have faults: the readable pairs, and the faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.adept import CODES
from plausibly.datasets.adept.pairs import COLUMNS
from plausibly.errors import TableError
from plausibly.io.opening import suffix_of
from plausibly.io.rows import Rows, read_rows
from plausibly.io.written import written_records

Fault = tuple[int, str, str]
# How many pairs make a habit that another can break.
FEWEST = 4
# The most digits of an idx that fit into a table.
_LONGEST = 18


def read_loosely(path: Path) -> tuple[pl.DataFrame, list[Fault]]:
    """Return every pair that has its texts, and idx, kind and message of all faults.

    Bad rows do not stop the reading: a pair without an idx is numbered by its place in the file,
    from -1 down, and an invalid label becomes null.
    """
    if _is_json(path):
        rows, places, faults = _written(path)
    else:
        rows = read_rows(path)
        places = list(range(rows.frame.height))
        faults = [(-line, "broken_row", f"line {line}: {what}") for line, what in rows.broken]
    missing = [column for column in COLUMNS if column not in rows.frame.columns]
    if missing:
        there = ", ".join(rows.frame.columns) or "none"
        raise TableError(f"{path}: no field {missing[0]!r}. Fields found: {there}.")
    labelled = "label" in rows.frame.columns
    label = pl.col("label") if labelled else pl.lit(None, dtype=pl.String).alias("label")
    pairs = rows.frame.select(*COLUMNS, label).cast(pl.String)
    whole = pl.col("idx").str.contains(rf"^[0-9]{{1,{_LONGEST}}}$").fill_null(False)
    pairs = pairs.with_columns(pl.Series("place", [-1 - row for row in places], dtype=pl.Int64))
    pairs = pairs.with_columns(
        pl.when(whole)
        .then(pl.col("idx").cast(pl.Int64, strict=False))
        .otherwise("place")
        .alias("n"),
        pl.when(pl.col("label").is_in(list(CODES))).then("label").alias("code"),
    )
    any_label = labelled and pairs["label"].null_count() < pairs.height
    for row in pairs.iter_rows(named=True):
        faults += [(row["n"], "no_text", f"no {c}") for c in COLUMNS[1:] if not row[c]]
        if row["n"] < 0:
            what = f"row {-row['n']}: idx {row['idx']!r} is not a whole number of at least 0"
            faults.append((row["n"], "bad_idx", what))
        if any_label and row["label"] is None:
            faults.append((row["n"], "no_label", "no label, though other pairs have one"))
        elif row["label"] is not None and row["code"] is None:
            faults.append((row["n"], "bad_label", f"label {row['label']!r} is not from 0 to 4"))
    kept = pairs.filter(pl.all_horizontal(pl.col(COLUMNS[1:]).is_not_null()))
    kept = kept.select(
        pl.col("n").alias("idx"), *COLUMNS[1:], pl.col("code").cast(pl.Int64).alias("label")
    )
    return kept.sort("idx"), faults


def _is_json(path: Path) -> bool:
    return suffix_of(path) in (".json", ".jsonl")


def _written(path: Path) -> tuple[Rows, list[int], list[Fault]]:
    """Return the rows of a JSON file as text, their places, and faults in how they are written."""
    records = written_records(path)
    whole = [
        (place, one.fields, one.repeated)
        for place, one in enumerate(records)
        if one.fields is not None
    ]
    if not whole:
        raise TableError(f"{path}: no pairs found. Expected one JSON array, or a pair per line.")
    names = list(dict.fromkeys(name for _, fields, _ in whole for name in fields))
    columns = {
        name: pl.Series(
            name, [_as_text(fields.get(name)) for _, fields, _ in whole], dtype=pl.String
        )
        for name in names
    }
    lines = [one.line for one in records]
    rows = Rows(path, pl.DataFrame(columns), (), lambda rows: [lines[whole[r][0]] for r in rows])
    faults = [
        (-1 - place, "broken_row", f"row {place + 1}, line {one.line}: {one.flaw}")
        for place, one in enumerate(records)
        if one.fields is None
    ]
    faults += _strange({place: fields for place, fields, _ in whole})
    faults += [
        (_name(fields, place), "repeated_field", f"field {name!r} occurs twice")
        for place, fields, repeated in whole
        for name in repeated
    ]
    return rows, [place for place, _, _ in whole], faults


def _strange(records: Mapping[int, dict[str, Any]]) -> Iterator[Fault]:
    """Yield fields of a wrong type, or of another type than in the rest of the file."""
    usual = {
        name: Counter(type(fields.get(name)) for fields in records.values()).most_common(1)[0][0]
        for name in ("idx", "label")
    }
    times = Counter(name for fields in records.values() for name in fields)
    for place, fields in records.items():
        idx = _name(fields, place)
        for name in COLUMNS[1:]:
            if not isinstance(fields.get(name, ""), str | None):
                yield idx, "wrong_type", f"{name} is {fields[name]!r}, expected a text"
        for name, kind in usual.items():
            value = fields.get(name)
            if (
                value is not None
                and type(value) is not kind
                and isinstance(value, str | int | float)
            ):
                yield idx, "wrong_type", f"{name} is {value!r}, most others are {kind.__name__}"
        for name in fields:
            odd = name not in (*COLUMNS, "label") and times[name] <= len(records) * 0.6
            if odd and len(records) >= FEWEST:
                yield idx, "unknown_field", f"field {name!r} does not belong to a pair"


def _name(fields: dict[str, Any], place: int) -> int:
    idx = fields.get("idx")
    if isinstance(idx, str) and idx.isascii() and idx.isdecimal() and len(idx) <= _LONGEST:
        return int(idx)
    if isinstance(idx, int) and not isinstance(idx, bool) and 0 <= idx < 10**_LONGEST:
        return idx
    return -1 - place


def _as_text(value: object) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool | list | dict):
        return repr(value)
    return value if isinstance(value, str) else str(value)
