"""Documents wanted by what is known about them: `title!=*novel*`, `category=*animals*`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from plausibly.corpus.documents import Document
from plausibly.errors import StudyError, option

CATEGORY = "category"

_RULE = re.compile(r"\s*([^=!]+?)\s*(!?=)\s*(.*?)\s*")
_CATEGORIES = re.compile(r"\[\[\s*Category\s*:\s*([^\]|]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing a document must be, or must not be.

    Args:
        field: What is looked at: title, category, a column.
        pattern: With * and ?, case left aside.
        denied: Whether documents of the pattern are left out instead of kept.
    """

    field: str
    pattern: str
    denied: bool

    def holds(self, document: Document) -> bool:
        """Return whether a document is wanted."""
        return any(fnmatchcase(v.lower(), self.pattern) for v in self._values(document)) != (
            self.denied
        )

    def knows(self, document: Document) -> bool:
        """Return whether a document says anything of what is looked at."""
        return any(True for _ in self._values(document))

    def _values(self, document: Document) -> Iterator[str]:
        value = document.about.get(self.field)
        if value is not None:
            yield from map(str, value) if isinstance(value, list) else [str(value)]
        elif self.field == CATEGORY:
            yield from (name.strip() for name in _CATEGORIES.findall(document.text))


def wanted(rules: Sequence[str]) -> tuple[Wanted, ...]:
    """Return what rules ask for; a document must satisfy all of them.

    >>> wanted(["title!=*novel*"])
    (Wanted(field='title', pattern='*novel*', denied=True),)
    """
    parsed = []
    for rule in rules:
        parts = _RULE.fullmatch(rule)
        if parts is None:
            raise StudyError(
                f"{option('documents')}: {rule!r} is not a rule. Write FIELD=PATTERN to keep "
                "documents or FIELD!=PATTERN to drop them, such as title!=*novel*.",
                parameter="documents",
            )
        parsed.append(Wanted(parts[1], parts[3].lower(), parts[2] == "!="))
    return tuple(parsed)
