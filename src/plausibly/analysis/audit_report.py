"""From the document of an audit to its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from plausibly.analysis.audit_page import AuditPage, AuditPart, AuditSection, render_audit
from plausibly.analysis.audit_text import question_sections
from plausibly.analysis.audit_words import Numbers
from plausibly.analysis.figures.drawing import Figure
from plausibly.io.wording import plural
from plausibly.study.manifest import versions

KINDS = {
    "ratings": "a file",
    "study": "a study",
    "release": "a release",
    "dataset": "a published dataset",
}


def audit_page(
    document: Numbers,
    *,
    asks: Mapping[str, str],
    per_item: Mapping[str, list[float]],
    people: Mapping[str, pl.DataFrame],
) -> str:
    """Return the page of an audit as one HTML file.

    Args:
        document: What `audit --json` prints.
        asks: From what a verdict is for to the words of the page.
        per_item: By question, the ratings of each item.
        people: By question, the people with their likeness to the others.
    """
    sections = document["sections"]
    page = AuditPage(
        name=str(sections["source"]["name"]),
        opening=[*_opening(sections)],
        verdicts=[{**one, "asks": asks[one["for"]]} for one in document["verdicts"]],
        findings=document["findings"],
        sections=[
            *_with_shared(
                question_sections(sections["questions"], per_item=per_item, people=people),
                sections,
            ),
            AuditSection("texts", "Texts and splits", [_texts(sections)]),
            AuditSection("publishing", "Personal data and licence", [_publishing(sections)]),
        ],
        footer=", ".join(f"{name} {version}" for name, version in versions().items()),
        several=len(sections["questions"]) > 1,
    )
    return render_audit(page)


def _opening(sections: Numbers) -> Iterator[str]:
    source, questions = sections["source"], sections["questions"]
    rated = [name for name, own in questions.items() if own["design"]["ratings"] is not None]
    kind = KINDS.get(source["kind"], source["kind"])
    ratings = sum(questions[name]["design"]["ratings"] for name in rated)
    what = plural(ratings, "rating") if rated else "labels without the ratings behind them"
    several = f" of {len(questions)} questions" if len(questions) > 1 else ""
    yield f"This page is about {kind} with {what}{several}."
    yield from source["notes"]


def _with_shared(sections: Iterator[AuditSection], shared: Numbers) -> Iterator[AuditSection]:
    """Yield the sections, two of them with what is known about all questions together."""
    for section in sections:
        parts = [*section.parts]
        if section.name == "missing" and shared["missing"]["n"]:
            parts = [_missing(shared["missing"]), *parts]
        if section.name == "conditions":
            parts = [*parts, _balance(shared["balance"])]
        yield AuditSection(section.name, section.heading, parts)


def _missing(section: Numbers) -> AuditPart:
    cells, silent = section["cells"], section["items_without_answer"]
    are = "is" if cells == 1 else "are"
    lost = f"{plural(cells, 'answer')} {are} marked as missing ({section['value']:.1%})."
    none = f"{plural(silent, 'item')} {'has' if silent == 1 else 'have'} no answer at all."
    sentence = lost if cells else "No answer is marked as missing."
    return AuditPart([sentence, none] if silent else [sentence])


def _balance(section: Numbers) -> AuditPart:
    if "probes" not in section:
        return AuditPart(
            [f"It is not known whether texts reveal their condition. {section['reason']}"]
        )
    rows = [
        {
            "predicted_from": name,
            section["measure"]: one["value"],
            "low": one.get("low"),
            "high": one.get("high"),
        }
        for name, one in section["probes"].items()
    ]
    chance = "0.5" if section["measure"] == "auc" else f"{section['largest_condition'] or 0:.2f}"
    sentence = "How well surface features alone predict the condition of an item."
    kinds = dict.fromkeys((section["measure"], "low", "high"), pl.Float64)
    table = pl.DataFrame(rows, schema={"predicted_from": pl.String, **kinds})
    caption = f"Cross-validated; chance is {chance}."
    return AuditPart([sentence], [Figure("give-aways", "Give-aways", caption, table, "")])


def _texts(sections: Numbers) -> AuditPart:
    texts, splits = sections["texts"], sections["splits"]
    sentences = []
    if "same_text" in texts:
        same, near = texts["same_text"], texts["one_word_apart"]
        sentences.append(
            f"{plural(same['groups'], 'text')} {'occurs' if same['groups'] == 1 else 'occur'} in "
            f"two items or more ({same['items']:,} items)."
            if same["groups"]
            else "No two items have the same text (case and punctuation aside)."
        )
        if near is not None:
            words = f"({', '.join(near['judged_on'])})"
            sentences.append(
                f"{near['items']:,} of {near['compared']:,} items compared differ from another by "
                f"one word {words}; in sets of minimal pairs that is intended."
                if near["compared"]
                else f"Items have too few words {words} to look for those that differ by only one."
            )
    else:
        sentences.append(texts["reason"])
    leaks = splits["leaking_share"]
    if leaks["value"] is None:
        return AuditPart([*sentences, leaks["reason"]])
    sizes = ", ".join(f"{name} {n:,}" for name, n in splits["splits"].items())
    sentences.append(
        f"Splits: {sizes}. {leaks['leaks']:,} of {leaks['n']:,} items outside the training split "
        "have a text that is also in it."
    )
    groups = splits["groups_in_two_splits"]
    if groups is not None:
        are = "is" if groups == 1 else "are"
        sentences.append(f"{plural(groups, 'group of items')} {are} in two splits.")
    return AuditPart([*sentences, *([splits["note"]] if "note" in splits else [])])


def _publishing(sections: Numbers) -> AuditPart:
    section = sections["publishing"]
    found, release = section["privacy"], section["release"]
    columns = section["obstacles"]["columns"]
    kinds = f"{plural(len(found), 'kind')} {'was' if len(found) == 1 else 'were'}"
    sentences = [
        f"{plural(columns, 'column')} with text {'was' if columns == 1 else 'were'} searched for "
        f"personal data and secrets: {'nothing was found' if not found else f'{kinds} found'}."
    ]
    if release is None:
        sentences.append("Licence and card belong to a release; this is not one.")
    else:
        sentences.append(f"Licence: {release['licence']}.")
        if release.get("citation"):
            sentences.append(f"Cite: {release['citation']}")
        if release["absent"]:
            sentences.append(f"Missing files: {', '.join(release['absent'])}.")
    rows: list[dict[str, Any]] = [
        {name: one[name] for name in ("table", "column", "kind", "cells")} for one in found
    ]
    tables = []
    if rows:
        caption = "The cells are not repeated here."
        tables = [Figure("personal", "Personal data and secrets", caption, pl.DataFrame(rows), "")]
    return AuditPart(sentences, tables)
