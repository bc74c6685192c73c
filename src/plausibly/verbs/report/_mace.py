"""What MACE says about all ratings of a study, before cleaning: fitted once, and kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from plausibly.datasets.schemes import scheme_of
from plausibly.labels import METHODS, Fitted
from plausibly.labels.results import NOBODY
from plausibly.study.parameters import accepted

MACE = "mace"
KEPT = "report.mace.json"
MOST_CLASSES = 12  # answers up to which the map of annotators treats them as classes
MOST_RATINGS = 100_000  # up to which a fit is quick


@dataclass(frozen=True, slots=True)
class FromAll:
    """What MACE says about all ratings.

    Args:
        sentence: How labels from all ratings differ from those of the study; empty if the
            study does not label by MACE.
        competence: How competent MACE takes each annotator to be.
    """

    sentence: str = ""
    competence: Mapping[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return both as they are kept in a study."""
        return asdict(self)


def from_all_ratings(
    ratings: pl.DataFrame,
    labels: pl.DataFrame,
    labelling: Mapping[str, Any],
    *,
    question: str | None,
    seed: int,
) -> FromAll:
    """Fit MACE to all ratings of the items, as the study labels or by its defaults.

    Args:
        ratings: Every rating of an item, before cleaning.
        labels: The labels of the study.
        labelling: How they were made.
        question: The question the page is about; None if there is one only.
        seed: Seed of the study.
    """
    if not 0 < ratings.height <= MOST_RATINGS:
        return FromAll()
    own = _as_labelled(ratings, labelling, seed=seed)
    sentence = "" if own is None else _compared(own.labels, labels)
    about = ratings if question is None else ratings.filter(pl.col("question") == question)
    classes = about["answer"].n_unique() <= MOST_CLASSES and about["question"].n_unique() == 1
    if not classes:
        return FromAll(sentence)
    competence = (own or _fitted(about, seed=seed)).competence
    if question is not None:
        competence = competence.filter(pl.col("question") == question)
    return FromAll(sentence, dict(competence.select("annotator", "competence").iter_rows()))


def _as_labelled(
    ratings: pl.DataFrame, labelling: Mapping[str, Any], *, seed: int
) -> Fitted | None:
    """Return the fit with the study's settings; None for other methods, controls, priors, gates."""
    options = {name: one for name, one in labelling.items() if one is not None}
    apart = {"controls", "priors", "threshold", "only_if"} & set(options)
    options.pop("ties", None)
    if options.pop("method") != MACE or apart:
        return None
    scheme = options.pop("scheme", None)
    supplied = {
        "seed": seed,
        "silent": NOBODY,
        "scheme": scheme_of(str(scheme)) if scheme else None,
    }
    return _fitted(ratings, **accepted(options, of=METHODS, name=MACE, supplied=supplied))


def _fitted(ratings: pl.DataFrame, **arguments: Any) -> Fitted:
    fitted = METHODS[MACE](ratings, **arguments)
    if not isinstance(fitted, Fitted):
        raise TypeError(f"{MACE} learns nothing about annotators")
    return fitted


def _compared(every: pl.DataFrame, labels: pl.DataFrame) -> str:
    """Return how labels from all ratings differ from those of the study."""
    key = ["item", "question"]
    both = labels.join(every, on=key, suffix="_all", maintain_order="left")
    other = both.filter(~pl.col("label").eq_missing(pl.col("label_all"))).height
    more = every.join(labels, on=key, how="anti").height
    return (
        f"From all ratings, before cleaning, MACE gives another label to {other} of these "
        f"{both.height} items, and a label to {more} items that cleaning left out."
    )
