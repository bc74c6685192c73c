"""Statements as lines for a terminal, as a Markdown page, or as one HTML page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from plausibly.replications.rulings import Ruling
from plausibly.replications.showing import NOTHING, ErrataEntry, Row, opening, sections

WIDTH = 100
SHOWN = 4
SUFFIXES = {"markdown": "md", "html": "html"}


def as_text(statements: Sequence[Ruling], *, every: bool, lead: bool) -> Iterator[str]:
    """Yield lines for a terminal: six lines, then findings, or every statement."""
    for line in opening(statements, option=True) if lead else ():
        yield from _wrapped(line, first="")
    for heading, entries in sections(statements, every=every):
        yield from ("", f"{heading} ({sum(one.fault is None for one in entries)})")
        for one in entries:
            yield from ("", *_block(one))


def _block(one: ErrataEntry) -> Iterator[str]:
    yield from _wrapped(f"{one.paper}, {one.place} [{one.statement}]", first="")
    lines = [f"says: {one.says}", *(_line(row) for row in one.rows[:SHOWN])]
    if len(one.rows) > SHOWN:
        lines.append(f"and {len(one.rows) - SHOWN} more of its numbers; see --format markdown")
    if one.fault:
        lines.append(f"the same fault as {one.fault}, counted there")
    for line in [*lines, f"{one.verdict}: {one.note}"]:
        yield from _wrapped(line, first="  ")


def _line(row: Row) -> str:
    name = f"{row.name}: " if row.name else ""
    parts = {"printed": row.printed, "recomputed": row.recomputed}
    return name + ", ".join(f"{word} {text}" for word, text in parts.items() if text != NOTHING)


def _wrapped(line: str, *, first: str) -> list[str]:
    return textwrap.wrap(
        line,
        WIDTH,
        initial_indent=first,
        subsequent_indent=f"{first}  ",
        break_on_hyphens=False,
    )


def as_page(
    statements: Sequence[Ruling], *, form: str, every: bool, lead: bool, command: str
) -> str:
    """Return a page of the findings, or of every statement, in Markdown or HTML."""
    environment = Environment(
        loader=PackageLoader("plausibly.replications"),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html.jinja"]),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["cell"] = _cell
    parts = sections(statements, every=every)
    template = environment.get_template(f"statements.{SUFFIXES[form]}.jinja")
    return template.render(
        opening=opening(statements) if lead else [],
        sections=[(heading, _by_paper(entries)) for heading, entries in parts],
        command=command,
    )


def _by_paper(entries: Iterable[ErrataEntry]) -> dict[str, list[ErrataEntry]]:
    papers: dict[str, list[ErrataEntry]] = {}
    for one in entries:
        papers.setdefault(one.paper, []).append(one)
    return papers


def _cell(text: str) -> str:
    """Return a text that can be in a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")
