"""Printed statements, each with the one verdict its records give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from plausibly.replications.printed import Value
from plausibly.replications.record import AS_PRINTED, FAULTS, Record, Severity, Verdict

# The worst of what a statement consists of decides it: what was not recomputed is not exact.
WORST: tuple[Verdict, ...] = (
    *("erratum", "ambiguous", "side unknown", "release fault", "not computable"),
    *("rounding", "exact", "unprinted"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One printed statement with its one verdict; the records are what it consists of.

    `fault` is the statement it is counted under if it only repeats a fault found there.
    """

    statement: str
    place: str
    says: str
    published: Value
    verdict: Verdict
    severity: Severity | None
    fault: str | None
    note: str
    readings: tuple[Record, ...]

    @property
    def deciding(self) -> tuple[Record, ...]:
        """The records of the statement as it is printed; all of them if nothing is printed."""
        return _deciding(self.readings)

    @property
    def recomputed(self) -> Value:
        """The recomputed value of the statement as printed, by name where there are several."""
        return _together(self.deciding, [record.recomputed for record in self.deciding])

    def as_json(self) -> dict[str, Value]:
        """Return the statement with the keys of `replicate --statements --json`."""
        return {
            "statement": self.statement,
            "place": self.place,
            "says": self.says,
            "published": self.published,
            "verdict": self.verdict,
            "severity": self.severity,
            "fault": self.fault,
            "note": self.note,
            "readings": [record.as_json() for record in self.readings],
        }


def rulings(records: Iterable[Record]) -> tuple[Ruling, ...]:
    """Return the statements the records belong to, in the order of the papers."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.statement, []).append(record)
    every = {name: _ruling(tuple(group)) for name, group in groups.items()}
    faults = {name for name, one in every.items() if one.verdict in FAULTS}
    return tuple(one if one.fault in faults else replace(one, fault=None) for one in every.values())


def counted(statements: Sequence[Ruling]) -> dict[Verdict, int]:
    """Return how many statements got each verdict, each fault once, the worst first."""
    counts = Counter(one.verdict for one in statements if one.fault is None)
    return {verdict: counts[verdict] for verdict in WORST if counts[verdict]}


def _ruling(records: tuple[Record, ...]) -> Ruling:
    deciding = _deciding(records)
    verdict = min((record.verdict for record in deciding), key=WORST.index)
    notes = [record.note for record in deciding if record.verdict == verdict]
    first = deciding[0]
    published = [record.published for record in deciding]
    return Ruling(
        statement=first.statement,
        place=first.place,
        says=first.says,
        published=None if verdict == "unprinted" else _together(deciding, published),
        verdict=verdict,
        severity=next((record.severity for record in deciding if record.severity), None),
        fault=next((record.fault for record in deciding if record.fault), None),
        note=" ".join(dict.fromkeys(notes)),
        readings=records,
    )


def _deciding(records: tuple[Record, ...]) -> tuple[Record, ...]:
    return tuple(record for record in records if record.reading == AS_PRINTED) or records


def _together(records: tuple[Record, ...], values: list[Value]) -> Value:
    """Return the one value, or the values by what their ids do not share."""
    if len(records) == 1:
        return values[0]
    parts = [record.id.split(".") for record in records]
    shared = 0
    while len({tuple(name[: shared + 1]) for name in parts}) == 1:
        shared += 1
    return {
        ".".join(name[shared:] or name[-1:]): value
        for name, value in zip(parts, values, strict=True)
    }
