"""Applying rules in order: ratings move from the kept to the ledger, none is lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import polars as pl

from plausibly.cleaning.rule import KEY, PROBES, Context, Rule, known_items
from plausibly.errors import StudyError, UnknownName
from plausibly.tables import ANNOTATORS, EXCLUSIONS, RATINGS

RAW = "raw"


@dataclass(frozen=True, eq=False)
class Stage:
    """The ratings kept after one step; step 0 is the raw data without probes.

    Args:
        step: Number of the step, as in the ledger.
        rule: Name of the rule applied, "raw" for step 0.
        ratings: What is kept after it.
        note: What the rule could not see, as one sentence, or None.
        selected_on_agreement: Whether this rule or one before chose people by agreement.
        unable: Why the rule could judge nobody, as one sentence, or None.
    """

    step: int
    rule: str
    ratings: pl.DataFrame
    note: str | None = None
    selected_on_agreement: bool = False
    unable: str | None = None


@dataclass(frozen=True, eq=False)
class Cleaned:
    """What cleaning leaves: kept ratings, the ledger of the others, and every stage between.

    Kept and excluded together are all ratings that went in.

    Args:
        ratings: The ratings kept.
        exclusions: The ledger.
        stages: The ratings after every step, the raw ones first.
        context: What the rules knew, the ratings of probes among it.
    """

    ratings: pl.DataFrame
    exclusions: pl.DataFrame
    stages: tuple[Stage, ...]
    context: Context


def clean(
    ratings: pl.DataFrame,
    rules: Sequence[Rule],
    context: Context,
    *,
    withdraw: Collection[str] = (),
) -> Cleaned:
    """Apply the rules in the order given and return what is kept, what is not, and why.

    Ratings of checks, gold and attention items are no part of the data (PAP counts "without
    check instances", Table 3): step 0 moves them to the ledger, where the rules about them still
    look. A withdrawn probe is not looked at, so that nobody loses ratings by it.

    Args:
        ratings: The ratings table.
        rules: In the order they apply; each sees what the ones before left.
        context: Items and what else the rules need.
        withdraw: Checks, gold or attention items that turned out to be bad, by item or text.
    """
    raw, aside, context = first_stage(ratings, context, withdraw=withdraw)
    stages, ledger = [raw], [aside]
    for rule in rules:
        stage, suspects = next_stage(stages[-1], rule, context)
        ledger.append(_entries(suspects, rule.name, stage.step))
        stages.append(stage)
    exclusions = EXCLUSIONS.sort(EXCLUSIONS.check(pl.concat(ledger)))
    return Cleaned(stages[-1].ratings, exclusions, tuple(stages), context)


def first_stage(
    ratings: pl.DataFrame, context: Context, *, withdraw: Collection[str] = ()
) -> tuple[Stage, pl.DataFrame, Context]:
    """Return the raw stage, ledger entries of probes, and the context that knows the probes."""
    ratings = RATINGS.sort(RATINGS.check(ratings))
    context = _checked(ratings, context)
    withdrawn = _withdrawn(context.items, withdraw)
    kept, aside, probes = _without_probes(ratings, context, withdrawn)
    return Stage(0, RAW, kept), aside, replace(context, probes=probes)


def next_stage(before: Stage, rule: Rule, context: Context) -> tuple[Stage, pl.DataFrame]:
    """Return the stage a rule leads to, and the suspects it set aside."""
    suspects = rule.find(before.ratings, context).unique(KEY, keep="first")
    kept = before.ratings.join(suspects, on=list(KEY), how="anti", maintain_order="left")
    by_agreement = before.selected_on_agreement or rule.selects_on_agreement
    note = rule.lacks(before.ratings, context)
    unable = rule.unable(before.ratings, context) if before.ratings.height else None
    return Stage(before.step + 1, rule.name, kept, note, by_agreement, unable), suspects


def _checked(ratings: pl.DataFrame, context: Context) -> Context:
    annotators = context.annotators
    return replace(
        context,
        items=known_items(ratings, context.items),
        annotators=None if annotators is None else ANNOTATORS.check(annotators),
    )


def _withdrawn(items: pl.DataFrame, names: Collection[str]) -> list[str]:
    found = []
    for name in names:
        match = items.filter((pl.col("item") == name) | (pl.col("text") == name))
        probes = match.filter(pl.col("kind").is_in(PROBES))
        if match.is_empty():
            known = items.filter(pl.col("kind").is_in(PROBES))["item"].to_list()
            raise UnknownName("item to withdraw", name, known)
        if probes.is_empty():
            raise StudyError(
                f"item {name!r} is not a check, gold or attention item, so there is nothing to "
                "withdraw. Leave it out of the items table to leave it out of the data."
            )
        found += probes["item"].to_list()
    return found


def _without_probes(
    ratings: pl.DataFrame, context: Context, withdrawn: Collection[str]
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return ratings of items, the ledger entries of the others, and those rules may look at."""
    rows = context.items.filter(pl.col("kind").is_in(PROBES)).select("item", "kind")
    kept = ratings.join(rows, on="item", how="anti", maintain_order="left")
    aside = ratings.join(rows, on="item", how="semi", maintain_order="left")
    gone = pl.col("item").is_in(list(withdrawn))
    prefix = pl.when(gone).then(pl.lit("withdrawn_")).otherwise(pl.lit(""))
    bad = pl.lit("withdrawn: it counts for or against nobody")
    whole = pl.format("{} items are no part of the data", "kind")
    entries = (
        aside.select(KEY)
        .join(rows, on="item", maintain_order="left")
        .select(
            *KEY,
            rule=prefix + pl.col("kind") + "_item",
            reason=pl.when(gone).then(bad).otherwise(whole),
            step=pl.lit(0, dtype=pl.Int64),
        )
    )
    return kept, entries, aside.filter(~gone)


def _entries(suspects: pl.DataFrame, rule: str, step: int) -> pl.DataFrame:
    return suspects.select(
        *KEY, rule=pl.lit(rule), reason="reason", step=pl.lit(step, dtype=pl.Int64)
    )
