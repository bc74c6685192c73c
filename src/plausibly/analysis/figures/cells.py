"""What was answered in each cell: means and shares over the items they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.analysis.figures.colours import COLOURS, GREY, ramp
from plausibly.analysis.figures.drawing import (
    TOP,
    WIDTH,
    Axis,
    axis,
    label_lines,
    label_space,
    placed_names,
    template,
)
from plausibly.analysis.figures.letters import room, text_width

Floats = npt.NDArray[np.float64]

MOST_DROPS = 300  # items of a cell that are drawn as dots
MOST_COLUMNS = 90  # items of a cell that are drawn as columns
MOST_COLOURS = 6  # answers without order that have a colour
SMOOTHED = 2000  # values a density is drawn from
GRID = 72
NARROW = 90
FEWEST = 5  # items from which a density is drawn
CLOUD, DROPS, RAIN_ROW = 34, 20, 74
BAR, STRIP, SHARE_ROW = 18, 22, 56
GOLDEN = 0.6180339887498949
OTHER = "other answers"
LABEL = 34  # letters of a line of a label
UNKNOWN = ("", "")
Known = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a figure.

    Args:
        label: Its name.
        text: Its number, in words.
        colour: Which colour it has.
        value: Its mean, with its limits; None if there is none.
        low: Lower limit.
        high: Upper limit.
        shares: Of shares, from an answer to its share.
    """

    label: str
    text: str
    colour: int = 0
    value: float | None = None
    low: float | None = None
    high: float | None = None
    shares: Mapping[str, float] | None = None


def draw_rainclouds(
    cells: Sequence[Cell],
    items: Sequence[Sequence[float]],
    *,
    title: str,
    name: str,
    known: Sequence[Sequence[Known]] = (),
) -> str:
    """Return a raincloud plot: of each cell the density of items, its mean, and the items.

    Args:
        cells: With their means.
        items: Of each cell, the means of its items, from the least to the greatest.
        title: Of the figure.
        name: Of the axis.
        known: Of each item in the same order, its address and what is shown about it.
    """
    left = _label_space(cells)
    numbers = WIDTH - room((one.text for one in cells), least=140)
    start, end = left + 5, numbers - 8
    limits = [x for one in cells for x in (one.low, one.high) if x is not None]
    scale = axis(name, [*limits, *(value for part in items for value in part)])
    rows = [
        _rain_row(one, values, TOP + place * RAIN_ROW, (scale, start, end), own)
        for place, (one, values, own) in enumerate(
            zip(cells, items, known or [()] * len(cells), strict=True)
        )
    ]
    return template("rain.svg.jinja").render(
        title=title,
        rows=rows,
        ticks=[
            {"x": scale.place(tick, start, end), "text": scale.written(tick)}
            for tick in scale.ticks
        ],
        bottom=TOP + RAIN_ROW * len(cells),
        width=WIDTH,
        name=scale.name,
        left=left,
        numbers=numbers,
    )


def _rain_row(
    cell: Cell,
    values: Sequence[float],
    y: int,
    place: tuple[Axis, float, float],
    known: Sequence[Known],
) -> dict[str, object]:
    scale, start, end = place

    def at(value: float | None) -> float | None:
        return None if value is None else scale.place(value, start, end)

    middle = y + CLOUD + 6
    step = every(len(values), MOST_DROPS)
    drops = zip(values[::step], _known(known, len(values))[::step], strict=True)
    return {
        "label": label_lines(cell.label, LABEL),
        "text": cell.text,
        "title": f"{cell.label}: {cell.text}",
        "colour": COLOURS[cell.colour % len(COLOURS)],
        "y": middle,
        "x": at(cell.value),
        "low": at(cell.low),
        "high": at(cell.high),
        "cloud": " ".join(
            f"{scale.place(x, start, end)},{round(y + CLOUD - (CLOUD - 4) * height, 2)}"
            for x, height in _density(np.asarray(values, dtype=np.float64))
        ),
        "ground": y + CLOUD,
        "drops": [
            {
                "x": at(value),
                "y": round(middle + 9 + (DROPS - 4) * (rank * GOLDEN % 1), 2),
                "address": address,
                "title": text,
            }
            for rank, (value, (address, text)) in enumerate(drops)
        ],
    }


def _known(known: Sequence[Known], count: int) -> Sequence[Known]:
    return known or [UNKNOWN] * count


def every(count: int, most: int) -> int:
    """Return of how many items one is drawn if at most `most` can be.

    >>> every(300, 300), every(301, 300)
    (1, 2)
    """
    return max(1, -(-count // most))


def _density(values: Floats) -> list[tuple[float, float]]:
    """Return places and heights (highest 1) of a Gaussian density between least and greatest."""
    if len(values) < FEWEST or np.ptp(values) <= 0:
        return []
    sample = values[:: every(len(values), SMOOTHED)]
    spread = min(float(np.std(sample, ddof=1)), float(np.subtract(*_quartiles(sample))) / 1.34)
    width = 0.9 * (spread or float(np.std(sample, ddof=1))) * len(sample) ** -0.2
    grid = np.linspace(sample.min(), sample.max(), GRID)
    heights = np.exp(-0.5 * ((grid[:, None] - sample[None, :]) / width) ** 2).sum(axis=1)
    curve = list(zip(grid.tolist(), (heights / heights.max()).tolist(), strict=True))
    return [(curve[0][0], 0.0), *curve, (curve[-1][0], 0.0)]


def _quartiles(values: Floats) -> Floats:
    return np.asarray(np.quantile(values, [0.75, 0.25]), dtype=np.float64)


def draw_shares(
    cells: Sequence[Cell],
    items: Sequence[Sequence[Mapping[str, float]]],
    *,
    title: str,
    legend: Mapping[str, str],
    known: Sequence[Sequence[Known]] = (),
) -> str:
    """Return stacked shares: of each cell all its answers, below them one column for each item.

    Args:
        cells: With their shares.
        items: Of each cell, the shares of its items in the order they are drawn in.
        title: Of the figure.
        legend: From an answer to its colour.
        known: Of each item in the same order, its address and what is shown about it.
    """
    left = _label_space(cells)
    end = WIDTH - room((one.text for one in cells), least=126) - 6
    rows = []
    own = known or [()] * len(cells)
    for place, (cell, parts, about) in enumerate(zip(cells, items, own, strict=True)):
        step = every(len(parts), MOST_COLUMNS)
        drawn = list(zip(parts[::step], _known(about, len(parts))[::step], strict=True))
        wide = (end - left) / max(len(drawn), 1)
        top = TOP + place * SHARE_ROW
        rows.append(
            {
                "label": label_lines(cell.label, LABEL),
                "text": cell.text,
                "y": top,
                "bar": _stack(cell.shares or {}, legend, left, end - left),
                "columns": [
                    {
                        "x": round(left + rank * wide, 2),
                        "width": round(max(wide - (1 if wide > 3 else 0), 0.4), 2),
                        "parts": _stack(one, legend, top + BAR + 4, STRIP),
                        "address": address,
                        "title": text,
                    }
                    for rank, (one, (address, text)) in enumerate(drawn)
                ],
            }
        )
    entries, lines = placed_names(legend, [30.0 + text_width(name) for name in legend], start=8.0)
    bottom = TOP + SHARE_ROW * len(cells)
    return template("shares.svg.jinja").render(
        title=title,
        rows=rows,
        legend=entries,
        bottom=bottom,
        height=bottom + 8 + 20 * lines,
        width=WIDTH,
        left=left,
        end=end,
    )


def _stack(
    shares: Mapping[str, float], legend: Mapping[str, str], start: float, length: float
) -> list[dict[str, object]]:
    """Return the stretches of a stacked bar from its start, in the order of the legend."""
    stretches: list[dict[str, object]] = []
    place = start
    for answer, colour in legend.items():
        share = shares.get(answer, 0.0)
        if share > 0:
            title = f"{answer}: {100 * share:.1f} %"
            size = round(share * length, 2)
            stretches.append(
                {"start": round(place, 2), "size": size, "colour": colour, "title": title}
            )
        place += share * length
    return stretches


def _label_space(cells: Sequence[Cell]) -> int:
    lines = [line for one in cells for line in label_lines(one.label, LABEL)]
    return label_space(lines, least=NARROW)


def answer_colours(answers: Sequence[str], *, ordered: bool) -> dict[str, str]:
    """Return the colour of each answer; without an order, those after the fifth share a grey."""
    if ordered and len(answers) > 2:
        return dict(zip(answers, ramp(len(answers)), strict=True))
    if len(answers) <= MOST_COLOURS:
        return dict(zip(answers, COLOURS, strict=False))
    return {**dict(zip(answers[: MOST_COLOURS - 1], COLOURS, strict=False)), OTHER: GREY}


def folded(shares: Mapping[str, float], legend: Mapping[str, str]) -> dict[str, float]:
    """Return shares in which answers that have no colour of their own are one."""
    kept = {answer: share for answer, share in shares.items() if answer in legend}
    rest = sum(share for answer, share in shares.items() if answer not in legend)
    return {**kept, **({OTHER: rest} if rest > 0 else {})}


def item_shares(values: pl.DataFrame) -> dict[str, dict[str, float]]:
    """Return from an item to the share of each of its answers."""
    shares: dict[str, dict[str, float]] = {}
    for item, answer, value in values.select("item", "answer", "value").iter_rows():
        shares.setdefault(item, {})[answer] = value
    return shares
