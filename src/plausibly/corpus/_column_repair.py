"""Repair in columns: which sentences of a block may need one, and what changes in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import overload

import numpy as np
import numpy.typing as npt

from plausibly.corpus._column_clauses import may_belong_to_clause
from plausibly.corpus._column_measures import replace_measures
from plausibly.corpus._frames import RATE
from plausibly.corpus._measures import QUANTITY as QUANTITY_RULE
from plausibly.corpus._measures import quantity_nouns
from plausibly.corpus._repair import repair_tree
from plausibly.corpus._reporting import MARKS, STRONG
from plausibly.corpus._reporting_words import reporting_words
from plausibly.corpus._trees import Tree
from plausibly.io.conllu.columns import DEPRELS, UPOS, Flags, Places, Spans, Words, code_of

REPORTING, STRONGLY, SPEECH, IMPERSONAL, SAY, PERSON, QUANTITY, COPULAR, TWICE, CHANGING, EXTENT = (
    1 << bit for bit in range(11)
)
LASTING, TIME, GROWING, ALLOWING = (1 << bit for bit in range(11, 15))
KINDS = np.int16

Kinds = npt.NDArray[np.int16]

_VERB, _NOUN, _PROPN, _AUX = (UPOS.index(tag) + 1 for tag in ("VERB", "NOUN", "PROPN", "AUX"))
_OBJ, _NSUBJ = (DEPRELS.index(name) + 1 for name in ("obj", "nsubj"))


def kinds_of(cells: Iterable[bytes]) -> Kinds:
    """Return in which lists of reporting words lemmas are, as bits."""
    kinds = _kinds()
    return np.array([kinds.get(_lower(cell), 0) for cell in cells], dtype=KINDS)


def _lower(cell: bytes) -> bytes:
    return cell.lower() if cell.isascii() else cell.decode().lower().encode()


@cache
def _kinds() -> dict[bytes, int]:
    known = reporting_words()
    lists = {
        REPORTING: known.clausal,
        STRONGLY: [verb for verb, share in known.clausal.items() if share >= STRONG],
        SPEECH: known.speech,
        IMPERSONAL: known.impersonal,
        SAY: ("say",),
        PERSON: known.persons,
        QUANTITY: quantity_nouns(),
        COPULAR: known.copular | known.linking | known.objectless,
        TWICE: known.naming | known.giving,
        CHANGING: known.changing,
        EXTENT: known.extents,
        LASTING: known.lasting,
        TIME: known.times,
        GROWING: known.growing,
        ALLOWING: known.allowing,
    }
    kinds: dict[bytes, int] = {}
    for bit, words in lists.items():
        for word in map(str.encode, words):
            kinds[word] = kinds.get(word, 0) | bit
    return kinds


def nouns_after_verb(words: Words) -> Places:
    """Return the nouns that are objects of a verb before them."""
    places = np.flatnonzero(words.deprels == _OBJ)
    upos, heads = words.upos[places], words.heads[places]
    noun = (upos == _NOUN) | (upos == _PROPN)
    kept: Places = places[noun & (heads >= 0) & (heads < places) & (words.upos[heads] == _VERB)]
    return kept


def may_be_false(words: Words, places: Places, *, verbs: Kinds, objects: Kinds) -> Flags:
    """Return which objects a rule may change, or a change of another of them.

    Args:
        words: The block.
        places: Nouns that are objects of a verb before them.
        verbs: The kinds of their verbs.
        objects: The kinds of the nouns.
    """
    may: Flags = (verbs & (SAY | COPULAR) > 0) | ((verbs & IMPERSONAL > 0) & (objects & PERSON > 0))
    may |= (verbs & (CHANGING | GROWING) > 0) & (objects & EXTENT > 0)
    may |= (verbs & LASTING > 0) & (objects & TIME > 0)
    units = np.flatnonzero((objects & (EXTENT | TIME) > 0) & ~may)
    may[units] = [words.form(noun - 1).lower() in RATE for noun in places[units].tolist()]
    allowing = np.flatnonzero((verbs & ALLOWING > 0) & ~may)
    may[allowing] = _near_verb(words, places[allowing])
    twice = np.flatnonzero((verbs & TWICE > 0) | (objects & TIME > 0))
    may[twice] |= _has_two(words, words.heads[places[twice]])
    speech = np.flatnonzero((verbs & SPEECH > 0) & ~may)
    may[speech] = [_after_mark(words, verb) for verb in words.heads[places[speech]].tolist()]
    clausal = np.flatnonzero((verbs & REPORTING > 0) & ~may)
    near = clausal[_near_verb(words, places[clausal])]
    may[near] = may_belong_to_clause(words, places[near], strong=verbs[near] & STRONGLY > 0)
    sentences = words.sentences[places]
    may[near] = np.isin(sentences[near], sentences[may])
    return may


def crowded(words: Words, late: Places) -> Places:
    """Return the verbs with two subjects before them, or with a time as subject.

    Args:
        words: The block.
        late: Times that are subjects.
    """
    subjects = np.flatnonzero(words.deprels == _NSUBJ)
    verbs = words.heads[subjects]
    verbs = verbs[(verbs > subjects) & (words.upos[verbs] == _VERB)]
    several = np.sort(verbs)
    several = several[1:][several[1:] == several[:-1]]
    times = words.heads[late]
    kept: Places = np.unique(np.concatenate([several, times[times > late]]))
    return kept


def _has_two(words: Words, verbs: Places) -> Flags:
    """Return which verbs have more than one object."""
    heads = words.heads[words.deprels == _OBJ]
    found, counts = np.unique(heads[np.isin(heads, verbs)], return_counts=True)
    several: Flags = np.isin(verbs, found[counts > 1])
    return several


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


def repair_columns(words: Words, objects: Places, verbs: Places, measures: Places) -> Counter[str]:
    """Put what a repair changes into heads and relations; return how often each rule did it.

    Args:
        words: The block.
        objects: Objects that may not be any, in ascending order.
        verbs: Verbs that may have a false subject, in ascending order.
        measures: Arguments of verbs that may be quantity nouns, in ascending order.
    """
    rules: Counter[str] = Counter()
    sentences = np.unique(words.sentences[np.concatenate([objects, verbs])])
    bounds = [np.searchsorted(words.sentences, sentences + more) for more in (0, 1)]
    some = [_by_sentence(places, *bounds) for places in (objects, verbs, measures)]
    first_and_after = zip(*(bound.tolist() for bound in bounds), strict=True)
    for (first, after), *suspects in zip(first_and_after, *some, strict=True):
        tree = ColumnTree(words, first, after)
        names = repair_tree(tree, *suspects)
        rules.update(names)
        if names:
            tree.put_back()
    alone = measures[~np.isin(words.sentences[measures], sentences)]
    if count := replace_measures(words, alone):
        rules[QUANTITY_RULE] += count
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
        places = slice(first, after)
        self.forms = _Cells(words.block, words.forms, places, lower=True)
        self.upos = _Cells(words.block, words.tags, places)
        self.deprels = self.relations = _Cells(words.block, words.relations, places)
        heads = words.heads[places].tolist()
        self.before = [head - first if head >= 0 else -1 for head in heads]
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

    def __init__(self, block: bytes, spans: Spans, places: slice, *, lower: bool = False) -> None:
        self._block, self._lower = block, lower
        self._start, self._end = spans[0][places], spans[1][places]
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
