"""The files of the ADEPT release as one table of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from plausibly.datasets import adept
from plausibly.datasets.adept import NON_SUBSECTIVE_LIST
from plausibly.datasets.adept.nonsubsective import read_nonsubsective
from plausibly.datasets.adept.pairs import read_splits
from plausibly.datasets.catalogue import find

SPLITS = adept.SPLITS


@dataclass(frozen=True, eq=False)
class AdeptRelease:
    """What the release holds.

    Args:
        pairs: The pairs of the splits present, with `split`.
        missing: Splits without a file.
        listed: Non-subsective adjectives of Nayak et al. (2014); None without the list.
        effective: The same with what the paper treats as one of them as well.
    """

    pairs: pl.DataFrame
    missing: tuple[str, ...]
    listed: frozenset[str] | None
    effective: frozenset[str] | None

    def of(self, split: str) -> pl.DataFrame | None:
        """Return the pairs of one split, or None without its file."""
        own = self.pairs.filter(pl.col("split") == split)
        return None if split in self.missing else own

    @cached_property
    def whole(self) -> bool:
        """Whether all three splits are there."""
        return not self.missing


def read_release(folder: Path) -> AdeptRelease:
    """Return the splits that are in a data folder; raise if there are none."""
    tables = read_splits(folder)
    missing = tuple(split for split in SPLITS if split not in tables)
    pairs = pl.concat(table.with_columns(split=pl.lit(split)) for split, table in tables.items())
    words = find(folder, "adept", NON_SUBSECTIVE_LIST)
    if words is None:
        return AdeptRelease(pairs.sort("idx", "split"), missing, None, None)
    listed, effective = (
        frozenset(read_nonsubsective(words, listed_only=only, as_written=True))
        for only in (True, False)
    )
    return AdeptRelease(pairs.sort("idx", "split"), missing, listed, effective)
