"""Five bins of equal size whose ratings are perfectly separated (PAP, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.errors import StudyError

DEGREES = ("highly abstract", "abstract", "mid-range", "concrete", "highly concrete")
# Section 3.2 keeps the bins at each extreme and the one in the middle.
LETTERS = ("a", None, "m", None, "c")
KEPT = tuple(letter for letter in LETTERS if letter is not None)


@dataclass(frozen=True, slots=True)
class Bin:
    """One bin: its name, its letter if PAP keeps it, the ratings it spans, the rows in it."""

    degree: str
    letter: str | None
    low: float
    high: float
    rows: int


@dataclass(frozen=True, slots=True)
class DegreeBins:
    """Bins from abstract to concrete; a rating is in exactly one of them."""

    bins: tuple[Bin, ...]

    @property
    def edges(self) -> list[float]:
        """The highest rating of every bin but the last."""
        return [one.high for one in self.bins[:-1]]

    def numbers(self, values: pl.Series) -> pl.Series:
        """Return for every rating the number of its bin, from 0."""
        places = np.searchsorted(np.array(self.edges), values.to_numpy(), side="left")
        return pl.Series(values.name, places.astype(np.int64))

    def letters(self, values: pl.Series) -> pl.Series:
        """Return for every rating the letter of its bin, null for bins PAP leaves out."""
        known = {n: one.letter for n, one in enumerate(self.bins)}
        return self.numbers(values).replace_strict(known, return_dtype=pl.String)

    def degrees(self, values: pl.Series) -> pl.Series:
        """Return for every rating the name of its bin."""
        known = {n: one.degree for n, one in enumerate(self.bins)}
        return self.numbers(values).replace_strict(known, return_dtype=pl.String)

    def as_json(self) -> list[dict[str, str | float | int | None]]:
        """Return the bins as `bins.json` holds them."""
        return [
            {
                "degree": one.degree,
                "letter": one.letter,
                "low": one.low,
                "high": one.high,
                "rows": one.rows,
            }
            for one in self.bins
        ]


def separated_bins(values: pl.Series, *, what: str = "ratings") -> DegreeBins:
    """Return five bins as equal in size as they can be without splitting a rating.

    Each cut goes to the end of a run of equal ratings that is nearest to where equal sizes would
    have it, the lower of two that are as near; so sizes give way, never the separation.

    Args:
        values: One rating for every row, equal ones included; nulls are an error of the caller.
        what: Named in the error when there are too few distinct ratings.

    >>> found = separated_bins(pl.Series([1.0, 1, 1, 2, 3, 4, 5, 6, 7, 8]))
    >>> [one.rows for one in found.bins], found.edges
    ([3, 1, 2, 2, 2], [1.0, 2.0, 4.0, 6.0])
    """
    distinct, counts = np.unique(values.to_numpy(), return_counts=True)
    if len(distinct) < len(DEGREES):
        raise StudyError(
            f"{what}: {len(distinct)} distinct values cannot make {len(DEGREES)} separated bins. "
            "Take a larger corpus sample, or norms with finer ratings."
        )
    ends = _ends(np.cumsum(counts))
    starts = [0, *(end + 1 for end in ends[:-1])]
    return DegreeBins(
        tuple(
            Bin(
                degree,
                letter,
                float(distinct[start]),
                float(distinct[end]),
                int(counts[start : end + 1].sum()),
            )
            for degree, letter, start, end in zip(DEGREES, LETTERS, starts, ends, strict=True)
        )
    )


def _ends(reached: npt.NDArray[np.int64]) -> list[int]:
    """Return the place of the last distinct rating of every bin; each bin has at least one."""
    parts, total, last = len(DEGREES), int(reached[-1]), len(reached) - 1
    ends: list[int] = []
    for part in range(1, parts):
        first = ends[-1] + 1 if ends else 0
        allowed = reached[first : last - (parts - part) + 1]
        off = np.abs(allowed * parts - total * part)
        ends.append(first + int(np.argmin(off)))
    return [*ends, last]


def combination(letters: Sequence[pl.Expr]) -> pl.Expr:
    """Return the letters joined as in `a-m-c`, null if one is missing."""
    return pl.concat_str(list(letters), separator="-")
