"""Three rule sets for GITA's tiers: which stories count, in which group, out of how many.

The paper leaves open what "proportion of testing examples" means (section 4). `gita-2024` is
what the authors' script does and the printed table follows; `calamita` is the later scorer of
the CALAMITA benchmark; `clean` is ours. All three give other numbers for the same answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from plausibly.registry import Registry

Ties = Literal["first", "none", "any"]
LETTERS = {"O": "order", "C": "cloze"}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """How answers become scores.

    Args:
        name: As the command line knows it.
        group: Adds to a table of stories `group` (cloze, order, plausible), `counted` (whether
            the story is in the denominator of tiers two and three) and `expected` (the right
            answer to "is the story plausible?").
        unique: Count a story once however often a file lists it.
        ties: What equally likely best options count as: the `first` of them, `none` at all, or
            `any` of them, so that the right one among them suffices.
        chained: Whether a tier asks for the earlier tiers to be right; otherwise every right
            line of the tier's file counts.
        source: Where the rules come from.
    """

    name: str
    group: Callable[[pl.DataFrame], pl.DataFrame]
    unique: bool
    ties: Ties
    chained: bool
    source: str

    def right(self, gold: pl.Expr) -> pl.Expr:
        """Return whether the answer is the right option."""
        if self.ties == "any":
            return pl.col("best").list.contains(gold).fill_null(value=False)
        right = (pl.col("answer") == gold).fill_null(value=False)
        return right if self.ties == "first" else right & (pl.col("tied") == 1)


def _answer(plausible: pl.Expr) -> pl.Expr:
    return pl.when(plausible).then(pl.lit("true")).otherwise(pl.lit("false"))


def by_letter(stories: pl.DataFrame) -> pl.DataFrame:
    """Group by the letter in `example_id`, count what is flagged implausible."""
    group = (
        pl.when(pl.col("example_id").str.contains("O"))
        .then(pl.lit("order"))
        .when(pl.col("example_id").str.contains("C"))
        .then(pl.lit("cloze"))
        .otherwise(pl.lit("plausible"))
    )
    return stories.with_columns(
        group=group, counted=~pl.col("plausible"), expected=_answer(pl.col("plausible"))
    )


def by_type(stories: pl.DataFrame) -> pl.DataFrame:
    """Group by the field `type`, count what has one."""
    return stories.with_columns(
        group=pl.col("type").fill_null("plausible"),
        counted=pl.col("type").is_not_null(),
        expected=_answer(pl.col("plausible")),
    )


def corrected(stories: pl.DataFrame) -> pl.DataFrame:
    """Group by what a story is: implausible if it breaks, of the kind its fields agree on.

    A story is implausible if it has a breakpoint. Its kind is its `type`; without one, the
    letter in its `example_id`; without both, the kind its story has no other variant of.
    """
    breaks = pl.col("breakpoint") >= 0
    letter = pl.col("example_id").str.extract("([OC])").replace_strict(LETTERS, default=None)
    kind = pl.when(breaks).then(pl.coalesce(pl.col("type"), letter))
    stories = stories.with_columns(kind=kind)
    has = {name: (pl.col("kind") == name).any().over("story") for name in ("order", "cloze")}
    lacking = (
        pl.when(~has["order"] & has["cloze"])
        .then(pl.lit("order"))
        .when(~has["cloze"] & has["order"])
        .then(pl.lit("cloze"))
        .otherwise(pl.lit("unknown"))
    )
    group = pl.when(breaks).then(pl.col("kind").fill_null(lacking)).otherwise(pl.lit("plausible"))
    return stories.with_columns(group=group, counted=breaks, expected=_answer(~breaks)).drop("kind")


GITA_2024 = RuleSet(
    "gita-2024",
    by_letter,
    unique=False,
    ties="first",
    chained=False,
    source="evaluation script of the GITA4CALAMITA repository; metrics.txt and Table 3",
)
CALAMITA = RuleSet(
    "calamita",
    by_type,
    unique=False,
    ties="first",
    chained=False,
    source="scorer of the CALAMITA benchmark (calamita-eval)",
)
CLEAN = RuleSet(
    "clean",
    corrected,
    unique=True,
    ties="none",
    chained=True,
    source="plausibly: unique rows, corrected groups, one denominator per group",
)

RULES: Registry[RuleSet] = Registry(
    "rule set",
    {
        "gita-2024": "plausibly.evaluation.gita_rules:GITA_2024",
        "calamita": "plausibly.evaluation.gita_rules:CALAMITA",
        "clean": "plausibly.evaluation.gita_rules:CLEAN",
    },
)
