"""Drawing: places are computed here, marks set by templates, in colours anyone can tell apart.

Every figure has its table: what the marks show, row by row. Nothing in a figure needs a script, and
its text takes the colour of the page, so that it can be read in the dark and in print.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined, Template, select_autoescape

from plausibly.analysis.figures.colours import COLOURS, GREY, WITHOUT_LABEL, palette
from plausibly.analysis.figures.letters import room, text_width
from plausibly.analysis.showing import minus
from plausibly.errors import StudyError
from plausibly.io.pictures import write_picture

NO_COLOUR = -1
"""Where grey stands among colours: undecided is not one label among others."""
WIDTH = 640
LEFT = 225
LETTER, LONGEST = 6.8, 46  # width of a letter of a label, and letters of the longest
RIGHT = 78
WIDEST = 350.0  # a line of a label that leaves room for what it names
ROW = 26
LINE, LEGEND_LINE = 15, 20  # of a label, and of a legend
TOP = 8
MOST_POINTS = 2000


@dataclass(frozen=True, eq=False, repr=False)
class Figure:
    """One figure.

    Args:
        name: Of the files: figures/NAME.svg and tables/NAME.csv.
        title: What it shows, in a few words.
        caption: How to read it, with n.
        table: What is drawn, row by row.
        svg: The drawing; empty if the table is all there is.
    """

    name: str
    title: str
    caption: str
    table: pl.DataFrame
    svg: str

    def save(self, path: str | Path) -> Path:
        """Write the drawing to a file, and return its path.

        Args:
            path: The file: .svg, .png or .pdf; the last two need the extra `figures`.
        """
        target = Path(path)
        if not self.svg:
            raise StudyError(f"{self.name} is a table without a drawing. Take its `.table`.")
        write_picture(self.svg, target)
        return target

    def __repr__(self) -> str:
        return f"{self.title}: {self.caption}"

    def _repr_html_(self) -> str:
        caption = f"<figcaption>{escape(self.caption)}</figcaption>"
        return f"<figure>{self.svg or self.table._repr_html_()}{caption}</figure>"


@dataclass(frozen=True, slots=True)
class Segment:
    """One stretch of a bar: from `start` to `end` as shares of the axis, in a colour."""

    start: float
    end: float
    colour: int = 0
    title: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a bar chart: its name, its stretches, and the number at its end."""

    label: str
    segments: Sequence[Segment]
    value: str


@dataclass(frozen=True, slots=True)
class Span:
    """One row of a plot of intervals: a value between its limits, None if there is none."""

    label: str
    value: float | None
    low: float | None
    high: float | None
    text: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """One mark of a scatter plot, in the units of its axes, with its place in the explorer."""

    x: float
    y: float
    colour: int = 0
    title: str = ""
    address: str = ""


def tick_text(value: float) -> str:
    """Return a number of an axis; negative ones have a minus sign.

    >>> tick_text(-0.5) == "\N{MINUS SIGN}0.5"
    True
    """
    return minus(f"{value:g}")


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale with its name and its round numbers, and how they are written."""

    name: str
    low: float
    high: float
    ticks: tuple[float, ...] = field(default=())
    written: Callable[[float], str] = tick_text

    def place(self, value: float, start: float, end: float) -> float:
        """Return where a value lies between two places of the drawing."""
        span = self.high - self.low or 1.0
        return round(start + (value - self.low) / span * (end - start), 2)


def axis(name: str, values: Sequence[float], *, low: float | None = None) -> Axis:
    """Return an axis that holds all values, with round numbers on it.

    >>> axis("ratings", [3.0, 17.0], low=0.0).ticks
    (0.0, 5.0, 10.0, 15.0, 20.0)
    """
    least = min(values) if low is None else min(low, *values)
    most = max(values)
    step = _round_step((most - least) / 4 or 1.0)
    first, last = math.floor(least / step), math.ceil(most / step)
    ticks = tuple(round(step * place, 10) for place in range(first, max(last, first + 1) + 1))
    return Axis(name, ticks[0], ticks[-1], ticks)


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= rough - 1e-12)


def draw_bars(
    bars: Sequence[Bar], *, title: str, legend: Sequence[str] = (), ordered: bool = False
) -> str:
    """Return a chart of horizontal bars, stacked where a bar has several stretches.

    Args:
        bars: The rows.
        title: What it shows.
        legend: What the colours stand for, in the order of their places.
        ordered: Whether what they stand for goes from least to most.
    """
    colours = list(palette(legend, ordered=ordered).values())
    labels = [bar.label for bar in bars]
    end, left, row = WIDTH - RIGHT, label_space(labels), row_height(labels)
    rows = [
        {
            "label": label_lines(bar.label),
            "y": TOP + place * row + (row - ROW) / 2,
            "value": bar.value,
            "segments": [
                {
                    "x": round(left + one.start * (end - left), 2),
                    "width": round(max(0.0, one.end - one.start) * (end - left), 2),
                    "colour": _colour(one.colour, colours),
                    "title": f"{bar.label}: {one.title}" if bar.label else one.title,
                    "address": one.address,
                }
                for one in bar.segments
            ],
        }
        for place, bar in enumerate(bars)
    ]
    bottom = TOP + row * len(bars)
    entries, lines = legend_entries(legend, start=left, ordered=ordered)
    return template("bars.svg.jinja").render(
        title=title,
        rows=rows,
        legend=entries,
        width=WIDTH,
        bottom=bottom,
        height=bottom + (8 + LEGEND_LINE * lines if legend else 6),
        left=left,
        end=end,
    )


def stacked(label: str, names: Sequence[str], counts: Sequence[int]) -> Bar:
    """Return a bar of counts, one stretch after the other, with n at its end.

    >>> stacked("a-a-a", ["yes", "no"], [3, 1]).value
    'n = 4'
    """
    total, start, segments = sum(counts), 0, []
    for place, (name, count) in enumerate(zip(names, counts, strict=True)):
        share = (start / total, (start + count) / total) if total else (0.0, 0.0)
        segments.append(
            Segment(*share, colour_place(name, place), f"{name}: {count:,} of {total:,}")
        )
        start += count
    return Bar(label, segments, f"n = {total:,}")


def label_space(labels: Sequence[str], *, least: int = LEFT) -> int:
    """Return where a chart begins, so that its labels fit before it."""
    lines = [line for label in labels for line in label_lines(label)]
    return max(least, math.ceil(12 + max(map(text_width, lines), default=0.0)))


def label_lines(label: str, width: int = LONGEST) -> list[str]:
    """Return a whole label in as many lines as it needs to leave room for the bars.

    >>> label_lines("otters that paint ladders", 12)
    ['otters that', 'paint', 'ladders']
    """
    while width > 1 and any(text_width(line) > WIDEST for line in wrap(label, width)):
        width -= 1
    return wrap(label, width) or [""]


def fitted_lines(label: str, wide: float) -> list[str]:
    """Return a label in lines that are at most so wide, however wide its letters are.

    >>> [round(text_width(line)) for line in fitted_lines("W" * 20, 150)]
    [143, 117]
    """
    most = max(1, int(wide / LETTER))
    while most > 1 and any(text_width(line) > wide for line in wrap(label, most)):
        most -= 1
    return wrap(label, most) or [""]


def row_height(labels: Sequence[str]) -> int:
    """Return how high a row is, so that each label fits."""
    lines = max((len(label_lines(label)) for label in labels), default=1)
    return max(ROW, LINE * lines + 4)


def colour_place(name: str, place: int) -> int:
    """Return the place of a label among the colours; no colour for items without one.

    >>> colour_place("plausible", 0), colour_place("no label", 2)
    (0, -1)
    """
    return NO_COLOUR if name in WITHOUT_LABEL else place


def _colour(place: int, colours: Sequence[str] = ()) -> str:
    known = colours or COLOURS
    return GREY if place == NO_COLOUR else known[place % len(known)]


def legend_entries(
    names: Sequence[str], *, start: float = LEFT, ordered: bool = False
) -> tuple[list[dict[str, object]], int]:
    """Return where each name of a legend is, and how many lines they need.

    >>> entries, lines = legend_entries(["kept", "set aside"], start=60)
    >>> [entry["x"] for entry in entries], lines
    ([60, 141.0], 1)
    """
    wide = [max(45.0 + 9.0 * len(name), 26.0 + text_width(name)) for name in names]
    first = start if start + sum(wide) <= WIDTH else 8.0
    return placed_names(palette(names, ordered=ordered), wide, start=first)


def placed_names(
    colours: Mapping[str, str], wide: Sequence[float], *, start: float
) -> tuple[list[dict[str, object]], int]:
    """Return names one after the other, the next line begun where one does not fit.

    A name that is longer than the drawing is wide has several lines of its own.
    """
    entries: list[dict[str, object]] = []
    x, line = start, 0
    for (name, colour), width in zip(colours.items(), wide, strict=True):
        if x + width > WIDTH and x > start:
            x, line = start, line + 1
        first, *rest = fitted_lines(name, WIDTH - start - 26)
        entries.append({"name": first, "colour": colour, "x": x, "y": LEGEND_LINE * line})
        for more in rest:
            line += 1
            entries.append({"name": more, "colour": "none", "x": x, "y": LEGEND_LINE * line})
        x = WIDTH if rest else x + width
    return entries, line + 1


def draw_spans(spans: Sequence[Span], *, title: str, scale: Axis) -> str:
    """Return values with their intervals, one row each, over one axis."""
    labels = [one.label for one in spans]
    left, row = label_space(labels), row_height(labels)
    numbers = WIDTH - room((minus(one.text) for one in spans), least=130)
    start, end = left + 5, numbers - 18

    def at(value: float | None) -> float | None:
        return None if value is None else scale.place(value, start, end)

    rows = [
        {
            "label": label_lines(one.label),
            "y": TOP + place * row + (row - ROW) / 2,
            "x": at(one.value),
            "low": at(one.low),
            "high": at(one.high),
            "text": minus(one.text),
            "title": f"{one.label}: {minus(one.text)}",
            "address": one.address,
        }
        for place, one in enumerate(spans)
    ]
    ticks = [{"x": at(tick), "text": scale.written(tick)} for tick in scale.ticks]
    bottom = TOP + row * len(spans)
    return template("spans.svg.jinja").render(
        title=title,
        rows=rows,
        ticks=ticks,
        bottom=bottom,
        width=WIDTH,
        name=scale.name,
        left=left,
        numbers=numbers,
    )


def thinned(table: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    """Return at most `MOST_POINTS` rows, evenly spaced, and a sentence that says so.

    >>> rows, said = thinned(pl.DataFrame({"item": range(9000)}))
    >>> rows.height, said
    (1800, ' Every 5th of them is drawn; the table has all.')
    """
    step = -(-table.height // MOST_POINTS)
    if step <= 1:
        return table, ""
    ending = {2: "nd", 3: "rd"}.get(step, "th")
    return table.gather_every(step), f" Every {step}{ending} of them is drawn; the table has all."


def draw_points(
    points: Sequence[Dot], *, title: str, x: Axis, y: Axis, legend: Sequence[str] = ()
) -> str:
    """Return a scatter plot."""
    start, end, top, bottom = 60.0, WIDTH - 20.0, 14.0, 300.0
    marks = [
        {
            "x": x.place(one.x, start, end),
            "y": y.place(one.y, bottom, top),
            "colour": _colour(one.colour),
            "title": one.title,
            "address": one.address,
        }
        for one in points
    ]
    entries, lines = legend_entries(legend, start=start)
    return template("points.svg.jinja").render(
        title=title,
        marks=marks,
        xs=[{"x": x.place(tick, start, end), "text": x.written(tick)} for tick in x.ticks],
        ys=[{"y": y.place(tick, bottom, top), "text": y.written(tick)} for tick in y.ticks],
        frame={"left": start, "right": end, "top": top, "bottom": bottom},
        names={"x": x.name, "y": y.name},
        legend=entries,
        width=WIDTH,
        height=352 + LEGEND_LINE * lines,
    )


@cache
def template(name: str) -> Template:
    """Return one of the templates drawings are set by."""
    environment = Environment(
        loader=PackageLoader("plausibly.analysis"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)
