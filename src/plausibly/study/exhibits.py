"""Figures and tables of a publication, as a protocol draws them from any study's data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import polars as pl


class ExhibitPart(Protocol):
    """A figure with its table, or a table alone."""

    @property
    def name(self) -> str:
        """Name of its files."""

    @property
    def title(self) -> str:
        """What it shows, in a few words."""

    @property
    def caption(self) -> str:
        """How to read it, with n."""

    @property
    def table(self) -> pl.DataFrame:
        """What is drawn, row by row."""

    @property
    def svg(self) -> str:
        """The drawing; empty if the table is all there is."""


@dataclass(frozen=True, eq=False)
class Exhibit:
    """One figure or table of a publication.

    Args:
        name: Anchor on the page.
        heading: As the publication names it, and what it is about.
        figures: What is drawn or listed.
        about: Beginnings of the ids of the statements that are about it.
        reason: Why the data do not support it; empty if they do.
    """

    name: str
    heading: str
    figures: Sequence[ExhibitPart]
    about: tuple[str, ...] = ()
    reason: str = ""


def omitted(name: str, heading: str, reason: str) -> Exhibit:
    """Return an exhibit that the data do not support, with the reason as the end of a sentence."""
    return Exhibit(name, heading, (), reason=reason)
