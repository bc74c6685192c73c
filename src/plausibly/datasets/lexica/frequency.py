"""Frequency lists: a user's file, or any source that answers with Zipf values.

Zipf is the base-10 logarithm of occurrences per billion words (van Heuven et al., 2014).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import polars as pl

from plausibly.datasets.lexica.provenance import Provenance, of_file
from plausibly.errors import TableError
from plausibly.io import read_rows

BILLION = 1e9
UNITS = ("zipf", "per_million", "count")


@dataclass(frozen=True, eq=False)
class FrequencyList:
    """How frequent words are.

    Args:
        provenance: Where the numbers come from.
        look_up: From words (case-folded) to Zipf values, None for an unknown one.
        most_frequent: The n most frequent words, most frequent first.
    """

    provenance: Provenance
    look_up: Callable[[Sequence[str]], list[float | None]]
    most_frequent: Callable[[int], list[str]]

    def zipf(self, words: pl.Series) -> pl.Series:
        """Return the Zipf value of every word, null for an unknown one."""
        distinct = words.drop_nulls().unique()
        found = self.look_up([word.casefold() for word in distinct.to_list()])
        values = dict(zip(distinct.to_list(), found, strict=True))
        return pl.Series("zipf", [values.get(word) for word in words.to_list()], dtype=pl.Float64)


class FrequencySource(Protocol):
    """A package that knows how frequent words are."""

    @property
    def name(self) -> str:
        """What the source is called in reports, with its version."""
        ...

    def zipf(self, words: Sequence[str]) -> list[float | None]:
        """Return the Zipf value of every word, None for an unknown one."""
        ...

    def most_frequent(self, number: int) -> list[str]:
        """Return the most frequent words, most frequent first."""
        ...


def listed(source: FrequencySource) -> FrequencyList:
    """Return the frequencies of a package as a list."""
    return FrequencyList(Provenance("frequency", source.name), source.zipf, source.most_frequent)


def read_frequencies(path: Path) -> FrequencyList:
    """Return the frequency list in a file: a column `word`, and one of zipf, per_million, count.

    Counts are taken relative to their sum in the file. A word that stands more than once (as
    noun and as verb, or in two cases) has the sum of its rows.
    """
    rows = read_rows(path)
    named = {column.casefold(): column for column in rows.frame.columns}
    unit = next((unit for unit in UNITS if unit in named), None)
    if "word" not in named or unit is None:
        raise TableError(
            f"{path}: a frequency list needs a column 'word' and one of {', '.join(UNITS)}. "
            f"Columns found: {', '.join(rows.frame.columns)}."
        )
    rows.reject([])
    if rows.frame.is_empty():
        raise TableError(f"{path}: no words. Expected rows of word and {unit}.")
    words = rows.frame[named["word"]].cast(pl.String)
    values = rows.frame[named[unit]].cast(pl.Float64, strict=False)
    bad = (words.is_null() | values.is_null() | ~values.is_finite()).fill_null(True)
    if bad.any():
        line = rows.locate([int(bad.arg_true()[0])])[0]
        raise TableError(
            f"{path}:{line}: {int(bad.sum())} of {bad.len()} rows have no word or no {unit} "
            "that is a number. Remove or fix them."
        )
    shares = _per_billion(words.to_list(), values.to_list(), unit)
    zipf = {word: math.log10(share) for word, share in shares.items() if share > 0}
    ordered = sorted(zipf, key=lambda word: (-zipf[word], word))
    return FrequencyList(
        of_file("frequency", path, entries=len(zipf)),
        lambda asked: [zipf.get(word) for word in asked],
        lambda n: ordered[:n],
    )


def _per_billion(words: list[str], values: list[float], unit: str) -> dict[str, float]:
    if unit == "zipf":
        values = [10**value for value in values]
    elif unit == "per_million":
        values = [value * 1e3 for value in values]
    else:
        total = sum(values) or 1.0
        values = [value / total * BILLION for value in values]
    shares: dict[str, float] = {}
    for word, value in zip(words, values, strict=True):
        folded = word.casefold()
        shares[folded] = shares.get(folded, 0.0) + value
    return shares
