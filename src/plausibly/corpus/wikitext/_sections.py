"""Sections of an article that hold no running text: notes, sources, lists of links."""

from __future__ import annotations

import re

_HEADING = re.compile(r"\n(={1,6})([^\n]*?[^\n=])=+[^\n=]*(?=\n|\Z)")
_PARTS = re.compile(r"\s*(?:[,;&/]|\band\b|\bor\b)\s*")
_MARKUP = re.compile(r"'{2,}|[\[\]:]|<[^<>]*>|\{\{[^{}]*\}\}")
_BACK_MATTER = frozenset(
    (
        *("references", "reference", "notes", "note", "footnotes", "endnotes", "citations"),
        *("cited references", "references cited", "general references", "in-line citations"),
        *("explanatory notes", "specific references", "reference notes", "cited", "explanatory"),
        *("sources", "primary sources", "secondary sources", "cited sources"),
        *("works cited", "cited works", "literature cited", "bibliography", "bibliographies"),
        *("selected bibliography", "select bibliography", "general bibliography"),
        *("further reading", "additional reading", "suggested reading", "recommended reading"),
        *("reading list", "further readings", "further information"),
        *("external links", "external link", "links", "other links", "weblinks", "web links"),
        *("external resources", "see also", "related articles", "related topics"),
    )
)


def without_back_matter(wikitext: str) -> str:
    r"""Return wikitext without the sections that give sources or links, and all below them.

    >>> without_back_matter("\nA cat.\n== See also ==\n* Dog\n=== More ===\n* b\n== Life ==\nIt")
    '\nA cat.\n== Life ==\nIt'
    """
    kept: list[str] = []
    place, level = 0, 0
    for heading in _HEADING.finditer(wikitext):
        if level and len(heading.group(1)) > level:
            continue
        if not level:
            kept.append(wikitext[place : heading.start()])
        place = heading.start()
        level = len(heading.group(1)) if _is_back_matter(heading.group(2)) else 0
    return "".join([*kept, "" if level else wikitext[place:]])


def _is_back_matter(title: str) -> bool:
    named = _MARKUP.sub("", title).strip().lower()
    return all(part in _BACK_MATTER for part in _PARTS.split(named))
