"""GITA4CALAMITA's tables from its released data."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.evaluation.gita_tally import METRICS
from plausibly.protocols.gita.exhibits import states_figure
from plausibly.replications.exhibits import Exhibit, Exhibits, Numbers

KIND = (
    "The numbers are about physical consistency: whether a model finds the story in which "
    "something impossible happens, where, and in which state of the world. They are not "
    "comparable with plausibility of single events (PAP), its change (ADEPT) or preferences "
    "(SP-10K)."
)
UNDECIDED = (
    ("Figure 1", "shows one pair of stories."),
    ("Table 1", "lists the conditions of a story pair; `plausibly check gita` checks them."),
    (
        "Table 3, models without answers in the folder",
        "the rows of models whose answers are not in the data folder are as printed.",
    ),
)
GROUPS = ("plausible", "order", "cloze")
COUNTS = ("by_type", "by_example_id", "corrected")


def exhibits(folder: Path, numbers: Numbers) -> Exhibits:
    """Return every table of GITA4CALAMITA that its data decide."""
    del folder
    states = _states(numbers)
    shown = (
        Exhibit("table-2", "Table 2: stories", [_table2(numbers)], ("gita.stories",)),
        Exhibit("table-3", "Table 3: models", [_table3(numbers)], ("gita.table3", "gita.grim")),
        Exhibit("conclusions", "What the text concludes from Table 3", [], ("gita.text",)),
        *([Exhibit("states", "States", [states])] if states else []),
    )
    return Exhibits(KIND, shown, UNDECIDED)


def _table2(numbers: Numbers) -> Figure:
    rows = [
        (
            group,
            numbers.printed(f"gita.stories.by_type.{group}"),
            *(numbers.recomputed(f"gita.stories.{name}.{group}") for name in COUNTS),
        )
        for group in GROUPS
    ]
    totals = [sum(row[n] or 0 for row in rows) or None for n in range(1, 5)]
    columns = ["stories", "printed", "by field type", "by example_id", "corrected"]
    table = pl.DataFrame([*rows, ("total", *totals)], schema=columns, orient="row")
    caption = "Counted by three definitions; the scorer of the authors uses example_id."
    return Figure("gita-table-2", "Stories by kind", caption, table, "")


def _table3(numbers: Numbers) -> Figure:
    models = dict.fromkeys(name.rpartition(".")[0] for name, _ in numbers.under("gita.table3"))
    rows = []
    for model in models:
        own = f"gita.table3.{model}"
        for reading, value in (("printed", numbers.printed), ("recomputed", numbers.recomputed)):
            cells = [value(f"{own}.{metric}") for metric in METRICS]
            if any(cell is not None for cell in cells):
                rows.append((model, reading, *cells))
    columns = ["model", "reading", *METRICS]
    table = pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)
    caption = (
        "Fractions by the authors' scorer: accuracy of 356 stories, consistency and verifiability "
        "of 238; groups of 115 (cloze), 122 or 121 (order) and 119 (plausible) stories."
    )
    return Figure("gita-table-3", "Scores of models", caption, table, "")


def _states(numbers: Numbers) -> Figure | None:
    counts = numbers.recomputed("gita.states.counts")
    if not isinstance(counts, dict):
        return None
    caption = f"n = {sum(counts.values())} implausible stories; not printed, from the data."
    return states_figure(counts, caption)
