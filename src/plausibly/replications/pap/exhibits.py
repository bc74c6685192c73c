"""PAP's figures and tables from its released data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl

from plausibly.analysis.events import CONSTITUENTS
from plausibly.analysis.figures import Figure
from plausibly.analysis.figures.drawing import Bar, Segment, draw_bars
from plausibly.analysis.figures.plots import draw_columns
from plausibly.datasets.pap.events import read_checks
from plausibly.protocols.pap.exhibits import (
    constituents_table,
    curve_figure,
    majority_figure,
    medians_figure,
)
from plausibly.replications.exhibits import Exhibit, Exhibits, Numbers
from plausibly.replications.pap.disagreement import confident, sources
from plausibly.replications.pap.faults import LEVELS
from plausibly.replications.pap.figures import events_with_values
from plausibly.replications.pap.release import COLUMNS, CONDITIONS, PapRelease, read_release
from plausibly.replications.pap.table3 import STEPS

KIND = (
    "The numbers are about plausibility: how plausible people find an event on its own. They are "
    "not comparable with preferences (SP-10K), changes in plausibility (ADEPT) or physical "
    "consistency of stories (GITA)."
)
UNDECIDED = (
    ("Figure 1", "shows examples; `replicate pap` shows which are attested and perturbed."),
    (
        "Figure 2, before sampling",
        "the triples before sampling are not released; printed counts are shown.",
    ),
    (
        "Figure 6",
        "shows all candidates of a combination, which are not released; the figure here shows "
        "how many of the 40 sampled ones were kept.",
    ),
    ("Figure 7", "is a picture of the interface; `plausibly serve` shows this toolkit's."),
    (
        "Table 3, rows 1 to 5",
        "the ratings before cleaning are not released; printed counts are shown.",
    ),
    ("Agreement of people", "no annotator ids are released."),
)
FUNNEL = (
    ("attested", "extracted", "pap.extracted.triples"),
    ("attested", "not offensive", "pap.extracted.clean"),
    ("attested", "with norms", "pap.rated.triples"),
    ("attested", "sampled", "pap.design.sampled.attested"),
    ("attested", "kept after cleaning", "pap.triples.attested"),
    ("perturbed", "generated", "pap.generated.triples"),
    ("perturbed", "not offensive", "pap.generated.clean"),
    ("perturbed", "sampled", "pap.design.sampled.perturbed"),
    ("perturbed", "kept after cleaning", "pap.triples.perturbed"),
)
LETTERS = ("a", "b")


def exhibits(folder: Path, numbers: Numbers) -> Exhibits:
    """Return every figure and table of PAP that its data determine."""
    release = read_release(folder)
    shown = (
        Exhibit("figure-2", "Figure 2: construction", [_funnel(numbers)], ("pap.extracted",)),
        Exhibit("figure-3", "Figure 3: ratings", [_answers(numbers), _medians(numbers)], _of("3")),
        Exhibit("figure-4", "Figure 4: medians and spread", _curves(release), _of("4")),
        Exhibit("figure-5", "Figure 5: majorities", _majorities(numbers), _of("5")),
        Exhibit("figure-6", "Figure 6: triples kept", [_kept(numbers)], ("pap.combination",)),
        Exhibit("table-1", "Table 1: constituents", _table1(numbers), ("pap.table1",)),
        *_table2(release),
        Exhibit("table-3", "Table 3: cleaning", [_table3(numbers)], ("pap.table3",)),
        Exhibit("disagreement", "Sources of disagreement", sources(release)),
        Exhibit("high-confidence", "High-confidence subset", confident(release)),
    )
    return Exhibits(KIND, shown, UNDECIDED)


def _of(figure: str) -> tuple[str, ...]:
    own = f"pap.figure{figure}"
    return (own, "pap.ratings.share_plausible") if figure == "3" else (own,)


def _funnel(numbers: Numbers) -> Figure:
    rows = [
        (condition, step, numbers.printed(name), numbers.recomputed(name))
        for condition, step, name in FUNNEL
    ]
    table = pl.DataFrame(rows, schema=["condition", "step", "printed", "recomputed"], orient="row")
    counts = [recomputed or printed for _, _, printed, recomputed in rows]
    most = max(counts)
    bars = [
        Bar(
            f"{condition}: {step}",
            [Segment(0.0, count / most, CONDITIONS.index(condition), f"{count:,} triples")],
            f"{count:,}",
        )
        for (condition, step, _, _), count in zip(rows, counts, strict=True)
    ]
    title = "Triples left after each step of the construction"
    caption = "Printed counts if the triples are not released, otherwise recomputed ones."
    return Figure("pap-figure-2", title, caption, table, draw_bars(bars, title=title))


def _answers(numbers: Numbers) -> Figure:
    counts = {name: numbers.recomputed(f"pap.figure3.a.{name}") for name in CONDITIONS}
    rows = [
        (condition, answer, count)
        for condition, each in counts.items()
        for answer, count in each.items()
    ]
    table = pl.DataFrame(rows, schema=["condition", "rating", "ratings"], orient="row")
    groups = {
        answer: [counts[name][answer] for name in CONDITIONS] for answer in counts[CONDITIONS[0]]
    }
    title = "Ratings given, by condition"
    caption = f"n = {table['ratings'].sum():,} ratings; nobody could leave the slider at 3."
    drawing = draw_columns(groups, legend=CONDITIONS, title=title, x="rating", y="ratings")
    return Figure("pap-figure-3a", title, caption, table, drawing)


def _medians(numbers: Numbers) -> Figure:
    medians, means = (
        {name: numbers.recomputed(f"pap.figure3.b.{average}.{name}") for name in CONDITIONS}
        for average in ("median", "mean")
    )
    rows = [
        ("mean", name, bin_, triples)
        for name, each in means.items()
        for bin_, triples in each.items()
    ]
    drawn = medians_figure(medians, rows=rows)
    more = "The table also has the bins of the mean, the other reading of “average median”."
    return replace(drawn, caption=f"{drawn.caption} {more}")


def _curves(release: PapRelease) -> list[Figure]:
    events = events_with_values(release)
    return [curve_figure(events.filter(pl.col("condition") == one), one) for one in CONDITIONS]


def _majorities(numbers: Numbers) -> list[Figure]:
    return [
        majority_figure(_bars(numbers, letter), name)
        for letter, name in zip(LETTERS, CONDITIONS, strict=True)
    ]


def _bars(numbers: Numbers, letter: str) -> dict[str, dict[str, int]]:
    """Return the triples of each combination by majority, for one half of Figure 5."""
    return {
        combination: {name: int(str(count)) for name, count in record.recomputed.items()}
        for combination, record in numbers.under(f"pap.figure5{letter}.combination")
        if isinstance(record.recomputed, dict)
    }


def _kept(numbers: Numbers) -> Figure:
    each = {
        (name, combination): sum(counts.values())
        for letter, name in zip(LETTERS, CONDITIONS, strict=True)
        for combination, counts in _bars(numbers, letter).items()
    }
    names = sorted({combination for _, combination in each})
    kept = {one: [each.get((name, one), 0) for name in CONDITIONS] for one in names}
    rows = [(one, *counts) for one, counts in kept.items()]
    table = pl.DataFrame(rows, schema=["combination", *CONDITIONS], orient="row")
    per_cell = int(numbers.printed("pap.design.per_combination") or 40)
    bars = [
        Bar(
            f"{one}: {name}",
            [Segment(0.0, count / per_cell, place, f"{count} of {per_cell}")],
            str(count),
        )
        for one, counts in kept.items()
        for place, (name, count) in enumerate(zip(CONDITIONS, counts, strict=True))
    ]
    title = "Triples kept in each combination"
    caption = (
        f"Of {per_cell} sampled for each combination and condition; a full bar is all of them."
    )
    return Figure("pap-figure-6", title, caption, table, draw_bars(bars, title=title))


def _table1(numbers: Numbers) -> list[Figure]:
    heads = [f"{condition} {column}" for condition in CONDITIONS for column in COLUMNS]
    right, printed = (_table1_rows(numbers, published=one) for one in (False, True))
    title = "Constituents by majority, corrected"
    differs = (
        "Subjects and verbs are swapped in print, and the two columns without a majority "
        "follow a different rule from the rest."
    )
    same = constituents_table("pap-table-1-published", "The same as printed", heads, printed)
    return [
        constituents_table("pap-table-1", title, heads, right),
        replace(same, caption=differs),
    ]


def _table1_rows(numbers: Numbers, *, published: bool) -> list[tuple[object, ...]]:
    value = numbers.printed if published else numbers.recomputed
    heads = [f"{condition}.{column}" for condition in CONDITIONS for column in COLUMNS]
    rows: list[tuple[object, ...]] = [
        ("triples", *(_float(value(f"pap.table1.count.{head}")) for head in heads))
    ]
    for level in LEVELS:
        for place in CONSTITUENTS:
            cells = [value(f"pap.table1.proportion.{head}.{place}.{level}") for head in heads]
            rows.append((f"{level} {place}s", *map(_float, cells)))
    return rows


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _table2(release: PapRelease) -> list[Exhibit]:
    path = release.file("pap", "check_instances.tsv")
    if path is None:
        return []
    title, caption = "Check instances", "Those named as withdrawn in print are marked."
    table = Figure("pap-table-2", title, caption, read_checks(path), "")
    return [Exhibit("table-2", "Table 2: check instances", [table], ("pap.check_instances",))]


def _table3(numbers: Numbers) -> Figure:
    columns = ("annotators", "ratings", "triples")
    groups = (*CONDITIONS, "total")
    rows = []
    for step in STEPS:
        own = f"pap.table3.{step}"
        for reading, value in (("printed", numbers.printed), ("recomputed", numbers.recomputed)):
            cells = [value(f"{own}.{column}.{group}") for column in columns for group in groups]
            if any(cell is not None for cell in cells):
                rows.append((step.replace("_", " "), reading, *cells))
    names = [f"{column} {group}" for column in columns for group in groups]
    table = pl.DataFrame(rows, schema=["step", "reading", *names], orient="row")
    table = table.drop([name for name in names if table[name].null_count() == table.height])
    caption = "Only the result of the last step is released; the rows before it are as printed."
    return Figure("pap-table-3", "What each step of cleaning left", caption, table, "")
