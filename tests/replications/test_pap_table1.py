"""What is wrong with PAP's Table 1, told from its printed cells."""

from __future__ import annotations

import polars as pl
import pytest

from plausibly.replications.pap_table1_faults import faults, published_rule
from plausibly.replications.pap_table1_printed import CELLS, HEADS, LEVELS

NOBODY = {
    condition: pl.DataFrame({"combination": []}, schema={"combination": pl.String})
    for condition in ("attested", "perturbed")
}


def test_every_printed_column_is_a_whole() -> None:
    for head in HEADS:
        cells = [share for cell, share in CELLS.items() if cell[:2] == head]
        assert len(cells) == 3 * len(LEVELS)
        assert sum(cells) == pytest.approx(1, abs=0.0051)


def test_exchanged_rows_are_told_from_right_ones() -> None:
    printed = faults(CELLS, NOBODY)
    assert (printed["pap.table1.as_printed"], printed["pap.table1.permutations.complete"]) == (
        36,
        1,
    )
    assert printed["pap.table1.exchanged_rows"] != 36
    other = {"subject": "verb", "verb": "subject", "object": "object"}
    exchanged = faults(
        {(a, b, other[c], d): share for (a, b, c, d), share in CELLS.items()}, NOBODY
    )
    assert exchanged["pap.table1.exchanged_rows"] == 36
    assert exchanged["pap.table1.as_printed"] == printed["pap.table1.exchanged_rows"]


def test_a_table_of_nothing_reproduces_nothing() -> None:
    found = faults({}, NOBODY)
    assert found["pap.table1.exchanged_rows"] == 0
    assert found["pap.table1.published_rule"] == 0
    assert found["pap.table1.reading"] == []


def test_the_published_rule_drops_most_objects_and_exchanges_subjects_and_verbs() -> None:
    events = pl.DataFrame({"combination": ["a-m-a", "c-m-a"]})
    shares = published_rule(events, mid_range_exchanged=False)
    assert shares["verb", "a"] == pytest.approx(1 / 5)
    assert shares["verb", "c"] == pytest.approx(1 / 5)
    assert shares["subject", "m"] == pytest.approx(2 / 5)
    assert shares["object", "a"] == pytest.approx(1 / 5)
    assert sum(shares.values()) == pytest.approx(1)


def test_the_published_rule_exchanges_two_cells_of_one_column() -> None:
    events = pl.DataFrame({"combination": ["m-a-m", "m-c-a"]})
    plain = published_rule(events, mid_range_exchanged=False)
    exchanged = published_rule(events, mid_range_exchanged=True)
    assert exchanged["verb", "m"] == plain["object", "m"] != plain["verb", "m"]
    assert exchanged["object", "m"] == plain["verb", "m"]
    rest = set(plain) - {("verb", "m"), ("object", "m")}
    assert {cell: plain[cell] for cell in rest} == {cell: exchanged[cell] for cell in rest}


def test_the_reading_names_what_rises_in_both_conditions() -> None:
    shares = {
        (condition, column, "verb", "c"): 0.2 if column == "implausible" else 0.1
        for condition, column in HEADS
    }
    assert faults(shares, NOBODY)["pap.table1.reading"] == ["concrete verbs"]
    shares["attested", "implausible", "verb", "c"] = 0.05
    assert faults(shares, NOBODY)["pap.table1.reading"] == []
