"""Repair in columns: which sentences of a block may need one, and what changes in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import overload

import numpy as np

from plausibly.corpus._repair import OF, repair_tree
from plausibly.corpus._reporting import MARKS, reporting_words
from plausibly.corpus._trees import Tree
from plausibly.io.conllu.columns import DEPRELS, UPOS, Codes, Flags, Places, Words, code_of

REPORTING, SPEECH, IMPERSONAL, SAY, PERSON, QUANTITY = (1 << bit for bit in range(6))

_VERB, _NOUN, _PROPN, _AUX = (UPOS.index(tag) + 1 for tag in ("VERB", "NOUN", "PROPN", "AUX"))
_OBJ = DEPRELS.index("obj") + 1


def kind_of(cell: bytes) -> int:
    """Return in which lists of reporting words a lemma is, as bits."""
    return _kinds().get(cell.decode().lower(), 0)


@cache
def _kinds() -> dict[str, int]:
    known = reporting_words()
    lists = {
        REPORTING: known.clausal,
        SPEECH: known.speech,
        IMPERSONAL: known.impersonal,
        SAY: ("say",),
        PERSON: known.persons,
        QUANTITY: known.quantities,
    }
    kinds: dict[str, int] = {}
    for bit, words in lists.items():
        kinds |= {word: kinds.get(word, 0) | bit for word in words}
    return kinds


def nouns_after_verb(words: Words) -> Places:
    """Return the nouns that are objects of a verb before them."""
    places = np.flatnonzero(words.deprels == _OBJ)
    upos, heads = words.upos[places], words.heads[places]
    noun = (upos == _NOUN) | (upos == _PROPN)
    kept: Places = places[noun & (heads >= 0) & (heads < places) & (words.upos[heads] == _VERB)]
    return kept


def may_be_false(words: Words, places: Places, *, verbs: Codes, objects: Codes) -> Flags:
    """Return which objects `suspects` returns of their sentences.

    Args:
        words: The block.
        places: Nouns that are objects of a verb before them.
        verbs: The kinds of their verbs.
        objects: The kinds of the nouns.
    """
    may: Flags = (verbs & SAY > 0) | ((verbs & IMPERSONAL > 0) & (objects & PERSON > 0))
    clausal = np.flatnonzero((verbs & REPORTING > 0) & ~may)
    may[clausal] = _near_verb(words, places[clausal])
    speech = np.flatnonzero((verbs & SPEECH > 0) & ~may)
    may[speech] = [_after_mark(words, verb) for verb in words.heads[places[speech]].tolist()]
    return may


def _near_verb(words: Words, objects: Places) -> Flags:
    """Return which objects have a verb after them, or an auxiliary between them and their verb."""
    auxiliaries = np.flatnonzero(words.upos == _AUX)
    verbal = np.flatnonzero((words.upos == _VERB) | (words.upos == _AUX))
    ends = np.searchsorted(words.sentences, words.sentences[objects] + 1)
    later: Flags = verbal[np.searchsorted(verbal, ends) - 1] > objects
    to_verb, to_object = (
        np.searchsorted(auxiliaries, places) for places in (words.heads[objects], objects)
    )
    return later | (to_object > to_verb)


def _after_mark(words: Words, verb: int) -> bool:
    first = verb == 0 or words.sentences[verb - 1] != words.sentences[verb]
    return not first and words.form(verb - 1).lower() in MARKS


def before_of(words: Words, places: Places) -> Places:
    """Return the words that `of` follows."""
    inside = places[places + 1 < len(words)]
    inside = inside[words.sentences[inside + 1] == words.sentences[inside]]
    kept: Places = inside[[words.form(place + 1).lower() == OF for place in inside.tolist()]]
    return kept


def repair_columns(words: Words, objects: Places, measures: Places) -> Counter[str]:
    """Put what a repair changes into heads and relations; return how often each rule did it.

    Args:
        words: The block.
        objects: Objects that may not be any, in ascending order.
        measures: Arguments of verbs that may be quantity nouns, in ascending order.
    """
    rules: Counter[str] = Counter()
    sentences = np.unique(words.sentences[np.concatenate([objects, measures])])
    bounds = [np.searchsorted(words.sentences, sentences + more) for more in (0, 1)]
    some = [_by_sentence(places, *bounds) for places in (objects, measures)]
    first_and_after = zip(*(bound.tolist() for bound in bounds), strict=True)
    for (first, after), nouns, quantities in zip(first_and_after, *some, strict=True):
        tree = ColumnTree(words, first, after)
        names = repair_tree(tree, nouns, quantities)
        rules.update(names)
        if names:
            tree.put_back()
    return rules


def _by_sentence(places: Places, first: Places, after: Places) -> list[list[int]]:
    """Return the places in each sentence, counted from its first word."""
    bounds = zip(
        *(np.searchsorted(places, bound).tolist() for bound in (first, after)), strict=True
    )
    every = places.tolist()
    return [
        [place - start for place in every[low:high]]
        for (low, high), start in zip(bounds, first.tolist(), strict=True)
    ]


class ColumnTree(Tree):
    """A sentence of a block as a tree; what a rule does not ask for is not read.

    Args:
        words: The block.
        first: Its first word.
        after: The word after its last.
    """

    def __init__(self, words: Words, first: int, after: int) -> None:
        self.words, self.first = words, first
        spans = [
            (start[first:after].tolist(), end[first:after].tolist())
            for start, end in (words.forms, words.tags, words.relations)
        ]
        self.forms = _Cells(words.block, *spans[0], lower=True)
        self.upos = _Cells(words.block, *spans[1])
        self.deprels = self.relations = _Cells(words.block, *spans[2])
        self.before = np.maximum(words.heads[first:after] - first, -1).tolist()
        self.heads = self.before.copy()
        self.size = after - first

    def key(self, word: int) -> str:
        """Return the lower-cased lemma of a word."""
        return self.words.key(self.first + word)

    def put_back(self) -> None:
        """Change heads and relations of the block to what they are now."""
        for word, (head, old) in enumerate(zip(self.heads, self.before, strict=True)):
            if head != old:
                self.words.heads[self.first + word] = self.first + head if head >= 0 else -1
        for word, name in self.relations.changed.items():
            self.words.deprels[self.first + word] = code_of(name)


class _Cells(Sequence[str]):
    """The cells of one column, each decoded when it is asked for."""

    __slots__ = ("_block", "_end", "_lower", "_start", "changed")

    def __init__(
        self, block: bytes, start: list[int], end: list[int], *, lower: bool = False
    ) -> None:
        self._block, self._start, self._end, self._lower = block, start, end, lower
        self.changed: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._start)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        if place in self.changed:
            return self.changed[place]
        cell = self._block[self._start[place] : self._end[place]].decode()
        return cell.lower() if self._lower else cell

    def __setitem__(self, place: int, cell: str) -> None:
        self.changed[place] = cell
