"""The sections of an audit about questions: sentences, figures and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from plausibly.analysis.audit_figures import (
    agreement_figure,
    answers_figure,
    curve_figure,
    grid_figure,
    people_figure,
    per_item_figure,
)
from plausibly.analysis.audit_page import AuditPart, AuditSection
from plausibly.analysis.audit_words import SECTIONS, Numbers
from plausibly.analysis.figures.drawing import Figure

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
        grid = own["design"]["grid"]
        figures = [grid_figure(grid, own["design"], suffix), *figures] if grid else figures
    elif name == "scale":
        figures = [answers_figure(own["scale"], suffix)]
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
            "Differences between means over items, with the half-width of the 95 % interval.",
            pairs,
            "",
        ),
    ]
