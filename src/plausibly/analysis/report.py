"""The report of a study: five sentences from the data, then the tables behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from plausibly.analysis.copied import copies
from plausibly.analysis.figures import (
    Figure,
    agreement_figure,
    answers_figure,
    cascade_figure,
    cleaning_agreement_figure,
    item_address,
    items_figure,
    labels_figure,
    model_address,
    order_figure,
    people_figure,
    sensitivity_figure,
    side_figure,
    speed_figure,
    step_names,
    unordered,
)
from plausibly.analysis.headline import Headline, headline, measured, step_measure
from plausibly.analysis.label_tables import (
    combination_table,
    label_names,
    label_table,
    number_table,
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
from plausibly.analysis.material import Material
from plausibly.analysis.methods import exclusion_rows
from plausibly.analysis.omissions import omissions
from plausibly.analysis.paper import SHOWN, cell, numeric
from plausibly.analysis.references import references
from plausibly.analysis.showing import chance, downloads, minus, number, percent
from plausibly.io.wording import noun, plural
from plausibly.tables import ITEMS, LABELS, RATINGS

MEASURES = {
    "soft_jaccard": "Soft pairwise Jaccard",
    "percent_agreement": "Percent agreement",
    "krippendorff_alpha.nominal": "Krippendorff's alpha, nominal",
    "krippendorff_alpha.ordinal": "Krippendorff's alpha, ordinal",
    "krippendorff_alpha.interval": "Krippendorff's alpha, interval",
    "krippendorff_alpha_masi": "Krippendorff's alpha with MASI, for sets",
    "cohen_kappa": "Cohen's kappa, mean over pairs",
    "cohen_kappa_linear": "Cohen's kappa with linear weights",
    "cohen_kappa_quadratic": "Cohen's kappa with quadratic weights",
    "fleiss_kappa": "Fleiss' kappa",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2, with quadratic weights",
    "pairwise_spearman": "Spearman, mean over pairs",
    "one_vs_rest_spearman": "Spearman, one against the rest",
    "split_half": "Reliability of item means, split half",
}
COPIES = "<!-- copies -->"
AS_THEY_ARE = (
    *(
        "cascade",
        "clean_sides",
        "attested",
        "coded",
        "confusion",
        "exhibits",
        "explorer",
        "further",
    ),
    *("labelling", "made", "means_methods", "missing", "decisions", "models", "name", "notices"),
    *("procedure", "profiles", "published", "question", "questions", "sections", "sides"),
    *("split", "uncleaned", "unsectioned", "wording"),
)
"""What the page takes from the material unchanged."""
DRAWN = {"both": "items and people", "items": "items", "annotators": "people"}


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
    unsupported: int
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
    jaccard = material.agreement.get("soft_jaccard") or {}  # absent unless it was measured
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
        agreement=jaccard.get("value"),
        agreement_low=jaccard.get("low"),
        agreement_high=jaccard.get("high"),
        pairs=jaccard.get("pairs", 0),  # absent where agreement is not defined
        drawn=DRAWN[material.agreement["resample"]],
        interval=jaccard.get("method"),
        labelled=labels.height,
        undecided=undecided,
        share_undecided=_share(undecided, labels.height),
        ties=_of_items(material.tied, rated).height,
        unsure=material.labelling.unsure(labels),
        unsupported=material.labelling.unsupported(labels),
        lowest=lowest,
        middle=middle,
        highest=highest,
        simulated=material.simulated,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _of_items(frame: pl.DataFrame, rated: pl.DataFrame) -> pl.DataFrame:
    return frame.join(rated.select("item"), on="item", how="semi")


def agreement_table(material: Material) -> list[dict[str, Any]]:
    """Return the measures of agreement with interval and n; a missing one shows why."""
    rows = []
    for path, name in MEASURES.items():
        measure: Any = material.agreement
        for key in path.split("."):
            measure = measure.get(key, {})
        if measure:
            rows.append({"name": name, "reason": None, **measure})
    known = {path.partition(".")[0] for path in MEASURES}
    rows += [
        {"name": name, "reason": None, **measure}
        for name, measure in material.agreement.items()
        if name not in known and isinstance(measure, Mapping) and "value" in measure
    ]
    return rows


def figures(material: Material) -> tuple[Figure, ...]:
    """Return every figure the tables allow; that of the page's question is the first."""
    rated = material.items.filter(pl.col("kind") == "item")
    collected, kept = (_of_items(one, rated) for one in (material.collected, material.kept))
    estimand = DRAWN[material.agreement["resample"]]
    numbers, asked = material.labelling.kind == "number", material.question
    drawn = [
        *(one.figure for one in sorted(material.sections, key=lambda one: one.name != asked)),
        None if numbers else labels_figure(material.labels, rated, label_names(material)),
        answers_figure(kept, rated, material.offered),
        agreement_figure(agreement_table(material), estimand=estimand),
        cascade_figure(material.cascade, several=asked is not None),
        cleaning_agreement_figure(material.cascade, _step_measure(material)),
        items_figure(kept, rated),
        people_figure(collected, kept),
        speed_figure(collected, kept, material.competence),
        side_figure(collected, kept, material.competence),
        order_figure(kept),
        _sensitivity(material, collected, kept),
        *(one for one in _exhibited(material) if one.svg),
    ]
    return tuple(one for one in drawn if one is not None)


def _step_measure(material: Material) -> tuple[str, str]:
    """Return the measure by which steps of cleaning are compared, and its name."""
    return step_measure(material.agreement, material.cascade, sides=bool(material.clean_sides))


def _agreed_clauses(material: Material, opening: Facts) -> list[str]:
    """Return agreement on every question as a methods section gives it."""
    clauses = [
        f"for “{row['question']}”, {Headline(row['measure'], '', **row['alpha']).clause}"
        for row in material.questions
        if row["alpha"]["value"] is not None
    ]
    if not material.questions:
        clauses = list(filter(None, [headline(material.agreement).clause]))
    if material.sides and opening.agreement is not None:
        jaccard = Headline(
            "soft pairwise Jaccard",
            "",
            opening.agreement,
            opening.agreement_low,
            opening.agreement_high,
            None,
        )
        clauses.append(f"{jaccard.clause} over {plural(opening.pairs or 0, 'pair of people')}")
    return clauses


def _exhibited(material: Material) -> Iterator[Figure]:
    """Yield what is drawn of models, of the protocol's paper, of frequency and of codes."""
    parts = (material.confusion, material.exhibits, material.attested, material.coded)
    for one in chain(*parts, material.further):
        for part in one.figures:
            yield Figure(part.name, part.title, part.caption, part.table, part.svg)


def listings(material: Material) -> tuple[Figure, ...]:
    """Return every table of the page, to be taken along, in the order of the page."""
    measures = ("name", "value", "low", "high", "n", "reason")
    listed = [
        *(table for one in material.sections for table in one.files),
        listing("label-numbers", "Labels by condition", number_table(material)),
        listing("label-counts", "Labels by condition", counted(label_table(material), "condition")),
        listing(
            "measures",
            "Measures of agreement",
            [{name: row[name] for name in measures} for row in agreement_table(material)],
        ),
        listing(
            "cleaning-steps",
            "Steps of cleaning",
            list(steps(material.cascade, _step_measure(material))),
        ),
        listing(
            "exclusions",
            "Rules of cleaning",
            exclusion_rows(material.exclusions, material.cascade),
        ),
        listing(
            "comments",
            "Comments",
            comment_table(material.collected, material.items, material.remarks),
        ),
        listing(
            "abstractness",
            "Labels by abstractness",
            counted(combination_table(material), "combination"),
        ),
        listing("decisions", "Decisions while people answered", material.decisions or ()),
        listing("questions", "Questions", flat(material.questions)),
        listing("systems", "Systems", flat(material.profiles)),
        listing("model-scores", "Models", material.models.scores if material.models else ()),
        listing(
            "model-comparisons",
            "Models compared",
            material.models.comparisons if material.models else (),
        ),
        listing(
            "model-people",
            "Models next to people",
            material.models.over_ways if material.models else (),
        ),
        listing(
            "model-departures",
            "Where models depart from people",
            material.models.departed if material.models else (),
        ),
        listing(
            "model-asked", "What asking took", material.models.asked if material.models else ()
        ),
        *(one for one in _exhibited(material) if not one.svg),
        listing("published", "Published next to recomputed", material.published.get("rows", [])),
    ]
    return tuple(one for one in listed if one is not None)


def _sensitivity(material: Material, collected: pl.DataFrame, kept: pl.DataFrame) -> Figure | None:
    if material.labelling.kind in ("number", "scale"):
        return None
    chosen = material.labelling.min_share if material.labelling.kind == "share" else None
    return sensitivity_figure(collected, kept, of=material.scheme, chosen=chosen)


def render(material: Material, opening: Facts, shown: Sequence[Figure]) -> str:
    """Return the report as one HTML page without outside resources.

    Args:
        material: The tables it is made of.
        opening: The numbers of its opening sentences (`facts`).
        shown: Its figures and tables (`figures` and `listings`).
    """
    rated = material.items.filter(pl.col("kind") == "item")
    of_page = [one for one in material.sections if material.question in (None, one.name)]
    first = next((one.key for one in of_page if one.figure), "")
    page = (
        _environment()
        .get_template("report.html.jinja")
        .render(
            **{name: getattr(material, name) for name in AS_THEY_ARE},
            first=first,
            addresses=_addresses(rated, material.explored),
            references=_cited(material),
            facts=opening,
            paired="soft_jaccard" in material.agreement,
            sure=UNSURE,
            labels=label_table(material),
            numbers=number_table(material),
            combinations=combination_table(material),
            exclusions=exclusion_rows(material.exclusions, material.cascade),
            listed={one.name: one for one in shown if not one.svg},
            measures=agreement_table(material),
            figures=[one for one in shown if one.svg],
            names=step_names(material.cascade),
            stepped=_step_measure(material),
            drawn=DRAWN[material.agreement["resample"]],
            comments=comment_table(material.collected, material.items, material.remarks),
            used=material.agreement["ratings"],
            unordered=unordered(_of_items(material.kept, rated)),
            headline=headline(material.agreement),
            agreed_clauses=_agreed_clauses(material, opening),
            omitted=omissions(material, [one.name for one in shown if one.svg]),
            dates=collection_dates(material.collected),
            resamples=material.agreement["resamples"],
        )
    )
    return page.replace(COPIES, _copy_boxes(page))


def _addresses(rated: pl.DataFrame, models: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return where the explorer shows each item and each model."""
    items = {item: item_address(item) for item in rated["item"]}
    return {"items": items, "models": {model: model_address(model) for model in models}}


def _cited(material: Material) -> list[str]:
    """Return what a paper about this study cites."""
    return references(
        material.agreement,
        material.labelling.method,
        [one.family for one in material.sections],
        str(material.made.get("plausibly", "")),
        material.models.tests if material.models else frozenset(),
    )


def _copy_boxes(page: str) -> str:
    """Return the methods section in the forms it is pasted in, behind buttons."""
    section = page.partition('<section id="methods">')[2].partition("</section>")[0]
    return _environment().get_template("copies.html.jinja").render(copies=copies(section))


def _environment() -> Environment:
    """Return what sets the page."""
    environment = Environment(
        loader=PackageLoader("plausibly.analysis"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"shown": SHOWN, "cell": cell, "numeric": numeric}
    environment.globals["labelled_by"] = lambda method: Labelling(method).by
    environment.filters |= {"percent": percent, "number": number, "chance": chance}
    environment.filters |= {"minus": minus, "measured": measured, "noun": noun}
    environment.filters["downloads"] = lambda one: downloads(one.name, one.table)
    return environment
