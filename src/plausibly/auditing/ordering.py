"""Whether answers change from a person's first item to the last: drift, fatigue, speed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from scipy.special import stdtrit

from plausibly.auditing.design import NO_IDS
from plausibly.auditing.findings import AuditFinding, Numbers, Section, unknown
from plausibly.auditing.question import RatedQuestion
from plausibly.io.wording import plural
from plausibly.measures.coded import Floats
from plausibly.measures.timed import places_of

LEAST_ITEMS, LEAST_PEOPLE = 8, 5
NO_ORDER = "The order of the items is not known."


def order_section(question: RatedQuestion) -> Section:
    """Return how answers, their distance from the others' and their time change over a session."""
    if not question.people_known:
        return unknown(NO_IDS)
    shown = places_of(question.ratings)
    if shown is None:
        return unknown(NO_ORDER)
    column, when = shown
    place = _places(question, when)
    outcomes: dict[str, Floats] = {}
    if question.values is not None and question.graded:
        gap = question.values - question.by_others
        outcomes = {"drift": gap, "distance": np.abs(gap)}
    if "seconds" in question.ratings.columns:
        time = question.ratings["seconds"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
        outcomes["seconds"] = np.asarray(time, dtype=np.float64)
    slopes = {name: _slope(question, place, one) for name, one in outcomes.items()}
    return {"known": True, "column": column, "value": None, **slopes}


def _places(question: RatedQuestion, when: pl.Series) -> Floats:
    """Return where each rating is in its person's session, from 0 (first) to 1 (last)."""
    own = pl.DataFrame({"person": question.coded.annotator, "when": when})
    rank = pl.col("when").rank("dense").over("person").cast(pl.Float64) - 1
    ranked = own.with_columns(rank=rank)
    last = pl.col("rank").max().over("person")
    share = pl.when(last >= LEAST_ITEMS - 1).then(pl.col("rank") / last)
    return ranked.select(share=share)["share"].fill_null(float("nan")).to_numpy()


def _slope(question: RatedQuestion, place: Floats, outcome: Floats) -> Section:
    """Return the mean over people of the change from the first to the last item."""
    kept = np.isfinite(place) & np.isfinite(outcome)
    person, size = question.coded.annotator[kept], question.coded.n_annotators
    x, y = place[kept], outcome[kept]
    n = np.bincount(person, minlength=size).astype(np.float64)
    some = np.maximum(n, 1)
    dx = x - (np.bincount(person, weights=x, minlength=size) / some)[person]
    above = np.bincount(person, weights=dx * y, minlength=size)
    below = np.bincount(person, weights=dx * dx, minlength=size)
    usable = (n >= LEAST_ITEMS) & (below > 1e-9)
    slopes = above[usable] / below[usable]
    if len(slopes) < LEAST_PEOPLE:
        return unknown(f"Fewer than {LEAST_PEOPLE} people gave {LEAST_ITEMS} ratings in a row.")
    mean, error = float(slopes.mean()), float(slopes.std(ddof=1) / np.sqrt(len(slopes)))
    half = float(stdtrit(len(slopes) - 1, 0.975)) * error
    return {"value": mean, "low": mean - half, "high": mean + half, "n": len(slopes)}


def order_findings(
    question: RatedQuestion, section: Section, numbers: Numbers
) -> Iterator[AuditFinding]:
    """Yield that answers move away from the others' in the course of a session."""
    distance = section.get("distance") or {}
    size = (distance.get("value") or 0.0) / (question.width or 1.0)
    if (
        distance.get("low") is not None
        and distance["low"] > 0
        and size > numbers["fatigue_at_least"]
    ):
        yield AuditFinding(
            "fatigue",
            "minor",
            f"From a person's first to the last item, answers move {size:.0%} of the scale "
            f"further from those of the others ({plural(distance['n'], 'person')}).",
            distance["n"],
            evidence="order",
        )
