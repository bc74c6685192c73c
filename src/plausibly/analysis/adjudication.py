"""Decisions of an adjudicator, each with its reason, kept next to the crowd's label."""

from __future__ import annotations

import polars as pl

from plausibly.errors import TableError
from plausibly.tables import LABELS

KEY = ("item", "question")
NEEDED = ("item", "decision", "reason")


def decide(labels: pl.DataFrame, decisions: pl.DataFrame, *, adjudicator: str = "") -> pl.DataFrame:
    """Return the labels after an adjudicator's decisions, the crowd's label next to each.

    `label` is the decision where there is one; `crowd_label` what the crowd said, `decided_by`
    and `reason` who decided and why. The method of decided rows is "adjudicated".

    Args:
        labels: The crowd's labels.
        decisions: item, decision, reason; question where there are several; decided_by.
        adjudicator: Who decided where the column decided_by does not say it.
    """
    labels = LABELS.check(labels)
    decisions = _checked(decisions, labels, adjudicator)
    joined = labels.rename({"label": "crowd_label"}).join(decisions, on=KEY, how="left")
    decided = pl.col("decision").is_not_null()
    result = joined.with_columns(
        label=pl.when(decided).then("decision").otherwise("crowd_label"),
        method=pl.when(decided).then(pl.lit("adjudicated")).otherwise("method"),
    ).drop("decision")
    return LABELS.sort(LABELS.check(result))


def _checked(decisions: pl.DataFrame, labels: pl.DataFrame, adjudicator: str) -> pl.DataFrame:
    for column in NEEDED:
        if column not in decisions.columns:
            raise TableError(f"decisions: no column {column!r}. Expected item, decision, reason.")
    questions = labels["question"].unique().to_list()
    if not questions:
        raise TableError("labels: no rows, so there is nothing to decide on. Is it the right file?")
    if "question" not in decisions.columns:
        if len(questions) > 1:
            raise TableError(
                "decisions: no column 'question', but the labels answer several questions."
            )
        decisions = decisions.with_columns(question=pl.lit(questions[0]))
    if "decided_by" not in decisions.columns:
        decisions = decisions.with_columns(decided_by=pl.lit(adjudicator or None, dtype=pl.String))
    empty = pl.any_horizontal(pl.col(c).is_null() | (pl.col(c) == "") for c in NEEDED)
    bad = decisions.with_row_index("row").filter(empty)
    if bad.height:
        raise TableError(
            f"decisions: {bad.height} of {decisions.height} rows lack an item, a decision or a "
            f"reason (first: row {bad['row'][0] + 1}). Every decision needs its reason."
        )
    twice = decisions.filter(pl.struct(KEY).is_duplicated())
    strangers = decisions.join(labels, on=KEY, how="anti")
    for frame, what in ((twice, "is decided twice"), (strangers, "has no label to decide on")):
        if frame.height:
            raise TableError(f"decisions: item {frame['item'][0]!r} {what}.")
    return decisions.select(*KEY, "decision", "reason", "decided_by")
