"""ADEPT's figures and tables from its released data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.analysis.figures.drawing import Bar, Segment, draw_bars
from plausibly.datasets.adept import CLASSES
from plausibly.protocols.adept.exhibits import matrix_figure
from plausibly.replications.exhibits import Exhibit, Exhibits, Numbers

KIND = (
    "The numbers are about a change in plausibility: what an adjective does to an event that was "
    "plausible before. They are not comparable with plausibility itself (PAP), preferences "
    "(SP-10K) or physical consistency of stories (GITA)."
)
UNDECIDED = (
    ("Figure 1", "a drawing of the pipeline; its counts are in `replicate adept`."),
    ("Table 4, agreement", "single answers are not released; printed counts and shares are shown."),
    (
        "Direction of disagreement between people",
        "single answers are not released; pairs that occur twice with two labels, and where the "
        "models' errors are, are shown instead.",
    ),
    (
        "Coding of the extremes (section 4.2)",
        "which of the impossible and necessarily true pairs are clear cases was coded by hand, and "
        "the codes are not released; `plausibly experts` draws such pairs and compares coders.",
    ),
    ("Tables 2 and 3", "show how items are made and labelled; `plausibly build adept` does this."),
    (
        "Table 5, people and language models",
        "their answers are not released; printed scores are shown.",
    ),
)
SPLITS = ("train", "val", "test")


def exhibits(folder: Path, numbers: Numbers) -> Exhibits:
    """Return every figure and table of ADEPT that its data determine."""
    del folder
    table4 = [_labels(numbers), _agreement(numbers), _sizes(numbers)]
    shown = (
        Exhibit("table-1", "Table 1: examples", [_examples(numbers, 1)], ("adept.table1",)),
        Exhibit("table-4", "Table 4: labels, agreement, sizes", table4, _table4_ids()),
        Exhibit("table-5", "Table 5: baselines and models", [_table5(numbers)], _table5_ids()),
        Exhibit("table-6", "Table 6: examples", [_examples(numbers, 6)], ("adept.table6",)),
        Exhibit("figure-2", "Figure 2: five classes", _matrix(numbers, 2), ("adept.figure2",)),
        Exhibit("figure-3", "Figure 3: three classes", _matrix(numbers, 3), ("adept.figure3",)),
        Exhibit("figure-4", "Figure 4: kinds of adjectives", _kinds(numbers), ("adept.dead",)),
        Exhibit("disagreement", "Direction of disagreement", [_directions(numbers)]),
    )
    return Exhibits(KIND, shown, UNDECIDED)


def _table4_ids() -> tuple[str, ...]:
    return ("adept.label", "adept.table4", "adept.size")


def _table5_ids() -> tuple[str, ...]:
    return ("adept.baseline", "adept.range", "adept.human_no_context")


def _key(name: str) -> str:
    return name.replace(" ", "_")


def _labels(numbers: Numbers) -> Figure:
    counts = [numbers.recomputed(f"adept.label.count.{_key(name)}") or 0 for name in CLASSES]
    total = sum(counts)
    splits = {split: numbers.recomputed(f"adept.label.share.{split}") for split in SPLITS}
    rows = [
        (
            name,
            numbers.printed(f"adept.label.share.{_key(name)}"),
            count,
            count / total if total else None,
            *(shares[place] if shares else None for shares in splits.values()),
        )
        for place, (name, count) in enumerate(zip(CLASSES, counts, strict=True))
    ]
    columns = ["label", "printed", "pairs", "recomputed", *SPLITS]
    table = pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)
    missing = [split for split, shares in splits.items() if not shares]
    without = f" Without {', '.join(missing)}, which the folder does not have." if missing else ""
    caption = f"Shares of {total:,} pairs, for all splits together and separately.{without}"
    table = table.drop(missing)
    return Figure("adept-table-4", "Labels", caption, table, "")


def _agreement(numbers: Numbers) -> Figure:
    rows = [
        (
            name,
            numbers.printed(f"adept.table4.unanimous.{_key(name)}"),
            numbers.printed(f"adept.table4.majority.{_key(name)}"),
            numbers.recomputed(f"adept.table4.sums.{_key(name)}"),
        )
        for name in CLASSES
    ]
    columns = ["label", "unanimous, printed", "majority, printed", "sum"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    caption = (
        "Share of the pairs of a label on which all people, or only most, agreed; as printed, "
        "since single answers are not released."
    )
    return Figure("adept-table-4-agreement", "Agreement by label", caption, table, "")


def _sizes(numbers: Numbers) -> Figure:
    rows = [
        (split, numbers.printed(f"adept.size.{split}"), numbers.recomputed(f"adept.size.{split}"))
        for split in (*SPLITS, "total")
    ]
    table = pl.DataFrame(rows, schema=["split", "printed", "recomputed"], orient="row")
    return Figure("adept-table-4-sizes", "Pairs by split", "Rows of the files.", table, "")


def _table5(numbers: Numbers) -> Figure:
    rows = [
        (name.replace(".", " by "), int(kind[0]), record.published, record.recomputed)
        for prefix in ("adept.baseline", "adept.table5")
        for key, record in numbers.under(prefix)
        for name, _, kind in (key.replace("_", " ").rpartition("."),)
        if isinstance(record.published or record.recomputed, float)
    ]
    table = pl.DataFrame(
        rows,
        schema=["model", "classes", "printed", "recomputed"],
        orient="row",
        infer_schema_length=None,
    )
    caption = "Accuracy on the development set, by number of classes."
    return Figure("adept-table-5", "Baselines and models", caption, table, "")


def _examples(numbers: Numbers, table: int) -> Figure:
    rows = [
        (*name.split("-"), record.published, record.recomputed, record.verdict)
        for name, record in numbers.under(f"adept.table{table}")
        if name.count("-") == 2
    ]
    columns = ["modifier", "noun", "with", "printed", "recomputed", "verdict"]
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    caption = "Label of each printed example in the released files, found by three of its words."
    return Figure(f"adept-table-{table}", "Printed examples", caption, frame, "")


def _cells(numbers: Numbers, figure: int) -> list[list[int]]:
    return [[int(cell) for cell in row] for row in numbers.printed(f"adept.figure{figure}.cells")]


def _matrix(numbers: Numbers, figure: int) -> list[Figure]:
    cells = _cells(numbers, figure)
    own = numbers.recomputed(f"adept.figure{figure}.row_sums")
    agrees = "equal" if own == [sum(row) for row in cells] else "do not equal"
    caption = (
        f"As printed, n = {sum(map(sum, cells)):,} pairs: the predictions are not released. The "
        f"sums of its rows {agrees} the labels of the released development set."
    )
    if own is None:
        caption = f"As printed, n = {sum(map(sum, cells)):,} pairs; no development set to compare."
    return [matrix_figure(figure, cells, caption)]


def _kinds(numbers: Numbers) -> list[Figure]:
    kinds = {
        "non-subsective": numbers.recomputed("adept.figure4.non_subsective"),
        "subsective": numbers.recomputed("adept.figure4.subsective"),
    }
    if not all(kinds.values()):
        return []
    rows = [
        (kind, name, s)
        for kind, each in kinds.items()
        for name, s in zip(CLASSES, each, strict=True)
    ]
    table = pl.DataFrame(rows, schema=["adjective", "label", "share"], orient="row")
    title = "Labels by kind of adjective"
    share = numbers.recomputed("adept.non_subsective.share")
    pairs = numbers.recomputed("adept.pairs.compared")
    caption = (
        f"n = {pairs:,} pairs, {100 * share:.1f} % of them with one of the 60 non-subsective "
        "adjectives or “dead”."
    )
    bars = [_stacked(kind, each) for kind, each in kinds.items()]
    drawing = draw_bars(bars, title=title, legend=CLASSES)
    return [Figure("adept-figure-4", title, caption, table, drawing)]


def _stacked(kind: str, shares: Sequence[float]) -> Bar:
    start, segments = 0.0, []
    for place, (name, share) in enumerate(zip(CLASSES, shares, strict=True)):
        segments.append(Segment(start, start + share, place, f"{name}: {100 * share:.1f} %"))
        start += share
    return Bar(kind, segments, "")


def _directions(numbers: Numbers) -> Figure:
    rows: list[tuple[str, int | None, int | None, int | None]] = []
    for figure in (2, 3):
        cells = _cells(numbers, figure)
        places = range(len(cells))
        below = sum(cells[true][said] for true in places for said in places if said < true)
        above = sum(cells[true][said] for true in places for said in places if said > true)
        right = sum(cells[place][place] for place in places)
        rows.append((f"best model, {len(cells)} classes, printed", below, right, above))
    table = pl.DataFrame(
        [
            *((name, below, right, above) for name, below, right, above in rows),
        ],
        schema=["who", "less plausible than the label", "the label", "more plausible"],
        orient="row",
    )
    twice = numbers.recomputed("adept.duplicates")
    differ = numbers.recomputed("adept.duplicates.labels_differ")
    caption = (
        f"Whether errors are too low or too high on plausibility. Of {twice} pairs of "
        f"sentences that occur more than once in the released files, {differ} have two labels."
    )
    return Figure("adept-disagreement", "Direction of errors", caption, table, "")
