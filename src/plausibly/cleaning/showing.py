"""The cascade as a table for people: text, Markdown and LaTeX in the form of PAP's Table 3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import polars as pl

from plausibly.cleaning.cascade import TOTAL, CascadeStep
from plausibly.cleaning.multiverse import ranges
from plausibly.measures.agreement import ALPHA, JACCARD, Agreement

MISSING = "\N{EN DASH}"
FLAG = "*"
FLAGGED = "* People were chosen by agreement, so agreement is higher by construction."

SHOWN = (
    "kind",
    "change",
    "annotators",
    "ratings",
    "items",
    "soft_jaccard",
    "alpha_nominal",
    "labelled",
    "labels_changed",
    "items_lost",
    "items_gained",
)

_LATEX = {"&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "<": "$<$", ">": "$>$", "≥": r"$\geq$"}


def table_rows(steps: Sequence[CascadeStep]) -> tuple[list[str], list[list[str]]]:
    """Return header and rows; steps that share a row of the paper are shown once, after the last.

    Items are those with enough ratings where a rule asks for a number of them, as in Table 3.
    """
    last = [before for before, after in pairwise(steps) if before.row != after.row]
    conditions = [name for name in steps[0].ratings if name != TOTAL]
    header = ["step"]
    for noun in ("annotators", "ratings", "items"):
        header += [f"{noun} {condition}" for condition in conditions]
        header.append(f"{noun} total" if conditions else noun)
    rows = [_row(step, conditions) for step in (*last, steps[-1])]
    return [*header, "soft Jaccard", "alpha"], rows


def as_text(steps: Sequence[CascadeStep]) -> str:
    """Return the cascade as plain text, numbers to the right."""
    header, rows = table_rows(steps)
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ).rstrip()
        for cells in (header, ["-" * width for width in widths], *rows)
    ]
    return "\n".join([*lines, *_remarks(steps)]) + "\n"


def as_markdown(steps: Sequence[CascadeStep]) -> str:
    """Return the cascade as a Markdown table."""
    header, rows = table_rows(steps)
    rule = ["---", *["---:"] * (len(header) - 1)]
    lines = ["| " + " | ".join(cells) + " |" for cells in (header, rule, *rows)]
    return "\n".join([*lines, *("\n" + remark for remark in _remarks(steps))]) + "\n"


def as_latex(steps: Sequence[CascadeStep]) -> str:
    """Return the cascade as a LaTeX tabular that needs the package booktabs."""
    header, rows = table_rows(steps)
    lines = [r"\begin{tabular}{l" + "r" * (len(header) - 1) + "}", r"\toprule"]
    lines += [_latex_line(header), r"\midrule", *map(_latex_line, rows)]
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*lines, *(f"% {remark}" for remark in _remarks(steps))]) + "\n"


def multiverse_markdown(explored: pl.DataFrame) -> str:
    """Return what changes from universe to universe, the extremes first."""
    lines = [f"{explored.height} ways to clean. The first is the declared one.", ""]
    for name, found in ranges(explored).items():
        low, high = (f"{_figure(found[end])} ({found[f'{end}_by']})" for end in ("low", "high"))
        noun = name.replace("_", " ")
        lines.append(f"- {noun}: declared {_figure(found['declared'])}; from {low} to {high}")
    columns = [name for name in SHOWN if name in explored.columns]
    rows = [[_figure(cell) for cell in row] for row in explored.select(columns).iter_rows()]
    names = [name.replace("_", " ") for name in columns]
    rule = ["---", "---", *["---:"] * (len(columns) - 2)]
    table = ["| " + " | ".join(cells) + " |" for cells in (names, rule, *rows)]
    return "\n".join([*lines, "", *table]) + "\n"


def _figure(value: object) -> str:
    if value is None:
        return MISSING
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _latex_line(cells: Sequence[str]) -> str:
    return " & ".join("".join(_LATEX.get(c, c) for c in cell) for cell in cells) + r" \\"


def _row(step: CascadeStep, conditions: Sequence[str]) -> list[str]:
    cells = [step.row]
    for counts in (step.annotators, step.ratings, step.enough or step.items):
        cells += [f"{counts[name]:,}" for name in (*conditions, TOTAL)]
    flag = FLAG if step.selected_on_agreement else ""
    return [*cells, _shown(step, _jaccard) + flag, _shown(step, _alpha) + flag]


def _shown(step: CascadeStep, measure: Callable[[Agreement], float | None]) -> str:
    values = [measure(found) for found in step.agreement.values()]
    return "/".join(MISSING if v is None else f"{v:.3f}" for v in values) or MISSING


def _jaccard(found: Agreement) -> float | None:
    return found.measures[JACCARD].value


def _alpha(found: Agreement) -> float | None:
    """Return ordinal alpha, or nominal where answers have no order."""
    ordinal = found.measures[f"{ALPHA}.ordinal"].value
    return found.measures[f"{ALPHA}.nominal"].value if ordinal is None else ordinal


def _remarks(steps: Sequence[CascadeStep]) -> list[str]:
    flagged = [FLAGGED] if any(step.selected_on_agreement for step in steps) else []
    return [*flagged, *(f"{step.rule}: {step.note}" for step in steps if step.note)]


def flagged_checks(checks: pl.DataFrame) -> list[str]:
    """Return a sentence for each check that good annotators fail."""
    return [
        f"check {item!r} is failed by {missed} of {good} annotators who fail no other: fix or "
        "withdraw it."
        for item, missed, good in checks.drop_nulls("flag")
        .select("item", "failed_by_good", "good")
        .iter_rows()
    ]


def pages(steps: Sequence[CascadeStep], worlds: pl.DataFrame | None) -> dict[str, str]:
    """Return the cascade, and the multiverse where there is one, as people read and paste them."""
    written = {"cascade.txt": as_text(steps), "cascade.md": as_markdown(steps)}
    written["cascade.tex"] = as_latex(steps)
    return written if worlds is None else {**written, "multiverse.md": multiverse_markdown(worlds)}
