"""Rules about single answers and about how an item or a person was answered as a whole."""

from __future__ import annotations

from math import comb, exp

import polars as pl

from plausibly.cleaning.limits import Limit, limit
from plausibly.cleaning.rule import KEY, Context, Rule, nobody, ratings_of
from plausibly.measures.checks import same
from plausibly.measures.timed import divided_times, own_times


def unmoved_slider(*, start: str | float | None = None) -> Rule:
    """Suspect single ratings whose slider was not moved from its start.

    Args:
        start: Where the slider started for items without a value in the column `start`, unless
            the form declares it.

    >>> rows = [("t1", "a", "q", "3"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1"]})
    >>> suspects = unmoved_slider(start=3).find(ratings, Context(items))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('a', 'left at the start value 3')]
    """
    given = None if start is None else str(start)

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        placed = _started(ratings, context, given)
        distinct = placed.select("answer", "start").drop_nulls().unique()
        unmoved = pl.Series([same(a, s) for a, s in distinct.iter_rows()], dtype=pl.Boolean)
        left = placed.join(distinct.filter(unmoved), on=["answer", "start"], how="semi")
        return left.select(*KEY, reason=pl.format("left at the start value {}", "start"))

    def lacks(ratings: pl.DataFrame, context: Context) -> str | None:
        without = _started(ratings, context, given)["start"].null_count()
        if not without or context.starts is not None:
            return None
        return f"{without} of {ratings.height} ratings have no known start value."

    def unable(ratings: pl.DataFrame, context: Context) -> str | None:
        known = _started(ratings, context, given)["start"]
        if known.null_count() < known.len() or context.starts is not None:
            return None
        return "no start values of sliders: unmoved sliders were not judged."

    return Rule("unmoved_slider", find, lacks=lacks, unable=unable)


def _started(ratings: pl.DataFrame, context: Context, start: str | None) -> pl.DataFrame:
    default = pl.lit(start, dtype=pl.String)
    if context.starts is not None:
        known = pl.col("question").replace_strict(
            dict(context.starts), default=None, return_dtype=pl.String
        )
        default = pl.coalesce(known, default)
    if "start" not in context.items.columns:
        return ratings.with_columns(start=default)
    starts = context.items.select("item", start=pl.col("start").cast(pl.String))
    placed = ratings.drop("start", strict=False).join(starts, on="item", how="left")
    return placed.with_columns(pl.col("start").fill_null(default))


def too_fast(
    *, seconds_below: float, more_than: float | None = None, at_least: float | None = None
) -> Rule:
    """Suspect ratings given in less than `seconds_below` seconds.

    Args:
        seconds_below: Ratings that took less are fast; a rating without its own time is not.
        more_than: If given, suspect instead all ratings of people whose share of fast ratings,
            among those with a time, is larger.
        at_least: The same, but including the limit.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t1", "b", "q", "4")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1"]})
    >>> ratings = ratings.with_columns(seconds=pl.Series([0.4, 7.0]))
    >>> suspects = too_fast(seconds_below=1).find(ratings, Context(items))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('a', 'answered in 0.4 s')]
    """
    quick = Limit("<", seconds_below)
    whole_person = more_than is not None or at_least is not None
    allowed = limit(more_than=more_than, at_least=at_least) if whole_person else None

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        del context
        if "seconds" not in ratings.columns:
            return nobody(ratings)
        ratings = own_times(ratings)
        fast = quick.crossed(pl.col("seconds"))
        if allowed is None:
            reason = pl.format("answered in {} s", pl.col("seconds").round(2))
            return ratings.filter(fast).select(*KEY, reason=reason)
        people = (
            ratings.drop_nulls("seconds").group_by("annotator").agg(fast=fast.sum(), timed=pl.len())
        )
        suspects = people.filter(allowed.crossed(pl.col("fast") / pl.col("timed")))
        reason = pl.format(
            f"{{}} of {{}} answers took less than {quick.value:g} s", "fast", "timed"
        )
        return ratings_of(suspects.with_columns(reason=reason), ratings)

    def lacks(ratings: pl.DataFrame, context: Context) -> str | None:
        del context
        known = "seconds" in ratings.columns
        without = own_times(ratings)["seconds"].null_count() if known else ratings.height
        return f"{without} of {ratings.height} ratings have no time." if without else None

    def unable(ratings: pl.DataFrame, context: Context) -> str | None:
        del context
        if "seconds" in ratings.columns and own_times(ratings)["seconds"].count():
            return None
        whole = divided_times(ratings) > 0
        why = "times are totals divided by items" if whole else "no times"
        return f"{why}: speed was not judged."

    return Rule("too_fast", find, lacks=lacks, unable=unable)


def straight_lining(
    *, at_least: int, min_share: float = 1.0, chance_below: float | None = None
) -> Rule:
    """Suspect all ratings of people who gave (nearly) always the same answer.

    Args:
        at_least: People with fewer ratings of a question are not judged on it.
        min_share: Share of a person's ratings of a question that are the same answer.
        chance_below: Spare people whose run of equal answers is at least this likely when each item
            is answered as the others did: if nearly everyone says yes, a run of yes is expected.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t2", "a", "q", "5"),
    ...         ("t1", "b", "q", "5"),
    ...         ("t2", "b", "q", "1")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1", "t2"]})
    >>> suspects = straight_lining(at_least=2).find(ratings, Context(items))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('a', '2 of 2 answers are 5')]
    """
    enough, uniform = Limit(">=", at_least), Limit(">=", min_share)

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        del context
        people = _lines(ratings).filter(
            enough.crossed(pl.col("total")) & uniform.crossed(pl.col("same") / pl.col("total"))
        )
        reason = pl.format("{} of {} answers are {}", "same", "total", "answer")
        if chance_below is not None:
            rare = pl.col("chance") < chance_below
            people = people.with_columns(chance=_chances(people)).filter(rare)
            chance = pl.col("chance").map_elements(lambda one: f"{one:.1g}", return_dtype=pl.String)
            reason = pl.format("{}; the probability by chance is {}", reason, chance)
        suspects = people.sort("question", "answer").unique("annotator", keep="first")
        return ratings_of(suspects.with_columns(reason=reason), ratings)

    return Rule("straight_lining", find)


def _lines(ratings: pl.DataFrame) -> pl.DataFrame:
    """Return how often each person gave each answer, and how common it was among the others.

    `usual` is the sum of the logarithms of the share of others who gave the same answer to the
    same item, with one added to each count to avoid zero.
    """
    of_answer, of_item = ("item", "question", "answer"), ("item", "question")
    kinds = pl.col("answer").n_unique().over("question")
    share = pl.len().over(of_answer) / (pl.len().over(of_item) - 1 + kinds)
    counted = ratings.with_columns(share=share).group_by("annotator", "question", "answer")
    lines = counted.agg(same=pl.len(), usual=pl.col("share").log().sort().sum())
    return lines.with_columns(total=pl.col("same").sum().over("annotator", "question"))


def _chances(lines: pl.DataFrame) -> pl.Series:
    """Return how probable each run of answers is if answers are drawn from the others."""
    rows = lines.select("same", "total", "usual").iter_rows()
    return pl.Series([min(1.0, comb(n, k) * exp(usual)) for k, n, usual in rows], dtype=pl.Float64)


def duplicate_answers(*, at_least: int) -> Rule:
    """Suspect all ratings of people whose answers equal another's on all items they share.

    It is unknown whether one person came twice or one copied from the other, so both are suspects.

    Args:
        at_least: Pairs that share fewer items and questions are not judged.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t2", "a", "q", "4"),
    ...         ("t1", "b", "q", "5"),
    ...         ("t2", "b", "q", "4")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1", "t2"]})
    >>> suspects = duplicate_answers(at_least=2).find(ratings, Context(items))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('a', 'all 2 shared answers equal those of b'), ('b', 'all 2 shared answers equal those of a')]
    """

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        del context
        busy = pl.len().over("annotator") >= at_least
        left = ratings.filter(busy).select("item", "question", "annotator", "answer")
        pairs = left.join(left, on=["item", "question"], suffix="_other").filter(
            pl.col("annotator") != pl.col("annotator_other")
        )
        people = (
            pairs.group_by("annotator", "annotator_other")
            .agg(shared=pl.len(), equal=(pl.col("answer") == pl.col("answer_other")).sum())
            .filter((pl.col("shared") >= at_least) & (pl.col("equal") == pl.col("shared")))
        )
        suspects = people.sort("annotator", "annotator_other").unique("annotator", keep="first")
        reason = pl.format("all {} shared answers equal those of {}", "shared", "annotator_other")
        return ratings_of(suspects.with_columns(reason=reason), ratings)

    return Rule("duplicate_answers", find)


def few_ratings_per_item(*, at_least: int | None = None, more_than: int | None = None) -> Rule:
    """Suspect all ratings of items that have too few ratings left.

    Args:
        at_least: Items keep their ratings of a question if they have this many.
        more_than: Items keep them only with more than this many.

    >>> rows = [("t1", "a", "q", "3"),
    ...         ("t1", "b", "q", "5"),
    ...         ("t2", "a", "q", "4")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1", "t2"]})
    >>> suspects = few_ratings_per_item(at_least=2).find(ratings, Context(items))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('a', 'the item has 1 ratings left; 2 are required')]
    """
    wanted = limit(at_least=at_least, more_than=more_than)

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        del context
        left = pl.len().over("item", "question")
        few = ratings.with_columns(left=left).filter(~wanted.crossed(pl.col("left")))
        wanted_text = f"{wanted.value:g}" if wanted.sign == ">=" else f"more than {wanted.value:g}"
        reason = pl.format(f"the item has {{}} ratings left; {wanted_text} are required", "left")
        return few.select(*KEY, reason=reason)

    return Rule("few_ratings_per_item", find)
