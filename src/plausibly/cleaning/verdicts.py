"""Two verdicts about each person, on data and on pay, with the rule and the evidence for each.

Whether a person's ratings are used is the researcher's decision; whether the person is paid is not
theirs alone. Platforms uphold a rejection for a proven lack of effort, and overturn one for a
different opinion, a single slip, or something the study itself allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import polars as pl
from scipy.stats import binom

from plausibly.cleaning.rule import PROBES, Context
from plausibly.cleaning.runner import Cleaned
from plausibly.errors import StudyError, UnknownName
from plausibly.measures.checks import (
    FIRST_SIDE,
    LAST_SIDE,
    OFF_STEPS,
    steps_apart,
    unexpected,
)
from plausibly.measures.timed import own_times

KEPT, PARTLY, EXCLUDED = "kept", "partly", "excluded"
PAY, MAY_REJECT, REJECT = "pay", "may reject", "reject"

FAILURES = 2  # this many failed checks show a lack of attention; one is a slip
GROUNDS = ("failed_check", "failed_attention", "too_fast", "straight_lining", "refused_by_platform")
"""Rules whose evidence can justify refusing pay."""

OVERTURNED: Mapping[str, str] = {
    "low_competence": "disagreeing with others does not show a lack of effort",
    "low_agreement": "disagreeing with others does not show a lack of effort",
    "against_label": "disagreeing with a label does not show a lack of effort",
    "off_gold": "a gold label is a judgement; a different one does not show a lack of effort",
    "low_approval": "the approval of earlier work says nothing about this study",
    "few_approved_tasks": "the number of earlier tasks says nothing about this study",
    "unqualified": "the study let them in",
    "few_ratings": "people who stop early submit nothing; ask them to return their place",
    "too_many_items": "the study let them continue",
    "unsure_share": "the form offered the answer 'not sure'",
    "unmoved_slider": "the form accepted the answers",
    "duplicate_answers": "it is unknown who copied from whom",
    "few_ratings_per_item": "the rule is about items, not about the person",
}
SCHEMA = {
    "annotator": pl.String(),
    "data": pl.String(),
    "data_rule": pl.String(),
    "data_evidence": pl.String(),
    "pay": pl.String(),
    "pay_rule": pl.String(),
    "pay_evidence": pl.String(),
    "ratings": pl.Int64(),
    "kept": pl.Int64(),
    "checks": pl.Int64(),
    "failed": pl.Int64(),
    "seconds": pl.Float64(),
    "competence": pl.Float64(),
}


def verdicts(
    cleaned: Cleaned,
    context: Context,
    *,
    competence: Mapping[str, float] | None = None,
    reject: Collection[str] = (),
    scale: Sequence[str] = (),
) -> pl.DataFrame:
    """Return one row per person: the verdicts on data and pay, and their reasons.

    Args:
        cleaned: The result of cleaning.
        context: The items, with the ratings of checks among its probes.
        competence: Shown as evidence; no verdict follows from it.
        reject: People who are not to be paid; raises if a rejection would be overturned.
        scale: The answers in order if they are not numbers, for gold items.
    """
    raw = cleaned.stages[0].ratings
    ledger = cleaned.exclusions.filter(pl.col("step") > 0)
    failed = failed_probes(context, scale)
    seen = _counts(pl.concat([context.probed(kind) for kind in PROBES]))
    known = sorted({*raw["annotator"].unique(), *context.probes["annotator"].unique()})
    stranger = next((name for name in reject if name not in known), None)
    if stranger is not None:
        raise UnknownName("annotator to reject", stranger, known)
    of_person, left, lost = _counts(raw), _counts(cleaned.ratings), _reasons(ledger)
    failures, times = _counts(failed), _times(raw)
    rows = []
    for name in known:
        total, kept = of_person.get(name, 0), left.get(name, 0)
        rule, evidence = lost.get(name, (None, None)) if kept < total else (None, None)
        data = KEPT if kept == total else EXCLUDED if not kept else PARTLY
        pay, ground, why = _pay(rule, data, evidence, failures.get(name, 0), name in reject, name)
        rows.append(
            (
                *(name, data, rule, evidence, pay, ground, why, total, kept),
                *(seen.get(name, 0), failures.get(name, 0), times.get(name)),
                (competence or {}).get(name),
            )
        )
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _pay(
    rule: str | None, data: str, evidence: str | None, failures: int, reject: bool, name: str
) -> tuple[str, str | None, str | None]:
    """Return the verdict on pay with its rule and evidence; raise if a rejection cannot hold."""
    why = _overturned(rule, data, failures)
    if why is None:
        return (REJECT if reject else MAY_REJECT), rule, evidence
    if reject:
        raise StudyError(
            f"annotator {name!r}: a rejection would be overturned: {why}. The rules may exclude "
            "the data, but pay this person."
        )
    return PAY, rule, why if rule else None


def _overturned(rule: str | None, data: str, failures: int) -> str | None:
    """Return why a platform would overturn a rejection, None if it would uphold it."""
    if rule is None or data != EXCLUDED:
        return "no rule excluded all of the ratings"
    if rule in OVERTURNED:
        return OVERTURNED[rule]
    if rule not in GROUNDS:
        return f"{rule} shows no lack of effort"
    if rule in ("failed_check", "failed_attention") and failures < FAILURES:
        return f"{failures} failed check is a slip; {FAILURES} would show inattention"
    return None


def failed_probes(context: Context, scale: Sequence[str] = ()) -> pl.DataFrame:
    """Return the answers to checks, attention and gold items that fail them.

    Args:
        context: The items, with the ratings of checks among its probes.
        scale: The answers in order where they are not numbers, for gold items.
    """
    gold = context.probed("gold")
    far = [
        (apart := steps_apart(answer, expected, scale)) is not None and apart >= OFF_STEPS
        for answer, expected in gold.select("answer", "expected").iter_rows()
    ]
    checks = context.probed("check")
    if context.sides is None:  # it is unknown which answers a side's name covers
        checks = checks.filter(~pl.col("expected").is_in([*LAST_SIDE, *FIRST_SIDE]))
    parts = [
        unexpected(checks, sides=context.sides),
        unexpected(context.probed("attention"), sides=None),
        gold.filter(pl.Series(far, dtype=pl.Boolean)),
    ]
    return pl.concat([part.select("item", "annotator", "answer", "expected") for part in parts])


def _counts(ratings: pl.DataFrame) -> dict[str, int]:
    return dict(ratings.group_by("annotator").len().iter_rows())


def _times(ratings: pl.DataFrame) -> dict[str, float]:
    """Return the median seconds of each person's answers, if times are known."""
    if "seconds" not in ratings.columns:
        return {}
    known = own_times(ratings)
    medians = known.group_by("annotator").agg(pl.col("seconds").median()).drop_nulls()
    return dict(medians.iter_rows())


def _reasons(ledger: pl.DataFrame) -> dict[str, tuple[str, str]]:
    """Return for each person the rule that excluded most of the ratings, and its reason."""
    counted = ledger.group_by("annotator", "rule", "step").agg(
        pl.len().alias("size"), pl.col("reason").sort().first()
    )
    most = counted.sort(["size", "step"], descending=[True, False]).unique(
        "annotator", keep="first", maintain_order=True
    )
    return {
        name: (rule, reason)
        for name, rule, reason in most.select("annotator", "rule", "reason").iter_rows()
    }


CHECK_SCHEMA = {
    "item": pl.String(),
    "kind": pl.String(),
    "expected": pl.String(),
    "answered": pl.Int64(),
    "failed": pl.Int64(),
    "good": pl.Int64(),
    "failed_by_good": pl.Int64(),
    "chance": pl.Float64(),
    "flag": pl.String(),
}
SLIPS = 0.05  # share of good annotators who fail a sound check
RARE = 0.01


def measured_checks(
    context: Context, kept: Collection[str], scale: Sequence[str] = ()
) -> pl.DataFrame:
    """Return one row per check: how often it was failed, also by otherwise good people.

    Good annotators are those whose ratings were kept, or who were removed only because of this
    check, and who failed no other. A check that they fail more often than slips explain (as would
    happen to one in a hundred sound checks) is flagged: the check is more likely wrong than they
    are.

    Args:
        context: The items, with the ratings of checks among its probes.
        kept: Annotators whose ratings were kept.
        scale: The answers in order where they are not numbers, for gold items.
    """
    probes, failed = context.probes, failed_probes(context, scale)
    failures: dict[str, set[str]] = {}
    for item, name in failed.select("item", "annotator").iter_rows():
        failures.setdefault(name, set()).add(item)
    answered: dict[str, list[str]] = {}
    for item, name in probes.select("item", "annotator").unique().sort("annotator").iter_rows():
        answered.setdefault(item, []).append(name)
    probed = context.items.filter(pl.col("kind").is_in(PROBES)).sort("item")
    checks = probed.select("item", "kind", "expected").rows()
    return judged_checks(checks, answered, failures, kept)


def judged_checks(
    checks: Iterable[tuple[str, str, str | None]],
    answered: Mapping[str, Sequence[str]],
    failures: Mapping[str, Collection[str]],
    kept: Collection[str],
) -> pl.DataFrame:
    """Return the same table from the answers and failures of each check.

    Args:
        checks: Each check with its kind and the expected answer.
        answered: The annotators who answered each check.
        failures: The checks that each annotator failed.
        kept: Annotators whose ratings were kept.
    """
    rows = []
    for item, kind, expected in checks:
        people = answered.get(item, [])
        wrong = [name for name in people if item in failures.get(name, ())]
        good = [name for name in people if not set(failures.get(name, ())) - {item}]
        good = [name for name in good if name in kept or name in wrong]
        missed = sum(name in wrong for name in good)
        chance = float(binom.sf(missed - 1, len(good), SLIPS)) if missed else None
        flag = "good annotators fail it" if chance is not None and chance < RARE else None
        rows.append(
            (item, kind, expected, len(people), len(wrong), len(good), missed, chance, flag)
        )
    return pl.DataFrame(rows, schema=CHECK_SCHEMA, orient="row")
