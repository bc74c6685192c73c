"""Rules about what a person did over all their ratings, and what is known about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import polars as pl

from plausibly.cleaning.limits import limit
from plausibly.cleaning.rule import KEY, Context, Lack, Rule, nobody, ratings_of
from plausibly.errors import StudyError, UnknownName
from plausibly.measures.checks import expected_side, side_column
from plausibly.measures.coded import code
from plausibly.measures.jaccard import NO_SIDE, soft_jaccard_by_annotator

TIMES = ("submitted", "started")


def few_ratings(*, fewer_than: int | None = None, at_most: int | None = None) -> Rule:
    """Suspect all ratings of people who rated fewer than `fewer_than` items.

    Args:
        fewer_than: Number of items.
        at_most: The same, the boundary included.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t2", "a", "q", "4"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1", "t2"]})
    >>> suspects = few_ratings(fewer_than=2).find(ratings, Context(items))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('b', 'rated 1 items (< 2)')]
    """
    few = limit(fewer_than=fewer_than, at_most=at_most)

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        del context
        people = ratings.group_by("annotator").agg(pl.col("item").n_unique())
        suspects = people.filter(few.crossed(pl.col("item")))
        reason = pl.format(f"rated {{}} items ({few})", "item")
        return ratings_of(suspects.with_columns(reason=reason), ratings)

    return Rule("few_ratings", find)


def too_many_items(
    *,
    more_than: int | None = None,
    at_least: int | None = None,
    keep: Literal["none", "first"] = "none",
) -> Rule:
    """Suspect people who rated more than `more_than` items.

    Args:
        more_than: Items a person may have rated.
        at_least: The same, the boundary included.
        keep: "none" of their ratings, or those of the "first" items they may have rated, by the
            times in the ratings; without times, by the name of the item.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t2", "a", "q", "4"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1", "t2"]})
    >>> suspects = too_many_items(more_than=1).find(ratings, Context(items))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('a', 'rated 2 items (> 1)')]
    """
    many = limit(more_than=more_than, at_least=at_least)
    allowed = int(many.value) - (many.sign == ">=")

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        del context
        people = ratings.group_by("annotator").agg(pl.col("item").n_unique())
        suspects = people.filter(many.crossed(pl.col("item")))
        reason = pl.format(f"rated {{}} items ({many})", "item")
        theirs = ratings_of(suspects.with_columns(reason=reason), ratings)
        if keep == "none":
            return theirs
        return theirs.join(_first(ratings, allowed), on=["annotator", "item"], how="anti")

    def lacks(ratings: pl.DataFrame, context: Context) -> str | None:
        del context
        timed = any(column in ratings.columns for column in TIMES)
        return (
            None
            if keep == "none" or timed
            else "there are no times, so the first items by name were kept."
        )

    return Rule("too_many_items", find, lacks=lacks)


def _first(ratings: pl.DataFrame, allowed: int) -> pl.DataFrame:
    """Return annotator and item of the first items each person rated."""
    times = [column for column in TIMES if column in ratings.columns]
    when = [pl.col(column).min() for column in times]
    items = ratings.group_by("annotator", "item").agg(*when).sort("annotator", *times, "item")
    place = pl.int_range(pl.len()).over("annotator")
    return items.filter(place < allowed).select("annotator", "item")


On = Literal["attested", "both"]


def against_label(
    *, more_than: float | None = None, at_least: float | None = None, on: On = "attested"
) -> Rule:
    """Suspect all ratings of people who often judge against the original label.

    An answer is against the label when it lies on the opposite side: on the first side for an
    attested item. Answers on no side count in the whole only. People without a rating of such an
    item are not judged.

    Args:
        more_than: Share of the person's ratings of these items.
        at_least: The same, the boundary included.
        on: Attested items only, or perturbed ones too. Perturbed items are not thereby
            implausible (the released PAP ratings find them plausible in 61 %), so "both" throws
            out careful people.

    >>> rows = [("t1", "a", "q", "1"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1"], "condition": ["attested"]})
    >>> context = Context(items, sides=(("1", "2"), ("4", "5")))
    >>> suspects = against_label(more_than=0.75).find(ratings, context)
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('a', '1 of 1 ratings of attested items are against the label (> 0.75)')]
    """
    if on not in ("attested", "both"):
        raise UnknownName("set of items", on, ("attested", "both"))
    often = limit(more_than=more_than, at_least=at_least)
    conditions = ["attested"] if on == "attested" else ["attested", "perturbed"]

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        if context.sides is None:
            raise StudyError(
                "against_label needs to know which answers are plausible. "
                "Pass sides, lowest first, as in '1,2|4,5'."
            )
        wanted = [expected_side(condition, context.sides) for condition in conditions]
        judged = context.on(ratings, "condition").filter(pl.col("condition").is_in(conditions))
        side = side_column(judged["answer"], context.sides).alias("side")
        label = pl.col("condition").replace_strict(conditions, wanted, return_dtype=pl.Int32)
        against = (pl.col("side") != NO_SIDE) & (pl.col("side") != label)
        people = (
            judged.with_columns(side)
            .group_by("annotator")
            .agg(against=against.sum(), rated=pl.len())
        )
        suspects = people.filter(often.crossed(pl.col("against") / pl.col("rated")))
        reason = pl.format(
            f"{{}} of {{}} ratings of {' and '.join(conditions)} items are against the label "
            f"({often})",
            "against",
            "rated",
        )
        return ratings_of(suspects.with_columns(reason=reason), ratings)

    unseen = _none_of(conditions)
    return Rule("against_label", find, lacks=unseen, unable=unseen)


def _none_of(conditions: Sequence[str]) -> Lack:
    def lacks(ratings: pl.DataFrame, context: Context) -> str | None:
        present = context.on(ratings, "condition")["condition"]
        if ratings.is_empty() or present.is_in(conditions).any():
            return None
        kinds = " or ".join(conditions)
        return (
            f"no rating that is left is about an item that is {kinds}, so the rule judges nobody."
        )

    return lacks


def low_approval(
    *, below: float | None = None, at_most: float | None = None, zero: bool = True
) -> Rule:
    """Suspect all ratings of people whom the platform approves of too rarely.

    A missing approval is unknown, not low: such people stay, and the cascade shows how many.

    Args:
        below: Approval from 0 to 100.
        at_most: The same, the boundary included.
        zero: Whether an approval of 0 is low too; on Mechanical Turk it is also the approval of
            people who have not been judged yet.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1"]})
    >>> people = pl.DataFrame({"annotator": ["a", "b"], "approval": [99.0, 60.0]})
    >>> suspects = low_approval(below=80).find(ratings, Context(items, annotators=people))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('b', 'approval is 60.0 (< 80)')]
    """
    low = limit(below=below, at_most=at_most)

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        if context.annotators is None:
            return nobody(ratings)
        suspects = context.annotators.filter(low.crossed(pl.col("approval")))
        if not zero:
            suspects = suspects.filter(pl.col("approval") != 0)
        reason = pl.format(f"approval is {{}} ({low})", "approval")
        return ratings_of(suspects.with_columns(reason=reason), ratings)

    def lacks(ratings: pl.DataFrame, context: Context) -> str | None:
        people = ratings.select("annotator").unique()
        known = people.head(0)
        if context.annotators is not None:
            known = context.annotators.drop_nulls("approval").select("annotator")
        without = people.join(known, on="annotator", how="anti").height
        if not without:
            return None
        return f"the approval of {without} of {people.height} annotators is unknown; they stay."

    def unable(ratings: pl.DataFrame, context: Context) -> str | None:
        known = context.annotators
        rated = [] if known is None else known.drop_nulls("approval")["annotator"].to_list()
        seen = ratings["annotator"].is_in(rated).any()
        return None if seen else "no approvals: nobody was judged by them."

    return Rule("low_approval", find, lacks=lacks, unable=unable)


def low_agreement(*, below: float | None = None, at_most: float | None = None) -> Rule:
    """Suspect all ratings of people whose mean soft Jaccard with others is low.

    The mean is over the people with a common item (Eichel and Schulte im Walde 2023,
    appendix B.3), and over questions where there are several. Who shares an item with nobody is
    not judged.

    Args:
        below: Mean soft Jaccard, from 0 to 1.
        at_most: The same, the boundary included.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t1", "b", "q", "5"),
    ...         ("t1", "c", "q", "1"),
    ...         ("t2", "a", "q", "4"),
    ...         ("t2", "b", "q", "4"),
    ...         ("t2", "c", "q", "1")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1", "t2"]})
    >>> suspects = low_agreement(below=0.5).find(ratings, Context(items))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('c', 'mean soft Jaccard is 0.0 (< 0.5)')]
    """
    low = limit(below=below, at_most=at_most)

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        if ratings.is_empty():
            return nobody(ratings)
        questions = [
            soft_jaccard_by_annotator(code(part), sides=context.sides)
            for part in ratings.partition_by("question")
        ]
        people = pl.concat(questions).group_by("annotator").agg(pl.col("value").mean())
        suspects = people.filter(low.crossed(pl.col("value")))
        reason = pl.format(f"mean soft Jaccard is {{}} ({low})", pl.col("value").round(4))
        return ratings_of(suspects.with_columns(reason=reason), ratings)

    return Rule("low_agreement", find, selects_on_agreement=True)


def low_competence(*, below: float | None = None, at_most: float | None = None) -> Rule:
    """Suspect all ratings of people whose estimated competence is low (MACE, Hovy et al. 2013).

    Args:
        below: Competence, from 0 to 1.
        at_most: The same, the boundary included.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1"]})
    >>> context = Context(items, competence={"a": 0.9, "b": 0.1})
    >>> suspects = low_competence(below=0.4).find(ratings, context)
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('b', 'competence is 0.1 (< 0.4)')]
    """
    low = limit(below=below, at_most=at_most)

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        competence = context.competences(ratings)
        people = pl.DataFrame(
            {"annotator": list(competence), "competence": list(competence.values())},
            schema={"annotator": pl.String, "competence": pl.Float64},
        )
        suspects = people.filter(low.crossed(pl.col("competence")))
        reason = pl.format(f"competence is {{}} ({low})", pl.col("competence").round(4))
        return ratings_of(suspects.with_columns(reason=reason), ratings)

    return Rule("low_competence", find, selects_on_agreement=True)


def unsure_share(
    *,
    answers: Sequence[str | float],
    more_than: float | None = None,
    at_least: float | None = None,
) -> Rule:
    """Suspect all ratings of people who often say that they are not sure.

    Args:
        answers: The answers that mean it.
        more_than: Share of the person's ratings.
        at_least: The same, the boundary included.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t1", "b", "q", "not-sure")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1"]})
    >>> context = Context(items)
    >>> suspects = unsure_share(answers=["not-sure"], more_than=0.5).find(ratings, context)
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('b', 'not sure on 1 of 1 (> 0.5)')]
    """
    often = limit(more_than=more_than, at_least=at_least)
    words = [str(answer) for answer in answers]

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        del context
        people = ratings.group_by("annotator").agg(
            unsure=pl.col("answer").is_in(words).sum(), rated=pl.len()
        )
        suspects = people.filter(
            often.crossed(pl.col("unsure") / pl.col("rated")) & (pl.col("unsure") > 0)
        )
        reason = pl.format(f"not sure on {{}} of {{}} ({often})", "unsure", "rated")
        return ratings_of(suspects.with_columns(reason=reason), ratings)

    return Rule("unsure_share", find)


def refused_by_platform(*, statuses: Sequence[str]) -> Rule:
    """Suspect what the platform or the researcher refused there.

    Where ratings have a column `status` (an assignment's), it is those ratings; where annotators
    have one (a person's submission), everything of theirs.

    Args:
        statuses: As in "REJECTED" or "RETURNED"; capitals do not matter.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1"]})
    >>> people = pl.DataFrame({"annotator": ["a", "b"], "status": ["APPROVED", "REJECTED"]})
    >>> context = Context(items, annotators=people)
    >>> suspects = refused_by_platform(statuses=["REJECTED"]).find(ratings, context)
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('b', 'the submission was rejected')]
    """
    refused = [status.casefold() for status in statuses]
    status = pl.col("status").str.to_lowercase()
    reason = pl.format("the submission was {}", status)

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        suspects = nobody(ratings)
        if "status" in ratings.columns:
            suspects = ratings.filter(status.is_in(refused)).select(*KEY, reason=reason)
        annotators = context.annotators
        if annotators is not None and "status" in annotators.columns:
            people = annotators.filter(status.is_in(refused)).with_columns(reason=reason)
            suspects = pl.concat([suspects, ratings_of(people, ratings)])
        return suspects

    def lacks(ratings: pl.DataFrame, context: Context) -> str | None:
        annotators = context.annotators
        known = annotators is not None and "status" in annotators.columns
        if known or "status" in ratings.columns:
            return None
        return "neither ratings nor annotators have a column status."

    return Rule("refused_by_platform", find, lacks=lacks, unable=lacks)
