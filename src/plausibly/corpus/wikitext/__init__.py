"""Wikitext to paragraphs: what a reader of the article reads as running text, and no more."""

from __future__ import annotations

import re
from html import unescape

from plausibly.corpus.wikitext._braces import without_braces
from plausibly.corpus.wikitext._elements import without_comments, without_elements, without_tags
from plausibly.corpus.wikitext._gaps import without_marks
from plausibly.corpus.wikitext._lines import joined, without_hatnotes
from plausibly.corpus.wikitext._links import count_links, links_read
from plausibly.corpus.wikitext._sections import without_back_matter
from plausibly.corpus.wikitext._templates import templates_read

__all__ = ["count_links", "paragraphs"]

_QUOTES = re.compile(r"'{2,5}")
_SWITCH = re.compile(r"__[A-Z]{3,}__")
_LEFT_OVER = re.compile(r"\[\[+|\]\]+")


def paragraphs(wikitext: str) -> list[str]:
    r"""Return the paragraphs of an article without headings, templates, tables and footnotes.

    >>> paragraphs("== Life ==\n'''Ada''' wrote [[note (paper)|notes]].<ref>p. 3</ref>She won.")
    ['Ada wrote notes. She won.']
    """
    text = without_elements(without_back_matter("\n" + without_comments(wikitext)))
    text = without_hatnotes(without_braces(templates_read(text)))
    text = without_tags(links_read(text))
    text = _SWITCH.sub("", _QUOTES.sub("", text))
    if "[[" in text or "]]" in text:
        text = _LEFT_OVER.sub("", text)
    text = without_marks(unescape(text))
    return list(joined(text))
