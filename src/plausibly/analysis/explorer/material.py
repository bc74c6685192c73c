"""The tables an explorer shows, and the row of every item with all its numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from plausibly.analysis.figures.likeness import MOST_EQUAL
from plausibly.analysis.summaries import UNIT, item_entropies, item_summaries
from plausibly.measures.coded import numeric_labels
from plausibly.tables import EXCLUSIONS, LABELS, PREDICTIONS

SPLIT = 0.7
"""People are split over an item where a smaller share of its ratings supports the label."""

SHARED = ("shares",)
"""Label methods that give candidates shares, and items no label."""

HIDDEN = ("kind", "expected", "leans_to")
"""Columns of items that are not about them: what simulated people lean to, for one."""


@dataclass(frozen=True, eq=False)
class ExplorerMaterial:
    """What an explorer shows.

    Args:
        name: Of the study, release, dataset or file.
        kind: study, release, dataset or ratings.
        items: The items proper; None where only their ids are known.
        collected: All ratings of items proper.
        kept: Those left after cleaning.
        exclusions: Why the others were set aside.
        labels: Labels of any number of methods, those of the study first.
        predictions: What models predict.
        annotators: What is known about people.
        scores: How models did, as `evaluate` reports it.
        label_names: From label to the word a reader sees.
        questions: From a question to its text, options and words, in the order of the form.
        about: Further facts, by name: version, licence, citation.
        rules: The rules of cleaning, with what each set aside.
        notices: What a reader must know first.
        source: How Python names the source in `pb.browse(…)`.
    """

    name: str
    kind: str
    collected: pl.DataFrame
    kept: pl.DataFrame
    items: pl.DataFrame | None = None
    exclusions: pl.DataFrame = field(default_factory=EXCLUSIONS.empty)
    labels: pl.DataFrame = field(default_factory=LABELS.empty)
    predictions: pl.DataFrame = field(default_factory=PREDICTIONS.empty)
    annotators: pl.DataFrame | None = None
    scores: pl.DataFrame | None = None
    label_names: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    rules: Sequence[Mapping[str, Any]] = ()
    notices: Sequence[str] = ()
    source: str = "ratings"


def without_numbers(ratings: pl.DataFrame, texts: Set[str]) -> pl.DataFrame:
    """Return the ratings with no value for answers to questions that are answered in free text."""
    number = pl.when(~pl.col("question").is_in(list(texts))).then(pl.col("value"))
    return ratings.with_columns(value=number)


def method_names(labels: pl.DataFrame) -> list[str]:
    """Return the methods of a labels table in the order of their first rows."""
    return labels["method"].unique(maintain_order=True).to_list()


def methods_of(labels: pl.DataFrame) -> dict[str, list[str]]:
    """Return from a question to its label methods; models are compared with the first.

    Methods that give the share of each candidate, and never a label, are left out.
    """
    parts = labels.select("question", "method").unique(maintain_order=True)
    parts = parts.filter(~pl.col("method").is_in(SHARED))
    return {
        str(one["question"][0]): one["method"].to_list()
        for one in parts.partition_by("question", maintain_order=True)
    }


def model_names(predictions: pl.DataFrame) -> list[str]:
    """Return the models of a predictions table, sorted."""
    return predictions["model"].unique().sort().to_list()


def simulated(annotators: pl.DataFrame | None) -> tuple[int, int]:
    """Return how many annotators are simulated, and how many there are."""
    if annotators is None:
        return 0, 0
    return int((annotators["kind"] == "simulated").sum()), annotators.height


def explorer_rows(material: ExplorerMaterial) -> pl.DataFrame:
    """Return one row for each question, in the form's order, and item.

    The columns are those of the items, then the number of ratings (`ratings`), `mean`, `deviation`
    and `entropy` (in bits; null for numbers of many values, such as those of a slider) of those
    that were kept, label and support by each method, and for each
    model its label, score, confidence and whether it agrees with the label of the first method
    that the question has.
    """
    units = _units(material)
    rows = _with_items(units, material.items)
    rows = rows.join(_entropies(material.kept), on=UNIT, how="left")
    means = item_summaries(material.kept).drop("ratings")
    rows = rows.join(means, on=UNIT, how="left").with_columns(pl.col("ratings").fill_null(0))
    rows = rows.with_columns(pl.col("ratings").cast(pl.Int64))
    methods = method_names(material.labels)
    for method in methods:
        own = material.labels.filter(pl.col("method") == method).unique(UNIT, keep="first")
        own = own.select(
            *UNIT,
            _label(own["label"]).alias(f"label:{method}"),
            pl.col("support").alias(f"support:{method}"),
        )
        rows = rows.join(own, on=UNIT, how="left")
    models = model_names(material.predictions)
    for model in models:
        rows = rows.join(_predicted(material, model), on=UNIT, how="left")
        rows = _judged(rows, model, material)
    if models:
        wrong = [pl.col(f"verdict:{model}").str.starts_with("wrong") for model in models]
        rows = rows.with_columns(models_wrong=pl.sum_horizontal(wrong).cast(pl.Int64))
    place = {question: at for at, question in enumerate(question_order(material, rows["question"]))}
    return rows.sort(pl.col("question").replace_strict(place, return_dtype=pl.Int64), "item")


def candidate_sets(items: pl.DataFrame | None) -> dict[str, dict[str, Any]]:
    """Return the items that have candidates, each with its text and theirs, by name."""
    if items is None or not {"candidate", "source"} <= {*items.columns}:
        return {}
    texts = dict(items.select("item", "text").rows())
    compared = items.drop_nulls(["candidate", "source"]).sort("item")
    return {
        whole: {
            "text": texts.get(whole) or whole,
            "candidates": [
                [name, said or ""] for name, said in own.select("candidate", "text").rows()
            ],
        }
        for (whole,), own in compared.group_by("source", maintain_order=True)
    }


def question_order(material: ExplorerMaterial, asked: pl.Series) -> list[str]:
    """Return the questions in the form's order, those it does not have last, by the alphabet."""
    known = set(asked)
    first = [one for one in material.questions if one in known]
    return [*first, *sorted(known - set(first))]


def named_columns(material: ExplorerMaterial) -> dict[str, list[str]]:
    """Return the columns of each question whose values have names.

    A method that knows other labels, too, means something else by an equal one: in PAP, 1 is
    plausible among 0 and 1, and implausible among 1 to 5.
    """
    named: dict[str, list[str]] = {}
    for table, column, kind in (
        (material.labels, "method", "label"),
        (material.predictions, "model", "predicted"),
    ):
        for own in table.partition_by("question", column, maintain_order=True):
            words = {*material.label_names} | (
                {*material.label_names.values()} if kind == "predicted" else set()
            )
            if material.label_names and _possible(own) <= words:
                name = f"{kind}:{own[column][0]}"
                named.setdefault(str(own["question"][0]), []).append(name)
    return named


def _entropies(kept: pl.DataFrame) -> pl.DataFrame:
    """Return the number of ratings of each item and question, and the entropy of few answers."""
    many = kept.group_by("question").agg(
        many=(pl.col("answer").n_unique() > MOST_EQUAL) & (pl.col("value").null_count() == 0)
    )
    divided = item_entropies(kept).rename({"answers": "ratings"})
    few = pl.when(~pl.col("many")).then(pl.col("entropy"))
    return divided.join(many, on="question", how="left").with_columns(entropy=few).drop("many")


def _possible(said: pl.DataFrame) -> set[str]:
    """Return the labels that are given, and those that have a share."""
    labels = set(said["label"].drop_nulls())
    if "distribution" not in said.columns:
        return labels
    shares = [json.loads(one) for one in said["distribution"].drop_nulls().unique()]
    return labels.union(*(set(one) for one in shares if isinstance(one, dict)))


def _label(labels: pl.Series) -> pl.Series:
    """Return labels as numbers where a method gives numbers that are not codes, such as means."""
    numbers = numeric_labels(labels)
    return labels if numbers is None else numbers


def _units(material: ExplorerMaterial) -> pl.DataFrame:
    """Return every item with each question that was asked about it, labelled or predicted."""
    tables = (material.collected, material.kept, material.labels, material.predictions)
    units = pl.concat([one.select(UNIT) for one in tables]).unique()
    if material.items is None:
        return units
    units = units.join(material.items, on="item", how="semi")
    first = next(iter(question_order(material, units["question"])), "rating")
    silent = material.items.join(units, on="item", how="anti")
    if "candidate" in silent.columns:  # the page of the item that they belong to shows them
        silent = silent.filter(pl.col("candidate").is_null())
    return pl.concat([units, silent.select("item", question=pl.lit(first, dtype=pl.String))])


def _with_items(units: pl.DataFrame, items: pl.DataFrame | None) -> pl.DataFrame:
    """Return the units with the columns of their items; empty texts and empty columns are null."""
    if items is None:
        return units.with_columns(text=pl.lit(None, dtype=pl.String))
    ours = {"item", "question", "ratings", "mean", "deviation", "entropy", "models_wrong", *HIDDEN}
    names = [one for one in items.columns if one not in ours and ":" not in one]
    texts = [pl.col(one).replace("", None) for one in names if items[one].dtype == pl.String]
    own = items.select("item", *names).with_columns(texts)
    filled = [one for one in names if one == "text" or own[one].null_count() < own.height]
    return units.join(own.select("item", *filled), on="item", how="left")


def _predicted(material: ExplorerMaterial, model: str) -> pl.DataFrame:
    """Return what one model predicts, in the labels of the study."""
    own = material.predictions.filter(pl.col("model") == model).unique(UNIT, keep="first")
    spelled = {name: label for label, name in material.label_names.items()}
    label = own["label"].replace(spelled) if spelled else own["label"]
    above = _label_above_half(own)
    sure = [
        _confidence(said, distribution)
        if score is None or above is None
        else score
        if said == above
        else 1 - score
        for said, distribution, score in own.select("label", "distribution", "score").rows()
    ]
    return own.select(
        *UNIT,
        label.alias(f"predicted:{model}"),
        pl.col("score").alias(f"score:{model}"),
        pl.Series(f"confidence:{model}", sure, dtype=pl.Float64),
    )


def _label_above_half(said: pl.DataFrame) -> str | None:
    """Return the label whose probability the scores are; None where they are something else.

    They are probabilities where a model without distributions gives two labels, one for all scores
    from 0 to 0.5 and the other for those from 0.5 to 1.
    """
    labels = said["label"].drop_nulls().unique().to_list()
    if len(labels) != 2 or said["distribution"].count() or said["score"].null_count():
        return None
    scores = {one: said.filter(pl.col("label") == one)["score"].to_list() for one in labels}
    low, high = sorted(labels, key=lambda one: min(scores[one]))
    is_split = max(scores[low]) <= 0.5 <= min(scores[high])
    return high if is_split and min(scores[low]) >= 0 and max(scores[high]) <= 1 else None


def _confidence(label: str | None, distribution: str | None) -> float | None:
    """Return the probability a model gives its label."""
    if label is None or distribution is None:
        return None
    shares = json.loads(distribution)
    share = shares.get(label) if isinstance(shares, dict) else None
    return None if share is None else float(share)


def _judged(rows: pl.DataFrame, model: str, material: ExplorerMaterial) -> pl.DataFrame:
    """Add whether the model agrees with the label: right, wrong, wrong (split) or no label.

    Null where the model predicts scores only, or nothing that is a label or an answer.
    """
    name = f"verdict:{model}"
    verdicts = [
        pl.when(pl.col("question") == question).then(_verdict(model, methods[0]))
        for question, methods in methods_of(material.labels).items()
        if _is_comparable(rows, model, material, question=question, method=methods[0])
    ]
    if not verdicts:
        return rows.with_columns(pl.lit(None, dtype=pl.String).alias(name))
    return rows.with_columns(pl.coalesce(verdicts).alias(name))


def _is_comparable(
    rows: pl.DataFrame, model: str, material: ExplorerMaterial, *, question: str, method: str
) -> bool:
    """Return whether a model predicts what a question has as labels or answers."""
    if rows[f"label:{method}"].dtype != pl.String:
        return False
    own = pl.col("question") == question
    labels = material.labels.filter(own)["label"].drop_nulls()
    answers = material.kept.filter(own)["answer"].drop_nulls()
    predicted = rows.filter(own)[f"predicted:{model}"].drop_nulls()
    return not {*labels, *answers}.isdisjoint(predicted)


def _verdict(model: str, method: str) -> pl.Expr:
    said = pl.col(f"predicted:{model}")
    label, support = pl.col(f"label:{method}"), pl.col(f"support:{method}")
    return (
        pl.when(said.is_null())
        .then(None)
        .when(label.is_null())
        .then(pl.lit("no label"))
        .when(said == label)
        .then(pl.lit("right"))
        .when(support < SPLIT)
        .then(pl.lit("wrong (split)"))
        .otherwise(pl.lit("wrong"))
    )
