"""Figures and tables of a publication, drawn from the numbers `replicate` recomputes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plausibly.replications.record import Record
from plausibly.study.exhibits import Exhibit


@dataclass(frozen=True, eq=False)
class Numbers:
    """The records of one publication, by id."""

    records: Mapping[str, Record]

    def recomputed(self, name: str) -> Any:
        """Return a recomputed value; None if the data do not give it."""
        record = self.records.get(name)
        return None if record is None else record.recomputed

    def printed(self, name: str) -> Any:
        """Return a printed value, a fraction where percent is printed; None for none."""
        record = self.records.get(name)
        return None if record is None else record.published

    def under(self, prefix: str) -> Iterator[tuple[str, Record]]:
        """Yield the records below a dotted name, by the rest of their ids."""
        start = f"{prefix}."
        for name, record in self.records.items():
            if name.startswith(start):
                yield name.removeprefix(start), record


@dataclass(frozen=True, eq=False)
class Exhibits:
    """All figures and tables of a publication that its data decide, and those they do not.

    Args:
        kind: What the numbers measure.
        shown: One by one.
        undecided: What the data do not decide, and why.
    """

    kind: str
    shown: tuple[Exhibit, ...]
    undecided: tuple[tuple[str, str], ...]


__all__ = ["Exhibit", "Exhibits", "Numbers"]
