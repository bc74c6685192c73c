"""Figures: every mark has its row, nothing is drawn outside, and text takes the page's colour."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from plausibly.analysis.figures import answers_figure, items_figure, people_figure
from plausibly.analysis.figures.drawing import WIDTH, axis

PEOPLE = ["a", "b", "c"]


def rated(answers: list[list[int]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    rows = [
        {"item": f"t{i}", "annotator": p, "question": "q", "answer": str(n), "value": float(n)}
        for i, own in enumerate(answers)
        for p, n in zip(PEOPLE, own, strict=True)
    ]
    items = [{"item": f"t{i}", "condition": "xy"[i % 2]} for i in range(len(answers))]
    return pl.DataFrame(rows), pl.DataFrame(items)


ANSWERS = st.lists(st.lists(st.integers(1, 5), min_size=3, max_size=3), min_size=1, max_size=8)


@given(ANSWERS)
def test_every_item_and_person_is_one_mark_inside_the_drawing(answers: list[list[int]]) -> None:
    ratings, items = rated(answers)
    for figure, marks in (
        (items_figure(ratings, items), len(answers)),
        (people_figure(ratings, ratings), len(PEOPLE)),
    ):
        assert figure is not None
        assert figure.table.height == marks
        drawn = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="4"', figure.svg)
        assert len(drawn) == marks
        assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= 300 for x, y in drawn)
        ElementTree.fromstring(figure.svg)  # noqa: S314 - our own drawing


@given(ANSWERS)
def test_shares_of_answers_sum_to_one_in_each_condition(answers: list[list[int]]) -> None:
    ratings, items = rated(answers)
    figure = answers_figure(ratings, items)
    assert figure is not None
    sums = figure.table.group_by("condition").agg(pl.col("share").sum())["share"].to_list()
    assert all(abs(one - 1) < 1e-9 for one in sums)
    assert "currentColor" in figure.svg


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9))
def test_an_axis_holds_its_values(values: list[float]) -> None:
    scale = axis("x", values)
    assert scale.low <= min(values) + 1e-6
    assert scale.high >= max(values) - 1e-6


def test_markup_in_a_name_is_not_markup_in_a_drawing() -> None:
    ratings, items = rated([[1, 2, 3]])
    named = items.with_columns(condition=pl.lit("<script>"))
    figure = answers_figure(ratings, named)
    assert figure is not None
    assert "<script>" not in figure.svg
