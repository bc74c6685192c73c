"""The page of a publication: its figures and tables from its released data, with its claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from plausibly.analysis.figures.drawing import Figure, template
from plausibly.analysis.showing import downloads
from plausibly.study.exhibits import ExhibitPart

SHOWN = 40


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One printed claim next to what follows from the data."""

    place: str
    says: str
    printed: str
    recomputed: str
    verdict: str
    note: str = ""


@dataclass(frozen=True, eq=False)
class PaperSection:
    """What belongs to one figure or table of a publication.

    Args:
        name: Anchor of the section.
        heading: As the publication names it, and what it is about.
        figures: What is drawn or listed, with tables.
        claims: What the publication says about it.
    """

    name: str
    heading: str
    figures: Sequence[ExhibitPart]
    claims: Sequence[ClaimRow] = ()

    @property
    def printed(self) -> Figure:
        """The printed values next to the recomputed ones, as a table to download."""
        title = f"What is printed about {self.heading.split(':')[0]}"
        rows = pl.DataFrame([asdict(row) for row in self.claims], infer_schema_length=None)
        return Figure(f"{self.name}-claims", title, "", rows, "")


@dataclass(frozen=True, eq=False)
class PaperPage:
    """All of a page.

    Args:
        title: The publication.
        kind: What its numbers measure, so that they are not compared with another protocol's.
        opening: What came out, in a few lines.
        sections: Figure by figure and table by table.
        undecided: From a figure or table to why the released data do not decide it.
        command: The command that makes the page.
        subtitle: What the page is about.
        footer: What a reader should know in the end.
    """

    title: str
    kind: str
    opening: Sequence[str]
    sections: Sequence[PaperSection]
    undecided: Sequence[tuple[str, str]]
    command: str
    subtitle: str = "figures and tables from the released data"
    footer: str = (
        "The claims are in our own words; the explanations of differences are inferred from "
        "digits, not confirmed by the authors."
    )


def render_paper(page: PaperPage) -> str:
    """Return the page as one HTML file without outside resources."""
    return template("paper.html.jinja").render(
        page=page, shown=SHOWN, downloads=downloads, cell=cell, numeric=numeric
    )


def numeric(table: pl.DataFrame, column: str) -> bool:
    """Return whether a column holds numbers."""
    return table[column].dtype.is_numeric()


def cell(value: Any) -> str:
    """Return a cell as far as it can be trusted: whole numbers whole, others to three places.

    >>> cell(1733), cell(622.0), cell(1.0), cell(0.1), cell(0.0), cell(None)
    ('1,733', '622', '1', '0.100', '0', '')
    """
    if value is None:
        return ""
    if value == 0:
        return "0"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
