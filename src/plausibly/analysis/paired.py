"""Differences between cells, paired within groups of items, as documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from plausibly.measures.contrasts import Contrast, paired_contrasts
from plausibly.measures.crossed import Rated, rated

GROUP = "item_group"
SHARE = (0.0, 1.0)


def cells(
    table: pl.DataFrame, parts: Sequence[str]
) -> Iterator[tuple[dict[str, str], pl.DataFrame]]:
    """Yield each cell of some columns, with its ratings; one cell where there are no columns."""
    if not parts:
        yield {}, table
        return
    filled = table.with_columns(pl.col(list(parts)).cast(pl.String).fill_null("none"))
    for values, cell in sorted(filled.partition_by(list(parts), as_dict=True).items()):
        yield dict(zip(parts, map(str, values), strict=True)), cell


def cell_contrasts(
    table: pl.DataFrame,
    parts: Sequence[str],
    answers: Sequence[str] | None,
    bounds: tuple[float, float] | None,
) -> Iterator[Mapping[str, Any]]:
    """Yield the difference of every two cells of the first column, paired within groups of items.

    Where there are further columns, cells are compared within each of their cells.
    """
    if not parts or GROUP not in table.columns:
        return
    known = table.drop_nulls(["value", GROUP, parts[0]])
    for by, cell in cells(known, parts[1:]):
        within = {"by": by} if by else {}
        yield from (one | within for one in _paired(cell, parts[0], answers, bounds))


def _paired(
    known: pl.DataFrame,
    column: str,
    answers: Sequence[str] | None,
    bounds: tuple[float, float] | None,
) -> Iterator[dict[str, Any]]:
    names = sorted(known[column].cast(pl.String).unique().to_list())
    if len(names) < 2:
        return
    cell = known[column].cast(pl.String).replace_strict(names, range(len(names)))
    condition = cell.cast(pl.Int64).to_numpy()
    codes = rated(known)
    if answers is None:
        yield from _documents(paired_contrasts(codes, condition, names=names, bounds=bounds))
        return
    for code, answer in enumerate(answers):
        share: Rated = replace(codes, value=(codes.value == code).astype(np.float64))
        found = paired_contrasts(share, condition, names=names, bounds=SHARE)
        yield from ({"answer": answer, **one} for one in _documents(found))


def _documents(contrasts: Sequence[Contrast]) -> Iterator[dict[str, Any]]:
    return (one.as_json() for one in contrasts)
