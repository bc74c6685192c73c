"""A release at a glance: how much there is, how far people agree, and what the labels say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from plausibly.io.wording import plural
from plausibly.measures.coded import numeric_labels
from plausibly.releasing.content import ReleaseContent

ALPHA = "krippendorff_alpha"
MOST = 8  # labels that are named
SHARED = ("shares",)  # methods that give each candidate a share, and no label


def at_a_glance(content: ReleaseContent) -> list[str]:
    """Return what readers want to know first, one line each."""
    return [*_amounts(content), *_agreement(content.agreement), *_labels(content)]


def _amounts(content: ReleaseContent) -> Iterator[str]:
    items = content.tables["items"]
    judged = items.filter(pl.col("kind") == "item") if "kind" in items.columns else items
    conditions = judged["condition"].drop_nulls() if "condition" in judged.columns else pl.Series()
    split = f" in {conditions.n_unique()} conditions" if conditions.n_unique() > 1 else ""
    candidates = judged["candidate"].count() if "candidate" in judged.columns else 0
    compared = f" with {candidates:,} candidates" if candidates else ""
    yield f"{plural(judged.height - candidates, 'item')}{compared}{split}"
    ratings = content.tables.get("ratings")
    if ratings is not None and not ratings.is_empty():
        own = ratings.join(judged.select("item"), on="item", how="semi")
        who = "simulated annotator" if content.simulated else "annotator"
        kept = own
        if (aside := content.tables.get("exclusions")) is not None:
            kept = own.join(aside, on=["item", "annotator", "question"], how="anti")
        said = f"{plural(own.height, 'rating')} by {plural(own['annotator'].n_unique(), who)}"
        cleaned = f"; after cleaning, {kept.height:,} by {kept['annotator'].n_unique():,}"
        yield said + (cleaned if kept.height < own.height else "")


def _agreement(agreement: Mapping[str, Any]) -> Iterator[str]:
    """Yield agreement by the measure that suits the scale, question by question."""
    questions: Mapping[str, Any] = agreement.get("questions") or {"": agreement}
    for name, one in questions.items():
        scale = one.get("scale") or "nominal"
        alpha = (one.get(ALPHA) or {}).get(scale) or {}
        if alpha.get("value") is None:
            continue
        low, high = alpha.get("low"), alpha.get("high")
        limits = "" if low is None else f" (95 % interval {low:.2f} to {high:.2f})"
        about = f", question `{name}`" if name else ""
        yield f"Krippendorff's alpha, {scale}{about}: {alpha['value']:.2f}{limits}"


def _labels(content: ReleaseContent) -> Iterator[str]:
    """Yield the share of each label, or the mean of labels that are numbers, by question."""
    labels = content.tables.get("labels")
    if labels is None or labels.is_empty():
        return
    several = labels["question"].n_unique() > 1
    for (question,), part in sorted(labels.group_by("question")):
        about = f", question `{question}`" if several else ""
        if part["method"].is_in(SHARED).all():
            items = plural(part.height, "item")
            yield f"Shares of the candidates of {items}{about}: {_shared(part)}"
            continue
        numbers = numeric_labels(part["label"])
        if numbers is not None:
            known = numbers.drop_nulls().to_list()
            mean = sum(known) / len(known)
            spread = f"mean {mean:.2f}, from {min(known):.2f} to {max(known):.2f}"
            yield f"Labels of {plural(len(known), 'item')}{about}: {spread}"
            continue
        named = part["label"].replace(dict(content.label_names)).fill_null("undecided")
        counts = sorted(named.value_counts().rows(), key=lambda one: (-one[1], one[0]))
        if len(counts) > MOST:
            continue
        shares = ", ".join(f"{label} ({100 * n / part.height:.1f} %)" for label, n in counts)
        yield f"Labels of {plural(part.height, 'item')}{about}: {shares}"


def _shared(labels: pl.DataFrame) -> str:
    """Return the mean share of each candidate."""
    parts = [json.loads(one) for one in labels["distribution"].drop_nulls()]
    names = sorted({name for part in parts for name in part})
    if len(names) > MOST:
        return "in `labels`, column `distribution`"
    means = [(name, sum(part.get(name, 0) for part in parts) / len(parts)) for name in names]
    return ", ".join(f"{name} ({100 * mean:.1f} %)" for name, mean in means)
