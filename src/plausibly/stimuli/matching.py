"""Matching: items of two conditions paired so that they differ in no column by more than allowed.

The way LexOPS (Taylor et al., 2020) matches single words, for any table and any column.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from plausibly.errors import StudyError, UnknownName
from plausibly.io.ranks import ranks

# What a short name stands for where the words of items stand in columns of their own.
SHORT = {"frequency": "zipf", "length": "length", "concreteness": "concreteness"}


def tolerances(given: Iterable[str]) -> dict[str, float]:
    """Return from column to tolerance, from texts such as `length:1`.

    >>> tolerances(["frequency:0.3", "length:1"])
    {'frequency': 0.3, 'length': 1.0}
    """
    found: dict[str, float] = {}
    for text in given:
        column, colon, number = text.rpartition(":")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not colon or not column or not value >= 0 or math.isinf(value):
            raise StudyError(
                f"match (--match) must be COLUMN:TOLERANCE with a number from 0 up; got {text!r}."
            )
        found[column] = value
    return found


def columns_of(asked: Mapping[str, float], there: Sequence[str]) -> dict[str, float]:
    """Return the columns meant: one of that name, or those of every word (`subject_zipf`, ...)."""
    meant: dict[str, float] = {}
    for name, tolerance in asked.items():
        own = [column for column in there if column.endswith(f"_{SHORT.get(name, name)}")]
        found = [name] if name in there else own
        if not found:
            raise UnknownName("column to match by", name, [*there, *SHORT])
        meant |= dict.fromkeys(found, tolerance)
    return meant


@dataclass(frozen=True, eq=False)
class Matched:
    """Rows that belong together.

    Args:
        numbers: By condition, the number of its match for every row, null for an unmatched one.
        report: By column: tolerance, mean and largest difference within matches, and the
            standardised difference of the conditions before and after.
    """

    numbers: Mapping[str, pl.Series]
    report: dict[str, dict[str, float | int | None]]


def match(
    rows: Mapping[str, pl.DataFrame],
    asked: Mapping[str, float],
    *,
    names: Mapping[str, pl.Series],
    within: str | None = None,
    seed: int,
) -> Matched:
    """Return matches of one row of each of two conditions, as many as one pass finds.

    Rows of the smaller condition are taken in the order of the seed; each gets the nearest row of
    the other that is free and differs in no column by more than its tolerance.

    Args:
        rows: Of exactly two conditions, with the columns to match by as numbers.
        asked: From column to the largest difference allowed.
        names: Of the rows, for the order of the seed.
        within: A column whose values matches must share.
        seed: Same seed, same matches, whatever the order of the rows.
    """
    if len(rows) != 2:
        raise StudyError(
            f"matching pairs two conditions; got {len(rows)} ({', '.join(sorted(rows))})."
        )
    small, large = sorted(rows, key=lambda name: (rows[name].height, name))
    order = {name: _order(names[name], seed) for name in rows}
    values = {name: _numbers(frame, asked) for name, frame in rows.items()}
    sides = {
        name: frame[within].to_list() if within else [None] * frame.height
        for name, frame in rows.items()
    }
    free: dict[Any, list[int]] = {}
    for place in order[large]:
        free.setdefault(sides[large][place], []).append(place)
    pairs: list[tuple[int, int]] = []
    scale = np.array([tolerance or 1.0 for tolerance in asked.values()])
    limit = np.array(list(asked.values())) / scale + 1e-9
    for place in order[small]:
        open_ = free.get(sides[small][place], [])
        if not open_:
            continue
        gaps = np.abs(values[large][open_] - values[small][place]) / scale
        fits = np.flatnonzero((gaps <= limit).all(axis=1))
        if len(fits):
            nearest = int(fits[np.argmin(gaps[fits].sum(axis=1))])
            pairs.append((place, open_.pop(nearest)))
    numbers = {
        name: _numbered([pair[side] for pair in pairs], rows[name].height)
        for side, name in enumerate((small, large))
    }
    return Matched(numbers, _achieved(values, pairs, asked, (small, large)))


def _order(names: pl.Series, seed: int) -> list[int]:
    keys = ranks("match|" + names.cast(pl.String), seed=seed)
    frame = pl.DataFrame({"rank": keys, "name": names}).with_row_index("place")
    return frame.sort("rank", "name")["place"].to_list()


def _numbers(frame: pl.DataFrame, asked: Mapping[str, float]) -> np.ndarray[Any, Any]:
    columns = [frame[name].cast(pl.Float64, strict=False).to_numpy() for name in asked]
    return np.stack(columns, axis=1) if columns else np.zeros((frame.height, 0))


def _numbered(places: Sequence[int], height: int) -> pl.Series:
    number = {place: match for match, place in enumerate(places)}
    return pl.Series("match", [number.get(row) for row in range(height)], dtype=pl.Int64)


def _achieved(
    values: Mapping[str, np.ndarray[Any, Any]],
    pairs: Sequence[tuple[int, int]],
    asked: Mapping[str, float],
    names: tuple[str, str],
) -> dict[str, dict[str, float | int | None]]:
    small, large = names
    first = values[small][[one for one, _ in pairs]]
    second = values[large][[other for _, other in pairs]]
    report: dict[str, dict[str, float | int | None]] = {}
    for place, (column, tolerance) in enumerate(asked.items()):
        gaps = np.abs(first[:, place] - second[:, place])
        report[column] = {
            "tolerance": tolerance,
            "matches": len(pairs),
            "mean_difference": float(gaps.mean()) if len(pairs) else None,
            "largest_difference": float(gaps.max()) if len(pairs) else None,
            "standardised_before": _standardised(values[small][:, place], values[large][:, place]),
            "standardised_after": _standardised(first[:, place], second[:, place]),
        }
    return report


def _standardised(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> float | None:
    """Return the difference of two means in pooled standard deviations."""
    one, other = one[~np.isnan(one)], other[~np.isnan(other)]
    if len(one) < 2 or len(other) < 2:
        return None
    pooled = math.sqrt((float(np.var(one, ddof=1)) + float(np.var(other, ddof=1))) / 2)
    gap = float(one.mean() - other.mean())
    return gap / pooled if pooled else (0.0 if gap == 0 else None)
