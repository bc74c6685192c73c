"""Figures and tables of a publication, drawn from the numbers `replicate` recomputes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plausibly.analysis.figures import Figure
from plausibly.replications.record import Record


@dataclass(frozen=True, eq=False)
class Numbers:
    """The records of one publication, by id."""

    records: Mapping[str, Record]

    def recomputed(self, name: str) -> Any:
        """Return a recomputed value; None where the data do not give it."""
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
class Exhibit:
    """One figure or table of a publication.

    Args:
        name: Anchor on the page.
        heading: As the publication names it, and what it is about.
        figures: What is drawn or listed.
        about: Beginnings of the ids of the statements that are about it.
    """

    name: str
    heading: str
    figures: Sequence[Figure]
    about: tuple[str, ...] = ()


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
