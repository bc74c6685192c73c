"""The files of the PAP release as tables, with the labels its ratings give."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from plausibly.analysis.events import UNDECIDED
from plausibly.datasets import pap
from plausibly.datasets.catalogue import find, locate
from plausibly.datasets.pap import BINARY, EVENTS, MIN_SHARE, MULTICLASS
from plausibly.datasets.pap.events import read_computed, read_pap
from plausibly.errors import TableError
from plausibly.labels.strict_majority import strict_majority

CONDITIONS = pap.CONDITIONS
SIDES = pap.SIDE_NAMES
COLUMNS = ("plausible", "implausible", UNDECIDED)


@dataclass(frozen=True, eq=False)
class PapRelease:
    """What the release holds, and what follows from its ratings.

    Args:
        folder: The data folder it was read from.
        ratings: The ratings table.
        events: One row per triple: the items table, and `ratings`, the counts `n1`, `n2`, `n4`,
            `n5`, `plausible` (4 and 5), `implausible` (1 and 2), the strict majority as `side`
            (plausible, implausible, unsure) and as `answer` (1, 2, 4, 5, unsure), and the
            released columns under their own names.
        sides: The labels table of the binary strict majority, in words.
    """

    folder: Path
    ratings: pl.DataFrame
    events: pl.DataFrame
    sides: pl.DataFrame

    def of(self, condition: str) -> pl.DataFrame:
        """Return the events of one condition."""
        return self.events.filter(pl.col("condition") == condition)

    def file(self, dataset: str, name: str) -> Path | None:
        """Return where a further file of the data folder lies, or None."""
        return find(self.folder, dataset, name)


def read_release(folder: Path) -> PapRelease:
    """Return the release that is in a data folder, under our file names or its own."""
    path = locate(folder, "pap", EVENTS)
    imported = read_pap(path, names={})
    if imported.items is None:
        raise TableError(f"{path}: no events.")
    binary = strict_majority(imported.ratings, min_share=MIN_SHARE, scheme=BINARY)
    sides = binary.with_columns(pl.col("label").replace(SIDES))
    events = (
        imported.items.join(_counts(imported.ratings), on="item")
        .join(_named(sides, "side"), on="item")
        .join(
            _named(
                strict_majority(imported.ratings, min_share=MIN_SHARE, scheme=MULTICLASS), "answer"
            ),
            on="item",
        )
        .join(read_computed(path), on="item")
    )
    return PapRelease(folder, imported.ratings, events.sort("item"), sides)


def _counts(ratings: pl.DataFrame) -> pl.DataFrame:
    each = {f"n{a}": (pl.col("answer") == a).sum().cast(pl.Int64) for a in MULTICLASS.labels}
    counts = ratings.group_by("item").agg(ratings=pl.len().cast(pl.Int64), **each)
    return counts.with_columns(
        plausible=pl.col("n4") + pl.col("n5"), implausible=pl.col("n1") + pl.col("n2")
    )


def _named(labels: pl.DataFrame, name: str) -> pl.DataFrame:
    return labels.select("item", pl.col("label").fill_null(UNDECIDED).alias(name))


def more_than(release: PapRelease) -> pl.DataFrame:
    """Return the labels there would be if more than 70 % were asked for, not at least 70 %."""
    most = pl.max_horizontal("plausible", "implausible")
    above = release.events.filter(10 * most > 7 * pl.col("ratings"))["item"].to_list()
    return release.sides.with_columns(label=pl.when(pl.col("item").is_in(above)).then("label"))
