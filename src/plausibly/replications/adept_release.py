"""The files of the ADEPT release as one table of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from plausibly.datasets.catalogue import find, locate
from plausibly.io import read_rows
from plausibly.io.adept import read_pairs

SPLITS = ("train", "val", "test")
LIST = "nonsubsective_60.tsv"


@dataclass(frozen=True, eq=False)
class Release:
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


def read_release(folder: Path) -> Release:
    """Return the splits that lie in a data folder; raise if none does."""
    found = {split: find(folder, "adept", f"{split}.json") for split in SPLITS}
    if not any(found.values()):
        locate(folder, "adept", "train.json")
    tables = [
        read_pairs(path).with_columns(split=pl.lit(split))
        for split, path in found.items()
        if path is not None
    ]
    missing = tuple(split for split, path in found.items() if path is None)
    words = find(folder, "adept", LIST)
    listed = effective = None
    if words is not None:
        table = read_rows(words).frame
        effective = frozenset(table["adjective"])
        listed = frozenset(table.filter(pl.col("in_nayak_60") == "1")["adjective"])
    return Release(pl.concat(tables).sort("idx", "split"), missing, listed, effective)
