"""The weights that models need, and whether they are installed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from plausibly.backends.weights import WEIGHTS, weights_folder
from plausibly.errors import StudyError
from plausibly.study.results import Result, text_table
from plausibly.study.verb import verb

COLUMNS = ("name", "package", "state", "what")


@dataclass(frozen=True, eq=False, repr=False)
class ListedWeights(Result):
    """The weights that can be installed.

    Args:
        weights: name, package, state (installed or missing), what.
    """

    weights: pl.DataFrame

    def as_json(self) -> list[dict[str, Any]]:
        """Return the document of `models list --json`."""
        return self.weights.to_dicts()

    def text(self) -> str:
        """Return the same as a table for people."""
        return text_table(COLUMNS, self.weights.iter_rows())


@verb()
def models_list() -> ListedWeights:
    """List the available weights, and whether they are installed.

    Examples:
        plausibly models list
        plausibly models list --json

    >>> models_list().weights["name"].to_list()
    ['gemma3-270m', 'glove', 'minilm', 'mpnet', 'smollm2']
    """
    rows = [(name, one.package, _state(name), one.what) for name, one in WEIGHTS.items()]
    weights = pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")
    return ListedWeights(weights)


def _state(name: str) -> str:
    try:
        weights_folder(name)
    except StudyError:
        return "missing"
    return "installed"
