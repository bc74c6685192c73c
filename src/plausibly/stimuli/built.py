"""What a builder returns: the items, and the record of how they were made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.io import write_frame, write_json, write_table, write_text
from plausibly.stimuli.ledger import LEDGER
from plausibly.tables import ITEMS

Funnel = Any  # a list of steps, or such lists by condition


@dataclass(frozen=True, eq=False)
class Built:
    """One set of items of any protocol.

    Args:
        items: The items table, check items included.
        ledger: Every candidate that did not become an item: candidate, rule, reason.
        funnel: Rows left after each step, by condition if conditions have different steps.
        tables: Further tables by name.
        documents: Further files by name: a JSON value, JSON lines (`.jsonl`), or a frame.
    """

    items: pl.DataFrame
    ledger: pl.DataFrame
    funnel: Funnel
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    documents: Mapping[str, Any] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write every table as Parquet, and the documents under their names."""
        write_table(self.items, folder / "items.parquet", ITEMS)
        write_table(self.ledger, folder / "ledger.parquet", LEDGER)
        write_json(folder / "funnel.json", self.funnel)
        for name, table in self.tables.items():
            write_frame(table, folder / f"{name}.parquet")
        for name, document in self.documents.items():
            _write_document(folder / name, document)


def _write_document(path: Path, document: object) -> None:
    if isinstance(document, pl.DataFrame):
        write_frame(document, path)
    elif path.suffix == ".jsonl" and isinstance(document, list):
        lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in document)
        write_text(path, "".join(lines))
    elif isinstance(document, str):
        write_text(path, document)
    else:
        write_json(path, document)
