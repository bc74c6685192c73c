"""The cascade: who and what is left after every step, and how far those left agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import polars as pl

from plausibly.cleaning.presets import RuleSpec
from plausibly.cleaning.runner import RAW, Cleaned, Stage
from plausibly.domain import Measure
from plausibly.measures.agreement import ALPHA, JACCARD, Agreement, agreement
from plausibly.measures.early import first_answers
from plausibly.measures.jaccard import Sides
from plausibly.measures.krippendorff import METRICS
from plausibly.measures.resampling import Resampling

TOTAL = "total"
NO_CONDITION = "none"
ITEM_RULE = "few_ratings_per_item"

Counts = Mapping[str, int]


@dataclass(frozen=True)
class CascadeStep:
    """One row of the cascade.

    Args:
        step: Number of the step as in the ledger; 0 is the raw data without check instances.
        rule: Name of the rule applied, "raw" for step 0.
        row: What the row is called in a table.
        annotators: People with a rating left, by condition and in all.
        ratings: Ratings left.
        items: Items with a rating left.
        enough: Items with as many ratings left as the item rule of the cascade asks for, which
            is what Table 3 of PAP counts; None without such a rule.
        agreement: How far those left agree, by question.
        selected_on_agreement: Agreement is higher by construction: people were chosen by it.
        note: What the rule could not see.
        source: Where the rule is published.
        parameters: Its thresholds and choices.
        unable: Why the rule could judge nobody.
    """

    step: int
    rule: str
    row: str
    annotators: Counts
    ratings: Counts
    items: Counts
    enough: Counts | None
    agreement: Mapping[str, Agreement]
    selected_on_agreement: bool = False
    note: str | None = None
    source: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict)
    unable: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return the step as cascade.json holds it; the first is called "raw"."""
        return {
            "step": self.step or RAW,
            "rule": self.rule,
            "row": self.row,
            "annotators": dict(self.annotators),
            "ratings": dict(self.ratings),
            "items": dict(self.items),
            "items_with_enough_ratings": None if self.enough is None else dict(self.enough),
            "agreement": self._agreement(),
            "parameters": dict(self.parameters),
            "note": self.note,
            "unable": self.unable,
            "source": self.source,
        }

    def _agreement(self) -> dict[str, object]:
        by_question = {
            question: {
                "soft_jaccard": found.measures[JACCARD].as_json(),
                "krippendorff_alpha": {
                    name.removeprefix(f"{ALPHA}."): measure.as_json()
                    for name, measure in found.measures.items()
                    if name.startswith(ALPHA)
                },
            }
            for question, found in self.agreement.items()
        }
        flag = {"selected_on_agreement": self.selected_on_agreement}
        if len(by_question) == 1:
            return {**next(iter(by_question.values())), **flag}
        return {"questions": by_question, **flag}


def cascade(
    cleaned: Cleaned,
    items: pl.DataFrame,
    *,
    rules: Sequence[RuleSpec] = (),
    sides: Sides | None = None,
    resampling: Resampling | None = None,
) -> tuple[CascadeStep, ...]:
    """Return what is left after every step of cleaning.

    Args:
        cleaned: What `clean` returned.
        items: The items table, for conditions.
        rules: The rules as written, for the names of rows and their sources.
        sides: Groups of answers that count as one for the soft Jaccard coefficient.
        resampling: How intervals of agreement are made; None leaves them out.
    """
    plan = resampling or Resampling(resamples=0)
    conditions = items.filter(pl.col("kind") == "item").select("item", "condition")
    wanted = next((_enough(spec) for spec in rules if spec.rule == ITEM_RULE), None)
    specs = [RuleSpec(RAW, row="Raw (without check instances)"), *rules]
    if len(specs) != len(cleaned.stages):
        specs = [RuleSpec(stage.rule, row=stage.rule) for stage in cleaned.stages]
    questions = cleaned.stages[0].ratings["question"].unique().sort().to_list() or [""]
    measured: dict[int, Mapping[str, Agreement]] = {}
    for stage in cleaned.stages:
        if stage.ratings.height not in measured:  # a rule that finds nobody changes nothing
            measured[stage.ratings.height] = _measured(stage.ratings, questions, sides, plan)
    return tuple(
        _step(stage, spec, conditions, wanted, measured[stage.ratings.height])
        for stage, spec in zip(cleaned.stages, specs, strict=True)
    )


def _enough(spec: RuleSpec) -> int:
    """Return how many ratings an item needs to stay."""
    at_least = spec.parameters.get("at_least")
    return int(at_least if at_least is not None else spec.parameters["more_than"] + 1)


def _measured(
    ratings: pl.DataFrame, questions: Sequence[str], sides: Sides | None, plan: Resampling
) -> Mapping[str, Agreement]:
    """Return agreement on every question asked, without values where no rating is left."""
    found: Mapping[str, Agreement] = {}
    ratings = first_answers(ratings)[0]
    if not ratings.is_empty():
        found = agreement(ratings, sides=sides, measures=(JACCARD, ALPHA), resampling=plan)
    none = Measure(None, 0, reason="no rating is left")
    names = (JACCARD, *(f"{ALPHA}.{metric}" for metric in METRICS))
    nothing = Agreement(0, 0, 0, 0, 0, plan, dict.fromkeys(names, none))
    return {question: found.get(question, nothing) for question in questions}


def _step(
    stage: Stage,
    spec: RuleSpec,
    conditions: pl.DataFrame,
    wanted: int | None,
    measured: Mapping[str, Agreement],
) -> CascadeStep:
    rated = stage.ratings.select("item", "annotator", "question").join(conditions, on="item")
    names = conditions["condition"].unique().sort().to_list()
    many = pl.len().over("item", "question") >= (wanted or 0)
    return CascadeStep(
        step=stage.step,
        rule=stage.rule,
        row=spec.row or spec.rule,
        annotators=_counts(rated, "annotator", names),
        ratings=_counts(rated, None, names),
        items=_counts(rated, "item", names),
        enough=None if wanted is None else _counts(rated.filter(many), "item", names),
        agreement=measured,
        selected_on_agreement=stage.selected_on_agreement,
        note=stage.note,
        source=spec.source,
        parameters=spec.parameters,
        unable=stage.unable,
    )


def _counts(ratings: pl.DataFrame, column: str | None, conditions: Sequence[str | None]) -> Counts:
    """Return how many rows, or different values of a column, there are by condition and in all."""
    number = pl.len() if column is None else pl.col(column).n_unique()
    found = dict(ratings.group_by("condition").agg(number.alias("n")).iter_rows())
    named = {c or NO_CONDITION: found.get(c, 0) for c in conditions}
    total = ratings.height if column is None else ratings[column].n_unique()
    return {**(named if set(named) != {NO_CONDITION} else {}), TOTAL: total}


def emptied(steps: Sequence[Mapping[str, Any]]) -> str:
    """Return which rule of a cascade set the last ratings aside.

    >>> emptied([{"ratings": {"total": 9}}, {"rule": "few_ratings", "ratings": {"total": 0}}])
    'few ratings set aside all 9 ratings that were left.'
    """
    for before, after in pairwise(steps):
        left = before["ratings"]["total"]
        if left and not after["ratings"]["total"]:
            rule = str(after["rule"]).replace("_", " ")
            return f"{rule} set aside all {left} ratings that were left."
    return "No rating was left before the first rule."
