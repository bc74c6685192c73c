"""The page of an audit: verdicts first, then the evidence, section by section."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from plausibly.analysis.figures.drawing import Figure, template
from plausibly.analysis.showing import downloads, minus, number

SHOWN = 40
MARKS = {"yes": "✓", "with care": "△", "no": "✗", "cannot be told": "?"}
WORDS = {"cannot be told": "cannot be determined"}
CLASSES = {"yes": "yes", "with care": "care", "no": "no", "cannot be told": "open"}


@dataclass(frozen=True, eq=False)
class AuditPart:
    """What a section says about one question, or about all of them.

    Args:
        sentences: In words.
        figures: What is drawn, with its table; a figure without a drawing is a table.
        question: The question it is about; empty if there is only one.
    """

    sentences: Sequence[str]
    figures: Sequence[Figure] = ()
    question: str = ""


@dataclass(frozen=True, eq=False)
class AuditSection:
    """One section of the evidence.

    Args:
        name: Its anchor.
        heading: Its heading.
        parts: By question, or one for all.
    """

    name: str
    heading: str
    parts: Sequence[AuditPart]


@dataclass(frozen=True, eq=False)
class AuditPage:
    """All of the page.

    Args:
        name: Of what was audited.
        opening: What was audited, in one or two sentences.
        verdicts: For, asks, verdict, because, evidence.
        findings: As `audit --json` lists them.
        sections: The evidence.
        footer: How the page was made.
        several: Whether several questions were asked.
    """

    name: str
    opening: Sequence[str]
    verdicts: Sequence[Mapping[str, Any]]
    findings: Sequence[Mapping[str, Any]]
    sections: Sequence[AuditSection]
    footer: str
    several: bool = False


def render_audit(page: AuditPage) -> str:
    """Return the page as one HTML file without outside resources."""
    return template("audit.html.jinja").render(
        page=page,
        spaced=_spaced,
        shown=SHOWN,
        marks=MARKS,
        words=WORDS,
        classes=CLASSES,
        downloads=downloads,
        cell=_cell,
        numeric=_numeric,
    )


def _spaced(text: str) -> str:
    """Return a text with minus signs, and signs that stay on the line of their number."""
    text = re.sub(r"(?<=\d) ?%", "\N{NO-BREAK SPACE}%", minus(text))
    return text.replace("± ", "±\N{NO-BREAK SPACE}")


def _numeric(table: pl.DataFrame, column: str) -> bool:
    return table[column].dtype.is_numeric()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return number(value) if isinstance(value, int | float) else str(value)
