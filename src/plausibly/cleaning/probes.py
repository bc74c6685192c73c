"""Rules about items that are there to look at people: checks, gold and attention items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import polars as pl

from plausibly.cleaning.limits import limit
from plausibly.cleaning.rule import KEY, Context, Lack, Rule, ratings_of
from plausibly.errors import UnknownName
from plausibly.measures.checks import OFF_STEPS, place_of, unexpected


def failed_check(
    *,
    more_than: float | None = None,
    at_least: float | None = None,
    min_checks: int = 1,
    attention: bool = False,
) -> Rule:
    """Suspect all ratings of people who failed a check, or more than a share of their checks.

    A check is failed by an answer that is not on the side of the expected one, a slider left in
    the middle included; an attention item by any answer but the one it names.

    Args:
        more_than: Share of the person's checks; 0 means that one failed check is enough.
        at_least: The same, the boundary included.
        min_checks: People who saw fewer checks are not judged by this rule.
        attention: Count attention items among the checks.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1", "c1"], "kind": ["item", "check"],
    ...                       "expected": [None, "5"]})
    >>> probes = ratings.head(1).with_columns(item=pl.lit("c1"), answer=pl.lit("1"))
    >>> context = Context(items, sides=(("1", "2"), ("4", "5")), probes=probes)
    >>> suspects = failed_check().find(ratings, context)
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('a', 'failed 1 of 1 checks (c1)')]
    """
    if more_than is None and at_least is None:
        more_than = 0.0
    allowed = limit(more_than=more_than, at_least=at_least)

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        checks, failures = _checks(context, attention=attention)
        failed = failures.select(*KEY, failed=pl.lit(True))
        people = (
            checks.join(failed, on=list(KEY), how="left")
            .group_by("annotator")
            .agg(
                failed=pl.col("failed").sum(),
                checks=pl.len(),
                items=pl.col("item").filter(pl.col("failed")).sort(),
            )
        )
        share = pl.col("failed") / pl.col("checks")
        crossed = allowed.crossed(share) & (pl.col("failed") > 0)
        suspects = people.filter(crossed & (pl.col("checks") >= min_checks)).with_columns(
            reason=pl.format(
                "failed {} of {} checks ({})", "failed", "checks", pl.col("items").list.join(", ")
            )
        )
        return ratings_of(suspects, ratings)

    few = _few_checks(min_checks, attention=attention)
    return Rule("failed_check", find, lacks=few, unable=_no_checks(min_checks, attention=attention))


def _checks(context: Context, *, attention: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the answers to checks, and those of them that fail."""
    checks = context.probed("check")
    failures = unexpected(checks, sides=context.sides)
    if not attention:
        return checks, failures
    named = context.probed("attention")
    return pl.concat([checks, named]), pl.concat([failures, unexpected(named, sides=None)])


def _few_checks(min_checks: int, *, attention: bool) -> Lack:
    def lacks(ratings: pl.DataFrame, context: Context) -> str | None:
        seen = _checks(context, attention=attention)[0].group_by("annotator").len()
        enough = seen.filter(pl.col("len") >= min_checks)
        people = ratings.select("annotator").unique()
        without = people.join(enough, on="annotator", how="anti").height
        if not without:
            return None
        few = "no check" if min_checks == 1 else f"fewer than {min_checks} checks"
        return (
            f"{without} of {people.height} annotators answered {few}, so checks do not judge them."
        )

    return lacks


def _no_checks(min_checks: int, *, attention: bool) -> Lack:
    def unable(ratings: pl.DataFrame, context: Context) -> str | None:
        people = ratings.select("annotator").unique()
        answered = _checks(context, attention=attention)[0].join(people, on="annotator", how="semi")
        if answered.is_empty():
            return "no checks: nobody was judged by them."
        most = max(answered.group_by("annotator").len()["len"].to_list())
        if most >= min_checks:
            return None
        return (
            f"no annotator answered more than {most} of the {min_checks} checks the rule needs: "
            "nobody was judged by checks."
        )

    return unable


def failed_attention() -> Rule:
    """Suspect all ratings of people who did not pick the answer an attention item names.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1", "c1"], "kind": ["item", "attention"],
    ...                       "expected": [None, "5"]})
    >>> probes = ratings.head(1).with_columns(item=pl.lit("c1"), answer=pl.lit("1"))
    >>> suspects = failed_attention().find(ratings, Context(items, probes=probes))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('a', 'failed attention items: c1')]
    """

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        failed = unexpected(context.probed("attention"), sides=None)
        people = failed.group_by("annotator").agg(pl.col("item").sort())
        suspects = people.with_columns(
            reason=pl.format("failed attention items: {}", pl.col("item").list.join(", "))
        )
        return ratings_of(suspects, ratings)

    return Rule("failed_attention", find, lacks=_without("attention"), unable=_unseen("attention"))


Denominator = Literal["gold", "all"]


def off_gold(
    *,
    at_least_steps: int = OFF_STEPS,
    more_than: float | None = None,
    at_least: float | None = None,
    denominator: Denominator = "gold",
    scale: Sequence[str] = (),
) -> Rule:
    """Suspect all ratings of people whose answers are often far from the gold key.

    Args:
        at_least_steps: An answer this many steps of the scale away from the key is off.
        more_than: Share of answers that may be off.
        at_least: The same, the boundary included.
        denominator: Share of the person's gold items ("gold") or of all their answers ("all");
            Emami et al. (2021, section 4.1) say "of their annotations", which is either.
        scale: The answers in order where they are not numbers; an answer outside is not off.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1", "c1"], "kind": ["item", "gold"],
    ...                       "expected": [None, "5"]})
    >>> probes = ratings.head(1).with_columns(item=pl.lit("c1"), answer=pl.lit("1"))
    >>> context = Context(items, probes=probes)
    >>> suspects = off_gold(more_than=0.5, scale=["1", "2", "3", "4", "5"]).find(ratings, context)
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('a', '1 of 1 gold items off by 2 steps or more')]
    """
    if denominator not in ("gold", "all"):
        raise UnknownName("denominator", denominator, ("gold", "all"))
    allowed = limit(more_than=more_than, at_least=at_least)

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        gold = context.probed("gold")
        apart = _places(gold["answer"], scale) - _places(gold["expected"], scale)
        off = (apart.abs() >= at_least_steps).fill_null(False).alias("off")
        people = (
            gold.with_columns(off).group_by("annotator").agg(pl.col("off").sum(), gold=pl.len())
        )
        every = pl.concat([ratings.select("annotator"), context.probes.select("annotator")])
        people = people.join(every.group_by("annotator").len("all"), on="annotator", how="left")
        suspects = people.filter(
            allowed.crossed(pl.col("off") / pl.col(denominator)) & (pl.col("off") > 0)
        ).with_columns(
            reason=pl.format(
                f"{{}} of {{}} {'gold items' if denominator == 'gold' else 'answers'} off by "
                f"{at_least_steps} steps or more",
                "off",
                denominator,
            )
        )
        return ratings_of(suspects, ratings)

    return Rule("off_gold", find, lacks=_without("gold"), unable=_unseen("gold"))


def _places(answers: pl.Series, scale: Sequence[str]) -> pl.Series:
    """Return the place of each answer: its rank in the scale, or the number it is."""
    distinct = answers.drop_nulls().unique().to_list()
    places = [place_of(answer, scale) for answer in distinct]
    return answers.replace_strict(distinct, places, default=None, return_dtype=pl.Float64)


def _without(kind: str) -> Lack:
    def lacks(ratings: pl.DataFrame, context: Context) -> str | None:
        del ratings
        if context.probed(kind).height:
            return None
        return f"there are no ratings of {kind} items, so the rule judges nobody."

    return lacks


def _unseen(kind: str) -> Lack:
    def unable(ratings: pl.DataFrame, context: Context) -> str | None:
        del ratings
        seen = context.probed(kind).height
        return None if seen else f"no {kind} items: nobody was judged by them."

    return unable
