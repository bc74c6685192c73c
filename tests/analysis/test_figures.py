"""Figures: every mark has its row, nothing is drawn outside, and text takes the page's colour."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.analysis.figures import (
    agreement_figure,
    answers_figure,
    cleaning_agreement_figure,
    items_figure,
    labels_figure,
    order_drawing,
    order_figure,
    people_figure,
    sensitivity_figure,
    side_figure,
    speed_figure,
)
from plausibly.analysis.figures.cells import Cell, draw_rainclouds, draw_shares
from plausibly.analysis.figures.colours import GREY, palette
from plausibly.analysis.figures.drawing import (
    WIDTH,
    Bar,
    Segment,
    Span,
    axis,
    draw_bars,
    draw_spans,
    legend_entries,
)
from plausibly.analysis.figures.letters import text_width
from plausibly.analysis.figures.plots import Ranked, draw_columns, draw_curve, draw_matrix
from plausibly.datasets.pap import BINARY
from plausibly.labels.strict_majority import strict_majority

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


def test_answers_are_drawn_in_their_order_and_not_by_the_alphabet() -> None:
    words = {"no": 1.0, "almost": 2.0, "yes": 3.0}
    ratings, items = rated([[1, 2, 3], [3, 2, 1], [2, 10, 10]])
    numbered = answers_figure(ratings, items)
    assert numbered is not None
    assert numbered.table.filter(condition="x")["answer"].to_list() == ["1", "2", "3", "10"]
    spelled = {str(int(value)): word for word, value in words.items()}
    worded = ratings.filter(pl.col("value") < 9).with_columns(pl.col("answer").replace(spelled))
    figure = answers_figure(worded, items)
    assert figure is not None
    assert figure.table.filter(condition="x")["answer"].to_list() == [*words]


def test_answers_are_drawn_as_the_form_offers_them_also_those_nobody_gave() -> None:
    ratings, items = rated([[1, 2, 2], [2, 2, 2]])
    worded = ratings.with_columns(
        pl.col("answer").replace({"1": "less", "2": "equal"}), value=pl.lit(None, dtype=pl.Float64)
    )
    figure = answers_figure(worded, items, ["less", "equal", "more"])
    assert figure is not None
    assert figure.table.filter(condition="x")["answer"].to_list() == ["less", "equal", "more"]
    assert figure.table.filter(condition="y")["ratings"].to_list() == [0, 3, 0]
    assert figure.table["ratings"].sum() == ratings.height


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


@given(ANSWERS)
def test_what_is_undecided_under_the_threshold_used_is_what_the_labels_say(
    answers: list[list[int]],
) -> None:
    ratings, _ = rated(answers)  # 3 is in no class, and counts in the whole
    labels = strict_majority(ratings, min_share=0.7, scheme=BINARY)
    figure = sensitivity_figure(ratings, ratings, of=BINARY.of, chosen=0.7)
    assert figure is not None
    used = figure.table.filter((pl.col("at least") == 0.7) & (pl.col("ratings") == "cleaned"))
    assert used["undecided"][0] == labels["label"].null_count()
    assert used["items"][0] == labels.height
    written = ratings.with_columns(pl.col("answer") + ".0")
    again = sensitivity_figure(written, written, of=BINARY.of, chosen=0.7)
    assert again is not None
    assert again.table.equals(figure.table)
    shares = figure.table.filter(pl.col("ratings") == "cleaned")["undecided"].to_list()
    assert shares == sorted(shares)


@given(ANSWERS)
def test_every_rating_has_its_place_in_a_session(answers: list[list[int]]) -> None:
    ratings, _ = rated(answers)
    order = pl.int_range(1, pl.len() + 1).over("annotator")
    timed = ratings.with_columns(
        submitted=pl.format("2026-01-01T00:{}:00", order.cast(pl.String).str.zfill(2)),
        seconds=order.cast(pl.Float64),
    )
    figure = order_figure(timed)
    if len(answers) == 1:
        assert figure is None
        return
    assert figure is not None
    assert figure.table["n"].sum() == ratings.height
    assert figure.table["seconds"].is_sorted()
    assert figure.table["last"].max() == timed.group_by("annotator").len()["len"].max()
    assert not re.search(r"ratings (\d+) to \1\b", figure.svg)
    speed = speed_figure(timed, timed)
    sides = side_figure(timed, timed)
    assert speed is not None
    assert sides is not None
    assert speed.table.height == sides.table.height == len(PEOPLE)
    means = timed.group_by("annotator").agg(pl.col("value").mean()).sort("annotator")["value"]
    assert sides.table["mean"].to_list() == pytest.approx(means.to_list(), abs=1e-6)
    able = side_figure(timed, timed, {"a": 0.25, "b": 0.5, "c": 1.0})
    assert able is not None
    assert able.table["competence"].to_list() == [0.25, 0.5, 1.0]
    assert (sides.title, able.title) == (
        "Annotators: side and agreement",
        "Annotators: side and competence",
    )


def test_a_drawing_writes_its_numbers_as_its_language_does() -> None:
    rows = [
        {"first": place, "last": place, "n": 9, "mean": 2.0 + place / 4, "sd": 0.5}
        for place in (1, 2)
    ]
    drawn = order_drawing(
        rows,
        lambda row: str(row["first"]),
        title="Ordine",
        scale="media",
        number=lambda value, digits: f"{value:.{digits}f}".replace(".", ","),
    )
    shown = re.findall(r">([\d.,]+)<", drawn)
    assert {"2,25", "2,50"} <= set(shown)
    assert not [text for text in shown if "." in text]


def test_without_times_nothing_is_said_about_them() -> None:
    ratings, _ = rated([[1, 2, 3], [4, 5, 5]])
    assert order_figure(ratings) is None
    assert speed_figure(ratings, ratings) is None
    assert cleaning_agreement_figure([]) is None


def test_drawings_of_papers_are_well_formed_and_show_every_number() -> None:
    columns = draw_columns({"1": [3, 5], "2": [7, 0]}, legend=("x", "y"), title="t", x="a", y="b")
    assert columns.count("<rect") == 4 + 2
    curve = draw_curve(
        [Ranked(1, 0, 2), Ranked(2, 1, 3)], title="t", x="rank", y=axis("y", [0, 5]), cut=3
    )
    assert "polyline" in curve
    matrix = draw_matrix([[3, 1], [0, 9]], labels=("x", "y"), title="t", x="a", y="b")
    assert "n = 9" in matrix
    for one in (columns, curve, matrix):
        ElementTree.fromstring(one)  # noqa: S314 - our own drawing


def test_a_long_legend_begins_further_left() -> None:
    names = ["impossible", "less likely", "equally likely", "more likely", "necessarily true"]
    entries, lines = legend_entries(names)
    assert [entry["name"] for entry in entries] == names
    assert entries[0]["x"] == 8
    assert lines == 2  # the last name would leave the drawing
    assert legend_entries(["kept", "set aside"])[0][0]["x"] != 8


def test_no_line_of_a_legend_is_wider_than_the_drawing() -> None:
    """A word of wide letters used to leave the drawing: lines were cut by their number."""
    for word in ("W" * 200, "Donaudampfschifffahrt" * 8, "M" * 45):
        entries, _ = legend_entries([word, "kept"])
        lines = [(str(one["name"]), float(str(one["x"]))) for one in entries]
        assert "".join(line for line, _ in lines).removesuffix("kept") == word
        assert all(x + 20 + text_width(line) <= WIDTH for line, x in lines)


def test_no_label_is_cut_off() -> None:
    long = "people who said that they had never seen an otter paint a ladder, not even in a film"
    bars = [Bar(long, [Segment(0, 1)], "n = 3"), Bar("short", [Segment(0, 1)], "n = 1")]
    for drawing in (
        draw_bars(bars, title="t", legend=[long, "kept"]),
        draw_spans([Span(long, 1.0, 0.5, 1.5, "1")], title="t", scale=axis("x", [0.0, 2.0])),
        draw_rainclouds([Cell(long, "1", value=1.0)], [[0.5, 1.5]], title="t", name="x"),
        draw_shares(
            [Cell(long, "1", shares={long: 1})], [[{long: 1}]], title="t", legend={long: "red"}
        ),
    ):
        root = ElementTree.fromstring(drawing)  # noqa: S314 - our own drawing
        texts = [
            text for one in root.iter("{http://www.w3.org/2000/svg}text") for text in one.itertext()
        ]
        assert long in " ".join(text.strip() for text in texts)
        assert "…" not in drawing


def test_marks_of_items_name_their_item() -> None:
    known = [[("t1", "otter paints: 0.50"), ("t2", "<b>: 1.50")]]
    drawing = draw_rainclouds([Cell("all", "1")], [[0.5, 1.5]], title="t", name="x", known=known)
    root = ElementTree.fromstring(drawing)  # noqa: S314 - our own drawing
    marks = [one for one in root.iter() if one.get("data-to")]
    assert [(one.get("data-to"), one[0].text) for one in marks] == known[0]


# Machado, Oliveira and Fernandes (2009): what people see who lack one kind of cone.
SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.052)),
    "deutan": ((0.3673, 0.8606, -0.228), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
    "tritan": ((1.2555, -0.0767, -0.1788), (-0.0784, 0.9308, 0.1476), (0.0047, 0.6914, 0.3039)),
}
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))


def _lab(colour: str, seen: str) -> np.ndarray:
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    xyz = np.array(TO_XYZ) @ np.clip(np.array(SEEN[seen]) @ linear, 0, 1) / (0.9505, 1, 1.0888)
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def _apart(one: str, other: str) -> float:
    return min(float(np.linalg.norm(_lab(one, seen) - _lab(other, seen))) for seen in SEEN)


def test_neighbouring_colours_and_grey_differ_for_everyone() -> None:
    names = [str(number) for number in range(12)]
    for size in range(2, 13):
        for ordered in (False, True):
            colours = [*palette([*names[:size], "undecided"], ordered=ordered).values()]
            assert len(set(colours)) == size + 1
            assert all(_apart(*pair) > 9 for pair in pairwise(colours[:-1])), (size, ordered)
            assert min(_apart(one, GREY) for one in colours[:-1]) > 9, (size, ordered)


def test_items_without_conditions_are_not_called_none() -> None:
    items = pl.DataFrame({"item": ["t1", "t2"], "text": ["a", "b"], "condition": [None, None]})
    items = items.cast({"condition": pl.String})
    ratings = pl.DataFrame(
        {
            "item": ["t1", "t1", "t2", "t2"],
            "annotator": ["p", "q"] * 2,
            "question": "fits",
            "answer": ["1", "1", "2", "1"],
            "value": [1.0, 1.0, 2.0, 1.0],
        }
    )
    labels = strict_majority(ratings, min_share=0.6)
    names = {"1": "yes", "2": "no"}
    drawn = (
        answers_figure(ratings, items),
        labels_figure(labels.with_columns(label=pl.lit("1")), items, names),
        items_figure(ratings, items),
    )
    for one in drawn:
        assert one is not None
        assert "none" not in re.sub("<[^>]*>|fill=.none.", " ", one.svg)
        assert "condition" not in one.title + one.caption
    assert drawn[1] is not None
    assert "undecided" not in drawn[1].svg


def test_a_limit_that_rounds_to_zero_has_no_sign() -> None:
    row = {"name": "kappa", "value": -0.2, "low": -0.31, "high": -0.001, "n": 9}
    figure = agreement_figure([row], estimand="items")
    assert figure is not None
    assert "\N{MINUS SIGN}0.20 [\N{MINUS SIGN}0.31, 0.00]" in figure.svg
