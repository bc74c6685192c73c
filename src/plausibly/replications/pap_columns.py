"""PAP section 6: whether the released aggregations follow from the released ratings."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose

import polars as pl

from plausibly.analysis.events import UNDECIDED
from plausibly.datasets.pap import MULTICLASS
from plausibly.replications.claims import Claim, judge
from plausibly.replications.pap_release import SIDES, Release
from plausibly.replications.record import Record, Value

RELEASED_LABELS = {"1": 0, "2": 0, "4": 0, "5": 66, UNDECIDED: 1667}

CLAIMS = (
    Claim(
        "pap.distribution_multiclass",
        1733,
        "rows equal to the shares of ratings 1, 2, 4, 5 times 100, to 1e-9",
        "The released column against the released ratings.",
    ),
    Claim(
        "pap.distribution_multiclass.bit_exact",
        1733,
        "rows equal bit for bit to count / ratings * 100",
        "Another order of operations gives other last digits.",
    ),
    Claim(
        "pap.distribution_multiclass.other_last_digits",
        None,
        "rows in which 100 * count / ratings has other last digits",
        "Compare this column with a tolerance.",
    ),
    Claim(
        "pap.distribution_binary",
        1733,
        "rows equal to the shares of ratings in {4, 5} and {1, 2} times 100, to 1e-9",
        "The order is plausible, implausible, the reverse of the labels 0 and 1.",
    ),
    Claim(
        "pap.distribution_binary.swapped",
        0,
        "rows that fit in the order implausible, plausible only",
        "The order is the same in every row.",
    ),
    Claim(
        "pap.majority_binary",
        1733,
        "rows equal to the binary strict majority: at least 70 % of all ratings, else unsure",
        "The released column against the released ratings.",
    ),
    Claim(
        "pap.majority_binary.unsure",
        229 + 516,
        "triples below 70 % on both sides",
        "The sum of the two counts without a majority in Table 1.",
    ),
    Claim(
        "pap.majority_binary.unsure.ties",
        229 + 516,
        "unsure triples with as many ratings on one side as on the other",
        "Section 5.2 explains unsure as 50 % against 50 %; most unsure triples are not ties.",
    ),
    Claim(
        "pap.majority_multiclass.errata",
        0,
        "rows that differ from the strict majority over 1, 2, 4, 5: at least 70 % of all ratings",
        "The column only ever assigns 5; every majority for another answer is labelled unsure.",
    ),
    *(
        Claim(
            f"pap.majority_multiclass.count.{label}",
            released,
            f"triples whose strict majority over 1, 2, 4, 5 is {label}",
            "The number of rows the released column has, against the number it should have.",
        )
        for label, released in RELEASED_LABELS.items()
    ),
)


def columns(release: Release) -> list[Record]:
    """Return the records on the columns the authors computed."""
    return judge(CLAIMS, {**_distributions(release.events), **_majorities(release.events)})


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
        **{
            f"pap.majority_multiclass.count.{label}": counts.get(label, 0)
            for label in RELEASED_LABELS
        },
    }
