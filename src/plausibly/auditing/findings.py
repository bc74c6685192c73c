"""What an audit finds: one sentence each, with how often and where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from plausibly.io.personal import personal_kind

Severity = Literal["serious", "minor"]
Numbers = Mapping[str, float]
Section = dict[str, Any]
SHOWN = 20
_MINUS_ZERO = re.compile(r"(?<![\w.])-(0(?:\.0+)?)(?!\.?\d)")
_PERCENT = re.compile(r"(?<=\d)%")


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """One finding.

    Args:
        kind: What was found, in one or two words joined by underscores.
        severity: Whether it can change conclusions (serious) or should be known (minor).
        message: The finding in a sentence.
        n: How many people, items or rows it concerns.
        rows: The first of them, by name.
        evidence: The section of the page that shows it.
        question: The question it is about; None for all of them.
    """

    kind: str
    severity: Severity
    message: str
    n: int
    rows: tuple[str, ...] = ()
    evidence: str = ""
    question: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the finding as `audit --json` prints it."""
        own = {} if self.question is None else {"question": self.question}
        return {
            "kind": self.kind,
            "severity": self.severity,
            "message": self.message,
            "n": self.n,
            "rows": list(self.rows),
            "evidence": self.evidence,
            **own,
        }


def first(names: Sequence[object]) -> tuple[str, ...]:
    """Return the first names, as many as a finding shows."""
    return tuple(map(str, names[:SHOWN]))


def spaced(text: str) -> str:
    """Return a text with a space before each percent sign, and no minus before a zero.

    >>> spaced("7% of the items, -0.00, -0.01")
    '7 % of the items, 0.00, -0.01'
    """
    return _MINUS_ZERO.sub(r"\1", _PERCENT.sub(" %", text))


def shown_names(names: Sequence[str]) -> Iterator[str]:
    """Yield the names of people as a page may show them: ids of platforms become numbers.

    >>> [*shown_names(["anna", "5f1b2c3d4e5f60718293a4b5"])]
    ['anna', 'person 2']
    """
    for place, name in enumerate(names, start=1):
        yield f"person {place}" if personal_kind(name) else name


def unknown(reason: str, **facts: Any) -> Section:
    """Return the section of something that cannot be determined, with the reason."""
    return {"value": None, "reason": reason, **facts}
