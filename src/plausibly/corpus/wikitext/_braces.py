"""Braces of wikitext: templates, parameters and tables go, and leave a mark."""

from __future__ import annotations

import re

from plausibly.corpus.wikitext._links import MARK

_BRACES = re.compile(r"\{\{|\}\}|\{\||\|\}(?!\})")
_PARAMETER = re.compile(
    r"(?<!\{)\{\{\{(?!\{)[^{}]*+(?:\{\{[^{}]*+\}\}[^{}]*+)*+\}\}\}",
)
# Of "-{zh-hans:x;zh-hant:y}-" a reader sees one variant.
_VARIANTS = re.compile(r"-\{(?:[^{}|\n]*\|)?(?:[a-z-]+:)?([^{}:;\n]*)[^{}\n]*\}-")
_TABLE_BEGINS = re.compile(r"\n[ \t:*#;\x00]*\{\|[^\n]*")
_LEFT_OVER = re.compile(r"\{\{+|\}\}+|\{\||\|\}")


def without_braces(text: str) -> str:
    r"""Return the text without templates, tables and what is left of those that are not closed.

    Of a template that is not closed, the words stay; of a table, the lines that are no cells do.

    >>> without_braces("It{{efn|a {{nested}} note}} ran {{{1|x}}}.")
    'It\x00 ran \x00.'
    """
    count = int("{{{" in text)
    while count:
        text, count = _PARAMETER.subn(MARK, text)
    text = _without_outermost(text)
    if "-{" in text:
        text = _VARIANTS.sub(r"\1", text)
    if "{|" in text:
        text = _TABLE_BEGINS.sub("\n", text)
    return _LEFT_OVER.sub("", text) if "{" in text or "}" in text else text


def _without_outermost(text: str) -> str:
    """Return the text with a mark for each outermost template and table that is closed."""
    open_at: list[tuple[str, int]] = []
    closed: list[tuple[int, int]] = []
    for brace in _BRACES.finditer(text):
        kind, start = brace.group(), brace.start()
        if "|" in kind and not _begins_line(text, start):
            continue
        if kind in ("{{", "{|"):
            open_at.append((kind, start))
            continue
        opener = "{{" if kind == "}}" else "{|"
        depth = next((d for d in range(len(open_at) - 1, -1, -1) if open_at[d][0] == opener), None)
        if depth is not None:
            start = open_at[depth][1]
            del open_at[depth:]
            while closed and closed[-1][0] >= start:
                closed.pop()
            closed.append((start, brace.end()))
    kept, place = [], 0
    for start, end in closed:
        kept.append(text[place:start])
        place = end
    return MARK.join([*kept, text[place:]])


def _begins_line(text: str, place: int) -> bool:
    """Return whether nothing but marks of a list stands before a place in its line."""
    return not text[text.rfind("\n", 0, place) + 1 : place].strip(" \t:*#;\x00")
