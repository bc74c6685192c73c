"""Draw the figures of the results pages from their tables: python docs/make_result_figures.py.

Every number is read from the page, so a figure never differs from the table it belongs to.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from plausibly.analysis.figures.drawing import Bar, Segment, Span, axis, draw_bars, draw_spans
from plausibly.io.pictures import write_picture

RESULTS = Path(__file__).resolve().parent / "results"
CELL = re.compile(r"(-?\d*\.\d+)(?: \((-?\d*\.\d+)(?: to|,) (-?\d*\.\d+))?")


def table(page: str, heading: str) -> tuple[list[str], list[list[str]]]:
    """Return header and rows of the first table of a page whose header begins so."""
    lines = iter((RESULTS / f"{page}.md").read_text(encoding="utf-8").splitlines())
    header = next(_cells(line) for line in lines if line.startswith(f"| {heading} |"))
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append(_cells(line))
    return header, rows


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]


def spans(page: str, heading: str, column: str, title: str) -> str:
    """Return one column of a table as values with their intervals."""
    header, rows = table(page, heading)
    place, drawn = header.index(column), []
    for row in rows:
        if found := CELL.match(row[place]):
            value, low, high = (float(one) if one else None for one in found.groups())
            drawn.append(Span(row[0], value, low, high, found[1]))
    known = [one for span in drawn for one in (span.value, span.low, span.high) if one is not None]
    return draw_spans(drawn, title=title, scale=axis(title, known))


def errata() -> str:
    """Return how many printed statements have each verdict."""
    text = (RESULTS / "errata.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"printed statements: (.*?);", text)
    counts = [(name, int(n)) for n, name in re.findall(r"(\d+) ([a-z ]+)", said)]
    most = max(n for _, n in counts)
    bars = [Bar(name, [Segment(0, n / most, 0, f"{name}: {n}")], str(n)) for name, n in counts]
    return draw_bars(bars, title="Printed statements by verdict")


def rehearsal() -> str:
    """Return whom the rules of two presets remove, by kind of people."""
    header, rows = table("rehearsal", "preset, checks per person")
    chosen = [row for row in rows if row[0].endswith("all rules")][:2]
    names = [row[0].partition("`")[0] for row in chosen]
    bars = [
        Bar(
            "" if colour else kind,  # the legend names the second bar
            [Segment(0, float(row[place]), colour, f"{kind}, {name}: {row[place]}")],
            row[place],
        )
        for place, kind in enumerate(header)
        if 0 < place < len(header) - 1
        for colour, (name, row) in enumerate(zip(names, chosen, strict=True))
    ]
    return draw_bars(bars, title="Share of people whose ratings a preset removes", legend=names)


def figures() -> dict[str, str]:
    """Return the drawing of each results page that has one."""
    return {
        "errata": errata(),
        "adept": spans("adept", "model", "accuracy", "Accuracy, five classes"),
        "sp10k": spans(
            "sp10k", "Inside heads, mean, all", "dobj", "Correlation inside heads, dobj"
        ),
        "events": spans("events", "learnt from", "auc", "AUC on PAP's labels"),
        "rehearsal": rehearsal(),
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else RESULTS / "figures"
    folder.mkdir(exist_ok=True)
    for name, svg in figures().items():
        write_picture(svg, folder / f"{name}.svg")
