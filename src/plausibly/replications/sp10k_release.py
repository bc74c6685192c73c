"""The files of the SP-10K release as one table of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from plausibly.datasets.catalogue import find, locate
from plausibly.domain import as_number
from plausibly.errors import TableError, listed
from plausibly.io import read_bytes

RELATIONS = ("dobj", "nsubj", "amod", "dobj_amod", "nsubj_amod")
VERB_RELATIONS = ("dobj", "nsubj", "dobj_amod", "nsubj_amod")
TWO_HOP = ("dobj_amod", "nsubj_amod")
PER_HEAD = 4
PAIRS = {
    "relation": pl.String(),
    "head": pl.String(),
    "dependent": pl.String(),
    "score": pl.Float64(),
    "slot": pl.Int64(),
}


@dataclass(frozen=True, eq=False)
class Release:
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
        """Tell whether all of these relations have a file."""
        return not set(relations) & set(self.missing)

    def file(self, name: str) -> Path | None:
        """Return where a further file of the release lies, or None."""
        return find(self.folder, "sp10k", name)


def read_release(folder: Path) -> Release:
    """Return the relations that lie in a data folder; raise if none does."""
    found = {relation: find(folder, "sp10k", f"{relation}.tsv") for relation in RELATIONS}
    if not any(found.values()):
        locate(folder, "sp10k", f"{RELATIONS[0]}.tsv")
    tables = [read_pairs(path, relation) for relation, path in found.items() if path is not None]
    missing = tuple(relation for relation, path in found.items() if path is None)
    return Release(folder, pl.concat(tables), missing)


def read_pairs(path: Path, relation: str) -> pl.DataFrame:
    """Return the pairs of a file without header: head, dependent and score between tabs."""
    rows: list[tuple[str, str, str, float, int]] = []
    problems: list[str] = []
    for line, text in enumerate(read_bytes(path).decode().splitlines(), start=1):
        cells = text.split("\t")
        score = as_number(cells[-1])
        if len(cells) == 3 and score is not None:
            rows.append((relation, cells[0], cells[1], score, len(rows) % PER_HEAD))
        else:
            problems.append(f"{path}:{line}: not a head, a dependent and a score")
    if problems:
        raise TableError(listed(problems, total=len(problems), noun="bad row"))
    return pl.DataFrame(rows, schema=PAIRS, orient="row")
