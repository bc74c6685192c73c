"""The form of crowd-kit: columns task, worker and label."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from plausibly.io import read_rows, renamed, write_frame
from plausibly.io.dialect import recognised
from plausibly.io.imported import Imported, one_question
from plausibly.io.missing import MISSING, Missing
from plausibly.ratings.long import long_ratings, note_long
from plausibly.tables import RATINGS

COLUMNS = {"item": "task", "annotator": "worker", "answer": "label"}


def read_crowdkit(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings from a table with task, worker and label."""
    rows = recognised(read_rows(path), COLUMNS.values())
    note_long(rows.frame, {**COLUMNS, **names})
    return long_ratings(renamed(rows, {**COLUMNS, **names}), missing=missing)


def write_crowdkit(ratings: pl.DataFrame, path: Path, *, items: pl.DataFrame | None = None) -> None:
    """Write task, worker and label, sorted by task and worker."""
    del items
    ratings = RATINGS.sort(one_question(RATINGS.check(ratings), form="crowdkit"))
    write_frame(ratings.select(**{theirs: pl.col(ours) for ours, theirs in COLUMNS.items()}), path)
