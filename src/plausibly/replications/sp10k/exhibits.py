"""SP-10K's figures and tables from its released data."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.datasets.sp10k import RELATIONS
from plausibly.evaluation.sp10k import GROUPS
from plausibly.protocols.sp10k.exhibits import groups_figure, time_figure
from plausibly.replications.exhibits import Exhibit, Exhibits, Numbers

KIND = (
    "The numbers are about selectional preference: how well one word suits another in a "
    "grammatical relation. A pair that is not preferred may still be plausible; the numbers are "
    "not comparable with plausibility (PAP), its change (ADEPT) or consistency of stories (GITA)."
)
UNDECIDED = (
    ("Tables 3 and 4", "were not in the text at hand, nor were sections 3.3 and 3.4."),
    ("Table 5", "the corpora are not released; printed counts are shown."),
    (
        "Tables 6 and 7",
        "the text at hand lacks them; docs/results/sp10k.md has this toolkit's own models, and "
        "the sizes of the groups are below.",
    ),
    ("Figure 2", "the matching with OMCS is not released."),
    ("Tables 8, 10 and 11, triplets", "the OMCS triplets are as printed; scores are recomputed."),
)
# Figure 1 is a picture; these are the constants of the authors' plotting script, in seconds.
SECONDS = {"dobj": 1528, "nsubj": 1762, "amod": 1101, "dobj_amod": 1409, "nsubj_amod": 1792}
CORPORA = ("wikipedia", "yelp", "nyt")
ROWS = ("sentences", "dobj", "nsubj", "amod", "dobj_amod", "nsubj_amod")
SYSTEMS = ("stanford", "end2end", "pp", "sp10k")
CELLS = ("correct", "wrong", "none", "a_p", "a_o")


def exhibits(folder: Path, numbers: Numbers) -> Exhibits:
    """Return every figure and table of SP-10K that its data decide."""
    del folder
    examples = [
        Exhibit(f"table-{n}", f"Table {n}: examples", _examples(numbers, n)) for n in (8, 10, 11)
    ]
    shown = (
        Exhibit("figure-1", "Figure 1: time", [_time()]),
        Exhibit("table-2", "Table 2: candidate pairs", [_table2(numbers)], ("sp10k.table2",)),
        Exhibit("table-5", "Table 5: corpora", [_table5(numbers)]),
        Exhibit("groups", "Groups of plausibility", _groups(numbers), ("sp10k.groups",)),
        *(one for one in examples if one.figures),
        Exhibit("table-9", "Table 9: Winograd questions", [_table9(numbers)], ("sp10k.table9",)),
    )
    return Exhibits(KIND, shown, UNDECIDED)


def _time() -> Figure:
    caption = (
        "Mean over annotators, as the authors' plotting script states it; single times are not "
        "released, so n is unknown."
    )
    return time_figure(SECONDS, caption)


def _table2(numbers: Numbers) -> Figure:
    rows = [
        (*name.partition(".")[::2], record.published, record.recomputed)
        for name, record in numbers.under("sp10k.table2")
        if "-" in name
    ]
    columns = ["relation", "pair", "printed", "recomputed"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    caption = (
        "Whether each printed example is a frequent or a random pair of its head in the files."
    )
    return Figure("sp10k-table-2", "Candidate pairs", caption, table, "")


def _table5(numbers: Numbers) -> Figure:
    rows = [
        (row, *(numbers.printed(f"sp10k.table5.{corpus}.{row}") for corpus in CORPORA))
        for row in ROWS
    ]
    table = pl.DataFrame(rows, schema=["count", *CORPORA], orient="row", strict=False)
    return Figure("sp10k-table-5", "Corpora", "As printed.", table, "")


def _groups(numbers: Numbers) -> list[Figure]:
    sizes = {name: numbers.recomputed(f"sp10k.groups.{name}") for name in RELATIONS}
    known = {name: [each[one] for one in GROUPS] for name, each in sizes.items() if each}
    return [groups_figure(known)]


def _examples(numbers: Numbers, table: int) -> list[Figure]:
    rows = [
        (*name.split(".", 2), record.published, record.recomputed, record.verdict)
        for name, record in numbers.under("sp10k.examples")
        if name.count(".") == 2 and record.place.startswith(f"Table {table} ")
    ]
    if not rows:
        return []
    columns = ["group", "relation", "pair", "printed", "recomputed", "verdict"]
    frame = pl.DataFrame(rows, schema=columns, orient="row", strict=False)
    caption = "Score of each printed pair; pairs printed in several tables are in the first."
    return [Figure(f"sp10k-table-{table}", "Examples", caption, frame, "")]


def _table9(numbers: Numbers) -> Figure:
    rows = []
    for system in SYSTEMS:
        own = f"sp10k.table9.{system}"
        for reading, value in (("printed", numbers.printed), ("recomputed", numbers.recomputed)):
            cells = [value(f"{own}.{cell}") for cell in CELLS]
            if any(cell is not None for cell in cells):
                rows.append((system, reading, *cells))
    columns = ["system", "reading", "correct", "wrong", "no answer", "A_p", "A_o"]
    table = pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)
    caption = (
        "72 questions. A_p is the share of the answered ones that are right; A_o counts a "
        "question without an answer as half right. Counts recomputed where predictions are "
        "released, shares from the printed counts elsewhere."
    )
    return Figure("sp10k-table-9", "Winograd questions", caption, table, "")
