"""Lines of wikitext put together to paragraphs, without headings, pointers and mere lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

# An item of a list is read if it is a sentence: so many words, and a stop.
ITEM_WORDS = 8

_HEADING = re.compile(r"={1,6}.*={1,6}\s*")
_BOLD_HEADING = re.compile(r"\n'''(?!')[^\n]*[^\n'.!?]'''[ \t:]*(?=\n|\Z)")
_ITALIC_LINE = re.compile(r"\n:+[ \t]*''(?!')[^\n]*''[ \t.]*(?=\n|\Z)")
_POINTER = re.compile(
    r"(?:(?:main|see(?: also)?|further|more|details?)(?: articles?| pages?| information)?\s*:"
    r"|see also\b|for .{1,120}\bsee\b|not to be confused with\b)",
    re.IGNORECASE,
)
_STOP = re.compile(r"[.!?\u2026][\"')\]\u2019\u201d\u00bb]*\Z")
_SOURCE = re.compile(r"\b(?:ISBN|ISSN|OCLC|PMID|JSTOR|doi|arXiv)\b")
_WORD = re.compile(r"\w")
_SPACED = re.compile(r" +(?=[,.;:](?:\s|\Z))")
_LONGEST_POINTER = 300


def without_hatnotes(text: str) -> str:
    r"""Return wikitext without lines in bold that stand for headings, and without hatnotes.

    A hatnote is an indented line in italics that has a link: a pointer to another article.

    >>> without_hatnotes("\n:''See [[Cat]].''\n'''Life'''\nIt ran.")
    '\n\nIt ran.'
    """
    text = _BOLD_HEADING.sub("\n", text)
    return _ITALIC_LINE.sub(_unlinked, text)


def _unlinked(line: re.Match[str]) -> str:
    return "" if "[[" in line.group() else line.group()


def joined(text: str) -> Iterator[str]:
    """Yield paragraphs: lines that follow each other are one, an item of a list is its own.

    A line that begins with a blank is shown as typed, which is how code is: it counts as an item.
    """
    lines: list[str] = []
    for line in text.split("\n"):
        first = line[:1]
        if first and first not in "*#:;|!=- \t":
            lines.append(line)
            continue
        if lines:
            yield from _paragraph(lines)
            lines = []
        if first in "*#:; \t" and first:
            yield from _item(line)
        elif first and first not in "|!" and not _HEADING.fullmatch(line):
            lines = [] if line.startswith("----") else [line]
    yield from _paragraph(lines)


def _paragraph(lines: list[str]) -> Iterator[str]:
    paragraph = _tidy(" ".join(lines))
    if _WORD.search(paragraph) and not _is_pointer(paragraph):
        yield paragraph


def _item(line: str) -> Iterator[str]:
    item = _tidy(line.lstrip("*#:; \t"))
    if item.count(" ") >= ITEM_WORDS - 1 and _STOP.search(item) and not _SOURCE.search(item):
        yield from _paragraph([item])


def _is_pointer(line: str) -> bool:
    return len(line) < _LONGEST_POINTER and _POINTER.match(line) is not None


def _tidy(line: str) -> str:
    line = " ".join(line.split())
    if " ." in line or " ," in line or " ;" in line or " :" in line:
        line = _SPACED.sub("", line)
    return line
