"""The datasheet: what a reader should ask of a dataset, answered from the data where it can be.

The questions follow Gebru et al. (2021), "Datasheets for Datasets", in our own words. What only
an author can say is taken from `release.toml`, or left visibly open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from plausibly.io.rendering import rendered
from plausibly.io.wording import plural
from plausibly.releasing.about import OPEN
from plausibly.releasing.content import TABLE_NOTES, ReleaseContent
from plausibly.releasing.glance import SHARED

SECTIONS: dict[str, dict[str, str]] = {
    "Why it was made": {
        "purpose": "What was the dataset made for?",
        "makers": "Who made it, and for whom?",
        "funding": "Who paid for it?",
    },
    "What is in it": {
        "instances": "What does a row stand for, and how many are there?",
        "sampling": "Is it a sample of something larger, and how was it drawn?",
        "labels": "Is there a label, and how was it found?",
        "disagreement": "Do people agree, and is disagreement kept?",
        "splits": "Are there splits, and what keeps them apart?",
        "errors": "Which errors and gaps are known?",
        "offence": "Could texts offend or hurt?",
        "people": "Does it describe people, and could they be identified?",
    },
    "How it was collected": {
        "collection": "How were the answers collected?",
        "dates": "When were they collected?",
        "raters": "Who answered, and what were they paid?",
        "consent": "Were they informed about the purpose of their answers, and did they consent?",
        "ethics": "Did anybody review the study?",
    },
    "How it was cleaned": {
        "cleaning": "Which answers were set aside, and why?",
        "raw": "Are the answers before cleaning kept?",
        "software": "With which software was it made?",
    },
    "What it may be used for": {
        "uses": "What is it meant for?",
        "misuse": "What should it not be used for, and what harm could come of it?",
    },
    "How it is passed on": {
        "licence": "Under which licence?",
        "sources": "Which other material is in it?",
        "maintenance": "Who looks after it, and how are errors reported?",
    },
}
QUESTIONS = {name: text for section in SECTIONS.values() for name, text in section.items()}


def datasheet(content: ReleaseContent) -> str:
    """Return datasheet.md; an answer of the author's comes before one from the data."""
    sections = [
        (title, [(text, *_answer(content, name)) for name, text in questions.items()])
        for title, questions in SECTIONS.items()
    ]
    return rendered("plausibly.releasing", "datasheet.md.jinja", content=content, sections=sections)


def open_questions(content: ReleaseContent) -> list[str]:
    """Return the names of the questions nobody has answered yet."""
    return [name for name in QUESTIONS if OPEN in "".join(_answer(content, name))]


def _answer(content: ReleaseContent, name: str) -> tuple[str, str]:
    """Return what the data says and what the author says; open where neither does."""
    computed = _FROM_DATA[name](content) if name in _FROM_DATA else ""
    said = content.about.datasheet.get(name, "")
    complete = said or (computed and name not in _NEEDS_AUTHOR)
    return (computed, said if complete else OPEN)


def _instances(content: ReleaseContent) -> str:
    return "; ".join(
        f"{name}: {plural(table.height, 'row')}, each {TABLE_NOTES.get(name, 'a row of its own')}"
        for name, table in content.tables.items()
    )


def _labels(content: ReleaseContent) -> str:
    labels = content.tables.get("labels")
    if labels is None:
        return "There are no labels, only answers."
    methods = labels.group_by("method").agg(
        items=pl.len(), undecided=pl.col("label").is_null().sum()
    )
    return "; ".join(
        f"{method}: {plural(items, 'item')}, {undecided:,} of them without a label (disagreement)"
        for method, items, undecided in methods.sort("method").iter_rows()
    )


def _disagreement(content: ReleaseContent) -> str:
    kept = "Every answer that cleaning kept is in `ratings`; an item without a label keeps its row."
    measure: Any = content.agreement.get("krippendorff_alpha", {})
    nominal = measure.get("nominal") if isinstance(measure, dict) else None
    if not isinstance(nominal, dict) or nominal.get("value") is None:
        return kept
    low, high = nominal.get("low"), nominal.get("high")
    between = "" if low is None else f", 95 % interval {low:.3f} to {high:.3f}"
    return (
        f"Krippendorff's alpha (nominal) is {nominal['value']:.3f}{between}, "
        f"n = {plural(nominal['n'], 'item')}. {kept}"
    )


def _splits(content: ReleaseContent) -> str:
    items = content.tables["items"]
    if "split" not in items.columns:
        return "There are no splits."
    sizes = items.drop_nulls("split").group_by("split").len().sort("split").iter_rows()
    apart = (
        f" No value of {', '.join(content.split_by)} is in two splits." if content.split_by else ""
    )
    return ", ".join(f"{side}: {plural(size, 'item')}" for side, size in sizes) + f".{apart}"


def _people(content: ReleaseContent) -> str:
    annotators = content.tables.get("annotators")
    ratings = content.tables.get("ratings")
    number = (
        annotators.height
        if annotators is not None
        else (0 if ratings is None else ratings["annotator"].n_unique())
    )
    shown = (
        "Every cell was searched for ids of platforms, mail and network addresses; none is left."
    )
    if annotators is None and ratings is not None and number == ratings.height:
        return f"The data do not show which annotator gave which answer. {shown}"
    if content.simulated:
        return f"No: all annotators are simulated (n = {number:,}). {shown}"
    are = "is" if number == 1 else "are"
    return f"{plural(number, 'annotator')} {are} in it under pseudonyms. {shown}"


def _dates(content: ReleaseContent) -> str:
    ratings = content.tables.get("ratings")
    if ratings is None or "submitted" not in ratings.columns:
        return ""
    days = ratings["submitted"].drop_nulls().str.slice(0, 10).sort().to_list()
    return f"From {days[0]} to {days[-1]}." if days else ""


def _cleaning(content: ReleaseContent) -> str:
    exclusions = content.tables.get("exclusions")
    if exclusions is None:
        return "Nothing was set aside."
    rules = exclusions.group_by("rule").len().sort("rule").iter_rows()
    said = "; ".join(f"{rule}: {plural(number, 'rating')}" for rule, number in rules)
    return f"Set aside: {said or 'nothing'}. Each is in `exclusions` with its reason."


def _raw(content: ReleaseContent) -> str:
    if "exclusions" not in content.tables:
        return "Yes: nothing was set aside."
    return "Yes: `ratings` holds all answers; remove those in `exclusions` to get the cleaned ones."


def _software(_content: ReleaseContent) -> str:
    from importlib.metadata import version

    return f"plausibly {version('plausibly')}; versions and hashes of every step in manifest.json."


def _licence(content: ReleaseContent) -> str:
    return f"{content.licence.title} ({content.licence.spdx})." if content.licence.spdx else ""


def _sources(content: ReleaseContent) -> str:
    named = [f"{one.name}, {one.use} ({one.licence})" for one in content.sources]
    return "; ".join(named)


def _makers(content: ReleaseContent) -> str:
    return ", ".join(author["name"] for author in content.about.authors)


def _collection(content: ReleaseContent) -> str:
    if content.simulated:
        return "They were not: a simulated crowd answered, to try the study out."
    ratings = content.tables.get("ratings")
    if ratings is None:
        return "No answers are in it."
    each = ratings.group_by("item").len()["len"].sort().to_list()
    return f"{each[0]} to {each[-1]} answers per item, {ratings.height:,} in all." if each else ""


def _uses(content: ReleaseContent) -> str:
    about = content.measures or "what people answered to the question that was asked"
    return f"It measures {about}; numbers of other protocols measure something else."


def _misuse(content: ReleaseContent) -> str:
    labels = content.tables.get("labels")
    parts = ["A label shows what these annotators found, not what is true or possible."]
    if labels is not None and labels.height:
        own = labels.filter(~pl.col("method").is_in(SHARED))
        if share := own["label"].null_count() / max(1, own.height):
            parts.append(f"{share:.0%} of labels are undecided: omitting them hides disagreement.")
    if content.simulated:
        parts.append("The answers are simulated and allow no conclusions about people.")
    return " ".join(parts)


_FROM_DATA: dict[str, Callable[[ReleaseContent], str]] = {
    "instances": _instances,
    "labels": _labels,
    "disagreement": _disagreement,
    "splits": _splits,
    "people": _people,
    "collection": _collection,
    "raters": lambda content: "" if content.simulated else content.cost,
    "dates": _dates,
    "cleaning": _cleaning,
    "raw": _raw,
    "software": _software,
    "licence": _licence,
    "sources": _sources,
    "makers": _makers,
    "maintenance": lambda content: content.about.contact,
    "uses": _uses,
    "misuse": _misuse,
}
# What the data says about these is not all there is to say.
_NEEDS_AUTHOR = frozenset({"uses", "misuse", "raters"})
