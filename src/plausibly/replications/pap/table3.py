"""PAP Table 3 and appendix B: what cleaning left, and the check instances."""

from __future__ import annotations

import polars as pl

from plausibly.datasets.pap.events import read_checks
from plausibly.replications.claims import Claims
from plausibly.replications.pap.release import CONDITIONS, PapRelease
from plausibly.replications.printed import Value

LAST = "low_agreement"
STEPS = ("raw", "failed_check", "against_label", "few_ratings", "low_approval", LAST)


def table3(release: PapRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of Table 3 and on the check instances."""
    ratings = {name: int(release.of(name)["ratings"].sum()) for name in CONDITIONS}
    last: dict[str, Value] = {
        **{f"pap.table3.{LAST}.ratings.{name}": count for name, count in ratings.items()},
        f"pap.table3.{LAST}.ratings.total": sum(ratings.values()),
        f"pap.table3.{LAST}.triples.total": release.events.height,
    }
    return {
        **last,
        **_checks(release),
        **_sums(claims),
        "pap.table3.order": [step.replace("_", " ") for step in STEPS[1:]],
        **_people(claims),
    }


def _people(claims: Claims) -> dict[str, Value]:
    """Return how many different people a row of Table 3 can stand for, fewest and most."""
    numbers: dict[str, Value] = {}
    for step in ("few_ratings", LAST):
        row = [int(people) for people in claims.numbers(f"pap.table3.{step}.annotators").values()]
        numbers[f"pap.annotators.bounds.{step}"] = [max(row), sum(row)]
    return numbers


def _sums(claims: Claims) -> dict[str, Value]:
    """Return the ratings of both conditions added up, row by row, from the printed cells."""
    sums: dict[str, Value] = {}
    for step in STEPS:
        row = claims.numbers(f"pap.table3.{step}.ratings")
        sums[f"pap.table3.sums.{step}"] = int(sum(row[name] for name in CONDITIONS))
    return sums


def _checks(release: PapRelease) -> dict[str, Value]:
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
