"""One published number beside what the published data says, and a verdict on the two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import ceil, floor, isclose
from pathlib import Path
from typing import Literal

Value = float | int | str | None | list["Value"] | dict[str, "Value"]
Verdict = Literal["exact", "rounding", "erratum", "not computable"]
Replication = Callable[[Path], list["Record"]]


@dataclass(frozen=True, slots=True)
class Record:
    """A published value, the recomputed one, and whether the one follows from the other.

    Args:
        id: Stable dotted name, for example `pap.ratings.total`.
        published: As printed; a fraction where the paper prints percent.
        recomputed: From the released data, unrounded; None if they do not allow it.
        verdict: exact, rounding, erratum or not computable.
        rule: The definition the recomputed value follows.
        note: One sentence on what a reader should make of it.
    """

    id: str
    published: Value
    recomputed: Value
    verdict: Verdict
    rule: str
    note: str

    def as_json(self) -> dict[str, Value]:
        """Return the record with the keys of `replicate --json`."""
        return asdict(self)


def compared(
    name: str,
    published: Value,
    recomputed: Value,
    *,
    digits: int | None = None,
    rule: str,
    note: str,
) -> Record:
    """Return the record of a value, with the verdict the two numbers give.

    Args:
        name: Stable dotted id.
        published: As printed.
        recomputed: From the data, unrounded; None makes the record not computable.
        digits: Decimals the published number is printed with; None asks for equality.
        rule: The definition used.
        note: One sentence.
    """
    return Record(
        name, published, recomputed, verdict_of(published, recomputed, digits), rule, note
    )


def verdict_of(published: Value, recomputed: Value, digits: int | None = None) -> Verdict:
    """Return exact, rounding (equal only when cut instead of rounded), erratum or not computable.

    A value that rounds to the printed digits is exact; one that only truncates to them is a
    matter of rounding.

    >>> verdict_of(0.802, 0.80231, 3), verdict_of(8.9, 8.985, 1), verdict_of(61, 60)
    ('exact', 'rounding', 'erratum')
    """
    if recomputed is None:
        return "not computable"
    printed, given = _number(published), _number(recomputed)
    if digits is None or printed is None or given is None:
        return "exact" if published == recomputed else "erratum"
    scale = 10**digits
    if isclose(round(given, digits), printed, abs_tol=1e-9 / scale):
        return "exact"
    scaled = round(given * scale, 6)
    near = (floor(scaled) / scale, ceil(scaled) / scale)
    return "rounding" if any(isclose(cut, printed, abs_tol=1e-9) for cut in near) else "erratum"


def _number(value: Value) -> float | None:
    return float(value) if isinstance(value, int | float) else None
