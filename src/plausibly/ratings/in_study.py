"""Ratings in a study: where they come from, and whom it waits for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

SERVE, REHEARSE = "serve", "rehearse"
ANSWERS = "answers"
ITEMS_FILE = "items.parquet"


def waits_for(parameters: Mapping[str, Any]) -> str | None:
    """Return whom the step waits for, None if for nobody."""
    return "people answer on the server" if parameters["source"] == SERVE else None


def source_files(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files to read; the latest answers of a server are in the log next to its file."""
    source = parameters["source"]
    if source in (SERVE, REHEARSE):
        return (ITEMS_FILE,)
    return (source, f"{source}-wal") if format_of(parameters) == ANSWERS else (source,)


def format_of(parameters: Mapping[str, Any]) -> str:
    """Return the format of the source: a server's file has its own."""
    of_server = Path(parameters["source"]).suffix == ".sqlite"
    return ANSWERS if of_server else str(parameters["format"])
