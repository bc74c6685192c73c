"""PAP section 6: whether the released aggregations follow from the released ratings."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose

import polars as pl

from plausibly.analysis.events import UNDECIDED
from plausibly.datasets.pap import MULTICLASS
from plausibly.replications.claims import Claims
from plausibly.replications.pap.release import SIDES, PapRelease
from plausibly.replications.printed import Value

LABELS = (*MULTICLASS.labels, UNDECIDED)


def columns(release: PapRelease, claims: Claims) -> dict[str, Value]:
    """Return how the columns the authors computed agree with the ratings next to them."""
    del claims
    return {**_distributions(release.events), **_majorities(release.events)}


def released_labels(release: PapRelease) -> dict[str, Value]:
    """Return how often the released multi-class column has each label."""
    counts: dict[str, int] = dict(release.events["majority_multiclass"].value_counts().rows())
    return {f"pap.majority_multiclass.count.{label}": counts.get(label, 0) for label in LABELS}


def _distributions(events: pl.DataFrame) -> dict[str, Value]:
    many = events.select([f"n{answer}" for answer in MULTICLASS.labels]).rows()
    two = events.select("plausible", "implausible").rows()
    ratings = events["ratings"].to_list()
    released = events["distribution_multiclass"].to_list()
    released_two = events["distribution_binary"].to_list()
    shares = [[k / n * 100 for k in row] for row, n in zip(many, ratings, strict=True)]
    hundreds = [[100 * k / n for k in row] for row, n in zip(many, ratings, strict=True)]
    sides = [[k / n * 100 for k in row] for row, n in zip(two, ratings, strict=True)]
    turned = [row[::-1] for row in sides]
    fits = [_near(given, own) for given, own in zip(released_two, sides, strict=True)]
    fits_turned = [_near(given, own) for given, own in zip(released_two, turned, strict=True)]
    return {
        "pap.distribution_multiclass": sum(map(_near, released, shares)),
        "pap.distribution_multiclass.bit_exact": _same(released, shares),
        "pap.distribution_multiclass.other_last_digits": len(shares) - _same(hundreds, shares),
        "pap.distribution_binary": sum(fits),
        "pap.distribution_binary.swapped": sum(
            other and not own for own, other in zip(fits, fits_turned, strict=True)
        ),
    }


def _near(given: Sequence[float], own: Sequence[float]) -> bool:
    return all(isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(given, own, strict=True))


def _same(given: list[list[float]], own: list[list[float]]) -> int:
    return sum(a == b for a, b in zip(given, own, strict=True))


def _majorities(events: pl.DataFrame) -> dict[str, Value]:
    unsure = events.filter(pl.col("side") == UNDECIDED)
    binary = pl.col("majority_binary").replace(SIDES)
    counts: dict[str, int] = dict(events["answer"].value_counts().rows())
    return {
        "pap.majority_binary": events.filter(binary == pl.col("side")).height,
        "pap.majority_binary.unsure": unsure.height,
        "pap.majority_binary.unsure.ties": unsure.filter(
            pl.col("plausible") == pl.col("implausible")
        ).height,
        "pap.majority_multiclass.errata": events.filter(
            pl.col("majority_multiclass") != pl.col("answer")
        ).height,
        **{f"pap.majority_multiclass.count.{label}": counts.get(label, 0) for label in LABELS},
    }
