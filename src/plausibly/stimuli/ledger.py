"""The ledger: every candidate that did not become an item, with the rule and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from plausibly.errors import StudyError, UnknownName
from plausibly.tables import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """One candidate that did not become an item."""

    candidate: str
    rule: str
    reason: str


LEDGER = Table("ledger", Dropped, key=("candidate", "rule", "reason"))


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """How many candidates were left after one step."""

    step: str
    rows: int


@dataclass(frozen=True, eq=False)
class Sieve:
    """Candidates on their way to items: those kept, the ledger of the others, every step between.

    Nothing is mutated: each method returns the next sieve. Kept and dropped are together all
    candidates that went in.

    Args:
        kept: The candidates still in, one row each.
        ledger: The others.
        funnel: Rows left after each step, in order.
        candidate: Gives the name of a candidate in the ledger.
    """

    kept: pl.DataFrame
    ledger: pl.DataFrame
    funnel: tuple[FunnelStep, ...]
    candidate: pl.Expr

    def drop(self, rule: str, *, where: pl.Expr, reason: pl.Expr | str) -> Sieve:
        """Return the sieve without the candidates a condition holds for; null is no.

        Args:
            rule: Named after the suspect: `profane_word`, `no_rating`.
            where: Which candidates go.
            reason: Why, for each of them.
        """
        goes = self.kept.with_columns(where.fill_null(False).alias("__goes"))["__goes"]
        return self.split(rule, goes=goes, reason=reason)

    def split(self, rule: str, *, goes: pl.Series, reason: pl.Expr | str) -> Sieve:
        """Return the sieve without the candidates marked true, row by row."""
        if goes.len() != self.kept.height:
            raise StudyError(
                f"{rule}: {goes.len()} marks for {self.kept.height} candidates. Mark every row."
            )
        why = pl.lit(reason) if isinstance(reason, str) else reason
        gone = self.kept.filter(goes).select(
            candidate=self.candidate, rule=pl.lit(rule), reason=why
        )
        kept = self.kept.filter(~goes)
        ledger = pl.concat([self.ledger, gone])
        return Sieve(kept, ledger, (*self.funnel, FunnelStep(rule, kept.height)), self.candidate)

    def sift(self, refusals: Sequence[tuple[str, str] | None], *, rules: Sequence[str]) -> Sieve:
        """Return the sieve without the candidates that have a rule and a reason, row by row.

        Args:
            refusals: For each candidate the rule it falls under and the reason, None if it stays.
            rules: All rules in the order they are tried; each is a step of the funnel.
        """
        left: Sieve = self
        why = list(refusals)
        strange = sorted({one[0] for one in why if one is not None} - set(rules))
        if strange:
            raise UnknownName("rule of the ledger", strange[0], rules)
        for rule in rules:
            goes = [one is not None and one[0] == rule for one in why]
            reasons = [one[1] for one in why if one is not None and one[0] == rule]
            why = [one for one, gone in zip(why, goes, strict=True) if not gone]
            gone = pl.Series(goes, dtype=pl.Boolean)
            left = left.split(rule, goes=gone, reason=pl.lit(pl.Series(reasons, dtype=pl.String)))
        return left

    def with_columns(self, frame: pl.DataFrame) -> Sieve:
        """Return the sieve with more said about the same candidates, row by row."""
        if frame.height != self.kept.height:
            raise StudyError(
                f"{frame.height} rows about {self.kept.height} candidates. Remove rows with "
                "drop, which records them in the ledger."
            )
        return Sieve(frame, self.ledger, self.funnel, self.candidate)

    def steps(self, of: str) -> list[dict[str, str | int]]:
        """Return the funnel with what its rows are."""
        return [{**step, "of": of} for step in self.as_json()]

    def as_json(self) -> list[dict[str, str | int]]:
        """Return the funnel as it is written: step and rows left after it."""
        return [{"step": one.step, "rows": one.rows} for one in self.funnel]


def sieve(candidates: pl.DataFrame, *, candidate: pl.Expr, step: str = "read") -> Sieve:
    """Return a sieve that still holds every candidate.

    >>> words = sieve(pl.DataFrame({"word": ["tea", "ghost"]}), candidate=pl.col("word"))
    >>> left = words.drop("no_body", where=pl.col("word") == "ghost", reason="it has none")
    >>> left.kept["word"].to_list(), left.ledger.rows()
    (['tea'], [('ghost', 'no_body', 'it has none')])
    >>> left.as_json()
    [{'step': 'read', 'rows': 2}, {'step': 'no_body', 'rows': 1}]
    """
    return Sieve(candidates, LEDGER.empty(), (FunnelStep(step, candidates.height),), candidate)
