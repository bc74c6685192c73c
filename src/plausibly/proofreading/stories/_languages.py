"""Sentences and words of another language than the story's, by how frequent words are in each."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from plausibly.ports import Frequencies

_WORD = re.compile(r"[^\W\d_]+")
# What a word of a story has at least, unless it is one of another language; what one has that
# hardly any text of the story's language knows; how much more frequent it is elsewhere.
BORROWED, ODD, TIMES = 3.6, 3.0, 1.2
# By so much the words of a sentence are more frequent, on average, in the language it is in.
TONGUE = 0.6
FEWEST = 3

Mistake = tuple[str, str]


def borrowed(
    sentence: str, named: Collection[str], frequency: Frequencies, foreign: Frequencies
) -> Iterator[Mistake]:
    """Yield the words that are frequent in English and rare in the language of the story.

    Args:
        sentence: One sentence.
        named: Words of its actors and objects, in lower case; they are as their author says.
        frequency: The language of the story.
        foreign: English.
    """
    words = [w for w in _WORD.findall(sentence) if len(w) > 3 and w.islower() and w not in named]
    pairs = zip(words, frequency.zipf(words), foreign.zipf(words), strict=True)
    for word, own, other in pairs:
        here, there = own or 0.0, other or 0.0
        common = here < BORROWED <= there - 0.5 and there > here + TIMES
        odd = here < ODD and there >= BORROWED and there > here + TIMES + 0.3
        if common or odd:
            yield "other_language", f"{word!r} is English"


def other_tongue(
    sentence: str,
    named: Collection[str],
    frequency: Frequencies,
    neighbours: Mapping[str, Frequencies],
) -> Iterator[Mistake]:
    """Yield the language of a sentence whose every word is frequent in another one.

    Args:
        sentence: One sentence.
        named: Words of its actors, in lower case; names are of every language.
        frequency: The language of the story.
        neighbours: Others it may be in, by two letters.

    >>> class Some(dict):
    ...     def zipf(self, words): return [self.get(word) for word in words]
    >>> here, there = Some(la=7.0), {"fr": Some(prend=5.0, la=7.0, tasse=4.0)}
    >>> list(other_tongue("Ada prend la tasse.", ["ada"], here, there))
    [('other_language', "'Ada prend la tasse.' is fr")]
    """
    words = [word.casefold() for word in _WORD.findall(sentence)]
    words = [word for word in words if word not in named]
    if len(words) < FEWEST:
        return
    here = sum(zipf or 0.0 for zipf in frequency.zipf(words))
    means = []
    for lang, other in neighbours.items():
        there = [zipf or 0.0 for zipf in other.zipf(words)]
        if min(there) > 0:
            means.append(((sum(there) - here) / len(words), lang))
    if means and max(means)[0] >= TONGUE:
        yield "other_language", f"{sentence!r} is {max(means)[1]}"
