"""PAP Table 3 and appendix B: what cleaning left, and the check instances."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from plausibly.datasets.pap.events import read_checks
from plausibly.replications.claims import Claim, judge
from plausibly.replications.pap_release import CONDITIONS, Release
from plausibly.replications.record import Record, Value

QUANTITIES = (
    "annotators.attested",
    "annotators.perturbed",
    "ratings.attested",
    "ratings.perturbed",
    "ratings.total",
    "triples.total",
)
PRINTED = {
    "raw": (883, 879, 11250, 11343, 22593, 2160),
    "failed_check": (878, 872, 10649, 10668, 21317, 2148),
    "against_label": (832, 838, 9849, 10046, 19895, 2081),
    "few_ratings": (478, 479, 8373, 8502, 16875, 1840),
    "low_approval": (468, 471, 8269, 8333, 16602, 1819),
    "low_agreement": (452, 452, 7726, 7845, 15571, 1733),
}
LAST = "low_agreement"
TEXT_ORDER: tuple[Value, ...] = ("failed_check", "few_ratings", "against_label", "low_agreement")


def _table3() -> Iterator[Claim]:
    for step, row in PRINTED.items():
        for quantity, printed in zip(QUANTITIES, row, strict=True):
            yield Claim(
                f"pap.table3.{step}.{quantity}",
                printed,
                "count after the last step, from the release",
                _note(step, quantity),
            )


def _note(step: str, quantity: str) -> str:
    if step != LAST:
        return "Only the ratings left after the last step are released."
    if quantity.startswith("annotators"):
        return "The release does not say who gave a rating."
    return "The last row is what is released."


CLAIMS = (
    *_table3(),
    Claim(
        "pap.table3.order",
        list(TEXT_ORDER),
        "order of the cleaning steps",
        "Section 4.2 drops people with few ratings before those against the label, Table 3 after "
        "them and with a step on approval between; the raw ratings that could decide it are not "
        "released.",
    ),
    Claim(
        "pap.check_instances",
        20,
        "rows of check_instances.tsv",
        "Table 2 lists all twenty.",
    ),
    Claim(
        "pap.check_instances.by_expected",
        {"implausible": 10, "plausible": 10},
        "rows of check_instances.tsv by expected answer",
        "Table 2 lists ten of each kind.",
    ),
    Claim(
        "pap.check_instances.withdrawn",
        3,
        "check instances marked as withdrawn",
        "Two of the three withdrawn instances can be told from the text, the third cannot.",
    ),
    Claim(
        "pap.check_instances.withdrawn.known",
        None,
        "rows of check_instances.tsv marked as withdrawn",
        "One is marked in Table 2 and one is named in appendix B.2.",
    ),
)


def table3(release: Release) -> list[Record]:
    """Return the records on Table 3 and on the check instances."""
    ratings = {name: int(release.of(name)["ratings"].sum()) for name in CONDITIONS}
    last: dict[str, Value] = {
        **{f"pap.table3.{LAST}.ratings.{name}": count for name, count in ratings.items()},
        f"pap.table3.{LAST}.ratings.total": sum(ratings.values()),
        f"pap.table3.{LAST}.triples.total": release.events.height,
    }
    return judge(CLAIMS, {**last, **_checks(release)})


def _checks(release: Release) -> dict[str, Value]:
    path = release.file("pap", "check_instances.tsv")
    if path is None:
        return {}
    checks = read_checks(path)
    expected = checks["expected"].value_counts().sort("expected").rows()
    return {
        "pap.check_instances": checks.height,
        "pap.check_instances.by_expected": dict(expected),
        "pap.check_instances.withdrawn.known": checks.filter(pl.col("withdrawn") == "yes").height,
    }
