"""What label methods take besides ratings, and what a fitted method returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.errors import StudyError
from plausibly.measures.coded import Floats

QUESTION = "rating"


@dataclass(frozen=True, slots=True)
class Silent:
    """Items nobody answered and annotators who answered nothing; both keep their place.

    Args:
        items: Names of items without a rating.
        annotators: Names of annotators without a rating.
    """

    items: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()


NOBODY = Silent()


@dataclass(frozen=True, slots=True)
class Effort:
    """When to stop.

    Args:
        iterations: Maximum number of iterations.
        tolerance: Stop when an iteration gains less than this in log-likelihood per rating.
    """

    iterations: int = 100
    tolerance: float = 1e-7

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise StudyError(f"iterations must be 1 or more; got {self.iterations}.")


EFFORT = Effort()


@dataclass(frozen=True, eq=False)
class Places:
    """Where items lie on a line, and how annotators see it.

    Args:
        item: Place, lower and upper limit of each item (row); NaN without a vote.
        shift: How far each annotator sees items moved up.
        spread: How far each annotator's view scatters.
    """

    item: Floats
    shift: Floats
    spread: Floats


@dataclass(frozen=True, eq=False)
class Estimate:
    """What a model says about one question.

    Args:
        posterior: Probability of each label (column) for each item (row); NaN without a vote.
        competence: One number per annotator, the greater the better.
        log_likelihood: Of the answers under the model, where there is one.
        iterations: Steps made.
        overtime: Steps the best restart went on after `iterations`.
        places: Of items on a line, where the method has them.
        pooled: Whether annotators are shrunk towards the crowd.
        scale: Whether a model of a scale predicts the ratings better.
        pinned: Whether the label of each item is known; None without controls.
    """

    posterior: Floats
    competence: Floats
    log_likelihood: float | None = None
    iterations: int = 1
    overtime: int = 0
    places: Places | None = None
    pooled: bool = False
    scale: bool = False
    pinned: npt.NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class Shrinkage:
    """How far the values of one question are shrunk, and towards what.

    Args:
        prior: What values are shrunk towards, in words.
        weight: What an item's ratings count on average, from 0 to 1.
        worth: How many ratings the prior is worth; None if items do not differ from it.
        error: Root mean square error at predicting a rating left out; None where unknown.
        raw_error: The same, from the raw value of the item's other ratings.
        common_error: The same, with a common prior in place of a model's; None without a model.
        conditions: How many conditions have a prior of their own; 0 for one prior.
        slope: How far the prior moves when the model's prediction moves by 1; None without one.
    """

    prior: str
    weight: float
    worth: float | None
    error: float | None = None
    raw_error: float | None = None
    common_error: float | None = None
    conditions: int = 0
    slope: float | None = None

    def as_json(self) -> dict[str, float | str | None]:
        """Return what `label --json` prints about it."""
        errors = {"shrunk": self.error, "raw": self.raw_error, "common": self.common_error}
        return {
            "prior": self.prior,
            "weight": self.weight,
            "prior_ratings": self.worth,
            "slope": self.slope,
            **{f"error_{name}": one for name, one in errors.items() if one is not None},
        }

    def sentence(self, question: str) -> str:
        """Return what a reader should know about it.

        >>> Shrinkage("the mean of all items", 0.5, 3.0).sentence("fit")
        'fit: values are shrunk towards the mean of all items; the ratings of an item count 50 % \
on average, and the prior counts as much as 3.0 ratings.'
        """
        worth = (
            "items do not differ beyond chance"
            if self.worth is None
            else f"the prior counts as much as {self.worth:.1f} ratings"
        )
        errors = "."
        if self.error is not None and self.raw_error is not None:
            common = "" if self.common_error is None else f" ({self.common_error:.3f} common prior)"
            errors = (
                f". Error at predicting a rating left out: {self.error:.3f}{common}, "
                f"{self.raw_error:.3f} raw."
            )
        return (
            f"{question}: values are shrunk towards {self.prior}; the ratings of an item count "
            f"{100 * self.weight:.0f} % on average, and {worth}{errors}"
        )


@dataclass(frozen=True, eq=False)
class Fitted:
    """Labels with what was learnt about annotators and items on the way.

    Args:
        labels: The labels table.
        entropy: item, question, entropy of its distribution in nats (null without a vote).
        competence: annotator, question, competence.
        log_likelihood: By question; None for a method without a likelihood.
        iterations: By question, iterations a restart made.
        overtime: By question, iterations the best restart made beyond those.
        restarts: How often the method started anew; None if there is one start.
        seed: What the starts were drawn from; None if nothing is drawn.
        positions: item, question, position, low, high on the line of the scale (a method for
            scales; None for the others).
        warnings: What to mind when reading the numbers, one sentence each.
        reliability: By question, the share of the variance of scores that is due to items; None
            for methods without.
        shrinkage: By question, how far values are shrunk; None for methods that do not shrink.
    """

    labels: pl.DataFrame
    entropy: pl.DataFrame
    competence: pl.DataFrame
    log_likelihood: Mapping[str, float | None]
    iterations: Mapping[str, int]
    overtime: Mapping[str, int]
    restarts: int | None = None
    seed: int | None = None
    positions: pl.DataFrame | None = None
    warnings: tuple[str, ...] = ()
    reliability: Mapping[str, float | None] | None = None
    shrinkage: Mapping[str, Shrinkage] | None = None


def nothing_learnt(labels: pl.DataFrame, *, positions: pl.DataFrame) -> Fitted:
    """Return labels with their places on a scale, of a method that learns nothing else."""

    def empty(key: str, column: str) -> pl.DataFrame:
        return pl.DataFrame(schema={key: pl.String, "question": pl.String, column: pl.Float64})

    return Fitted(
        labels=labels,
        entropy=empty("item", "entropy"),
        competence=empty("annotator", "competence"),
        log_likelihood={},
        iterations={},
        overtime={},
        positions=positions.sort("item", "question"),
    )
