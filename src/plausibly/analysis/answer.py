"""The answer to a question in words: what differs, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plausibly.analysis.showing import chance, number

Document = Mapping[str, Any]
MOST = 4
"""Differences, or cells, that can be said in sentences."""


def answer_sentence(rows: Sequence[Document], contrasts: Sequence[Document]) -> str:
    """Return what was found, a sentence for each difference; empty if there are too many.

    Args:
        rows: Means, or shares of one answer, cell by cell.
        contrasts: Differences between cells.

    >>> contrast = {"of": "odd", "against": "usual", "value": -1.5, "low": -2.0, "high": -1.0,
    ...             "p": 0.0001}
    >>> answer_sentence([], [contrast])
    'The mean answer is 1.50 lower for odd than for usual (95 % interval 1.00 to 2.00, p < 0.001).'
    >>> two = [{**contrast, "by": {"language": one}} for one in ("en", "it")]
    >>> [part[:39] for part in answer_sentence([], two).split(" For ")]
    ['For language “en”, the mean answer is 1', 'language “it”, the mean answer is 1.50 ']
    >>> answer_sentence([{"by": {}, "value": 0.25, "low": None, "high": None, "answer": "yes"}], [])
    'The share of “yes” is 25.0 %.'
    """
    said, word = (contrasts, _difference) if contrasts else (rows, _level)
    if len(said) > MOST or any(one["value"] is None for one in said):
        return ""
    return " ".join(map(word, said))


def _where(one: Document, sentence: str) -> str:
    """Return a sentence with the cell that it is about."""
    parts = [f"{name} “{value}”" for name, value in one.get("by", {}).items()]
    if not parts:
        return sentence
    return f"For {' and '.join(parts)}, {sentence[:1].lower()}{sentence[1:]}"


def _difference(one: Document) -> str:
    of, against = one["of"], one["against"]
    size, low, high = one["value"], one["low"], one["high"]
    way = "higher" if size >= 0 else "lower"
    if size < 0:
        size, low, high = -size, None if high is None else -high, None if low is None else -low
    what = _what(one)
    show = _points if "answer" in one else number
    low_text = "" if low is None else show(low).partition(" ")[0]
    certain = f"95 % interval {low_text} to {show(high).partition(' ')[0]}, " if low_text else ""
    p = chance(one["p"])
    tested = "no test is defined" if one["p"] is None else f"p {p if p[0] == '<' else f'= {p}'}"
    difference = f"{what} is {show(size)} {way} for {of} than for {against} ({certain}{tested})."
    return _where(one, difference)


def _level(one: Document) -> str:
    show = _percent if "answer" in one else number
    limits = "" if one["low"] is None else f" (95 % interval {show(one['low'])} to "
    limits += "" if one["low"] is None else f"{show(one['high'])})"
    return _where(one, f"{_what(one)} is {show(one['value'])}{limits}.")


def _what(one: Document) -> str:
    return f"The share of “{one['answer']}”" if "answer" in one else "The mean answer"


def _points(share: float) -> str:
    return f"{100 * share:.1f} percentage points"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
