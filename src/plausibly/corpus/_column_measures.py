"""Quantity nouns in columns: the noun after `of` takes their place, in a whole block at once."""

from __future__ import annotations

from plausibly.corpus._repair import DEFINITE, OF, STAY
from plausibly.corpus._reporting import reporting_words
from plausibly.io.conllu.columns import UPOS, Places, Words, code_of

_NOUN, _PROPN = (UPOS.index(tag) + 1 for tag in ("NOUN", "PROPN"))
_STAY = frozenset(name.encode() for name in STAY)
_NMOD = code_of("nmod")


def before_of(words: Words, places: Places) -> Places:
    """Return the words that `of` follows."""
    inside = places[places + 1 < len(words)]
    inside = inside[words.sentences[inside + 1] == words.sentences[inside]]
    kept: Places = inside[[words.form(place + 1).lower() == OF for place in inside.tolist()]]
    return kept


def replace_measures(words: Words, nouns: Places) -> int:
    """Put the noun after `of` into the place of quantity nouns; return how many there were.

    Args:
        words: The block; heads and relations change as in a tree.
        nouns: Quantity nouns before `of`, none below a noun that another of them measures.
    """
    count, quantities = 0, reporting_words().quantities
    while len(nouns):
        measured = words.heads[nouns + 1]
        fits = (measured > nouns + 1) & (words.heads[measured] == nouns)
        fits &= (words.upos[measured] == _NOUN) | (words.upos[measured] == _PROPN)
        nouns, measured = nouns[fits], measured[fits]
        below = words.children(nouns)
        kept = [
            words.relation(noun + 1) == b"case"
            and words.relation(after).partition(b":")[0] == b"nmod"
            and not _names_figure(words, noun, below[noun])
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
        further = [words.key(place) in quantities for place in measured.tolist()]
        nouns = before_of(words, measured[further])
    return count


def _names_figure(words: Words, noun: int, below: list[int]) -> bool:
    """Return what `_repair._names_figure` returns of a quantity noun that may name a figure."""
    lemma = words.key(noun)
    if lemma not in reporting_words().figures:
        return False
    if lemma == "variety" and words.form(noun).lower() == "varieties":
        return True
    return any(
        words.relation(child) == b"nmod:poss"
        or (words.relation(child) == b"det" and words.form(child).lower() in DEFINITE)
        for child in below
    )
