"""What an audit says in words: sentences from its numbers, section by section."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from plausibly.io.wording import plural

Numbers = Mapping[str, Any]
NOT_RELEASED = "The single ratings were not released, so this cannot be determined."
GRADED = ("ordinal", "interval")
NEARLY_NONE = 0.005
SUSPECTS = {  # of several people, and of one
    "people_unlike_others": ("answer unlike all others", "answers unlike all others"),
    "straight_lining": (
        "give one answer nearly all the time",
        "gives one answer nearly all the time",
    ),
    "copied_answers": (
        "share all answers with somebody else",
        "shares all answers with somebody else",
    ),
    "fast_answers": ("answer much faster than is typical", "answers much faster than is typical"),
}


def _design(own: Numbers) -> Iterator[str]:
    design = own["design"]
    if design["ratings"] is None:
        yield (
            f"{plural(design['items'], 'item')} {_have(design['items'])} a released label or mean. "
            "The single ratings were not released, so how many there are and who gave them cannot "
            "be determined."
        )
        return
    each, once = design["ratings_per_item"], design["rated_once"]
    alone = "Every item has two or more."
    if once == design["items"]:
        alone = ""
    elif once:
        alone = f"{plural(once, 'item')} {_have(once)} only one."
    yield (
        f"{plural(design['items'], 'item')} {_have(design['items'])} "
        f"{plural(design['ratings'], 'rating')}: {_spread(each, 'item')}. {alone}".rstrip()
    )
    if not design["people_known"]:
        yield (
            f"{design['connected_share']['reason']} Overlap and connections between people cannot "
            "be determined."
        )
        return
    person, connected = design["ratings_per_person"], design["connected_share"]
    yield (
        f"{plural(design['annotators'], 'person')} gave ratings: {_spread(person, 'person')}; "
        f"{design['complete_share']:.0%} of all possible ratings were given."
    )
    parts = connected["count"]
    whole = "All items are connected by people who rated several of them."
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
            f"{overlap['value']:.0%} of pairs of people (n = {overlap['pairs']:,}) have items in "
            f"common, a median of {overlap['shared_items']:g}{sampled}."
        )


def _spread(each: Numbers, one: str) -> str:
    """Return how many ratings an item or a person has.

    >>> _spread({"median": 4.0, "least": 4, "most": 4}, "item")
    '4 per item'
    """
    if each["least"] == each["most"]:
        return f"{each['median']:g} per {one}"
    return f"a median of {each['median']:g} per {one}, from {each['least']:g} to {each['most']:g}"


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _scale(own: Numbers) -> Iterator[str]:
    if "scale" not in own:
        yield from _released_scale(own.get("released_means"))
        return
    scale = own["scale"]
    named = "not clear" if scale["scale"] == "ask" else scale["scale"]
    why = ", as declared" if scale["reason"] == "declared" else f": {scale['reason']}"
    yield f"The scale is {named}{why}."
    if scale["low"] is not None and scale["scale"] != "nominal":
        ends = "as declared" if scale["bounds_declared"] else "the least and greatest that occur"
        yield f"It runs from {scale['low']:g} to {scale['high']:g} ({ends})."


def _released_scale(means: Numbers | None) -> Iterator[str]:
    """Yield what means show of a scale whose single answers were not released."""
    if means is not None and means["ends"] is not None:
        yield "The scale runs from {:g} to {:g} (as declared).".format(*means["ends"])
    if means is not None:
        yield f"The released means run from {means['least']:g} to {means['most']:g}."
    yield "How often each answer was given cannot be determined: single ratings were not released."


def _missing(own: Numbers) -> Iterator[str]:
    if "missing" not in own:
        yield NOT_RELEASED
        return
    missing = own["missing"]
    typical, items = (
        missing["typical_ratings_per_item"],
        missing["items_with_half_the_typical_ratings"],
    )
    yield (
        f"{plural(items, 'item')} {_have(items)} fewer than half the typical number of ratings "
        f"({typical:g})."
        if items
        else f"No item has fewer than half the typical number of ratings ({typical:g})."
    )
    people = missing["people_with_half_the_typical_ratings"]
    if people:
        yield f"{plural(people, 'person')} gave fewer than half as many ratings as is typical."
    elsewhere = missing["other_questions_only"]
    if elsewhere:
        yield (
            f"In {plural(elsewhere, 'case')}, somebody answered another question about an item but "
            "not this one."
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
        value = f"{alpha['value']:z.2f}{_interval(alpha)}"
        yield f"Krippendorff's alpha ({alpha['metric']}) is {value}."
    if own["scale"]["scale"] in GRADED:
        yield (
            "Agreement alone decides nothing here: on a graded question people may differ, and "
            "means can still be reliable."
        )
    else:
        yield (
            "Agreement alone decides nothing here: people may differ, and the label that most of "
            "them give can still be stable."
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
        f"The reliability of item means is {means['value']:z.2f}{_interval(means)}; that of one "
        f"rating is {one['value']:z.2f}{_interval(one)} (generalisability coefficient G(q,k))."
    )
    for wanted, needed in section["ratings_needed"].items():
        if needed["value"] is None:
            yield f"No number of ratings would reach a reliability of {wanted}."
        else:
            low, high = needed["low"], needed["high"]
            limits = "" if low is None or high is None else f" ({low:,} to {high:,})"
            if low is not None and high is None:
                limits = f" ({low:,} or more; perhaps no number is enough)"
            each = plural(needed["value"], "rating")
            yield f"Items need {each} for a reliability of {wanted}{limits}."
    parts = section["variances"]
    if parts:
        whole = sum(parts.values()) or 1.0
        shares = {name: part / whole for name, part in parts.items()}
        if "annotator" not in parts:
            yield (
                f"Of the variance of ratings, {shares['item']:.0%} belongs to items. How much of "
                f"the other {1 - shares['item']:.0%} belongs to people cannot be determined."
            )
            return
        yield (
            f"Of the variance of ratings, {shares['item']:.0%} belongs to items, "
            f"{shares['annotator']:.0%} to people and {shares['residual']:.0%} to neither."
        )
        yield _left_of_people(section["people_counted"])


def _left_of_people(counted: float) -> str:
    """Return how far it matters for comparisons of items who rated which of them."""
    if counted <= NEARLY_NONE:
        return "Everybody rated nearly the same items, so strict people affect all items alike."
    return (
        f"People rated different items: {counted:.0%} of the variance between people remains "
        "in comparisons of items."
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
    of = width.get("what", "mean")
    yield (
        f"The 95 % interval of the {of} of a typical item reaches ± {width['half_width']:.2g}; "
        f"{section['precise_share']:.0%} of the items are known to within the difference that "
        f"matters ({width['difference']:.2g})."
    )
    yield f"That precision takes {plural(section['ratings_needed'], 'rating')} per item."


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
        f"An item's label is {section['label']}; tied items have no label. Another panel of the "
        f"same size would give {stability['value']:.0%} of the items the same label"
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
        f"The entropy of an item's answers has a split-half reliability of {entropy['value']:z.2f}"
        f"{_interval(entropy)} ({entropy['n']:,} items with four ratings or more{some})."
    )


def _models(own: Numbers) -> Iterator[str]:
    section = own["models"]
    smallest = section["smallest_difference"]
    if smallest["value"] is None:
        yield _capital(smallest["reason"])
        return
    yield (
        f"On {plural(smallest['n'], 'item')}, a paired test finds a difference in accuracy of "
        f"{100 * smallest['value']:.1f} percentage points with {smallest['power']:.0%} power, if "
        f"exactly one of the two models is right on {smallest['discordant']:.0%} of the items."
    )
    if section["label_noise_known"]:
        points = 100 * section["without_label_noise"]
        yield f"If labels were free of noise, it would be {points:.1f} points."
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
    each = [f"{n:,} {SUSPECTS[kind][n == 1]}" for kind, n in section["suspects"].items() if n]
    what = "; ".join(each) if each else "nobody stands out"
    yield f"Of {plural(share['judged'], 'person')} with enough ratings to be judged: {what}."
    searched = section["items_searched_for_copies"]
    if searched < own["design"]["items"]:
        yield f"Copied answers were searched for in {searched:,} items drawn at random."


def _order(own: Numbers) -> Iterator[str]:
    section = own.get("order")
    if section is None or not section.get("known"):
        yield NOT_RELEASED if section is None else _capital(section["reason"])
        return
    names = {
        "drift": "answers change by",
        "distance": "the distance from the others' mean changes by",
        "seconds": "the seconds per answer change by",
    }
    for name, words in names.items():
        slope = section.get(name)
        if slope is not None and slope["value"] is not None:
            form = _form(slope)
            yield (
                f"From a person's first to the last item, {words} {format(slope['value'], form)}"
                f"{_interval(slope, form)} ({plural(slope['n'], 'person')})."
            )


def _form(measure: Numbers) -> str:
    """Return how to write a number so that its interval has two digits.

    >>> _form({"value": -0.0009, "low": -0.34, "high": 0.34})
    'z.2f'
    """
    low, high = measure.get("low"), measure.get("high")
    if low is None or high is None or high <= low:
        return ".2g"
    return f"z.{max(0, 1 - math.floor(math.log10((high - low) / 2)))}f"


def _interval(measure: Numbers, form: str = "z.2f") -> str:
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
