"""Implicit-knowledge sheets as tables. Nobody has published any; yours are in `iks/`."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.datasets.iks.sheets import read_iks
from plausibly.errors import StudyError


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    """Return ratings and items of the sheets in the folder `iks` of a data folder."""
    sheets = folder / "iks"
    if not sheets.is_dir():
        raise StudyError(
            f"{sheets}: no such folder. No sheets were published with the annotation manual; "
            "put your own there, or name them: plausibly load iks SHEET …"
        )
    return sheet_tables(sheets)


def sheet_tables(path: Path) -> dict[str, pl.DataFrame]:
    """Return ratings and items of one sheet or a folder of sheets."""
    imported = read_iks(path, names={})
    known = {"ratings": imported.ratings}
    return known if imported.items is None else {"items": imported.items, **known}
