"""The manual's own sheet from a study: one row a candidate and person."""

from __future__ import annotations

import polars as pl

from plausibly.datasets.iks.sheets import sheet_frame


def released(items: pl.DataFrame, ratings: pl.DataFrame) -> dict[str, pl.DataFrame | str]:
    """Return the plain table of the sheet."""
    return {"sheet.csv": sheet_frame(ratings, items)}
