"""Which language texts are in, by how frequent their words are in each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

_WORD = re.compile(r"[^\W\d_]+")
MARGIN = 0.25
"""By how many Zipf steps the words must be more frequent in one language than in any other."""


class Frequencies(Protocol):
    """How frequent words are."""

    def zipf(self, words: Sequence[str]) -> list[float | None]:
        """Return the Zipf value of every word, None for an unknown one."""
        ...


def likely_language(texts: Sequence[str], languages: Mapping[str, Frequencies]) -> str | None:
    """Return the language whose frequent words texts are made of; None where that is not clear.

    Args:
        texts: The texts.
        languages: From language to how frequent its words are.

    >>> class Known:
    ...     def __init__(self, *words):
    ...         self.words = words
    ...     def zipf(self, words):
    ...         return [5.0 if word in self.words else None for word in words]
    >>> likely_language(["The owl hoots."], {"en": Known("the", "owl"), "it": Known("gufo")})
    'en'
    """
    words = [word.lower() for text in texts for word in _WORD.findall(text)]
    if not words or not languages:
        return None
    means = {
        name: sum(one or 0.0 for one in known.zipf(words)) / len(words)
        for name, known in languages.items()
    }
    best, *others = sorted(means, key=lambda name: -means[name])
    clear = means[best] > 0 and all(means[best] - means[one] >= MARGIN for one in others)
    return best if clear else None
