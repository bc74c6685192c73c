"""The explorer: one page on which to look at every item, person and model of a dataset."""

from plausibly.analysis.explorer.material import (
    ExplorerMaterial,
    explorer_rows,
    model_names,
    without_numbers,
)
from plausibly.analysis.explorer.page import (
    MOST_BYTES,
    are_people,
    explorer_page,
    unwritten_page,
)
from plausibly.analysis.explorer.released import released_material, released_page, tables_checksum

__all__ = [
    "MOST_BYTES",
    "ExplorerMaterial",
    "are_people",
    "explorer_page",
    "explorer_rows",
    "model_names",
    "released_material",
    "released_page",
    "tables_checksum",
    "unwritten_page",
    "without_numbers",
]
