"""The report of a study: five sentences from the data, then the tables behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from plausibly.analysis.figures import (
    Figure,
    agreement_figure,
    answers_figure,
    cascade_figure,
    cleaning_agreement_figure,
    items_figure,
    labels_figure,
    order_figure,
    people_figure,
    sensitivity_figure,
    side_figure,
    speed_figure,
    step_names,
    unordered,
)
from plausibly.analysis.labelling import UNSURE, Labelling
from plausibly.analysis.listings import (
    collection_dates,
    comment_table,
    counted,
    flat,
    listing,
    steps,
)
from plausibly.analysis.methods import Procedure, exclusion_rows
from plausibly.analysis.models import ModelResults
from plausibly.analysis.showing import chance, downloads, number, percent
from plausibly.domain import label_order
from plausibly.tables import ITEMS, LABELS, RATINGS

MEASURES = {
    "soft_jaccard": "Soft pairwise Jaccard",
    "percent_agreement": "Percent agreement",
    "krippendorff_alpha.nominal": "Krippendorff's alpha, nominal",
    "krippendorff_alpha.ordinal": "Krippendorff's alpha, ordinal",
    "krippendorff_alpha.interval": "Krippendorff's alpha, interval",
    "cohen_kappa": "Cohen's kappa, mean over pairs",
    "fleiss_kappa": "Fleiss' kappa",
    "gwet_ac1": "Gwet's AC1",
    "pairwise_spearman": "Spearman, mean over pairs",
    "one_vs_rest_spearman": "Spearman, one against the rest",
}
UNDECIDED = "undecided"
DRAWN = {"both": "items and people", "items": "items", "annotators": "people"}


def _no_ties() -> pl.DataFrame:
    return pl.DataFrame(schema={"item": pl.String, "question": pl.String})


@dataclass(frozen=True, eq=False)
class Material:
    """The tables a report is made of.

    Args:
        name: Name of the study.
        items: All items, checks included.
        collected: Every rating that was collected.
        kept: The ratings left after cleaning.
        exclusions: The ledger of those set aside.
        labels: One label per item; null is undecided.
        agreement: What the agreement step found, in the form of `agree --json`.
        label_names: From label to the word the report uses.
        labelling: How the labels were made.
        made: Seed and versions, for the last section.
        simulated: How many of the people are simulated.
        sides: Answers that count as one in the soft Jaccard coefficient, None for equal ones.
        cascade: What each step of cleaning left, as `clean` says it.
        rules: The rules of cleaning in order, with their thresholds.
        clean_sides: Answers that count as one where cleaning measures agreement.
        question: The question the page is about, where several were asked.
        questions: One row a question, where several were asked.
        profiles: One row a system whose sentences were judged.
        notices: What a reader must know before anything else, such as predicted norms.
        uncleaned: What a model of annotators says about the ratings before cleaning.
        scheme: From answer to label; empty where answers are labels.
        wording: The question as people saw it, and its answers.
        procedure: How people were asked, and what their answers cost.
        published: What a publication prints beside what its data say, where a study has it.
        competence: From annotator to competence, where a model of annotators was fitted.
        models: How models did, where the study has any.
        tied: item, question of each label that has an equal.
        missing: How often each word was read as no answer.
    """

    name: str
    items: pl.DataFrame
    collected: pl.DataFrame
    kept: pl.DataFrame
    exclusions: pl.DataFrame
    labels: pl.DataFrame
    agreement: Mapping[str, Any]
    label_names: Mapping[str, str]
    labelling: Labelling
    made: Mapping[str, str | int]
    simulated: int = 0
    sides: str | None = None
    cascade: Sequence[Mapping[str, Any]] = ()
    rules: Sequence[str] = ()
    clean_sides: str | None = None
    question: str | None = None
    questions: Sequence[Mapping[str, Any]] = ()
    profiles: Sequence[Mapping[str, Any]] = ()
    notices: Sequence[str] = ()
    uncleaned: str = ""
    scheme: Mapping[str, str] = field(default_factory=dict)
    wording: Sequence[Mapping[str, str]] = ()
    procedure: Procedure = field(default_factory=Procedure)
    published: Mapping[str, Any] = field(default_factory=dict)
    competence: Mapping[str, float] = field(default_factory=dict)
    models: ModelResults | None = None
    tied: pl.DataFrame = field(default_factory=_no_ties)
    missing: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Facts:
    """Every number the opening sentences use; shares are fractions, None is not defined."""

    items: int
    conditions: int
    people: int
    ratings: int
    per_item: float | None
    kept: int
    share_kept: float | None
    people_kept: int
    agreement: float | None
    agreement_low: float | None
    agreement_high: float | None
    pairs: int
    drawn: str
    interval: str | None
    labelled: int
    undecided: int
    share_undecided: float | None
    ties: int
    unsure: int
    lowest: float | None
    middle: float | None
    highest: float | None
    simulated: int


def facts(material: Material) -> Facts:
    """Return what the opening sentences say."""
    rated = ITEMS.check(material.items).filter(pl.col("kind") == "item")
    collected = _of_items(RATINGS.check(material.collected), rated)
    kept = _of_items(RATINGS.check(material.kept), rated)
    labels = _of_items(LABELS.check(material.labels), rated)
    undecided = labels["label"].null_count()
    jaccard = material.agreement["soft_jaccard"]
    lowest, middle, highest = material.labelling.numbers(labels)
    return Facts(
        items=rated.height,
        conditions=rated["condition"].drop_nulls().n_unique(),
        people=collected["annotator"].n_unique(),
        ratings=collected.height,
        per_item=_share(collected.height, rated.height),
        kept=kept.height,
        share_kept=_share(kept.height, collected.height),
        people_kept=kept["annotator"].n_unique(),
        agreement=jaccard["value"],
        agreement_low=jaccard["low"],
        agreement_high=jaccard["high"],
        pairs=jaccard.get("pairs", 0),  # absent where agreement is not defined
        drawn=DRAWN[material.agreement["resample"]],
        interval=jaccard.get("method"),
        labelled=labels.height,
        undecided=undecided,
        share_undecided=_share(undecided, labels.height),
        ties=_of_items(material.tied, rated).height,
        unsure=material.labelling.unsure(labels),
        lowest=lowest,
        middle=middle,
        highest=highest,
        simulated=material.simulated,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _of_items(frame: pl.DataFrame, rated: pl.DataFrame) -> pl.DataFrame:
    return frame.join(rated.select("item"), on="item", how="semi")


def label_table(material: Material) -> list[dict[str, Any]]:
    """Return how many items of each condition got each label; empty for labels that are numbers."""
    if material.labelling.kind == "number":
        return []
    rated = material.items.filter(pl.col("kind") == "item").select("item", "condition")
    labels = material.labels.join(rated, on="item").select("condition", "label")
    return _rows(labels, _names(material), by="condition")


def number_table(material: Material) -> list[dict[str, Any]]:
    """Return where the labels of each condition lie, for labels that are numbers."""
    if material.labelling.kind != "number":
        return []
    rated = material.items.filter(pl.col("kind") == "item").select("item", "condition")
    number = pl.col("label").cast(pl.Float64)
    grouped = material.labels.join(rated, on="item").group_by("condition")
    summary = grouped.agg(
        items=pl.len(), lowest=number.min(), middle=number.median(), highest=number.max()
    )
    rows = summary.sort("condition").to_dicts()
    return [{**row, "group": row["condition"] or "none"} for row in rows]


def _names(material: Material) -> dict[str, str]:
    """Return the word of each label: the study's, or the label itself."""
    given = set(material.labels["label"].drop_nulls().to_list())
    own = {label: name for label, name in material.label_names.items() if label in given}
    if given <= set(material.label_names):
        own = dict(material.label_names)
    return {**own, **{label: label for label in label_order(given - set(own))}}


def combination_table(material: Material) -> list[dict[str, Any]]:
    """Return the labels of each combination, conditions apart; empty where items have none."""
    if "combination" not in material.items.columns or material.labelling.kind == "number":
        return []
    own = material.items.filter(pl.col("kind") == "item")
    several = own["condition"].n_unique() > 1
    name = pl.concat_str("condition", "combination", separator=", ", ignore_nulls=True)
    rated = own.select("item", group=name if several else pl.col("combination"))
    labels = material.labels.join(rated, on="item").select("group", "label")
    return _rows(labels, _names(material), by="group")


def _rows(labels: pl.DataFrame, names: Mapping[str, str], *, by: str) -> list[dict[str, Any]]:
    counts = labels.group_by(by, "label").len("count").sort(by, "label", nulls_last=True)
    rows: list[dict[str, Any]] = []
    for (group,), part in counts.group_by(by, maintain_order=True):
        found = dict(part.select("label", "count").iter_rows())
        total = sum(found.values())
        cells = [(name, found.get(label, 0)) for label, name in names.items()]
        cells.append((UNDECIDED, found.get(None, 0)))
        rows.append(
            {
                "group": group or "none",
                "total": total,
                "cells": [{"name": n, "count": c, "share": c / total} for n, c in cells],
            }
        )
    return rows


def agreement_table(material: Material) -> list[dict[str, Any]]:
    """Return the measures of agreement with interval and n; a missing one says why."""
    rows = []
    for path, name in MEASURES.items():
        measure: Any = material.agreement
        for key in path.split("."):
            measure = measure.get(key, {})
        if measure:
            rows.append({"name": name, "reason": None, **measure})
    return rows


def figures(material: Material) -> tuple[Figure, ...]:
    """Return every figure the tables allow, in the order of the page."""
    rated = material.items.filter(pl.col("kind") == "item")
    collected, kept = (_of_items(one, rated) for one in (material.collected, material.kept))
    estimand = DRAWN[material.agreement["resample"]]
    numbers = material.labelling.kind == "number"
    drawn = [
        None if numbers else labels_figure(material.labels, rated, _names(material)),
        answers_figure(kept, rated),
        agreement_figure(agreement_table(material), estimand=estimand),
        cascade_figure(material.cascade),
        cleaning_agreement_figure(material.cascade),
        items_figure(kept, rated),
        people_figure(collected, kept),
        speed_figure(collected, kept, material.competence),
        side_figure(collected, kept, material.competence),
        order_figure(kept),
        _sensitivity(material, collected, kept),
    ]
    return tuple(one for one in drawn if one is not None)


def listings(material: Material) -> tuple[Figure, ...]:
    """Return every table of the page, to be taken along, in the order of the page."""
    measures = ("name", "value", "low", "high", "n", "reason")
    listed = [
        listing("label-numbers", "Labels by condition", number_table(material)),
        listing("label-counts", "Labels by condition", counted(label_table(material), "condition")),
        listing(
            "measures",
            "Measures of agreement",
            [{name: row[name] for name in measures} for row in agreement_table(material)],
        ),
        listing("cleaning-steps", "Steps of cleaning", list(steps(material.cascade))),
        listing(
            "exclusions",
            "Rules of cleaning",
            exclusion_rows(material.exclusions, material.cascade),
        ),
        listing("comments", "Comments", comment_table(material.collected, material.items)),
        listing(
            "abstractness",
            "Labels by abstractness",
            counted(combination_table(material), "combination"),
        ),
        listing("questions", "Questions", flat(material.questions)),
        listing("systems", "Systems", flat(material.profiles)),
        listing("model-scores", "Models", material.models.scores if material.models else ()),
        listing(
            "model-comparisons",
            "Models compared",
            material.models.comparisons if material.models else (),
        ),
        listing("published", "Published beside recomputed", material.published.get("rows", [])),
    ]
    return tuple(one for one in listed if one is not None)


def _sensitivity(material: Material, collected: pl.DataFrame, kept: pl.DataFrame) -> Figure | None:
    if material.labelling.kind in ("number", "scale"):
        return None
    chosen = material.labelling.min_share if material.labelling.kind == "share" else None
    return sensitivity_figure(collected, kept, of=material.scheme, chosen=chosen)


def render(material: Material, told: Facts, shown: Sequence[Figure]) -> str:
    """Return the report as one HTML page without outside resources.

    Args:
        material: The tables it is made of.
        told: The numbers of its opening sentences (`facts`).
        shown: Its figures and tables (`figures` and `listings`).
    """
    rated = material.items.filter(pl.col("kind") == "item")
    environment = Environment(
        loader=PackageLoader("plausibly.analysis"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": percent, "number": number, "chance": chance}
    environment.filters["downloads"] = lambda one: downloads(one.name, one.table)
    return environment.get_template("report.html.jinja").render(
        name=material.name,
        facts=told,
        labelling=material.labelling,
        sides=material.sides,
        sure=UNSURE,
        labels=label_table(material),
        numbers=number_table(material),
        combinations=combination_table(material),
        exclusions=exclusion_rows(material.exclusions, material.cascade),
        listed={one.name: one for one in shown if not one.svg},
        procedure=material.procedure,
        published=material.published,
        models=material.models,
        measures=agreement_table(material),
        figures=[one for one in shown if one.svg],
        cascade=material.cascade,
        names=step_names(material.cascade),
        drawn=DRAWN[material.agreement["resample"]],
        clean_sides=material.clean_sides,
        question=material.question,
        questions=material.questions,
        profiles=material.profiles,
        notices=material.notices,
        uncleaned=material.uncleaned,
        comments=comment_table(material.collected, material.items),
        used=material.agreement["ratings"],
        missing=material.missing,
        unordered=unordered(_of_items(material.kept, rated)),
        dates=collection_dates(material.collected),
        wording=material.wording,
        resamples=material.agreement["resamples"],
        made=material.made,
    )
