"""The files MACE wrote for PAP: a table of labels and a distribution over labels per line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from plausibly.datasets.pap import ORIGINALS
from plausibly.errors import TableError
from plausibly.io import read_rows

KINDS = ("binary", "multiclass")


@dataclass(frozen=True, eq=False)
class Mace:
    """The MACE files: one row per triple with `condition`, `binary`, `multiclass` labels.

    Args:
        labels: The label file under our names.
        distributions: By kind, each line's labels and probabilities in file order.
    """

    labels: pl.DataFrame
    distributions: dict[str, list[list[tuple[str, float]]]]


def read_mace(labels: Path, distributions: dict[str, Path]) -> Mace:
    """Return the three files as one; raise if they do not have the same number of rows."""
    rows = read_rows(labels).frame.select(
        item="event",
        condition=pl.col("original_label").replace_strict(ORIGINALS),
        binary="binary_prediction",
        multiclass="multi-class_prediction",
    )
    lines = {kind: _lines(path) for kind, path in distributions.items()}
    for kind, path in distributions.items():
        if len(lines[kind]) != rows.height:
            raise TableError(
                f"{path}: {len(lines[kind])} lines, but {labels.name} has {rows.height} rows."
            )
    return Mace(rows, lines)


def _lines(path: Path) -> list[list[tuple[str, float]]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [[_cell(cell, path, n) for cell in line.split("\t")] for n, line in enumerate(lines, 1)]


def _cell(cell: str, path: Path, line: int) -> tuple[str, float]:
    label, _, probability = cell.partition(" ")
    try:
        return str(int(float(label))), float(probability)
    except ValueError as error:
        raise TableError(f"{path}:{line}: {cell!r} is not a label and a probability.") from error
