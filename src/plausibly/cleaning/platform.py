"""Rules about what a platform vouches for: earlier work it approved, and qualifications."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from plausibly.cleaning.limits import limit
from plausibly.cleaning.rule import Context, Lack, Rule, nobody, ratings_of
from plausibly.errors import StudyError, TableError


def few_approved_tasks(*, fewer_than: int | None = None, at_most: int | None = None) -> Rule:
    """Suspect all ratings of people with few approved tasks before this one.

    The annotators' column `approved_tasks` has the number: Prolific's export calls it Total
    approvals. PAP requires 1,000 approved HITs (Eichel and Schulte im Walde 2023, section 4.1).
    A missing number is unknown, not low: such people stay, and the cascade shows how many.

    Args:
        fewer_than: Number of tasks.
        at_most: The same, the boundary included.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1"]})
    >>> people = pl.DataFrame({"annotator": ["a", "b"], "approved_tasks": [1200, 80]})
    >>> rule = few_approved_tasks(fewer_than=1000)
    >>> suspects = rule.find(ratings, Context(items, annotators=people))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('b', 'has 80 approved tasks (< 1000)')]
    """
    few = limit(fewer_than=fewer_than, at_most=at_most)
    column = "approved_tasks"

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        people = context.annotators
        if people is None or column not in people.columns:
            return nobody(ratings)
        number = people[column].cast(pl.Float64, strict=False)
        odd = people[column].filter(number.is_null() & people[column].is_not_null())
        if len(odd):
            what = (
                f"annotators: {column} {odd[0]!r} is not a number. Write 1000, or leave it blank."
            )
            raise TableError(what)
        suspects = people.filter(people.select(few.crossed(pl.lit(number))).to_series())
        reason = pl.format(f"has {{}} approved tasks ({few})", column)
        return ratings_of(suspects.with_columns(reason=reason), ratings)

    lacks, unable = _knowing(column)
    return Rule("few_approved_tasks", find, lacks=lacks, unable=unable)


def unqualified(*, needs: Sequence[str], column: str = "qualification") -> Rule:
    """Suspect all ratings of people who lack one of the qualifications a study requires.

    The annotators' column holds a person's qualifications, between semicolons. SP-10K requires
    Master Workers (Zhang, Ding and Song 2019, section 3.2). A missing value is unknown: such people
    stay, and the cascade shows how many.

    Args:
        needs: Qualifications that everybody must have; capitals do not matter. One of several is
            enough where they are written as "US|UK".
        column: Column of the annotators that holds them.

    >>> rows = [("t1", "a", "q", "5"),
    ...         ("t1", "b", "q", "5")]
    >>> ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    >>> items = pl.DataFrame({"item": ["t1"]})
    >>> held = ["Master; Native speaker", "Native speaker"]
    >>> people = pl.DataFrame({"annotator": ["a", "b"], "qualification": held})
    >>> suspects = unqualified(needs=["master"]).find(ratings, Context(items, annotators=people))
    >>> suspects.select("annotator", "reason").unique().sort("annotator").rows()
    [('b', 'lacks the qualification master')]
    """
    if not needs:
        raise StudyError('needs is empty. Name a qualification, as in needs = ["Master"].')

    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        people = context.annotators
        if people is None or column not in people.columns:
            return nobody(ratings)
        known = people.drop_nulls(column)
        held = pl.col(column).cast(pl.String).str.to_lowercase().str.split(";")
        has = held.list.eval(pl.element().str.strip_chars())
        either = {one: [part.strip().casefold() for part in one.split("|")] for one in needs}
        lacking = [
            pl.when(~pl.any_horizontal(*map(has.list.contains, parts))).then(pl.lit(one))
            for one, parts in either.items()
        ]
        missing = pl.concat_list(lacking).list.drop_nulls().list.join(", ")
        suspects = known.with_columns(missing=missing).filter(pl.col("missing") != "")
        reason = pl.format("lacks the qualification {}", "missing")
        return ratings_of(suspects.with_columns(reason=reason), ratings)

    lacks, unable = _knowing(column)
    return Rule("unqualified", find, lacks=lacks, unable=unable)


def _knowing(column: str) -> tuple[Lack, Lack]:
    """Return how a rule reports the people about whom a column says nothing."""

    def without(ratings: pl.DataFrame, context: Context) -> tuple[int, int]:
        people = ratings.select("annotator").unique()
        known = people.head(0)
        if context.annotators is not None and column in context.annotators.columns:
            known = context.annotators.drop_nulls(column).select("annotator")
        return people.join(known, on="annotator", how="anti").height, people.height

    def lacks(ratings: pl.DataFrame, context: Context) -> str | None:
        unknown, people = without(ratings, context)
        if not unknown:
            return None
        return f"{column} of {unknown} of {people} annotators is unknown; they stay."

    def unable(ratings: pl.DataFrame, context: Context) -> str | None:
        unknown, people = without(ratings, context)
        return None if unknown < people else f"no {column}: nobody was judged by it."

    return lacks, unable
