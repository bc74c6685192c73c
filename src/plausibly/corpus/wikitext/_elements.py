"""Elements of wikitext in angle brackets: drops footnotes and formulas; blocks end a line."""

from __future__ import annotations

import re

from plausibly.corpus.wikitext._links import MARK

_SILENT = (
    *("math", "chem", "ce", "gallery", "timeline", "code", "syntaxhighlight", "source", "pre"),
    *("score", "imagemap", "hiero", "graph", "templatedata", "mapframe", "maplink", "references"),
    *("includeonly",),
)
_BLOCKS = (
    *("p", "br", "hr", "div", "blockquote", "center", "poem", "h[1-6]", "ul", "ol", "li", "dl"),
    *("dt", "dd", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "noinclude"),
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# A footnote that is not closed ends with its line or where the next one begins.
_REFERENCE = re.compile(
    r"<ref\b(?:[^<>]*/>|[^<>]*>"
    r"(?:[^<]*+(?:<(?!/ref\b|ref\b[^<>]*(?<!/)>)[^<]*+)*+</ref\s*>"
    r"|[^\n<]*+(?:<(?!/?ref\b)[^\n<]*+)*+))",
    re.IGNORECASE,
)
_ELEMENT = re.compile(
    rf"<({'|'.join(_SILENT)})\b(?:[^<>]*/>|[^<>]*>.*?</\1\s*>)", re.DOTALL | re.IGNORECASE
)
_INNERMOST_TABLE = re.compile(
    r"<table\b[^<>]*>[^<]*+(?:<(?!/?table\b)[^<]*+)*+</table\s*>", re.IGNORECASE
)
_BLOCK = re.compile(rf"</?(?:{'|'.join(_BLOCKS)})\b[^<>]*>[ \t]*", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")


def without_comments(wikitext: str) -> str:
    """Return wikitext without comments.

    >>> without_comments("A<!-- so --> cat")
    'A cat'
    """
    return _COMMENT.sub("", wikitext)


def without_elements(wikitext: str) -> str:
    r"""Return wikitext with a mark in place of each element that is not running text.

    >>> without_elements("A cat.<ref>p. 3</ref> <math>x</math><b>B</b>")
    'A cat.\x00 \x00<b>B</b>'
    """
    text = _ELEMENT.sub(MARK, _REFERENCE.sub(MARK, wikitext))
    count = 1
    while count:
        text, count = _INNERMOST_TABLE.subn(f"\n\n{MARK}", text)
    return text


def without_tags(text: str) -> str:
    r"""Return the text without tags; a block begins and ends a paragraph.

    >>> without_tags("He <i>said</i>:<blockquote>No.</blockquote>")
    'He said:\n\nNo.\n\n'
    """
    return _TAG.sub("", _BLOCK.sub("\n\n", text))
