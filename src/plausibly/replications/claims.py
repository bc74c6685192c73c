"""What a publication prints, statement by statement, judged by what its data says.

Each dataset has a `claims.toml` with one `[[statement]]` per printed statement: its `id`, its
`place`, what it `says` in our own words, and the numbers it consists of, either as a table
`[statement.printed]` of ids and printed values under one rule, or one by one as
`[[statement.claim]]` with a `rule` and `note` of their own. A claim without a printed value is
another way to read the statement, or a number nobody printed. An id that ends in `.*` stands for
every recomputed number that begins with it. A statement whose number differs is an erratum unless
it has a `doubt`: "ambiguous" where another reading of its words fits, "side unknown" where two
sources differ and nothing shows which is right. A fault is counted once: a statement that repeats
one names the statement it is counted under as its `fault`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from plausibly.io.opening import packaged_toml
from plausibly.replications.printed import Value, agreement, value_of
from plausibly.replications.record import AS_PRINTED, FAULTS, Doubt, Record, Severity, Verdict

NOT_PRINTED = "not printed"
FROM_DATA = "from the data"
ANY = ".*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One number of a statement, before anything is recomputed.

    Args:
        id: Stable dotted name; with `.*` at the end, every number that begins with it.
        rule: The definition the recomputed value follows.
        note: What a reader should make of it.
        printed: The value with its printed digits and words; None for one that is not printed.
        reading: The name of another way to read the statement.
        missing: Why nothing could be recomputed, where nothing was.
        released: The published value is in a file of the release, not in the paper.
    """

    id: str
    rule: str
    note: str
    printed: Value = None
    reading: str = FROM_DATA
    missing: str | None = None
    released: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One printed statement: where it is, what it says, and the numbers it consists of.

    Args:
        id: Stable dotted name.
        place: Where it is printed.
        says: What it claims, in our own words.
        source: Who states it: the paper, or a file of the release.
        severity: How much an erratum matters.
        claims: The numbers it consists of.
        doubt: What a difference is called where it need not be an error of the paper.
        fault: The statement whose fault a difference repeats.
    """

    id: str
    place: str
    says: str
    source: Literal["paper", "release"]
    severity: Severity | None
    claims: tuple[Claim, ...]
    doubt: Doubt | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Recomputed:
    """The numbers of a replication by id, and those the files of the release state themselves."""

    numbers: Mapping[str, Value]
    released: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claims:
    """All statements of one publication."""

    paper: str
    statements: tuple[Statement, ...]

    def printed(self, name: str) -> Value:
        """Return the printed value of one claim, percent as a fraction."""
        return self.under(name)[""]

    def number(self, name: str) -> float:
        """Return the printed number of one claim."""
        return self.numbers(name)[""]

    def numbers(self, prefix: str) -> dict[str, float]:
        """Return the printed numbers below a dotted name, by the rest of their ids."""
        return {
            name: value
            for name, value in self.under(prefix).items()
            if isinstance(value, int | float)
        }

    def under(self, prefix: str) -> dict[str, Value]:
        """Return the printed values below a dotted name, by the rest of their ids."""
        return {
            claim.id.removeprefix(prefix).removeprefix("."): value_of(claim.printed)
            for statement in self.statements
            for claim in statement.claims
            if claim.printed is not None and f"{claim.id}.".startswith(f"{prefix}.")
        }

    def judged(self, recomputed: Recomputed) -> list[Record]:
        """Return a record per claim; raise if a number belongs to no claim."""
        own = {claim.id for statement in self.statements for claim in statement.claims}
        general = sorted((name for name in own if name.endswith(ANY)), key=len, reverse=True)
        families: dict[str, list[str]] = {name: [] for name in general}
        for number in recomputed.numbers:
            if number not in own:
                families[_family(number, general)].append(number)
        return [
            _record(statement, claim, name, recomputed)
            for statement in self.statements
            for claim in statement.claims
            for name in families.get(claim.id, [claim.id])
        ]


def _family(number: str, general: Sequence[str]) -> str:
    """Return the longest general claim that covers a number."""
    family = next((name for name in general if number.startswith(name[:-1])), None)
    if family is None:
        raise LookupError(f"{number}: recomputed, but claims.toml has no claim for it.")
    return family


def _record(statement: Statement, claim: Claim, name: str, recomputed: Recomputed) -> Record:
    printed = recomputed.released.get(name) if claim.released else claim.printed
    number = recomputed.numbers.get(name)
    verdict = _verdict(statement, printed, number)
    note = claim.missing if number is None and claim.missing else claim.note
    return Record(
        id=name,
        published=value_of(printed),
        recomputed=number,
        verdict=verdict,
        rule=claim.rule,
        note=note,
        statement=statement.id,
        place=statement.place,
        says=statement.says,
        reading=claim.reading if printed is None else AS_PRINTED,
        printed=printed if isinstance(printed, str) else None,
        severity=statement.severity if verdict == "erratum" else None,
        fault=statement.fault if verdict in FAULTS else None,
    )


def _verdict(statement: Statement, printed: Value, recomputed: Value) -> Verdict:
    if printed is None:
        return "unprinted"
    if recomputed is None:
        return "not computable"
    agrees = agreement(printed, recomputed)
    if agrees != "erratum":
        return agrees
    return statement.doubt or ("release fault" if statement.source == "release" else "erratum")


@cache
def read_claims(name: str) -> Claims:
    """Return what the publication of one dataset prints."""
    document = packaged_toml("plausibly.datasets", f"{name}/claims.toml")
    return Claims(document["paper"], tuple(_statement(table) for table in document["statement"]))


def _statement(table: dict[str, Any]) -> Statement:
    return Statement(
        id=table["id"],
        place=table.get("place", NOT_PRINTED),
        says=table["says"],
        source=table.get("source", "paper"),
        severity=table.get("severity"),
        doubt=table.get("doubt"),
        fault=table.get("fault"),
        claims=tuple(_claims(table)),
    )


def _claims(table: dict[str, Any]) -> Iterator[Claim]:
    shared = {key: table[key] for key in ("rule", "note", "missing") if key in table}
    for name, printed in table.get("printed", {}).items():
        yield Claim(id=name, printed=printed, **shared)
    for claim in table.get("claim", ()):
        yield Claim(**(shared | claim))
