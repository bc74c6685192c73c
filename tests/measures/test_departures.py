"""Where a model departs from people: differences by cell, and items it is certain about."""

from __future__ import annotations

import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.measures.departures import ALIKE, UNKNOWN, Said, departures, said_by_item
from plausibly.measures.raters_worth import worth_of_shares

PEOPLE = pl.DataFrame(
    {
        "item": [f"i{n}" for n in range(8) for _ in range(6)],
        "annotator": [f"p{k}" for _ in range(8) for k in range(6)],
        "answer": ["yes" if k < n else "no" for n in range(8) for k in range(6)],
        "condition": ["low" if n < 4 else "high" for n in range(8) for _ in range(6)],
    }
)


@given(
    grades=st.lists(st.lists(st.integers(0, 100), min_size=3, max_size=3), min_size=4, max_size=8),
    shift=st.floats(-50, 50),
)
def test_a_model_that_adds_a_constant_departs_by_it_in_every_cell(
    grades: list[list[int]], shift: float
) -> None:
    rows = [
        (f"i{n}", f"p{k}", float(one)) for n, own in enumerate(grades) for k, one in enumerate(own)
    ]
    people = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    people = people.with_columns(condition=pl.col("item").is_in(["i0", "i1"]).cast(pl.String))
    said = {f"i{n}": Said({}, sum(own) / 3 + shift) for n, own in enumerate(grades)}
    found = departures(people, said, ["condition"])
    assert [one.by for one in found.cells] == [{}, {"condition": "false"}, {"condition": "true"}]
    for one in found.cells:
        assert one.gap.value == pytest.approx(shift, abs=1e-9)
        assert one.model - one.people == pytest.approx(shift, abs=1e-9)
    if abs(shift) < 1e-9:
        assert not found.items


def test_differences_are_signed_and_by_cell() -> None:
    always = {f"i{n}": Said({"yes": 1.0}) for n in range(8)}
    found = departures(PEOPLE, always, ["condition"])
    shown = {tuple(one.by.values()): round(one.gap.value or 0.0, 3) for one in found.cells}
    assert shown == {(): 0.438, ("high",): 0.125, ("low",): 0.75}
    for one in found.cells:
        assert one.answer == "yes"
        assert -1 <= (one.gap.low or 0) < (one.gap.value or 0) < (one.gap.high or 0) <= 1
    assert found.reason == UNKNOWN
    assert [one.item for one in found.items] == ["i0", "i1", "i2"]


def test_no_limit_of_a_distance_or_a_difference_is_impossible() -> None:
    grades = {"a": (0.0, 5.0), "b": (100.0, 90.0), "c": (40.0, 100.0), "d": (0.0, 100.0)}
    rows = [(item, f"p{k}", one) for item, own in grades.items() for k, one in enumerate(own)]
    people = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    said = {item: Said({}, 100.0, -float(n // 2)) for n, item in enumerate(grades)}
    found = departures(people.with_columns(condition=pl.col("item") < "c"), said, ["condition"])
    assert len(found.certain) == 2
    for near in (one.near for one in found.certain):
        assert 0 <= (near.low or 0) <= (near.value or 0) <= (near.high or 0) <= 100
    assert {one.near.low for one in found.certain} == {0.0}
    assert {one.gap.high for one in found.cells} == {100.0}  # the range of all items, not a cell's
    for gap in (one.gap for one in found.cells):
        assert -100 <= (gap.low or 0) <= (gap.value or 0) <= (gap.high or 0) <= 100


def test_items_it_is_most_certain_about_come_first() -> None:
    shares = {
        f"i{n}": Said({"no": 0.5 - n / 20, "yes": 0.5 + n / 20}, None, 0.5 + n / 20)
        for n in range(1, 8)
    }
    found = departures(PEOPLE, shares, [])
    assert [(one.item, one.instead) for one in found.items] == [("i2", "no"), ("i1", "no")]
    assert found.items[0].people == pytest.approx(2 / 6)
    assert (found.items[0].low or 1) < 2 / 6 < (found.items[0].high or 0)
    sure, others = found.certain
    assert sure.near.items == 2
    assert (sure.near.value or 0) > (others.near.value or 1)
    same = {item: Said(one.shares, None, 0.9) for item, one in shares.items()}
    assert departures(PEOPLE, same, []).reason == ALIKE


def test_ways_of_asking_are_averaged_and_their_spread_is_uncertainty() -> None:
    rows = pl.DataFrame(
        {
            "item": ["x", "x", "y", "y", "z"],
            "label": ["10", "30", "40", "40", None],
            "score": [10.0, 30.0, 40.0, 40.0, None],
            "distribution": [None] * 5,
        },
        schema_overrides={"distribution": pl.String},
    )
    said = said_by_item(rows, graded=True)
    assert {item: (one.number, one.certainty) for item, one in said.items()} == {
        "x": (20.0, -10.0),
        "y": (40.0, 0.0),
    }
    drawn = rows.head(1).with_columns(distribution=pl.lit(json.dumps({"0": 0.5, "20": 0.5})))
    assert said_by_item(drawn, graded=True)["x"].certainty == pytest.approx(-10.0)


def test_a_model_that_knows_the_shares_is_worth_more_people_than_one_that_guesses() -> None:
    known = {f"i{n}": {"yes": min(n, 6) / 6, "no": 1 - min(n, 6) / 6} for n in range(8)}
    wrong = {item: {"yes": own["no"], "no": own["yes"]} for item, own in known.items()}
    assert worth_of_shares(PEOPLE, known).words == "over 5"
    assert worth_of_shares(PEOPLE, wrong).raters == 0
    assert worth_of_shares(PEOPLE, wrong).words == "under 1 (under 1 to 2)"
    assert worth_of_shares(PEOPLE, {}).words is None


def test_people_who_all_say_the_same_have_no_interval_of_one_point() -> None:
    grades = {"same": (4.0, 4.0, 4.0), "apart": (1.0, 5.0, 3.0)}
    rows = [(item, f"p{k}", one) for item, own in grades.items() for k, one in enumerate(own)]
    people = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    near = {"same": Said({}, 4.2), "apart": Said({}, 3.0)}
    assert not departures(people, near, []).items
    far = {"same": Said({}, 40.0), "apart": Said({}, 3.0)}
    (one,) = departures(people, far, []).items
    assert one.low is not None
    assert one.high is not None
    assert one.low < 4.0 < one.high
    alone = people.filter(item="same")
    assert not departures(alone, {"same": Said({}, 5.0)}, []).items
