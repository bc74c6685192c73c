"""Why a figure of a report is not drawn, in a sentence each."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import polars as pl

from plausibly.analysis.figures.ratings import MOST_ANSWERS
from plausibly.analysis.material import Material

UNSHARED = "fewer than two people rated an item that others rated"
WHAT = {
    "labels": "labels by condition",
    "answers": "how often each answer was given",
    "agreement": "the measures of agreement",
    "cascade": "what cleaning left",
    "cleaning-agreement": "agreement before and after cleaning",
    "items": "items by the mean and the spread of their ratings",
    "people": "people by how often others answer alike",
    "annotators": "people by their speed",
    "annotator-sides": "people by the side they lean to",
    "sensitivity": "how many items other choices would leave undecided",
}


def omissions(material: Material, drawn: Collection[str]) -> dict[str, str]:
    """Return a sentence for each figure that is not drawn, by the name of the figure."""
    reasons = dict(_reasons(material))
    return {
        name: f"No figure shows {what}: {reasons[name]}."
        for name, what in WHAT.items()
        if name not in drawn
    }


def _reasons(material: Material) -> Iterator[tuple[str, str]]:
    """Yield for each figure why it is not drawn if it is not."""
    numbers = material.labelling.kind == "number"
    different = material.labels["label"].drop_nulls().n_unique()
    answers = material.kept["answer"].n_unique()
    yield "labels", _many(different, "labels", numbers=numbers)
    yield "answers", _many(answers, "answers", numbers=False)
    yield "agreement", "none is defined"
    yield "cascade", "no steps of cleaning are known"
    yield "cleaning-agreement", "agreement is not known both before and after a step"
    yield "items", "no item has two answers that are numbers"
    yield "people", "no item has two ratings"
    yield "annotators", _speed(material.collected)
    words = material.collected["value"].null_count() == material.collected.height
    yield "annotator-sides", "the answers are not numbers" if words else UNSHARED
    yield "sensitivity", "labels do not depend on the share of ratings that agree"


def _many(count: int, what: str, *, numbers: bool) -> str:
    if numbers:
        return f"the {what} are numbers, and the table shows where they lie"
    return (
        f"there are {count:,} different {what}" if count > MOST_ANSWERS else f"there are no {what}"
    )


def _speed(collected: pl.DataFrame) -> str:
    timed = "seconds" in collected.columns and collected["seconds"].count() > 0
    return (
        "fewer than two people have times"
        if timed
        else "the data do not say how long each answer took"
    )
