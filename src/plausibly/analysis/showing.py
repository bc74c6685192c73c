"""Tables as people paste them: Markdown and LaTeX, and as addresses a page can hold."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

MOST_ROWS = 5000
MINUS, TIMES, ABSENT = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}", "\N{EN DASH}"
PASTED = 200  # rows of a table that people paste into a paper


def markdown(table: pl.DataFrame) -> str:
    r"""Return a table in Markdown.

    >>> print(markdown(pl.DataFrame({"label": ["a|b"], "n": [2]})), end="")
    | label | n |
    | --- | ---: |
    | a\|b | 2 |
    """
    rule = ["---:" if kind.is_numeric() else "---" for kind in table.dtypes]
    lines = [table.columns, rule, *([_escaped(cell) for cell in row] for row in _cells(table))]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def latex(table: pl.DataFrame) -> str:
    """Return a table in LaTeX with the rules of booktabs."""
    kinds = "".join("r" if kind.is_numeric() else "l" for kind in table.dtypes)
    head = " & ".join(tex(column) for column in table.columns)
    rows = [" & ".join(tex(cell) for cell in row) + r" \\" for row in _cells(table)]
    lines = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", head + r" \\", r"\midrule", *rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def percent(share: float | None) -> str:
    """Return a share in percent, to one place."""
    return "not defined" if share is None else f"{100 * share:.1f}"


def chance(p: float | None) -> str:
    """Return a p-value as papers print it."""
    return "not defined" if p is None else f"{p:.3f}" if p >= 0.001 else "< 0.001"


def number(value: float | None) -> str:
    """Return a number as far as it can be trusted: whole ones whole, others to two places.

    >>> number(-0.128) == f"{MINUS}0.13", number(-0.001)
    (True, '0.00')
    """
    if value is None:
        return "not defined"
    return minus(f"{value:,}" if isinstance(value, int) else f"{value:z.2f}")


def minus(text: str) -> str:
    """Return a text in which negative numbers have a minus sign.

    >>> minus("b = -1.5 on 2026-01-02") == f"b = {MINUS}1.5 on 2026-01-02"
    True
    """
    return re.sub(r"(?<![\w.-])-(?=\d)", MINUS, text)


@dataclass(frozen=True, slots=True)
class Download:
    """A table in one form, as an address of its own that a page can hold without a server."""

    form: str
    name: str
    href: str


def downloads(name: str, table: pl.DataFrame) -> list[Download]:
    """Return a table as CSV, and where people could paste it, as Markdown and LaTeX.

    A page should stay small: of a table with more than `MOST_ROWS` rows it has the first ones.

    >>> [one.name for one in downloads("labels", pl.DataFrame({"label": ["a"]}))]
    ['labels.csv', 'labels.md', 'labels.tex']
    """
    target = io.BytesIO()
    table.head(MOST_ROWS).write_csv(target)
    cut = f", its first {MOST_ROWS:,} rows" if table.height > MOST_ROWS else ""
    held = [Download(f"CSV{cut}", f"{name}.csv", _address("text/csv", target.getvalue()))]
    if table.height > PASTED:
        return held
    pasted = (
        ("Markdown", "md", "text/markdown", markdown(table)),
        ("LaTeX", "tex", "application/x-tex", latex(table)),
    )
    return held + [
        Download(form, f"{name}.{ending}", _address(kind, text.encode()))
        for form, ending, kind, text in pasted
    ]


def _address(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _cells(table: pl.DataFrame) -> Iterator[list[str]]:
    for row in table.iter_rows():
        yield ["" if v is None else f"{v:.4g}" if isinstance(v, float) else str(v) for v in row]


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")


def tex(cell: str) -> str:
    """Return a text with the signs escaped that mean something to LaTeX."""
    marks = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    marks |= {mark: f"\\{mark}" for mark in "&%$#_{}"}
    return "".join(marks.get(one, one) for one in cell)
