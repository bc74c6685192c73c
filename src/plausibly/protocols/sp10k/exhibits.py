"""SP-10K's Figure 1 and Tables 2 and 5, by relation and survey, from any study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.analysis.figures.drawing import Bar, Segment, draw_bars, stacked
from plausibly.datasets.sp10k import RELATIONS
from plausibly.evaluation.sp10k import GROUPS, plausibility_group
from plausibly.measures.coded import code
from plausibly.measures.krippendorff import krippendorff_alpha
from plausibly.stimuli.in_study import SURVEYS_FILE
from plausibly.study.exhibits import Exhibit, omitted
from plausibly.study.protocol import Finished

QUESTIONS = 100
"""Questions the time of Figure 1 is for."""
COUNTS = "corpus/counts.parquet"
HEADINGS = {
    "figure-1": "Figure 1: time",
    "table-2": "Table 2: candidate pairs",
    "groups": "Groups of plausibility",
    "relations": "Relations",
    "criteria": "Three criteria",
}


def exhibits(study: Finished) -> tuple[Exhibit, ...]:
    """Return what the paper draws by relation, and the surveys, from the data of a study."""
    return tuple(_exhibits(study))


def _exhibits(study: Finished) -> Iterator[Exhibit]:
    pairs = study.items.filter(pl.col("kind") == "item")
    absent = [one for one in ("relation", "head", "dependent") if one not in pairs.columns]
    if absent:
        why = f"the items have no column {absent[0]}"
        yield from (omitted(name, heading, why) for name, heading in HEADINGS.items())
    else:
        yield _time(pairs, study.ratings)
        yield from _scored(pairs, study.labels)
        yield _by("relation", pairs, study.ratings, name="relations", heading="Relations")
        yield _criteria(pairs, study.ratings)
    yield _surveys(study.folder / SURVEYS_FILE, pairs, study.ratings)
    yield _corpus(study.folder / COUNTS)


def _time(pairs: pl.DataFrame, ratings: pl.DataFrame) -> Exhibit:
    """Return Figure 1: the mean over annotators of what 100 questions take."""
    known = (
        ratings.filter(pl.col("seconds").is_not_null()) if "seconds" in ratings.columns else None
    )
    if known is None or known.is_empty():
        why = "the data do not say how long each answer took"
        return omitted("figure-1", HEADINGS["figure-1"], why)
    people = (
        known.join(pairs.select("item", "relation"), on="item")
        .group_by("relation", "annotator")
        .agg(pl.col("seconds").mean() * QUESTIONS)
    )
    means = people.group_by("relation").agg(pl.col("seconds").mean(), pl.len().alias("people"))
    seconds = dict(means.select("relation", "seconds").rows())
    annotators = dict(means.select("relation", "people").rows())
    ordered = {name: round(seconds[name]) for name in _relations(seconds)}
    least, most = min(annotators.values()), max(annotators.values())
    who = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    caption = f"Mean over annotators, {who} per relation; {QUESTIONS} times their mean time."
    return Exhibit("figure-1", HEADINGS["figure-1"], [time_figure(ordered, caption)])


def time_figure(seconds: Mapping[str, int], caption: str) -> Figure:
    """Return Figure 1: how long 100 questions take, by relation.

    Args:
        seconds: From a relation to seconds.
        caption: Where they come from.
    """
    rows = [(name, one, f"{one // 60}m{one % 60:02}s") for name, one in seconds.items()]
    table = pl.DataFrame(rows, schema=["relation", "seconds", "time"], orient="row")
    most = max(seconds.values()) or 1
    bars = [Bar(name, [Segment(0.0, one / most, 0, text)], text) for name, one, text in rows]
    title = f"Time for {QUESTIONS} questions"
    return Figure("sp10k-figure-1", title, caption, table, draw_bars(bars, title=title))


def _relations(names: Mapping[str, object]) -> list[str]:
    """Return relations in the order of the paper, others after them."""
    return [*(one for one in RELATIONS if one in names), *sorted(set(names) - set(RELATIONS))]


def _scored(pairs: pl.DataFrame, labels: pl.DataFrame) -> Iterator[Exhibit]:
    scores = labels.select("item", score=pl.col("label").cast(pl.Float64, strict=False))
    scored = pairs.join(scores, on="item").drop_nulls("score")
    outside = scored.filter(~pl.col("score").is_between(0, 10))
    if scored.is_empty() or outside.height:
        why = "the labels are not scores from 0 to 10"
        yield omitted("table-2", HEADINGS["table-2"], why)
        yield omitted("groups", HEADINGS["groups"], why)
        return
    yield Exhibit("table-2", HEADINGS["table-2"], [_candidates(scored)])
    grouped = scored.with_columns(group=plausibility_group(pl.col("score")))
    sizes = {
        name: [grouped.filter(relation=name, group=one).height for one in GROUPS]
        for name in _relations(dict.fromkeys(grouped["relation"]))
    }
    yield Exhibit("groups", HEADINGS["groups"], [groups_figure(sizes)])


def _candidates(scored: pl.DataFrame) -> Figure:
    """Return Table 2: of each relation, the pairs of the first head with their scores."""
    first = scored.group_by("relation").agg(head=pl.col("head").min())
    shown = scored.join(first, on=["relation", "head"]).sort("relation", "condition", "dependent")
    table = shown.select(
        "relation", "condition", pair=pl.format("({}, {})", "head", "dependent"), score="score"
    )
    caption = (
        f"The pairs of each relation's first head in the alphabet, out of {scored.height:,} pairs, "
        "with people's score from 0 to 10."
    )
    return Figure("sp10k-table-2", "Candidate pairs", caption, table, "")


def groups_figure(sizes: Mapping[str, Sequence[int]]) -> Figure:
    """Return the pairs of each group of plausibility.

    Args:
        sizes: From a relation to the pairs of each group.
    """
    rows = [(name, *each) for name, each in sizes.items()]
    table = pl.DataFrame(rows, schema=["relation", *GROUPS], orient="row")
    bars = [stacked(name, tuple(GROUPS), each) for name, each in sizes.items()]
    title = "Pairs of each group"
    caption = (
        "Scores from 0 to 10: perfect 8 to 10, good 6 to 8, normal 4 to 6, unusual 2 to 4, "
        "impossible 0 to 2, the lower bound included."
    )
    drawing = draw_bars(bars, title=title, legend=tuple(GROUPS))
    return Figure("sp10k-groups", title, caption, table, drawing)


def _surveys(place: Path, pairs: pl.DataFrame, ratings: pl.DataFrame) -> Exhibit:
    """Return who answered each survey, and how far people agree in it."""
    name, heading = "surveys", "Surveys"
    if not place.is_file():
        return omitted(name, heading, "the study has no surveys")
    placed = pl.read_parquet(place).select("survey", "item").join(pairs, on="item", how="semi")
    return _by("survey", placed, ratings, name=name, heading=heading)


def _by(
    column: str, placed: pl.DataFrame, ratings: pl.DataFrame, *, name: str, heading: str
) -> Exhibit:
    """Return agreement, time and mean of the ratings of each part of the pairs."""
    timed = "seconds" in ratings.columns
    rows = []
    for part, own in placed.group_by(column, maintain_order=True):
        answers = ratings.join(own, on="item", how="semi")
        alpha = krippendorff_alpha(code(answers), "ordinal").value if answers.height else None
        rows.append(
            {
                column: part[0],
                "pairs": own.height,
                "people": answers["annotator"].n_unique(),
                "ratings": answers.height,
                "mean answer": answers["value"].mean(),
                "seconds": answers["seconds"].mean() if timed else None,
                "alpha": alpha,
            }
        )
    table = pl.DataFrame(rows, infer_schema_length=None).sort(column)
    caption = (
        f"n = {table['ratings'].sum():,} ratings that cleaning kept; alpha is Krippendorff's, "
        "ordinal; seconds are per answer."
    )
    return Exhibit(name, heading, [Figure(f"sp10k-{name}", heading, caption, table, "")])


def _criteria(pairs: pl.DataFrame, ratings: pl.DataFrame) -> Exhibit:
    """Return what the data say about the criteria of section 2 (after Hill et al. 2015).

    They are for an evaluation set to be clearly defined, representative, consistent and reliable.
    """
    kept = ratings.join(pairs, on="item", how="semi").filter(pl.col("value").is_not_null())
    words = pl.concat([pairs["head"], pairs["dependent"]]).n_unique()
    each = kept.group_by("item").len()["len"]
    alpha = krippendorff_alpha(code(kept), "ordinal") if kept.height else None
    rows = [
        ("clearly defined", "questions asked about a pair", kept["question"].n_unique()),
        ("clearly defined", "different answers", kept["answer"].n_unique()),
        ("representative", "relations", pairs["relation"].n_unique()),
        ("representative", "words", words),
        ("representative", "pairs", pairs.height),
        ("representative", "pairs without an answer", pairs.height - kept["item"].n_unique()),
        ("consistent and reliable", "annotators", kept["annotator"].n_unique()),
        ("consistent and reliable", "fewest ratings of a pair", each.min()),
        ("consistent and reliable", "mean ratings of a pair", each.mean()),
        ("consistent and reliable", "alpha, ordinal", None if alpha is None else alpha.value),
    ]
    schema = {"criterion": pl.String, "evidence": pl.String, "value": pl.Float64}
    table = pl.DataFrame(rows, schema=schema, orient="row", strict=False)
    caption = (
        f"n = {kept.height:,} ratings that cleaning kept. The numbers are evidence; whether they "
        "suffice is for the reader to judge."
    )
    name, heading = "criteria", HEADINGS["criteria"]
    return Exhibit(name, heading, [Figure("sp10k-criteria", heading, caption, table, "")])


def _corpus(place: Path) -> Exhibit:
    """Return Table 5: how often each relation occurs in the corpus of the study."""
    name, heading = "table-5", "Table 5: corpora"
    if not place.is_file():
        return omitted(name, heading, "the study has no counts of a corpus")
    counts = (
        pl.scan_parquet(place)
        .group_by("relation")
        .agg(pl.len().alias("different pairs"), pl.col("count").sum().alias("occurrences"))
    )
    table = counts.collect().sort("relation")
    caption = "Pairs the study counted in its corpus."
    return Exhibit(name, heading, [Figure("sp10k-table-5", "Corpus", caption, table, "")])
