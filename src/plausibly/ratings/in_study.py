"""Ratings in a study: where they come from, and whom it waits for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

SERVE, REHEARSE = "serve", "rehearse"
ANSWERS = "answers"
ITEMS_FILE, LISTS_FILE = "items.parquet", "lists.parquet"


def without_checks(kinds: Collection[str], checks_per_batch: int) -> list[str]:
    """Return what to report where batches should have checks and no item is one.

    Args:
        kinds: The kinds of the items.
        checks_per_batch: As study.toml says.

    >>> without_checks(["item"], 1)[0][:38]
    'No item is a check, so no batch has on'
    >>> without_checks(["item", "gold"], 1)
    []
    """
    if not checks_per_batch or not set(kinds) <= {"item", "retest", "filler"}:
        return []
    return [
        f"No item is a check, so no batch has one although [ratings] checks_per_batch is "
        f"{checks_per_batch}. Add items of kind check; those in checks.toml of a protocol are "
        "added where [build] builds the items."
    ]


def waits_for(parameters: Mapping[str, Any]) -> str | None:
    """Return whom the step waits for, None if for nobody."""
    return "people answer on the server" if parameters["source"] == SERVE else None


def source_files(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files to read; the latest answers of a server are in the log next to its file."""
    source = parameters["source"]
    if source in (SERVE, REHEARSE):
        return (ITEMS_FILE, LISTS_FILE)
    facts = (str(parameters["annotators"]),) if parameters.get("annotators") else ()
    log = (f"{source}-wal",) if format_of(parameters) == ANSWERS else ()
    return (source, *log, *facts)


def format_of(parameters: Mapping[str, Any]) -> str:
    """Return the format of the source: a server's file has its own."""
    of_server = Path(parameters["source"]).suffix == ".sqlite"
    return ANSWERS if of_server else str(parameters["format"])
