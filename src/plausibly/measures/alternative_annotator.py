"""Whether a model's answers lie as near to people's as one more person's do.

The alternative-annotator test (Calderon, Reichart and Dror 2025, "The alternative annotator test
for LLM-as-a-judge"): every person is left out in turn, and on each of their items the model and the
person are compared in how well they agree with the others. What it says concerns these items and
these people; it replaces nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import polars as pl

from plausibly.errors import StudyError

EPSILON = 0.1
LEVEL = 0.05
PASSING = 0.5
FEWEST = 30
MOST_PEOPLE = 50


@dataclass(frozen=True, slots=True)
class AlternativeAnnotator:
    """What the test says about one model.

    Args:
        epsilon: How much less often the model may be as near as the person, for what asking
            people costs.
        winning_rate: Share of people the model is an alternative to, at the level.
        advantage: How often the model is at least as near to the others as the person left out,
            the mean over people.
        people: Annotator, items, model_as_near, person_as_near, p and p adjusted, one row each.
        left_out: People with fewer items than the test needs.
    """

    epsilon: float
    winning_rate: float | None
    advantage: float | None
    people: pl.DataFrame
    left_out: int

    @property
    def passed(self) -> bool | None:
        """Return whether the model is an alternative to at least half of the people."""
        return None if self.winning_rate is None else self.winning_rate >= PASSING

    @property
    def reason(self) -> str | None:
        """Why the test is undefined; None if it is not."""
        if self.winning_rate is not None:
            return None
        if not self.left_out:
            return "no person has an item that others and the model answered too"
        return f"all {self.left_out} people have fewer items than the test needs"

    def as_json(self) -> dict[str, object]:
        """Return the result as `evaluate --ratings --json` prints it."""
        return {
            "epsilon": self.epsilon,
            "winning_rate": self.winning_rate,
            "passed": self.passed,
            "advantage": self.advantage,
            "people": self.people.height,
            "left_out": self.left_out,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class GenuinePeople:
    """What the test concludes about people, each in turn treated as the model.

    Args:
        tested: People for whom the test is defined, at most those with the most items.
        passed: How many of them pass.
        winning_rate: Their mean winning rate; None without a test.
        undefined: People tried for whom the test is undefined.
        most: People who were tried at most.
    """

    tested: int
    passed: int
    winning_rate: float | None
    undefined: int
    most: int = MOST_PEOPLE

    @property
    def reason(self) -> str | None:
        """Why there is no conclusion; None if there is one."""
        if self.tested:
            return None
        return "the people left have too few items with others to be compared with one more person"

    def as_json(self) -> dict[str, object]:
        """Return the part of `evaluate --ratings --json`."""
        return {
            "tested": self.tested,
            "passed": self.passed,
            "winning_rate": self.winning_rate,
            "undefined": self.undefined,
            "most": self.most,
            "reason": self.reason,
        }


def benjamini_yekutieli(values: list[float]) -> list[float]:
    """Return p-values adjusted for their number under any dependence (Benjamini, Yekutieli 2001).

    >>> [round(p, 4) for p in benjamini_yekutieli([0.01, 0.02, 0.5])]
    [0.055, 0.055, 0.9167]
    """
    number = len(values)
    harmonic = sum(1 / place for place in range(1, number + 1))
    adjusted = [0.0] * number
    lowest = 1.0
    for place in range(number, 0, -1):
        index = sorted(range(number), key=values.__getitem__)[place - 1]
        lowest = min(lowest, values[index] * number * harmonic / place)
        adjusted[index] = lowest
    return adjusted


def alternative_annotator(
    people: pl.DataFrame,
    model: pl.DataFrame,
    *,
    graded: bool = False,
    epsilon: float = EPSILON,
    fewest: int = FEWEST,
) -> AlternativeAnnotator:
    """Return the test of one model against the people who judged the same items.

    Args:
        people: item, annotator and answer; graded answers are numbers.
        model: item and answer of the model.
        graded: Nearness is the root of the mean squared distance to the others' answers, not the
            share of others with the same answer.
        epsilon: Between 0 and 1; the authors take 0.2 for experts, 0.1 for a crowd.
        fewest: People with fewer items that others judged, too, are left out.
    """
    if not 0 <= epsilon < 1:
        raise StudyError(f"epsilon must be in [0, 1); got {epsilon}.")
    duels = _graded(people, model) if graded else _nominal(people, model)
    each = (
        duels.with_columns(
            wins=(pl.col("machine") >= pl.col("person")).cast(pl.Float64),
            losses=(pl.col("person") >= pl.col("machine")).cast(pl.Float64),
        )
        .group_by("annotator")
        .agg(
            items=pl.len(),
            model_as_near=pl.col("wins").mean(),
            person_as_near=pl.col("losses").mean(),
            spread=(pl.col("losses") - pl.col("wins")).std(),
        )
        .sort("annotator")
    )
    enough = each.filter(pl.col("items") >= fewest)
    tested = [
        _p(after - before, spread, items, epsilon)
        for before, after, spread, items in enough.select(
            "model_as_near", "person_as_near", "spread", "items"
        ).iter_rows()
    ]
    adjusted = benjamini_yekutieli(tested)
    table = enough.drop("spread").with_columns(
        p=pl.Series(tested, dtype=pl.Float64), p_adjusted=pl.Series(adjusted, dtype=pl.Float64)
    )
    won = [p <= LEVEL for p in adjusted]
    return AlternativeAnnotator(
        epsilon,
        sum(won) / len(won) if won else None,
        float(np.mean(enough["model_as_near"].to_numpy())) if won else None,
        table,
        each.height - enough.height,
    )


def genuine_people(
    people: pl.DataFrame,
    *,
    graded: bool = False,
    epsilon: float = EPSILON,
    fewest: int = FEWEST,
    most: int = MOST_PEOPLE,
) -> GenuinePeople:
    """Return what the test concludes about genuine people: each is left out and tested as a model.

    A test that people fail as often as a model does says little against the model; one that nearly
    everyone passes says little for it.

    Args:
        people: item, annotator and answer, as in `alternative_annotator`.
        graded: As in `alternative_annotator`.
        epsilon: As in `alternative_annotator`.
        fewest: As in `alternative_annotator`; a person tested needs as many items, too.
        most: How many people to test: those with the most items.
    """
    answered = people.drop_nulls("answer")
    counts = answered.group_by("annotator").agg(items=pl.len()).filter(pl.col("items") >= fewest)
    names = counts.sort("items", "annotator", descending=[True, False])["annotator"].head(most)
    rates = []
    for name in names:
        own = pl.col("annotator") == name
        test = alternative_annotator(
            answered.filter(~own),
            answered.filter(own).select("item", "answer"),
            graded=graded,
            epsilon=epsilon,
            fewest=fewest,
        )
        rates.append(test.winning_rate)
    known = [rate for rate in rates if rate is not None]
    return GenuinePeople(
        tested=len(known),
        passed=sum(rate >= PASSING for rate in known),
        winning_rate=float(np.mean(known)) if known else None,
        undefined=len(rates) - len(known),
        most=most,
    )


def _p(gap: float, spread: float | None, items: int, epsilon: float) -> float:
    """Return the one-sided p that the person is as near at least epsilon more often."""
    from scipy.stats import t as student

    if not spread:
        return 0.0 if gap < epsilon else 1.0
    return float(student.cdf((gap - epsilon) / (spread / sqrt(items)), items - 1))


def _joined(people: pl.DataFrame, model: pl.DataFrame) -> pl.DataFrame:
    """Return every answer of a person next to the model's, where others judged the item, too."""
    own = model.select("item", said="answer").drop_nulls()
    return (
        people.drop_nulls("answer")
        .join(own, on="item", how="inner", maintain_order="left")
        .with_columns(judged=pl.len().over("item"))
        .filter(pl.col("judged") > 1)
    )


def _nominal(people: pl.DataFrame, model: pl.DataFrame) -> pl.DataFrame:
    joined = _joined(people, model)
    votes = joined.group_by("item", "answer").agg(votes=pl.len())
    both = joined.join(votes, on=["item", "answer"], how="left", maintain_order="left").join(
        votes.rename({"answer": "said", "votes": "supporters"}),
        on=["item", "said"],
        how="left",
        maintain_order="left",
    )
    same = (pl.col("answer") == pl.col("said")).cast(pl.Int64)
    return both.select(
        "annotator",
        person=pl.col("votes").cast(pl.Int64) - 1,
        machine=pl.col("supporters").fill_null(0).cast(pl.Int64) - same,
    )


def _graded(people: pl.DataFrame, model: pl.DataFrame) -> pl.DataFrame:
    joined = _joined(people, model)
    own, said, others = pl.col("answer"), pl.col("said"), pl.col("judged") - 1
    total = own.sum().over("item") - own
    squares = (own * own).sum().over("item") - own * own

    def nearness(value: pl.Expr) -> pl.Expr:
        return -((value * value * others - 2 * value * total + squares) / others).round(9)

    return joined.select("annotator", person=nearness(own), machine=nearness(said))
