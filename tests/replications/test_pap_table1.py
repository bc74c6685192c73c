"""What is wrong with PAP's Table 1, told from its printed cells."""

from __future__ import annotations

import polars as pl
import pytest

from plausibly.replications.claims import read_claims
from plausibly.replications.pap.faults import LEVELS, faults, inferred_rule
from plausibly.replications.pap.table1 import HEADS

CELLS = read_claims("pap").numbers("pap.table1.proportion")
NOBODY = {
    condition: pl.DataFrame({"combination": []}, schema={"combination": pl.String})
    for condition in ("attested", "perturbed")
}


def test_every_printed_column_is_a_whole() -> None:
    for head in HEADS:
        cells = [share for cell, share in CELLS.items() if cell.startswith(f"{head}.")]
        assert len(cells) == 3 * len(LEVELS)
        assert sum(cells) == pytest.approx(1, abs=0.0051)


def test_exchanged_rows_are_told_from_right_ones() -> None:
    printed = faults(CELLS, CELLS, NOBODY)
    assert printed["pap.table1.as_printed"] == 36
    assert printed["pap.table1.permutations.complete"] == 1
    assert printed["pap.table1.exchanged_rows"] != 36
    other = {"subject": "verb", "verb": "subject", "object": "object"}
    exchanged = {}
    for cell, share in CELLS.items():
        condition, column, place, level = cell.split(".")
        exchanged[f"{condition}.{column}.{other[place]}.{level}"] = share
    turned = faults(CELLS, exchanged, NOBODY)
    assert turned["pap.table1.exchanged_rows"] == 36
    assert turned["pap.table1.as_printed"] == printed["pap.table1.exchanged_rows"]


def test_a_table_of_nothing_reproduces_nothing() -> None:
    numbers = faults(CELLS, {}, NOBODY)
    assert numbers["pap.table1.exchanged_rows"] == 0
    assert numbers["pap.table1.published_rule"] == 0
    assert numbers["pap.table1.reading"] == []


def test_the_inferred_rule_drops_most_objects_and_exchanges_subjects_and_verbs() -> None:
    shares = inferred_rule(pl.DataFrame({"combination": ["a-m-a", "c-m-a"]}))
    assert shares["verb.abstract"] == pytest.approx(1 / 5)
    assert shares["verb.concrete"] == pytest.approx(1 / 5)
    assert shares["subject.mid-range"] == pytest.approx(2 / 5)
    assert shares["object.abstract"] == pytest.approx(1 / 5)
    assert sum(shares.values()) == pytest.approx(1)


def test_cells_the_inferred_rule_does_not_give_are_named() -> None:
    events = {
        "attested": pl.DataFrame({"combination": ["m-a-m"]}),
        "perturbed": NOBODY["perturbed"],
    }
    printed = {
        f"attested.unsure.{cell}": s for cell, s in inferred_rule(events["attested"]).items()
    }
    right = faults(printed, {}, events)
    assert (right["pap.table1.published_rule"], right["pap.table1.published_rule.missed"]) == (
        9,
        [],
    )
    wrong = faults(printed | {"attested.unsure.verb.mid-range": 0.5}, {}, events)
    assert wrong["pap.table1.published_rule.missed"] == ["attested.unsure.verb.mid-range"]


def test_the_reading_names_what_rises_or_falls_in_both_conditions() -> None:
    shares = {
        f"{head}.verb.concrete": 0.2 if head.endswith("implausible") else 0.1 for head in HEADS
    }
    shares = {name: share for name, share in shares.items() if ".unsure." not in name}
    assert faults(shares, shares, NOBODY)["pap.table1.reading"] == ["concrete verbs"]
    assert faults(shares, shares, NOBODY)["pap.table1.falls.data.verbs"] == []
    shares["attested.implausible.verb.concrete"] = 0.05
    assert faults(shares, shares, NOBODY)["pap.table1.reading"] == []
