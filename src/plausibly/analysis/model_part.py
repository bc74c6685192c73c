"""A mixed model as a report shows it: what was fitted in a sentence, then tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plausibly.analysis.showing import ABSENT, MINUS, TIMES, chance, number
from plausibly.measures.mixed.design import INTERCEPT, parse_terms

Document = Mapping[str, Any]
Levels = Mapping[str, Sequence[str]]
LINEAR = "linear"
FACTORS = {"annotator": "annotators", "item": "items", "group": "groups of items"}
UNITS = {
    LINEAR: "Values are in units of the answers.",
    "ordinal": "Values are on the scale of the link ({link}).",
    "logistic": "Values are on the scale of the link ({link}), for the answer “{answer}”.",
}
MEANS = {
    LINEAR: "mean answers",
    "ordinal": "mean answers of a typical annotator about a typical item",
    "logistic": "shares of the answer for a typical annotator and a typical item",
}


@dataclass(frozen=True, slots=True)
class ModelListing:
    """One table of a model."""

    name: str
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    first: int = 1


@dataclass(frozen=True, slots=True)
class ModelPart:
    """What a report shows of a model.

    Args:
        sentence: What was fitted, as an author writes it.
        results: The tests, as an author writes them.
        units: What the values mean.
        listings: The tables.
        warnings: What to bear in mind, such as singular fits.
    """

    sentence: str
    results: str
    units: str
    listings: tuple[ModelListing, ...]
    warnings: tuple[str, ...]


def model_part(document: Document) -> ModelPart:
    """Return what a report shows of a model, from what `analyse` reports."""
    answers = document["answers"]
    answer = answers[-1] if answers else ""
    units = UNITS[str(document["family"])].format(link=document["link"], answer=answer)
    converged = () if document["converged"] else ("The search did not end at an optimum.",)
    return ModelPart(
        sentence=model_sentence(document),
        results=_results(document),
        units=units,
        listings=tuple(one for one in _listings(document) if one.rows),
        warnings=(*document["warnings"], *converged),
    )


def model_sentence(document: Document) -> str:
    """Return the sentence of a methods section about a model."""
    sizes = f"{number(document['ratings'])} answers to “{document['question']}”"
    return (
        f"The {sizes} were analysed with {_family(document)} with {_fixed(document)} as fixed "
        f"{'effect' if len(parse_terms(document['formula'])) == 1 else 'effects'} and "
        f"{_random(document)}; p values come from {document['test']}."
    )


def _family(document: Document) -> str:
    family, link = document["family"], document["link"]
    if family == LINEAR:
        return f"a linear mixed model ({document['criterion']})"
    if family == "ordinal":
        return f"a cumulative-link mixed model ({link} link, {document['criterion']})"
    answer = document["answers"][-1]
    kind = "logistic" if link == "logit" else link
    return f"a {kind} mixed model of the answer “{answer}” ({document['criterion']})"


def _fixed(document: Document) -> str:
    terms = parse_terms(str(document["formula"]))
    single = [names[0] for names in terms if len(names) == 1]
    crossed = [names for names in terms if len(names) > 1]
    if len(crossed) == 1 and set(crossed[0]) == set(single):
        return f"{', '.join(single)} and their interaction"
    return listed([*single, *(f"the interaction of {listed(names)}" for names in crossed)])


def _random(document: Document) -> str:
    """Return the random effects in words: intercepts first, then slopes by what they are of."""
    intercepts: list[str] = []
    slopes: dict[tuple[str, ...], list[str]] = {}
    for factor, one in document["random"].items():
        who = FACTORS.get(factor, f"levels of {factor}")
        names = list(one["deviations"])
        if INTERCEPT in names:
            intercepts.append(f"{who} ({number(one['levels'])})")
        terms = tuple(dict.fromkeys(_variable(name) for name in names if name != INTERCEPT))
        if terms:
            slopes.setdefault(terms, []).append(who)
    parts = [f"random intercepts for {listed(intercepts)}"] if intercepts else []
    of = [f"of {listed(terms)} for {listed(people)}" for terms, people in slopes.items()]
    parts += [f"random slopes {listed(of)}"] if of else []
    return " and ".join(parts) or "no random effects"


def _variable(name: str) -> str:
    """Return the term that a random effect is of, without its level.

    >>> _variable("condition[odd]")
    'condition'
    """
    return re.sub(r"\[[^]]*\]", "", name).replace(":", f" {TIMES} ")


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""


def _levels(document: Document) -> dict[str, list[str]]:
    """Return from a column to its levels in order, as the means name them."""
    levels: dict[str, list[str]] = {}
    for mean in document["means"].values():
        for name, level in mean["levels"].items():
            known = levels.setdefault(name, [])
            if level not in known:
                known.append(level)
    return {name: sorted(known) for name, known in levels.items()}


def term_label(name: str, levels: Levels) -> str:
    """Return a term as a reader knows it; one with two levels names the difference it is.

    >>> term_label("condition", {"condition": ["odd", "plain"]}) == f"condition (plain {MINUS} odd)"
    True
    """
    parts = name.split(":")
    if len(parts) > 1:
        return f" {TIMES} ".join(parts)
    pair = levels.get(name, ())
    return f"{name} ({pair[1]} {MINUS} {pair[0]})" if len(pair) == 2 else name


def _results(document: Document) -> str:
    """Return the tests of a model in a sentence; terms with several columns by their joint test."""
    levels, tests = _levels(document), document["tests"]
    clauses = []
    for names in parse_terms(str(document["formula"])):
        name = ":".join(names)
        if name in tests:
            one = tests[name]
            first, second = one["df"]
            clauses.append(
                f"{f' {TIMES} '.join(names)}, F({first}, {_freedom(second)}) = {number(one['f'])}, "
                f"{_p(one['p'])}"
            )
        elif name in document["terms"]:
            one = document["terms"][name]
            clauses.append(
                f"{term_label(name, levels)}, b = {number(one['value'])}, 95 % CI "
                f"[{number(one['low'])}, {number(one['high'])}], t({_freedom(one['df'])}) = "
                f"{number(one['value'] / one['se'])}, {_p(one['p'])}"
                if one["se"] and one["value"] is not None
                else f"{term_label(name, levels)}, b = {number(one['value'])}, not tested"
            )
    return f"Effects: {'; '.join(clauses)}." if clauses else ""


def _p(p: float | None) -> str:
    text = chance(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def _freedom(df: float | None) -> str:
    return "not defined" if df is None else f"{df:.4g}" if df < 1000 else f"{df:,.0f}"


def _interval(one: Document) -> str:
    low, high = one["low"], one["high"]
    return "not defined" if low is None else f"{number(low)} to {number(high)}"


def _listings(document: Document) -> Iterator[ModelListing]:
    levels = _levels(document)
    yield from _tested(document, levels)
    yield from _estimated(document, levels)
    yield ModelListing(
        "random",
        "Random effects",
        ("of", "effect", "standard deviation"),
        tuple(_spread(document)),
        2,
    )


def _tested(document: Document, levels: Levels) -> Iterator[ModelListing]:
    """Yield the tables of terms and of joint tests."""
    yield ModelListing(
        "terms",
        "Fixed effects",
        ("term", "value", "95 % interval", "df", "p"),
        tuple(
            (
                term_label(name, levels),
                number(one["value"]),
                _interval(one),
                _freedom(one["df"]),
                ABSENT if name == INTERCEPT else chance(one["p"]),
            )
            for name, one in document["terms"].items()
        ),
    )
    yield ModelListing(
        "tests",
        "Joint tests of terms with more than two levels",
        ("term", "F", "df", "p"),
        tuple(
            (
                name.replace(":", f" {TIMES} "),
                number(one["f"]),
                f"{one['df'][0]}, {_freedom(one['df'][1])}",
                chance(one["p"]),
            )
            for name, one in document["tests"].items()
        ),
    )


def _estimated(document: Document, levels: Levels) -> Iterator[ModelListing]:
    """Yield the tables of means and of pairs of levels."""
    yield ModelListing(
        "means",
        f"What the model expects in every cell: {MEANS[str(document['family'])]}",
        (*levels, "share" if document["family"] == "logistic" else "mean", "95 % interval"),
        tuple(
            (*(str(one["levels"][name]) for name in levels), number(one["value"]), _interval(one))
            for one in document["means"].values()
        ),
        len(levels),
    )
    yield ModelListing(
        "contrasts",
        "Pairs of levels, p corrected for all pairs of a term (Holm)",
        ("term", "difference", "value", "95 % interval", "p, corrected"),
        tuple(
            (
                one["term"],
                f"{one['of']} {MINUS} {one['against']}",
                number(one["value"]),
                _interval(one),
                chance(one["p_holm"]),
            )
            for one in document["contrasts"]
        ),
        2,
    )


def _spread(document: Document) -> Iterator[tuple[str, ...]]:
    for factor, one in document["random"].items():
        for name, deviation in one["deviations"].items():
            effect = name.replace(":", f" {TIMES} ")
            yield FACTORS.get(factor, factor), effect, number(deviation)
    if document["residual"] is not None:
        yield "ratings", "residual", number(document["residual"])
