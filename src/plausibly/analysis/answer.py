"""The answer to a question in one sentence: what differs, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plausibly.analysis.showing import chance, number

Document = Mapping[str, Any]


def answer_sentence(rows: Sequence[Document], contrasts: Sequence[Document]) -> str:
    """Return what was found, in one sentence; empty if several numbers are needed.

    Args:
        rows: Means, or shares of one answer, cell by cell.
        contrasts: Differences between cells.

    >>> contrast = {"of": "odd", "against": "usual", "value": -1.5, "low": -2.0, "high": -1.0,
    ...             "p": 0.0001}
    >>> answer_sentence([], [contrast])
    'The mean answer to odd is 1.50 lower than to usual (95 % interval 1.00 to 2.00, p < 0.001).'
    >>> answer_sentence([{"by": {}, "value": 0.25, "low": None, "high": None, "answer": "yes"}], [])
    'The share of “yes” is 25.0 %.'
    """
    if len(contrasts) == 1 and contrasts[0]["value"] is not None:
        return _difference(contrasts[0])
    if not contrasts and len(rows) == 1 and rows[0]["value"] is not None:
        return _level(rows[0])
    return ""


def _difference(one: Document) -> str:
    of, against = one["of"], one["against"]
    size, low, high = one["value"], one["low"], one["high"]
    way = "higher" if size >= 0 else "lower"
    if size < 0:
        size, low, high = -size, None if high is None else -high, None if low is None else -low
    where = "".join(f" ({name} {value})" for name, value in one.get("by", {}).items())
    what = _what(one)
    show = _points if "answer" in one else number
    certain = "" if low is None else f"95 % interval {show(low)} to {show(high)}, "
    p = chance(one["p"])
    tested = "no test is defined" if one["p"] is None else f"p {p if p[0] == '<' else f'= {p}'}"
    return f"{what} to {of} is {show(size)} {way} than to {against}{where} ({certain}{tested})."


def _level(one: Document) -> str:
    show = _percent if "answer" in one else number
    limits = "" if one["low"] is None else f" (95 % interval {show(one['low'])} to "
    limits += "" if one["low"] is None else f"{show(one['high'])})"
    return f"{_what(one)} is {show(one['value'])}{limits}."


def _what(one: Document) -> str:
    return f"The share of “{one['answer']}”" if "answer" in one else "The mean answer"


def _points(share: float) -> str:
    return f"{100 * share:.1f} percentage points"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
