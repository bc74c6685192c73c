"""GITA's stories by tier: plausible or not, which sentences conflict, in which state."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.analysis.figures.drawing import Bar, Segment, draw_bars, stacked
from plausibly.measures.proportion import proportion
from plausibly.study.exhibits import Exhibit, omitted
from plausibly.study.protocol import Finished

CHOICE = "choice"
GROUPS = ("plausible", "order", "cloze")
TIERS = {
    "plausible": "plausible or not",
    "conflict_sentence": "conflicting sentence",
    "breakpoint": "breakpoint",
    "state": "state",
}
AGREED = ("unanimous", "majority", "no label")


def exhibits(study: Finished) -> tuple[Exhibit, ...]:
    """Return stories by kind, agreement by tier, and the states that break stories."""
    return tuple(_exhibits(study))


def _exhibits(study: Finished) -> Iterator[Exhibit]:
    stories = study.items.filter(pl.col("kind") == "item")
    if set(study.ratings["question"]) == {CHOICE}:
        yield _choice(stories, study)
        return
    strange = set(stories["condition"]) - set(GROUPS)
    if strange:
        why = f"not every story is {', '.join(GROUPS[:-1])} or {GROUPS[-1]}"
        yield omitted("table-2", "Table 2: stories", why)
    else:
        yield Exhibit("table-2", "Table 2: stories", [_kinds(stories, study)])
    yield Exhibit("tiers", "Agreement by tier", [_tiers(stories, study)])
    states = study.labels.filter(pl.col("question") == "state")["label"].drop_nulls()
    if states.is_empty():
        yield omitted("states", "States", "no story has a label for its state")
    else:
        counts = states.value_counts().sort("count", "label", descending=[True, False])
        drawn = states_figure(
            dict(counts.iter_rows()), f"n = {len(states):,} stories with a label."
        )
        yield Exhibit("states", "States", [drawn])


def _choice(pairs: pl.DataFrame, study: Finished) -> Exhibit:
    """Return how often people choose the story that can happen, as `ask` counts models."""
    title = "Which of two stories can happen"
    known = pairs.select("item", "condition", "expected").drop_nulls("expected")
    judged = study.ratings.join(known, on="item")
    if judged.is_empty():
        return omitted("choice", title, "no pair that people judged has the right answer")
    rows = []
    for kind in (*GROUPS[1:], "all"):
        part = judged if kind == "all" else judged.filter(pl.col("condition") == kind)
        if part.height:
            named = part.filter(pl.col("answer") == pl.col("expected")).height
            right = proportion(named, part.height)
            limits = (right.low, right.high)
            rows.append((kind, part["item"].n_unique(), part.height, right.value, *limits))
    shown = judged.unique("item")
    first = shown.filter(pl.col("expected") == "first").height
    columns = ["pairs", "n", "answers", "right", "low", "high"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    caption = (
        "Share of answers that name the story that can happen, with a 95 % interval (Wilson's; "
        "exact where all answers or none are right) that treats answers as independent. Guessing "
        f"gives 0.5. In {first} of {shown.height} pairs that story comes first; models are asked "
        "about each pair in both orders."
    )
    return Exhibit("choice", title, [Figure("gita-choice", title, caption, table, "")])


def _kinds(stories: pl.DataFrame, study: Finished) -> Figure:
    """Return Table 2: stories of each kind, and how many people find plausible."""
    labels = study.labels.filter(pl.col("question") == "plausible").select("item", "label")
    judged = stories.join(labels, on="item", how="left")
    rows = []
    for kind in (*GROUPS, "total"):
        own = judged if kind == "total" else judged.filter(pl.col("condition") == kind)
        found = [own.filter(pl.col("label") == one).height for one in ("true", "false")]
        rows.append((kind, own.height, *found, own["label"].null_count()))
    columns = ["stories", "written", "labelled plausible", "labelled implausible", "no label"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    caption = "Stories as they were written, and what people say about them."
    return Figure("gita-table-2", "Stories by kind", caption, table, "")


def _tiers(stories: pl.DataFrame, study: Finished) -> Figure:
    """Return how far people agree at each tier, by kind of story."""
    different = study.ratings.group_by("item", "question").agg(
        different=pl.col("answer").n_unique()
    )
    judged = (
        study.labels.join(stories.select("item", "condition"), on="item")
        .join(different, on=["item", "question"])
        .with_columns(
            agreed=pl.when(pl.col("label").is_null())
            .then(pl.lit("no label"))
            .when(pl.col("different") == 1)
            .then(pl.lit("unanimous"))
            .otherwise(pl.lit("majority"))
        )
    )
    counts = {}
    for question, tier in TIERS.items():
        for kind in GROUPS:
            own = judged.filter(question=question, condition=kind)
            if own.height:
                counts[tier, kind] = [own.filter(agreed=one).height for one in AGREED]
    rows = [(tier, kind, *each) for (tier, kind), each in counts.items()]
    table = pl.DataFrame(rows, schema=["tier", "stories", *AGREED], orient="row")
    bars = [stacked(f"{tier}: {kind}", AGREED, each) for (tier, kind), each in counts.items()]
    title = "Agreement by tier"
    caption = (
        f"n = {stories.height:,} stories. A lower tier is labelled only where the one above says "
        "that there is something to find, so its n is smaller."
    )
    drawing = draw_bars(bars, title=title, legend=AGREED)
    return Figure("gita-tiers", title, caption, table, drawing)


def states_figure(counts: dict[str, int], caption: str) -> Figure:
    """Return how many stories break in each state."""
    table = pl.DataFrame(list(counts.items()), schema=["state", "stories"], orient="row")
    most = max(counts.values())
    bars = [
        Bar(state, [Segment(0.0, count / most, 0, f"{count} stories")], f"{count}")
        for state, count in counts.items()
    ]
    title = "State that breaks a story"
    return Figure("gita-states", title, caption, table, draw_bars(bars, title=title))
