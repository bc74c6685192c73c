"""What a publication says, one claim per number, judged by what its data says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from plausibly.replications.record import Record, Value, Verdict, verdict_of


@dataclass(frozen=True, slots=True)
class Claim:
    """One number or statement, before anything is recomputed.

    Args:
        id: Stable dotted name.
        published: As printed; None if it was never printed, only follows from the data.
        rule: The definition the recomputed value follows.
        note: One sentence on what a reader should make of it.
        digits: Decimals the number is printed with; None asks for equality.
        about: The text gives a round figure; a value that rounds to it is a matter of rounding.
    """

    id: str
    published: Value
    rule: str
    note: str
    digits: int | None = None
    about: bool = False

    def judged(self, recomputed: Value, *, missing: str | None = None) -> Record:
        """Return the record of the claim; `missing` says why nothing could be recomputed."""
        note = missing if recomputed is None and missing else self.note
        return Record(
            self.id, self.published, recomputed, self._verdict(recomputed), self.rule, note
        )

    def _verdict(self, recomputed: Value) -> Verdict:
        if self.published is None:
            return "not computable" if recomputed is None else "exact"
        verdict = verdict_of(self.published, recomputed, self.digits)
        if not self.about or verdict == "not computable":
            return verdict
        return "rounding" if verdict == "exact" else "erratum"


def judge(
    claims: Iterable[Claim], numbers: Mapping[str, Value], *, missing: str | None = None
) -> list[Record]:
    """Return one record per claim; a claim without a number is not computable.

    Args:
        claims: What was published.
        numbers: What was recomputed, by id.
        missing: Why there are no numbers, where a file they need is not there.
    """
    return [claim.judged(numbers.get(claim.id), missing=missing) for claim in claims]
