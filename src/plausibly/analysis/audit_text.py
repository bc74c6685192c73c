"""What an audit says in words: sentences from its numbers, section by section."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import polars as pl

from plausibly.analysis.audit_figures import (
    agreement_figure,
    answers_figure,
    curve_figure,
    people_figure,
    per_item_figure,
)
from plausibly.analysis.audit_page import AuditPart, AuditSection
from plausibly.analysis.figures.drawing import Figure

Numbers = Mapping[str, Any]
NOT_RELEASED = "The single ratings were not released, so this cannot be determined."
SUSPECTS = {
    "people_unlike_others": "answer unlike all others",
    "straight_lining": "give one answer nearly all the time",
    "copied_answers": "share all answers with somebody else",
    "fast_answers": "take less than a third of the typical time",
}
STYLES = {
    "commonest_answer": "share of the commonest answer",
    "ends": "share of answers at the ends of the scale",
    "middle": "share of answers in the middle of the scale",
    "seconds": "seconds per answer (median)",
}


def question_sections(
    questions: Mapping[str, Numbers],
    *,
    per_item: Mapping[str, list[float]],
    people: Mapping[str, pl.DataFrame],
) -> Iterator[AuditSection]:
    """Yield the sections about questions, each with a part per question.

    Args:
        questions: By question, the sections of `audit --json`.
        per_item: By question, the ratings of each item.
        people: By question, the people with their likeness to the others.
    """
    several = len(questions) > 1
    for name, heading, words in SECTIONS:
        parts = []
        for place, (question, own) in enumerate(questions.items()):
            suffix = f"-{place + 1}" if several else ""
            figures = _figures(name, own, per_item.get(question), people.get(question), suffix)
            parts.append(AuditPart([*words(own)], figures, question if several else ""))
        yield AuditSection(name, heading, parts)


def _figures(
    name: str,
    own: Numbers,
    per_item: list[float] | None,
    people: pl.DataFrame | None,
    suffix: str,
) -> list[Figure]:
    """Return the figures and tables of a section."""
    if name == "conditions":
        return _condition_tables(own, suffix)
    if "reliability" not in own or per_item is None:
        return []
    figures: list[Figure] = []
    if name == "design":
        varied = len(set(per_item)) > 1
        figures = [per_item_figure(per_item, suffix)] if varied else []
    elif name == "scale":
        figures = [answers_figure(own["scale"]["counts"], suffix)]
    elif name == "agreement":
        figures = _agreement_figures(own, suffix)
    elif name == "reliability" and own["reliability"]["one_rating"].get("value") is not None:
        rated = own["reliability"]["ratings_per_item"]
        figures = [curve_figure(own["reliability"]["curve"], rated, suffix)]
    elif name == "people" and people is not None:
        figures = [] if people["likeness"].count() == 0 else [people_figure(people, suffix)]
        figures.append(_styles_table(own["people"], suffix))
    return figures


def _agreement_figures(own: Numbers, suffix: str) -> list[Figure]:
    found = {**own["agreement"], **own["reliability"]}
    wanted = ("alpha", "same_answer", "one_rating", "means")
    measures = {key: found[key] for key in wanted if found[key].get("value") is not None}
    return [agreement_figure(measures, suffix)] if measures else []


def _styles_table(people: Numbers, suffix: str) -> Figure:
    rows = [
        {"style": STYLES[name], **one} for name, one in people["styles"].items() if one is not None
    ]
    title = "Answer styles"
    return Figure(f"styles{suffix}", title, "Quartiles over people.", pl.DataFrame(rows), "")


def _condition_tables(own: Numbers, suffix: str) -> list[Figure]:
    section = own["conditions"]
    if not section.get("cells"):
        return []
    cells = pl.DataFrame(section["cells"])
    pairs = pl.DataFrame(section["differences"])
    return [
        Figure(f"conditions{suffix}", "Conditions", "Means over items.", cells, ""),
        Figure(
            f"differences{suffix}",
            "Differences",
            "Of means over items, with the half-width of the 95 % interval.",
            pairs,
            "",
        ),
    ]


def _design(own: Numbers) -> Iterator[str]:
    design = own["design"]
    if design["ratings"] is None:
        yield f"{design['items']:,} items have a released label or mean. {NOT_RELEASED}"
        return
    each = design["ratings_per_item"]
    yield (
        f"{design['items']:,} items have {design['ratings']:,} ratings: {each['median']:g} per "
        f"item at the median, {each['least']:g} to {each['most']:g}. {design['rated_once']:,} "
        "items have only one."
    )
    if not design["people_known"]:
        yield (
            f"{design['connected_share']['reason']} Overlap and connections between people cannot "
            "be determined."
        )
        return
    person, connected = design["ratings_per_person"], design["connected_share"]
    yield (
        f"{design['annotators']:,} people gave {person['median']:g} ratings each at the median, "
        f"{person['least']:g} to {person['most']:g}; {design['complete_share']:.0%} of all "
        "possible ratings were given."
    )
    parts = connected["count"]
    whole = "All items and people hang together in one graph."
    yield (
        whole
        if parts == 1
        else (
            f"The graph of items and people has {parts:,} separate parts; the largest holds "
            f"{connected['value']:.0%} of the items."
        )
    )
    overlap = design["overlap"]
    if overlap["value"] is not None:
        used = overlap["items_used"]
        sampled = f" (from {used:,} items drawn at random)" if used < design["items"] else ""
        yield (
            f"{overlap['value']:.0%} of the {overlap['pairs']:,} pairs of people rated an item in "
            f"common, {overlap['shared_items']:g} at the median of these pairs{sampled}."
        )


def _scale(own: Numbers) -> Iterator[str]:
    if "scale" not in own:
        yield NOT_RELEASED
        return
    scale = own["scale"]
    named = "not clear" if scale["scale"] == "ask" else scale["scale"]
    yield f"The scale is {named}: {scale['reason']}."
    if scale["low"] is not None:
        ends = "as declared" if scale["bounds_declared"] else "the least and greatest that occur"
        yield f"It runs from {scale['low']:g} to {scale['high']:g} ({ends})."


def _missing(own: Numbers) -> Iterator[str]:
    if "missing" not in own:
        yield NOT_RELEASED
        return
    missing = own["missing"]
    yield (
        f"{missing['cells']:,} answers are missing ({missing['share']['value']:.1%}); "
        f"{missing['items_without_answer']:,} items have no answer at all."
    )
    people = missing["people_with_half_the_typical_ratings"]
    by_person = "" if people is None else f", and {people:,} people gave less than half as many"
    yield (
        f"{missing['items_with_half_the_typical_ratings']:,} items have less than half the typical "
        f"number of ratings ({missing['typical_ratings_per_item']:g}){by_person}"
        f"{' as is typical' if people is not None else ''}."
    )


def _agreement(own: Numbers) -> Iterator[str]:
    if "agreement" not in own:
        yield NOT_RELEASED
        return
    same, alpha = own["agreement"]["same_answer"], own["agreement"]["alpha"]
    if same["value"] is not None:
        yield (
            f"Two people who rated the same item gave the same answer in {same['value']:.0%} of "
            f"cases{_interval(same, '.0%')}."
        )
    if alpha["value"] is not None:
        yield f"Krippendorff's alpha ({alpha['metric']}) is {alpha['value']:.2f}{_interval(alpha)}."
    yield (
        "Agreement alone decides nothing here: on a graded question people may differ, and means "
        "can still be reliable."
    )


def _reliability(own: Numbers) -> Iterator[str]:
    if "reliability" not in own:
        yield NOT_RELEASED
        return
    section = own["reliability"]
    means, one = section["means"], section["one_rating"]
    if means.get("value") is None:
        yield _capital(means.get("reason"))
        return
    yield (
        f"The reliability of item means is {means['value']:.2f}{_interval(means)}; that of one "
        f"rating is {one['value']:.2f}{_interval(one)} (generalisability coefficient G(q,k))."
    )
    for wanted, needed in section["ratings_needed"].items():
        if needed["value"] is None:
            yield f"No number of ratings would reach a reliability of {wanted}."
        else:
            most = "no number" if needed["high"] is None else f"{needed['high']:,}"
            limits = "" if needed["low"] is None else f" ({needed['low']:,} to {most})"
            yield f"Items need {needed['value']:,} ratings for a reliability of {wanted}{limits}."
    parts = section["variances"]
    if parts:
        whole = sum(parts.values()) or 1.0
        shares = {name: part / whole for name, part in parts.items()}
        yield (
            f"Of the variance of ratings, {shares['item']:.0%} belongs to items, "
            f"{shares['annotator']:.0%} to people and {shares['residual']:.0%} to neither; "
            f"{section['people_counted']:.0%} of the people's part is left in comparisons of items."
        )


def _means(own: Numbers) -> Iterator[str]:
    section = own.get("means")
    if section is None:
        yield NOT_RELEASED
        return
    width = section["half_width_in_differences"]
    if width["value"] is None:
        yield _capital(width["reason"])
        return
    yield (
        f"The 95 % interval of a typical item mean reaches ± {width['half_width']:.2g}; "
        f"{section['precise_share']:.0%} of the items are known to within the difference that "
        f"matters ({width['difference']:.2g})."
    )
    yield f"That precision takes {section['ratings_needed']:,} ratings per item."


def _labels(own: Numbers) -> Iterator[str]:
    section = own.get("labels")
    if section is None:
        yield NOT_RELEASED
        return
    stability = section["stability"]
    if stability["value"] is None:
        yield _capital(stability["reason"])
        return
    used = section["items_used"]
    some = f" (from {used:,} items drawn at random)" if used < own["design"]["items"] else ""
    yield (
        f"An item's label is {section['label']}; a tie has none. Another panel of the same size "
        f"would give {stability['value']:.0%} of the items the same label"
        f"{_interval(stability, '.0%')}{some}."
    )


def _disagreement(own: Numbers) -> Iterator[str]:
    section = own.get("disagreement")
    if section is None:
        yield NOT_RELEASED
        return
    entropy = section["entropy"]
    if entropy["value"] is None:
        yield _capital(entropy["reason"])
        return
    used = section["items_used"]
    some = f", {used:,} items drawn at random" if used < own["design"]["items"] else ""
    yield (
        f"The entropy of an item's answers has a split-half reliability of {entropy['value']:.2f}"
        f"{_interval(entropy)} ({entropy['n']:,} items with four ratings or more{some})."
    )


def _models(own: Numbers) -> Iterator[str]:
    section = own["models"]
    smallest = section["smallest_difference"]
    if smallest["value"] is None:
        yield _capital(smallest["reason"])
        return
    yield (
        f"On {smallest['n']:,} items, a paired test finds a difference in accuracy of "
        f"{smallest['value']:.1%} with {smallest['power']:.0%} power, if exactly one of the two "
        f"models is right on {smallest['discordant']:.0%} of the items."
    )
    if section["label_noise_known"]:
        yield f"If labels were free of noise, it would be {section['without_label_noise']:.1%}."
    else:
        yield "The noise of the labels is not known; with it, the difference is larger."
    if section["items_per_group"] > 1:
        yield (
            f"Items of a group are alike, so {section['items_per_group']:.1f} of them count as one."
        )


def _conditions(own: Numbers) -> Iterator[str]:
    width = own["conditions"]["half_width_in_differences"]
    if width["value"] is None:
        yield _capital(width["reason"])
        return
    yield (
        f"Differences between conditions are known to within ± {width['half_width']:.2g} or better "
        f"(95 %, over items); the difference that matters is {width['difference']:.2g}."
    )


def _people(own: Numbers) -> Iterator[str]:
    section = own.get("people")
    if section is None:
        yield NOT_RELEASED
        return
    if not section["known"]:
        yield f"{section['reason']} People and answer styles cannot be determined."
        return
    share = section["suspect_share"]
    if share["value"] is None:
        yield _capital(share["reason"])
        return
    each = [f"{n:,} {SUSPECTS[kind]}" for kind, n in section["suspects"].items() if n]
    what = "; ".join(each) if each else "nobody stands out"
    yield f"Of {share['judged']:,} people with enough ratings to be judged: {what}."


def _order(own: Numbers) -> Iterator[str]:
    section = own.get("order")
    if section is None or not section.get("known"):
        yield NOT_RELEASED if section is None else _capital(section["reason"])
        return
    names = {
        "drift": "answers rise by",
        "distance": "the distance from the others' mean grows by",
        "seconds": "the seconds per answer change by",
    }
    for name, words in names.items():
        slope = section.get(name)
        if slope is not None and slope["value"] is not None:
            yield (
                f"From a person's first to the last item, {words} {slope['value']:.2g}"
                f"{_interval(slope, '.2g')} ({slope['n']:,} people)."
            )


def _interval(measure: Numbers, form: str = ".2f") -> str:
    low, high = measure.get("low"), measure.get("high")
    if low is None or high is None:
        return ""
    return f" (95 % interval {format(low, form)} to {format(high, form)})"


def _capital(reason: object) -> str:
    text = str(reason or "This cannot be determined")
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


SECTIONS: tuple[tuple[str, str, Callable[[Numbers], Iterator[str]]], ...] = (
    ("design", "Design", _design),
    ("scale", "Scale", _scale),
    ("missing", "Missing answers", _missing),
    ("agreement", "Agreement", _agreement),
    ("reliability", "Reliability", _reliability),
    ("means", "Precision of means", _means),
    ("labels", "Stability of labels", _labels),
    ("disagreement", "Disagreement", _disagreement),
    ("models", "Comparing models", _models),
    ("conditions", "Conditions", _conditions),
    ("people", "People and answer styles", _people),
    ("order", "Order and fatigue", _order),
)
