"""Every figure and table of the publications that their data decide, equal to `replicate`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.replications.figures import PAPERS, PaperFigures, paper_figures
from plausibly.replications.record import Record

pytestmark = pytest.mark.data

WANTED = {
    "pap": (
        *("pap-figure-2", "pap-figure-3a", "pap-figure-3b", "pap-figure-4a", "pap-figure-4b"),
        *("pap-figure-5a", "pap-figure-5b", "pap-figure-6", "pap-table-1", "pap-table-2"),
        *("pap-table-3", "pap-disagreement", "pap-high-confidence"),
    ),
    "adept": (
        *("adept-table-4", "adept-table-5", "adept-table-6", "adept-figure-2"),
        *("adept-figure-3", "adept-figure-4", "adept-disagreement"),
    ),
    "sp10k": (
        *("sp10k-figure-1", "sp10k-table-5", "sp10k-table-8", "sp10k-table-9"),
        *("sp10k-table-10", "sp10k-table-11"),
    ),
    "gita": ("gita-table-2", "gita-table-3"),
}


@cache
def analysed(name: str, data: Path) -> PaperFigures:
    return paper_figures(name, data=data)


def records(result: PaperFigures) -> dict[str, Record]:
    return {record.id: record for ruling in result.statements for record in ruling.readings}


def table(result: PaperFigures, name: str) -> pl.DataFrame:
    return next(one.table for one in result.figures if one.name == name)


@pytest.mark.parametrize("name", list(PAPERS))
def test_all_that_the_data_decide_is_there(name: str, data_folder: Path) -> None:
    result = analysed(name, data_folder)
    assert {one.name for one in result.figures} >= set(WANTED[name])
    assert all(one.table.height for one in result.figures)


def test_figures_of_pap_equal_the_published_data(data_folder: Path) -> None:
    result = analysed("pap", data_folder)
    assert table(result, "pap-figure-3a")["ratings"].to_list() == [
        *(802, 972, 2907, 3045),
        *(1712, 1335, 2944, 1854),
    ]
    medians = table(result, "pap-figure-3b").filter(pl.col("average") == "median")
    assert medians["triples"].to_list() == [49, 40, 452, 321, 204, 91, 508, 68]
    assert table(result, "pap-figure-5b").row(4) == ("a-c-c", 7, 8, 18)
    assert table(result, "pap-figure-6")["attested"].sum() == 862


def test_table_1_is_corrected_and_the_printed_one_stands_beside_it(data_folder: Path) -> None:
    result = analysed("pap", data_folder)
    own, printed = table(result, "pap-table-1"), table(result, "pap-table-1-published")
    assert own.row(0)[1:] == printed.row(0)[1:] == (622, 11, 229, 309, 46, 516)
    for column in own.columns[1:]:
        assert own[column][1:].sum() == pytest.approx(1)
    row = {name: (own, printed) for name, *_ in own.iter_rows()}
    assert "concrete subjects" in row
    concrete = own.filter(pl.col("constituent") == "concrete subjects")["perturbed implausible"]
    exchanged = printed.filter(pl.col("constituent") == "concrete verbs")["perturbed implausible"]
    assert round(concrete[0], 3) == exchanged[0] == 0.116


@pytest.mark.parametrize(
    ("name", "exhibit", "prefix"),
    [
        ("gita", "gita-table-3", "gita.table3"),
        ("sp10k", "sp10k-table-9", "sp10k.table9"),
    ],
)
def test_rows_of_a_table_are_the_records(
    name: str, exhibit: str, prefix: str, data_folder: Path
) -> None:
    result = analysed(name, data_folder)
    every = records(result)
    columns = {"no answer": "none", "A_p": "a_p", "A_o": "a_o"}
    compared = 0
    for row in table(result, exhibit).iter_rows(named=True):
        who, reading = row.pop("model", None) or row.pop("system"), row.pop("reading")
        for column, value in row.items():
            record = every[f"{prefix}.{who}.{columns.get(column, column)}"]
            expected: Any = record.published if reading == "printed" else record.recomputed
            assert value == expected
            compared += 1
    assert compared > 20
