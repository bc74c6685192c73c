"""Wikitext to paragraphs: what a reader of the article reads as running text, and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from plausibly.corpus.wikitext_braces import without_braces
from plausibly.corpus.wikitext_elements import without_elements, without_tags
from plausibly.corpus.wikitext_gaps import without_marks
from plausibly.corpus.wikitext_links import count_links, links_read

__all__ = ["count_links", "paragraphs"]

_QUOTES = re.compile(r"'{2,5}")
_SWITCH = re.compile(r"__[A-Z]{3,}__")
_HEADING = re.compile(r"={1,6}.*={1,6}\s*")
_LEFT_OVER = re.compile(r"\[\[+|\]\]+")
_WORD = re.compile(r"\w")
_SPACED = re.compile(r" +(?=[,.;:](?:\s|\Z))")


def paragraphs(wikitext: str) -> list[str]:
    r"""Return the paragraphs of an article without headings, templates, tables and footnotes.

    >>> paragraphs("== Life ==\n'''Ada''' wrote [[note (paper)|notes]].<ref>p. 3</ref>She won.")
    ['Ada wrote notes. She won.']
    """
    text = without_braces("\n" + without_elements(wikitext))
    text = without_tags(links_read(text))
    text = _SWITCH.sub("", _QUOTES.sub("", text))
    if "[[" in text or "]]" in text:
        text = _LEFT_OVER.sub("", text)
    text = without_marks(unescape(text))
    return [paragraph for paragraph in _joined(text) if _WORD.search(paragraph)]


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
