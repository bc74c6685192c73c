"""The form SP-10K is released in: a file per relation, head, dependent and score between tabs."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.datasets.catalogue import find, locate
from plausibly.datasets.sp10k import PER_HEAD, RELATIONS
from plausibly.domain import as_number
from plausibly.errors import TableError, listed
from plausibly.io import read_text

PAIRS = {
    "relation": pl.String(),
    "head": pl.String(),
    "dependent": pl.String(),
    "score": pl.Float64(),
    "slot": pl.Int64(),
}


def read_relations(folder: Path) -> dict[str, pl.DataFrame]:
    """Return the pairs of each relation that is in a data folder; raise if there are none."""
    paths = {relation: find(folder, "sp10k", f"{relation}.tsv") for relation in RELATIONS}
    if not any(paths.values()):
        locate(folder, "sp10k", f"{RELATIONS[0]}.tsv")
    return {relation: read_pairs(path, relation) for relation, path in paths.items() if path}


def read_pairs(path: Path, relation: str) -> pl.DataFrame:
    """Return the pairs of a file without header: head, dependent and score between tabs.

    `slot` is the place of a pair among the pairs of its relation modulo 4: 0 and 1 are the
    frequent half, 2 and 3 the random one.
    """
    rows: list[tuple[str, str, str, float, int]] = []
    problems: list[str] = []
    for line, text in enumerate(read_text(path).splitlines(), start=1):
        cells = text.split("\t")
        score = as_number(cells[-1])
        if len(cells) == 3 and score is not None:
            rows.append((relation, cells[0], cells[1], score, len(rows) % PER_HEAD))
        else:
            problems.append(f"{path}:{line}: not a head, a dependent and a score")
    if problems:
        raise TableError(listed(problems, total=len(problems), noun="bad row"))
    return pl.DataFrame(rows, schema=PAIRS, orient="row")
