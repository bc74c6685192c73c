"""A replication shown to people: five lines, then statements, as text, Markdown or HTML."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from plausibly.replications.claims import read_claims
from plausibly.replications.printed import Value
from plausibly.replications.record import Record, Verdict
from plausibly.replications.results import Judgement, Replicated

WIDTH = 100
NOTHING = "\N{EN DASH}"
LACKING = "in the data folder"
SHOWN = 4
FINDINGS: tuple[Verdict, ...] = ("erratum", "release fault")
HEADINGS: dict[Verdict, str] = {
    "erratum": "Errata of the papers",
    "release fault": "Faults of released files",
    "not computable": "Cannot be recomputed",
    "rounding": "Right but for rounding",
    "exact": "Exact",
    "unprinted": "Not printed; it follows from the data",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One number of a statement: its name where there are several, as printed and recomputed."""

    name: str
    printed: str
    recomputed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One statement made ready for showing."""

    statement: str
    paper: str
    place: str
    says: str
    verdict: str
    rows: tuple[Row, ...]
    same: int
    rules: tuple[str, ...]
    note: str
    readings: tuple[Row, ...]


def opening(result: Replicated) -> list[str]:
    """Return five lines a reader can act on."""
    statements = result.statements
    counts = {verdict: n for verdict, n in result.counts.items() if verdict != "unprinted"}
    told = ", ".join(f"{n} {verdict}" for verdict, n in counts.items())
    wrong = [one for one in statements if one.verdict == "erratum"]
    claims = [one for one in wrong if one.severity == "changes a claim"]
    numbers = [one for one in wrong if one.severity != "changes a claim"]
    faults = [one for one in statements if one.verdict == "release fault"]
    unknown = [one for one in statements if one.verdict == "not computable"]
    return [
        f"{sum(counts.values())} printed statements: {told or 'none'}.",
        f"Do not rely on ({len(claims)}): {_places(claims)}.",
        f"Correct when citing ({len(numbers)}): {_places(numbers)}.",
        f"Correct in the released files before use ({len(faults)}): {_places(faults)}.",
        f"Not recomputed ({len(unknown)}): {_why(unknown)}; --only 'not computable' says which.",
    ]


def _why(unknown: Sequence[Judgement]) -> str:
    """Return how many statements lack a file, and how many nobody outside can decide."""
    files = sum(LACKING in one.note for one in unknown)
    return (
        f"{files} need a file that is not in the data folder, {len(unknown) - files} cannot be "
        "decided from what is released"
    )


def _places(statements: Sequence[Judgement]) -> str:
    """Return where statements stand, by paper, each place once."""
    by_paper: dict[str, list[str]] = {}
    for one in statements:
        place = one.place.partition(";")[0].partition(" (")[0]
        by_paper.setdefault(_paper(one), []).append(place)
    several = len(by_paper) > 1
    parts = []
    for paper, places in by_paper.items():
        counted = Counter(places)
        each = [f"{place} ({n} times)" if n > 1 else place for place, n in counted.items()]
        parts.append((f"{paper}: " if several else "") + "; ".join(each))
    return " | ".join(parts) or "nothing"


def _paper(statement: Judgement) -> str:
    return read_claims(statement.statement.partition(".")[0]).paper


def sections(result: Replicated) -> Iterator[tuple[str, list[Entry]]]:
    """Yield the statements under a heading per verdict, the worst first."""
    for verdict, heading in HEADINGS.items():
        entries = [entry(one) for one in result.statements if one.verdict == verdict]
        if entries:
            yield heading, entries


def entry(statement: Judgement) -> Entry:
    """Return a statement made ready for showing: of many numbers those that are not exact."""
    deciding = statement.deciding
    shown = [record for record in deciding if record.verdict == statement.verdict]
    names = _names(shown)
    others = [record for record in statement.readings if record not in deciding]
    verdict = statement.verdict + (f", {statement.severity}" if statement.severity else "")
    return Entry(
        statement=statement.statement,
        paper=_paper(statement),
        place=statement.place,
        says=statement.says,
        verdict=verdict,
        rows=tuple(
            Row(name, _printed(record), _recomputed(record.recomputed, record.printed or ""))
            for name, record in zip(names, shown, strict=True)
        ),
        same=len(deciding) - len(shown),
        rules=tuple(dict.fromkeys(record.rule for record in shown)),
        note=statement.note,
        readings=tuple(_readings(others, statement)),
    )


def _readings(records: Sequence[Record], statement: Judgement) -> Iterator[Row]:
    """Yield other readings, those of one name and note together, in the unit of the statement."""
    printed = statement.deciding[0].printed or ""
    values: dict[tuple[str, str], list[str]] = {}
    for record in records:
        if record.recomputed is not None:
            note = "" if record.note == statement.note else record.note
            shown = _recomputed(record.recomputed, printed if "%" in printed else "")
            values.setdefault((record.reading, note), []).append(shown)
    for (reading, note), each in values.items():
        yield Row(reading, note, "; ".join(each))


def _names(records: Sequence[Record]) -> list[str]:
    if len(records) == 1:
        return [""]
    parts = [record.id.split(".") for record in records]
    shared = 0
    while len({tuple(name[: shared + 1]) for name in parts}) == 1:
        shared += 1
    return [" ".join(name[shared:] or name[-1:]).replace("_", " ") for name in parts]


def _printed(record: Record) -> str:
    return record.printed or text_of(record.published)


def _recomputed(number: Value, printed: str) -> str:
    """Return a recomputed value in the form of a printed one, with a digit more."""
    digits = re.search(r"\d\.(\d+)", printed)
    places = len(digits[1]) + 1 if digits else 1
    if isinstance(number, float) and "%" in printed and abs(number) <= 1:
        return f"{number * 100:.{places}f} %"
    if isinstance(number, float) and printed:
        return f"{number:,.{places}f}"
    return f"{number:,}" if isinstance(number, int) else text_of(number)


def text_of(value: Value) -> str:
    """Return a value in words.

    >>> text_of({"a": [1, 0.25]}), text_of([])
    ('a: [1, 0.25]', 'none')
    """
    if value is None:
        return NOTHING
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_inner(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(_inner(inner) for inner in value) or "none"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _inner(value: Value) -> str:
    return f"[{text_of(value)}]" if isinstance(value, list | Mapping) else text_of(value)


def as_text(result: Replicated, *, every: bool, lead: bool) -> Iterator[str]:
    """Yield lines for a terminal: five lines, then findings, or every statement."""
    for line in opening(result) if lead else ():
        yield from _wrapped(line, first="")
    for heading, entries in sections(result if every else result.only(FINDINGS)):
        yield from ("", f"{heading} ({len(entries)})")
        for one in entries:
            yield from ("", *_block(one))


def _block(one: Entry) -> Iterator[str]:
    yield from _wrapped(f"{one.paper}, {one.place} [{one.statement}]", first="")
    lines = [f"says: {one.says}", *(_line(row) for row in one.rows[:SHOWN])]
    if len(one.rows) > SHOWN:
        lines.append(f"and {len(one.rows) - SHOWN} more of its numbers; see --format markdown")
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


def as_page(result: Replicated, *, form: str, every: bool, lead: bool, command: str) -> str:
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
    shown = result if every else result.only(FINDINGS)
    template = environment.get_template(f"statements.{form}.jinja")
    return template.render(
        opening=opening(result) if lead else [],
        sections=[(heading, _by_paper(entries)) for heading, entries in sections(shown)],
        command=command,
    )


def _by_paper(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    papers: dict[str, list[Entry]] = {}
    for one in entries:
        papers.setdefault(one.paper, []).append(one)
    return papers


def _cell(text: str) -> str:
    """Return a text that can stand in a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")
