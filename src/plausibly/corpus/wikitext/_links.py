"""Links of wikitext as a reader sees them: a label, a title, or nothing."""

from __future__ import annotations

import re

from plausibly.corpus.wikitext._languages import LANGUAGES

# What is taken out of a sentence leaves a mark, so that its neighbours neither run together
# ("end.[1]Next") nor keep a gap ("word [1].").
MARK = "\x00"

_BRACKETED = r"[^\[\]]*+(?:\[[^\[\]]*+\][^\[\]]*+)*+"
_LINK = re.compile(rf"\[\[({_BRACKETED})\]\]")
_HIDDEN = frozenset(("file", "image", "media", "category"))
_TORN = re.compile(
    rf"\[\[\s*(?:{'|'.join(sorted(_HIDDEN))})\s*:[^\n]*?(?:\]\]|(?=\n)|\Z)", re.IGNORECASE
)
_EXTERNAL = re.compile(
    r"\[(?:(?:[a-z]+:)?//|mailto:|news:|tel:)[^\s\[\]]++[ \t]*+"
    r"([^\[\]\n]*+(?:\[[^\[\]\n]*+\][^\[\]\n]*+)*+)\]",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\b(?:https?|ftp)://[^\s<>\x00]*[^\s<>\x00.,;:!?)\]'\"]", re.IGNORECASE)
_QUALIFIER = re.compile(r"\s*\([^()]*\)$")


def links_read(text: str) -> str:
    r"""Return the text with every link as a reader sees it, the innermost first.

    >>> links_read("A [[cat (animal)|cat]] [[fr:Chat]] at [http://cat.org a page].")
    'A cat \x00 at a page.'
    """
    count = 1
    while count:
        text, count = _LINK.subn(_label, text)
    if "[[" in text:
        text = _TORN.sub(MARK, text)
    text = _EXTERNAL.sub(_described, text)
    return _ADDRESS.sub(MARK, text) if "://" in text else text


def count_links(wikitext: str) -> int:
    """Return how many links to other articles a reader sees.

    >>> count_links("[[A]] and [[b|B]] in [[Category:C]]")
    2
    """
    return sum(not _is_hidden(link) for link in _LINK.findall(wikitext))


def _label(link: re.Match[str]) -> str:
    inside = link.group(1)
    if ":" in inside and _is_hidden(inside):
        return MARK
    target, bar, label = inside.partition("|")
    shown = label.rpartition("|")[2] if bar else target.removeprefix(":")
    return shown or _QUALIFIER.sub("", target)


def _is_hidden(link: str) -> bool:
    """Tell whether a link is a file, a category or one to the same article in a language.

    A language link has a code in small letters, no blank after it and no label, so that titles
    such as "It: Chapter Two" and "Re:Zero" are read.
    """
    space, colon, title = link.partition(":")
    if not colon:
        return False
    if space in LANGUAGES:
        return "|" not in title and not title[:1].isspace()
    return space.strip().lower() in _HIDDEN


def _described(link: re.Match[str]) -> str:
    return link.group(1) or MARK
