"""Statements made ready for showing: six lines on all of them, then one entry each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from plausibly.replications.claims import read_claims
from plausibly.replications.printed import Value
from plausibly.replications.record import FAULTS, Record, Verdict
from plausibly.replications.rulings import Ruling, counted

NOTHING = "\N{EN DASH}"
LACKING = "in the data folder"
PLURALS = {"erratum": "errata", "release fault": "release faults"}  # the others have none
HEADINGS: dict[Verdict, str] = {
    "erratum": "Errata of the papers",
    "ambiguous": "Statements that another reading fits",
    "side unknown": "Differences that nothing decides",
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
class ErrataEntry:
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
    fault: str | None
    readings: tuple[Row, ...]


def opening(statements: Sequence[Ruling], *, option: bool = False) -> list[str]:
    """Return six lines a reader can act on; `option` names the one of the command line."""
    wrong = [one for one in statements if one.verdict == "erratum"]
    claims = [one for one in wrong if one.severity == "changes a claim"]
    numbers = [one for one in wrong if one.severity != "changes a claim"]
    doubtful = [one for one in statements if one.verdict in ("ambiguous", "side unknown")]
    faults = [one for one in statements if one.verdict == "release fault"]
    unknown = [one for one in statements if one.verdict == "not computable"]
    papers = {one.statement.partition(".")[0] for one in statements}
    places = partial(_places, named=len(papers) > 1)
    which = "; --only 'not computable' shows which"
    return [
        tally(statements),
        f"Do not rely on ({_once(claims)}): {places(claims)}.",
        f"Correct when citing ({_once(numbers)}): {places(numbers)}.",
        f"Check before citing, the paper may be right ({_once(doubtful)}): {places(doubtful)}.",
        f"Correct in the released files before use ({_once(faults)}): {places(faults)}.",
        f"Not recomputed ({len(unknown)}): {_why(unknown)}{which if unknown and option else ''}.",
    ]


def tally(statements: Sequence[Ruling]) -> str:
    """Return how many printed statements got each verdict, each fault once, in words."""
    counts = {verdict: n for verdict, n in counted(statements).items() if verdict != "unprinted"}
    named = [one if n == 1 else PLURALS.get(one, one) for one, n in counts.items()]
    each = ", ".join(f"{n} {one}" for n, one in zip(counts.values(), named, strict=True))
    again = len(statements) - _once(statements)
    repeats = "repeats" if again == 1 else "repeat"
    more = f"; {again} more {repeats} a fault counted under another" if again else ""
    return f"{sum(counts.values()) + again} printed statements: {each or 'none'}{more}."


def _once(statements: Sequence[Ruling]) -> int:
    """Return how many statements there are, those that repeat a fault not counted."""
    return sum(one.fault is None for one in statements)


def _why(unknown: Sequence[Ruling]) -> str:
    """Return how many statements lack a file, and how many nobody outside can decide."""
    files = sum(LACKING in one.note for one in unknown)
    parts = {
        f"{files} need files that are not in the data folder": files,
        f"{len(unknown) - files} cannot be decided from what is released": len(unknown) - files,
    }
    return ", ".join(part for part, count in parts.items() if count) or "nothing"


def _places(statements: Sequence[Ruling], *, named: bool) -> str:
    """Return where statements stand, by paper, each place once; `named` with the paper's name."""
    by_paper: dict[str, list[str]] = {}
    for one in statements:
        if one.fault is None:
            again = _together(_place(two) for two in statements if two.fault == one.statement)
            place = _place(one) + (f", and so {' and '.join(again)}" if again else "")
            by_paper.setdefault(_paper(one), []).append(place)
    parts = []
    for paper, places in by_paper.items():
        times = Counter(places)
        each = [f"{place} ({n} times)" if n > 1 else place for place, n in times.items()]
        parts.append((f"{paper}: " if named else "") + "; ".join(each))
    return " | ".join(parts) or "nothing"


def _together(places: Iterable[str]) -> list[str]:
    """Return each place once, without those that another one includes.

    >>> _together(["section 5, first and second paragraphs", "section 5, first paragraph"])
    ['section 5, first and second paragraphs']
    """
    each = dict.fromkeys(places)
    begun = {one: f"{one.removesuffix(' paragraph')} and " for one in each}
    return [one for one in each if not any(other.startswith(begun[one]) for other in each)]


def _place(statement: Ruling) -> str:
    return statement.place.partition(";")[0].partition(" (")[0]


def _paper(statement: Ruling) -> str:
    name = statement.statement.partition(".")[0]
    return "this release" if name == "release" else read_claims(name).paper


def sections(
    statements: Sequence[Ruling], *, every: bool
) -> Iterator[tuple[str, list[ErrataEntry]]]:
    """Yield statements under a heading per verdict, the worst first: findings, or every one."""
    for verdict, heading in HEADINGS.items():
        if not every and verdict not in FAULTS:
            continue
        entries = [entry(one) for one in statements if one.verdict == verdict]
        if entries:
            yield heading, entries


def entry(statement: Ruling) -> ErrataEntry:
    """Return a statement made ready for showing: of many numbers those that are not exact."""
    deciding = statement.deciding
    shown = [record for record in deciding if record.verdict == statement.verdict]
    names = _names(shown)
    others = [record for record in statement.readings if record not in deciding]
    verdict = statement.verdict + (f", {statement.severity}" if statement.severity else "")
    return ErrataEntry(
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
        fault=statement.fault,
        readings=tuple(_readings(others, statement)),
    )


def _readings(records: Sequence[Record], statement: Ruling) -> Iterator[Row]:
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
    number = record.published
    return record.printed or (f"{number:,}" if type(number) is int else text_of(number))


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
