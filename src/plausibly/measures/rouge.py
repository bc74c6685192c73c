"""ROUGE: how much of a reference a sentence has in common with it (Lin 2004)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"\w+")


def rouge_n(sentence: str, reference: str, *, n: int) -> float:
    """Return the F1 of the runs of n words that a sentence and its reference share.

    >>> rouge_n("ice is very cold", "ice is cold", n=2)
    0.4
    """
    own, wanted = (_runs(_words(text), n) for text in (sentence, reference))
    return _f1((own & wanted).total(), own.total(), wanted.total())


def rouge_l(sentence: str, reference: str) -> float:
    """Return the F1 of the longest run of words, gaps allowed, that both have in this order.

    >>> round(rouge_l("ice is very cold", "ice is cold"), 3)
    0.857
    """
    own, wanted = _words(sentence), _words(reference)
    return _f1(_longest(own, wanted), len(own), len(wanted))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _runs(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[place : place + n]) for place in range(len(words) - n + 1))


def _longest(one: Sequence[str], other: Sequence[str]) -> int:
    lengths = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for place, match in enumerate(other, start=1):
            here = lengths[place]
            lengths[place] = before + 1 if word == match else max(here, lengths[place - 1])
            before = here
    return lengths[-1]


def _f1(shared: int, own: int, wanted: int) -> float:
    return 2 * shared / (own + wanted) if own + wanted else 0.0
