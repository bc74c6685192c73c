"""The explorer: one page on which to look at every item, person and model of a dataset."""

from plausibly.analysis.explorer.material import ExplorerMaterial, explorer_rows, model_names
from plausibly.analysis.explorer.page import MOST_BYTES, explorer_page

__all__ = ["MOST_BYTES", "ExplorerMaterial", "explorer_page", "explorer_rows", "model_names"]
