"""Nothing that identifies a person leaves with a release: every cell is looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from plausibly.errors import StudyError, listed
from plausibly.io.personal import personal_kind

# Columns of platforms' exports that say who somebody is, whatever their cells look like.
PERSONAL_COLUMNS = frozenset(
    {
        *("email", "mail", "recipientemail", "recipientfirstname", "recipientlastname"),
        *("ip", "ipaddress", "ip_address", "prolific_pid", "participant_id", "workerid"),
        *("worker_id", "locationlatitude", "locationlongitude", "phone", "postcode"),
    }
)
_MOST = 20
_PREFILTER = re.compile(r"[@\uff20\d]|[(\[{] ?(?:at|AT) ?[)\]}]")


@dataclass(frozen=True, slots=True)
class PersonalCell:
    """One cell that identifies a person; the cell itself is shown in part."""

    table: str
    row: int
    column: str
    kind: str
    excerpt: str

    def message(self) -> str:
        """Return the cell in words."""
        return f"{self.table}, row {self.row}, column {self.column}: {self.kind} ({self.excerpt})"


def personal_cells(tables: Mapping[str, pl.DataFrame]) -> Iterator[PersonalCell]:
    """Yield every cell of the tables that identifies a person; rows count from 1."""
    for name, table in tables.items():
        for column in table.columns:
            yield from _in_column(name, column, table[column])


def _in_column(name: str, column: str, series: pl.Series) -> Iterator[PersonalCell]:
    if column.casefold() in PERSONAL_COLUMNS:
        for row in series.is_not_null().arg_true().head(1).to_list():
            said = _masked(str(series[row]))
            yield PersonalCell(name, row + 1, column, "a column that shows who somebody is", said)
        return
    if series.dtype != pl.String:
        return
    kinds = {
        text: kind
        for text in series.drop_nulls().unique().to_list()
        if _PREFILTER.search(text) and (kind := personal_kind(text)) is not None
    }
    if kinds:
        for row in series.is_in(list(kinds)).fill_null(False).arg_true().to_list():
            text = str(series[row])
            yield PersonalCell(name, row + 1, column, kinds[text], _masked(text))


def _masked(text: str) -> str:
    """Return the beginning of a cell, the rest as dots.

    >>> _masked("anna@example.org")
    'ann…'
    """
    return f"{text[:3]}…"


def require_anonymous(tables: Mapping[str, pl.DataFrame]) -> None:
    """Raise if a cell identifies a person, naming the first cells and counting all."""
    cells = [cell.message() for cell in personal_cells(tables)]
    if cells:
        shown = listed(cells[:_MOST], total=len(cells), noun="personal cell")
        raise StudyError(
            f"{shown} Nothing was written. Replace ids on import (plausibly read), "
            "remove the text, or drop the column (`drop` in release.toml)."
        )
