"""What is known before the ratings, read from files: controls and label priors."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import polars as pl

from plausibly.domain import as_number
from plausibly.errors import StudyError, TableError, listed
from plausibly.io import read_bytes, read_rows
from plausibly.labels.results import Silent
from plausibly.measures.coded import Coded, Codes

TABLE = ("item", "label")
NO_CONTROLS: Mapping[str, str] = MappingProxyType({})


def read_controls(path: Path, *, lines: Sequence[str] | None = None) -> dict[str, str]:
    """Return the known label of each control item.

    Args:
        path: A table with the columns item and label, or one label per line, blank where it is
            not known.
        lines: The item of each line; None if items have no lines and a table is needed.
    """
    if path.suffix in (".json", ".jsonl", ".parquet"):
        return _table(path)
    text = _text(path)
    header = text.partition("\n")[0].replace("\t", ",").split(",")
    if set(TABLE) <= {column.strip() for column in header}:
        return _table(path)
    if lines is None:
        raise StudyError(
            f"{path}: expected a table with the columns {' and '.join(TABLE)}. "
            "A file with one label per line is read only for the mace format."
        )
    labels = [line.strip() for line in text.splitlines()]
    if len(labels) != len(lines):
        raise StudyError(
            f"{path}: {len(labels)} lines of controls for {len(lines)} items. "
            "Write one line per item, blank where the label is not known."
        )
    return {item: label for item, label in zip(lines, labels, strict=True) if label}


def read_priors(path: Path) -> dict[str, float]:
    """Return the weight of each label: one label and its weight per line, tab or comma between."""
    priors: dict[str, float] = {}
    wrong = []
    for number, line in enumerate(_text(path).splitlines(), start=1):
        separator = "\t" if "\t" in line else ","
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
        if not any(cells) or (number == 1 and cells == ["label", "weight"]):
            continue
        weight = as_number(cells[1]) if len(cells) == 2 else None
        if weight is None or cells[0] in priors:
            wrong.append(f"{path}:{number}: expected a label of its own and a number")
        else:
            priors[cells[0]] = weight
    if wrong or not priors:
        raise TableError(listed(wrong or [f"{path}: no priors."], total=len(wrong), noun="bad row"))
    return priors


def check_items(
    controls: Mapping[str, str], ratings: pl.DataFrame, silent: Silent
) -> Mapping[str, str]:
    """Return the controls; raise if an item is not in the ratings."""
    if not controls:
        return controls
    strangers = sorted(set(controls) - set(ratings["item"]) - set(silent.items))
    if strangers:
        raise StudyError(
            f"controls: {len(strangers)} of {len(controls)} items are not in the ratings "
            f"(first: {strangers[0]!r}). Name items as the ratings do."
        )
    return controls


def control_codes(controls: Mapping[str, str], coded: Coded, question: str) -> Codes | None:
    """Return the code of each item's known label, -1 without; None without any control."""
    if not controls:
        return None
    code = {label: place for place, label in enumerate(coded.answers)}
    for item, label in controls.items():
        if label not in code:
            raise StudyError(
                f"controls: item {item!r} has the label {label!r}, which no answer to question "
                f"{question!r} gives. Known: {', '.join(coded.answers)}."
            )
    names = pl.DataFrame({"item": list(controls), "code": [code[v] for v in controls.values()]})
    items = coded.items.to_frame("item").join(names, on="item", how="left", maintain_order="left")
    return items["code"].fill_null(-1).cast(pl.Int32).to_numpy()


def _text(path: Path) -> str:
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: not UTF-8 (byte {error.start}).") from error


def _table(path: Path) -> dict[str, str]:
    frame = read_rows(path).frame
    missing = [column for column in TABLE if column not in frame.columns]
    if missing:
        raise TableError(f"{path}: no column {missing[0]!r}. Columns: {', '.join(frame.columns)}.")
    known = frame.select(TABLE).drop_nulls("label").cast(dict.fromkeys(TABLE, str)).unique()
    twice = known.filter(pl.col("item").is_duplicated())
    if not twice.is_empty():
        raise TableError(f"{path}: item {twice['item'].min()!r} has more than one label.")
    return dict(known.iter_rows())
