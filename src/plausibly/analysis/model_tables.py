"""A fitted mixed model as a document and as tables for people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from plausibly.measures.mixed.results import Coefficient, MixedModel, RandomEffects

SATTERTHWAITE = "t with Satterthwaite's degrees of freedom"
FEWER = (
    "t, whose degrees of freedom are one less than the number of annotators or of groups that "
    "carry the term, whichever is smaller"
)
NUMBERS = ("value", "se", "low", "high", "df", "p")
Tables = list[tuple[tuple[str, ...], list[tuple[Any, ...]]]]


def how_tested(model: MixedModel) -> str:
    """Return how terms are tested, in words."""
    return SATTERTHWAITE if model.family == "linear" else FEWER


def model_document(model: MixedModel) -> dict[str, Any]:
    """Return estimates, tests, means, contrasts and random effects by name."""
    return {
        "terms": {name: _numbers(one) for name, one in model.terms.items()},
        "thresholds": {one.name: _untested(one) for one in model.thresholds},
        "tests": {
            one.name: {"f": one.statistic, "df": [one.numerator, one.df], "p": one.p}
            for one in model.tests
        },
        "means": {
            one.mean.name: {"levels": dict(one.levels), **_untested(one.answer)}
            for one in model.means
        },
        "contrasts": [
            {
                "term": one.term,
                "of": one.of,
                "against": one.against,
                **_numbers(one.difference),
                "p_holm": one.p_holm,
            }
            for one in model.contrasts
        ],
        "random": {one.factor: _spread(one) for one in model.random},
        "residual": model.residual,
    }


def model_tables(model: MixedModel) -> Tables:
    """Return header and rows of each table that has any."""
    tests = [(one.name, one.statistic, one.numerator, one.df, one.p) for one in model.tests]
    means = [(one.mean.name, *_row(one.answer)[:4]) for one in model.means]
    pairs = [
        (f"{one.term}: {one.of} - {one.against}", *_row(one.difference)[:4], one.p_holm)
        for one in model.contrasts
    ]
    tables: Tables = [
        (("term", *NUMBERS), [(name, *_row(one)) for name, one in model.terms.items()]),
        (("joint test", "F", "df 1", "df 2", "p"), tests),
        (("mean of", *NUMBERS[:4]), means),
        (("difference", *NUMBERS[:4], "p (Holm)"), pairs),
        (("random", "effect", "standard deviation"), list(_deviations(model))),
    ]
    return [(header, rows) for header, rows in tables if rows]


def _numbers(one: Coefficient) -> dict[str, float | None]:
    return dict(zip(NUMBERS, _row(one), strict=True))


def _untested(one: Coefficient) -> dict[str, float | None]:
    return dict(zip(NUMBERS[:5], _row(one)[:5], strict=True))


def _row(one: Coefficient) -> tuple[float | None, ...]:
    return one.value, one.se, one.low, one.high, one.df, one.p


def _spread(one: RandomEffects) -> dict[str, Any]:
    pairs = combinations(range(len(one.names)), 2)
    table = one.correlations
    shared = (
        {}
        if table is None
        else {f"{one.names[a]}, {one.names[b]}": float(table[a, b]) for a, b in pairs}
    )
    deviations = dict(zip(one.names, one.deviations, strict=True))
    return {"levels": one.levels, "deviations": deviations, "correlations": shared}


def _deviations(model: MixedModel) -> Iterator[tuple[str, str, float]]:
    for one in model.random:
        for name, value in zip(one.names, one.deviations, strict=True):
            yield one.factor, name, value
    if model.residual is not None:
        yield "residual", "", model.residual
