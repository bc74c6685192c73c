"""Wikitext to paragraphs: what a reader of the article reads as running text, and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from plausibly.corpus.wikitext_links import MARK, count_links, links_read

__all__ = ["count_links", "paragraphs"]

_SILENT = (
    *("math", "chem", "ce", "gallery", "timeline", "code", "syntaxhighlight", "source", "pre"),
    *("score", "imagemap", "hiero", "graph", "templatedata", "mapframe", "maplink", "table"),
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_REFERENCE = re.compile(r"<ref\b(?:[^<>]*/>|[^<>]*>.*?</ref\s*>)", re.DOTALL | re.IGNORECASE)
_ELEMENT = re.compile(
    rf"<({'|'.join(_SILENT)})\b(?:[^<>]*/>|[^<>]*>.*?</\1\s*>)", re.DOTALL | re.IGNORECASE
)
_BRACES = re.compile(r"\{\{|\}\}|\{\||\|\}(?!\})")
_BREAK = re.compile(r"<(?:br|p|div|hr)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_QUOTES = re.compile(r"'{2,5}")
_SWITCH = re.compile(r"__[A-Z]{3,}__")
_HEADING = re.compile(r"={1,6}.*={1,6}\s*")
_LEFT_OVER = re.compile(r"\{\{|\}\}|\[\[|\]\]")
_EMPTY = re.compile(r"\([\s,;:\x00-]*\)")
_BEFORE = re.compile(r"\x00+(?=[\"(\[\u201c\u2018]?\w)")
_SPACED = re.compile(r" +(?=[,.;:](?:\s|\Z))")


def paragraphs(wikitext: str) -> list[str]:
    r"""Return the paragraphs of an article without headings, templates, tables and footnotes.

    >>> paragraphs("== Life ==\n'''Ada''' wrote [[note (paper)|notes]].<ref>p. 3</ref>She won.")
    ['Ada wrote notes. She won.']
    """
    text = _COMMENT.sub("", wikitext)
    text = _REFERENCE.sub(MARK, text)
    text = _ELEMENT.sub(MARK, text)
    text = _without_braces(text)
    text = links_read(text)
    text = _TAG.sub("", _BREAK.sub("\n\n", text))
    text = _SWITCH.sub("", _LEFT_OVER.sub("", _QUOTES.sub("", text)))
    text = _EMPTY.sub("", unescape(text))
    text = _BEFORE.sub(" ", text).replace(MARK, "")
    return [paragraph for paragraph in _joined(text) if paragraph]


def _without_braces(text: str) -> str:
    """Return the text without its outermost templates and tables; what is not closed stays."""
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
    """Tell whether nothing but marks of a list stands before a place in its line."""
    return not text[text.rfind("\n", 0, place) + 1 : place].strip(" \t:*")


def _joined(text: str) -> Iterator[str]:
    """Yield paragraphs: lines that follow each other are one, an item of a list is its own."""
    lines: list[str] = []
    for line in text.split("\n"):
        first = line[:1]
        if first and first not in "*#:;|!=- \t":
            lines.append(line)
            continue
        yield _tidy(" ".join(lines))
        lines = []
        if first in "*#:;" and first:
            yield _tidy(line.lstrip("*#:; "))
        elif first and first not in "|!" and not _HEADING.fullmatch(line):
            lines = [] if line.startswith("----") else [line]
    yield _tidy(" ".join(lines))


def _tidy(line: str) -> str:
    line = " ".join(line.split())
    if " ." in line or " ," in line or " ;" in line or " :" in line:
        line = _SPACED.sub("", line)
    return line
