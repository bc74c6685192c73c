"""How a study was done, according to its files: what a methods section must report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from plausibly.tables import EXCLUSIONS


@dataclass(frozen=True, slots=True)
class Procedure:
    """How people were asked, and what their answers cost.

    Args:
        measured: What the numbers mean; those of two protocols must not be compared as one.
        instructions: Paragraphs as people read them.
        eligibility: Who could take part, as people were asked.
        pay: What people were promised.
        reward: The same as a number, for one batch; 0 if no number is known.
        currency: Currency of the reward, such as GBP; empty if it is not declared.
        cost: What the whole collection cost, in sentences; empty if it is not known.
        batch_seconds: How long a batch took in the middle of all; None if nobody knows.
        files: From a file the page is made of to the beginning of its SHA-256.
    """

    measured: str = ""
    instructions: tuple[str, ...] = ()
    eligibility: str = ""
    pay: str = ""
    reward: float = 0.0
    currency: str = ""
    cost: str = ""
    batch_seconds: float | None = None
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def minutes(self) -> float | None:
        """How long a batch took."""
        return None if self.batch_seconds is None else self.batch_seconds / 60

    @property
    def hourly(self) -> float | None:
        """What an hour was paid; None where pay or time is not known.

        >>> Procedure(reward=1.5, batch_seconds=600).hourly
        9.0
        """
        return (
            self.reward * 3600 / self.batch_seconds if self.reward and self.batch_seconds else None
        )


def exclusion_rows(
    exclusions: pl.DataFrame, cascade: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return every rule in its order, with what it set aside; one that set nothing aside has 0.

    A rule that could not run has the reason as `unable`.

    Args:
        exclusions: The ledger.
        cascade: What each step of cleaning left; without it only rules of the ledger are known.
    """
    grouped = EXCLUSIONS.check(exclusions).group_by("step", "rule")
    counts = grouped.agg(ratings=pl.len(), people=pl.col("annotator").n_unique())
    found = {(row["step"], row["rule"]): row for row in counts.to_dicts()}
    known = {(s["step"], s["rule"]): s for s in cascade if isinstance(s.get("step"), int)}
    return [
        {
            "rule": rule_text(rule, known.get((step, rule), {}).get("parameters") or {}),
            "ratings": found.get((step, rule), {}).get("ratings", 0),
            "people": found.get((step, rule), {}).get("people", 0),
            "unable": known.get((step, rule), {}).get("unable"),
        }
        for step, rule in sorted({*found, *known})
    ]


_PHRASES: Mapping[str, str] = {
    "min_checks": "of {} or more checks",
    "attention": "attention checks included",
    "seconds_below": "less than {} seconds",
    "min_share": "{} or more the same answer",
    "chance_below": "expected by chance in less than {} of cases",
    "at_least_steps": "{} or more steps off",
    "zero": "an approval of 0 included",
    "on": "on {} items",
    "denominator": "of {} items",
    "start": "started at {}",
}
_OF_RULES: Mapping[tuple[str, str], str] = {
    ("too_fast", "more_than"): "in more than {} of a person's ratings",
    ("too_fast", "at_least"): "in {} or more of a person's ratings",
    ("straight_lining", "at_least"): "in {} or more ratings",
    ("failed_check", "more_than"): "more than {} failed",
    ("failed_check", "at_least"): "{} or more failed",
}
"""Thresholds whose meaning depends on the rule."""
_SHARES = ("more_than", "at_least", "min_share", "chance_below")


def _choice(rule: str, name: str, value: Any) -> str:
    """Return a threshold or choice in words; what is switched off, and scales, need none."""
    if value is False or isinstance(value, list | tuple):
        return ""
    share = name in _SHARES and isinstance(value, float) and 0 < value <= 1
    number = f"{100 * value:g} %" if share else f"{value:g}" if _is_number(value) else str(value)
    phrase = _OF_RULES.get((rule, name)) or _PHRASES.get(name)
    return (phrase or f"{name.replace('_', ' ')} {{}}").format(number)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def rule_text(rule: str, parameters: Mapping[str, Any]) -> str:
    """Return a rule and its thresholds in words.

    >>> rule_text("few_ratings", {"fewer_than": 10})
    'few ratings (fewer than 10)'
    >>> rule_text("failed_check", {"min_checks": 3, "more_than": 0.34, "attention": True})
    'failed check (of 3 or more checks, more than 34 % failed, attention checks included)'
    """
    choices = (_choice(rule, name, value) for name, value in parameters.items())
    settings = ", ".join(filter(None, choices))
    return rule.replace("_", " ") + (f" ({settings})" if settings else "")
