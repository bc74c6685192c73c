"""The files of the SP-10K release as one table of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from plausibly.datasets.catalogue import find
from plausibly.datasets.sp10k import RELATIONS
from plausibly.datasets.sp10k.pairs import read_relations


@dataclass(frozen=True, eq=False)
class Sp10kRelease:
    """What the release holds.

    Args:
        folder: The data folder it was read from.
        pairs: relation, head, dependent, score and slot, the place of the pair among the pairs
            of its relation modulo 4: 0 and 1 are the frequent half, 2 and 3 the random one.
        missing: Relations without a file.
    """

    folder: Path
    pairs: pl.DataFrame
    missing: tuple[str, ...]

    def of(self, *relations: str) -> pl.DataFrame:
        """Return the pairs of some relations."""
        return self.pairs.filter(pl.col("relation").is_in(relations))

    def has(self, *relations: str) -> bool:
        """Return whether all of these relations have a file."""
        return not set(relations) & set(self.missing)

    def file(self, name: str) -> Path | None:
        """Return where a further file of the release lies, or None."""
        return find(self.folder, "sp10k", name)


def read_release(folder: Path) -> Sp10kRelease:
    """Return the relations that are in a data folder; raise if there are none."""
    tables = read_relations(folder)
    missing = tuple(relation for relation in RELATIONS if relation not in tables)
    return Sp10kRelease(folder, pl.concat(tables.values()), missing)
