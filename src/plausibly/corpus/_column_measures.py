"""Quantity nouns in columns: the noun after `of` takes their place, in a whole block at once."""

from __future__ import annotations

from plausibly.corpus._measures import STAY, MeasureWords, measure_words
from plausibly.io.conllu.columns import UPOS, Places, Words, code_of

_NOUN, _PROPN = (UPOS.index(tag) + 1 for tag in ("NOUN", "PROPN"))
_STAY = frozenset(name.encode() for name in STAY)
_NMOD = code_of("nmod")


def before_of(words: Words, places: Places) -> Places:
    """Return the words that are quantity nouns before `of`."""
    inside = places[places + 1 < len(words)]
    inside = inside[words.sentences[inside + 1] == words.sentences[inside]]
    tables = measure_words()
    kept: Places = inside[
        [
            (of := tables.get(words.form(place + 1).lower())) is not None
            and words.key(place) in of.quantities
            for place in inside.tolist()
        ]
    ]
    return kept


def replace_measures(words: Words, nouns: Places) -> int:
    """Put the noun after `of` into the place of quantity nouns; return how many there were.

    Args:
        words: The block; heads and relations change as in a tree.
        nouns: Quantity nouns before `of`, none below a noun that another of them measures.
    """
    count, tables = 0, measure_words()
    while len(nouns):
        measured = words.heads[nouns + 1]
        fits = (measured > nouns + 1) & (words.heads[measured] == nouns)
        fits &= (words.upos[measured] == _NOUN) | (words.upos[measured] == _PROPN)
        nouns, measured = nouns[fits], measured[fits]
        below = words.children(nouns)
        kept = [
            words.relation(noun + 1) == b"case"
            and words.relation(after).partition(b":")[0] == b"nmod"
            and _measures(words, noun, below[noun], tables[words.form(noun + 1).lower()])
            for noun, after in zip(nouns.tolist(), measured.tolist(), strict=True)
        ]
        nouns, measured = nouns[kept], measured[kept]
        for noun, after in zip(nouns.tolist(), measured.tolist(), strict=True):
            for child in below[noun]:
                if child != after and words.relation(child) not in _STAY:
                    words.heads[child] = after
        words.heads[measured], words.deprels[measured] = words.heads[nouns], words.deprels[nouns]
        words.heads[nouns], words.deprels[nouns] = measured, _NMOD
        count += len(nouns)
        nouns = before_of(words, measured)
    return count


def _measures(words: Words, noun: int, below: list[int], of: MeasureWords) -> bool:
    """Return what `MeasureWords.measures` returns of a noun."""
    before = (
        (words.relation(child).decode(), words.form(child).lower())
        for child in below
        if child < noun
    )
    return of.measures(words.key(noun), words.form(noun).lower(), before)
