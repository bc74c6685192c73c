"""Applies rules in order: excluded ratings move to the ledger, and none is lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import polars as pl

from plausibly.cleaning.rule import FILLER, KEY, PROBES, Context, Rule, known_items
from plausibly.errors import StudyError, UnknownName
from plausibly.tables import ANNOTATORS, EXCLUSIONS, RATINGS

RAW = "raw"


@dataclass(frozen=True, eq=False)
class Stage:
    """The ratings kept after one step; step 0 is the raw data without probes.

    Args:
        step: Number of the step, as in the ledger.
        rule: Name of the rule applied, "raw" for step 0.
        ratings: The ratings kept after it.
        note: One sentence on what the rule could not judge, or None.
        selected_on_agreement: Whether this rule or an earlier one selected people by agreement.
        unable: One sentence on why the rule could judge nobody, or None.
    """

    step: int
    rule: str
    ratings: pl.DataFrame
    note: str | None = None
    selected_on_agreement: bool = False
    unable: str | None = None


@dataclass(frozen=True, eq=False)
class Cleaned:
    """The result of cleaning: kept ratings, the ledger of the others, and every stage between.

    Kept and excluded ratings together are all input ratings.

    Args:
        ratings: The ratings kept.
        exclusions: The ledger.
        stages: The ratings after every step, the raw ones first.
        context: What the rules knew, including the ratings of probes.
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
    """Apply the rules in the given order; return what is kept, what is not, and why.

    Ratings of checks, gold and attention items are not data (PAP counts "without check instances",
    Table 3), nor are those of fillers: step 0 moves them to the ledger, where the rules about
    them still find them. A withdrawn probe is ignored and costs nobody any ratings.

    Args:
        ratings: The ratings table.
        rules: The rules in order; each sees what the earlier ones left.
        context: Items and whatever else the rules need.
        withdraw: Checks, gold or attention items that turned out to be faulty, by item or text.
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
    """Return the raw stage, the ledger entries of probes, and the context with the probes."""
    ratings = RATINGS.sort(RATINGS.check(ratings))
    context = _checked(ratings, context)
    withdrawn = _withdrawn(context.items, withdraw)
    kept, aside, probes = _without_probes(ratings, context, withdrawn)
    return Stage(0, RAW, kept), aside, replace(context, probes=probes)


def next_stage(before: Stage, rule: Rule, context: Context) -> tuple[Stage, pl.DataFrame]:
    """Return the stage after a rule, and the suspects it excluded."""
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
    withdrawn = []
    for name in names:
        match = items.filter((pl.col("item") == name) | (pl.col("text") == name))
        probes = match.filter(pl.col("kind").is_in(PROBES))
        if match.is_empty():
            known = items.filter(pl.col("kind").is_in(PROBES))["item"].to_list()
            raise UnknownName("item to withdraw", name, known)
        if probes.is_empty():
            raise StudyError(
                f"item {name!r} is not a check, gold or attention item, so there is nothing to "
                "withdraw. To leave it out of the data, remove it from the items table."
            )
        withdrawn += probes["item"].to_list()
    return withdrawn


def _without_probes(
    ratings: pl.DataFrame, context: Context, withdrawn: Collection[str]
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return ratings of items, ledger entries of the others, and those that rules may use."""
    apart = pl.col("kind").is_in((*PROBES, FILLER))
    kinds = context.items.filter(apart).select("item", "kind")
    kept = ratings.join(kinds, on="item", how="anti", maintain_order="left")
    aside = ratings.join(kinds, on="item", how="semi", maintain_order="left")
    gone = pl.col("item").is_in(list(withdrawn))
    prefix = pl.when(gone).then(pl.lit("withdrawn_")).otherwise(pl.lit(""))
    bad = pl.lit("withdrawn: it counts for or against nobody")
    whole = pl.format("{} items are not data", "kind")
    entries = (
        aside.select(KEY)
        .join(kinds, on="item", maintain_order="left")
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
