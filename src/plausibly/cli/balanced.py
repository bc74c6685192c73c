"""The balance report a builder leaves beside its items."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


def write_balance(items: pl.DataFrame, folder: Path, *, lang: str, seed: int = 0) -> None:
    """Write balance.json; without wordfreq it says nothing of frequencies."""
    from plausibly.cli.lexica import frequency_list
    from plausibly.errors import MissingExtra
    from plausibly.io import write_json
    from plausibly.stimuli.balance.report import balance

    try:
        frequency = frequency_list(None, lang)
    except MissingExtra:
        frequency = None
    report = balance(items, frequency=frequency, seed=seed)
    write_json(folder / "balance.json", report.as_json())
