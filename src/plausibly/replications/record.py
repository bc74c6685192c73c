"""One printed number next to what the published data says, and a verdict on the two."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from plausibly.replications.printed import Value

Verdict = Literal[
    "exact",
    "rounding",
    "erratum",
    "ambiguous",
    "side unknown",
    "release fault",
    "not computable",
    "unprinted",
]
Doubt = Literal["ambiguous", "side unknown"]
Severity = Literal["typographic", "numeric", "changes a claim"]
AS_PRINTED = "as printed"
FAULTS: tuple[Verdict, ...] = ("erratum", "ambiguous", "side unknown", "release fault")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A printed value, the recomputed one, and whether the one follows from the other.

    Args:
        id: Stable dotted name, for example `pap.ratings.total`.
        published: As printed, a fraction where the paper prints percent; None if no paper
            prints it.
        recomputed: From the released data, unrounded; None if they do not allow it.
        verdict: exact, rounding, erratum, ambiguous, side unknown, release fault, not computable
            or unprinted.
        rule: The definition the recomputed value follows.
        note: What a reader should make of it.
        statement: Id of the printed statement it belongs to.
        place: Where that statement stands.
        says: What it claims, in our own words.
        reading: "as printed", or the name of another way to read the statement.
        printed: The number with the digits and words it is printed with.
        severity: Of an erratum: typographic, numeric or changes a claim.
        fault: Id of the statement whose fault this one repeats and under which it is counted.
    """

    id: str
    published: Value
    recomputed: Value
    verdict: Verdict
    rule: str
    note: str
    statement: str
    place: str
    says: str
    reading: str = AS_PRINTED
    printed: str | None = None
    severity: Severity | None = None
    fault: str | None = None

    def as_json(self) -> dict[str, Value]:
        """Return the record with the keys of `replicate --json`."""
        return asdict(self)
