"""Relations in columns: does for whole blocks at once what `find` does per sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

import numpy as np
import polars as pl

from plausibly.corpus._column_measures import before_of
from plausibly.corpus._column_repair import (
    KINDS,
    QUANTITY,
    TIME,
    crowded,
    kinds_of,
    may_be_false,
    nouns_after_verb,
    repair_columns,
)
from plausibly.corpus._negation import MODALS, NEITHER, NO, NOBODY, NOT, is_question
from plausibly.corpus.relations import SVO, Marks, Patterns, Row
from plausibly.datasets.sp10k import RELATIONS as PAIRS
from plausibly.io.conllu.columns import DEPRELS, UPOS, Flags, Places, Words

FOLD = 1 << 20

_VERB, _NOUN, _ADJ = (UPOS.index(tag) + 1 for tag in ("VERB", "NOUN", "ADJ"))
_NSUBJ, _OBJ, _AMOD, _ROOT, _DET, _COMPOUND, _AUX = (DEPRELS.index(name) + 1 for name in DEPRELS)
_NONE: Places = np.zeros(0, dtype=np.int64)
_BITS = 28
_WORD = (1 << _BITS) - 1

_Event = tuple[int, list[int], list[int]]


class ColumnCounter:
    """Counts the relations of whole blocks.

    The patterns may differ from the defaults only in `relations` and `repair`. Each noun has one
    head, so the two-hop relations are a look-up, not a join. Words stay numbers until everything
    is counted; triples are rare, so their candidates are checked one by one. Sentences that may
    need a repair are rare, too: each is read as a tree, and its changes go into the columns.
    """

    def __init__(self, patterns: Patterns) -> None:
        self.triples: list[Row] = []
        self.marks: list[Marks] = []
        self.repaired: Counter[str] = Counter()
        self.sentences = 0
        self.words = 0
        self._relations = patterns.relations
        self._repairs = patterns.repair == "on"
        self._kinds = np.zeros(0, dtype=KINDS)
        self._numbers: dict[bytes, int] = {}
        self._pending: list[Places] = []
        self._codes = np.zeros(0, dtype=np.int64)
        self._counts = np.zeros(0, dtype=np.int64)

    def add(self, words: Words) -> None:
        """Count the relations of a block's words; repairs change heads and relations in place."""
        if not len(words):
            return
        argument, modifier = _arguments(words)
        number = np.full(len(words), -1)
        suspects = nouns_after_verb(words) if self._repairs else _NONE
        self._number(words, number, argument | modifier, suspects)
        if self._repairs and self._repair(words, number, suspects, np.flatnonzero(argument)):
            argument, modifier = _arguments(words)
            self._number(words, number, argument | modifier, _NONE)
        self._count(words, number, argument, modifier)
        self.words += len(words)
        self.sentences += words.count_sentences()
        if sum(map(len, self._pending)) >= FOLD:
            self._fold()

    def _count(self, words: Words, number: Places, argument: Flags, modifier: Flags) -> None:
        nouns, adjectives = np.flatnonzero(argument), np.flatnonzero(modifier)
        modified = words.heads[adjectives]
        for role, name in ((_NSUBJ, "nsubj"), (_OBJ, "dobj")):
            own = nouns[words.deprels[nouns] == role]
            self._put(name, number[words.heads[own]], number[own])
            hops = argument[modified] & (words.deprels[modified] == role)
            verbs = words.heads[modified[hops]]
            self._put(f"{name}_amod", number[verbs], number[adjectives[hops]])
        self._put("amod", number[modified], number[adjectives])
        if SVO in self._relations:
            for (verb, subjects, objects), marks in _events(words, argument):
                head = words.key(verb)
                rows = [(SVO, head, words.key(s), words.key(o)) for s in subjects for o in objects]
                self.triples += rows
                self.marks += [marks] * len(rows)

    def _repair(self, words: Words, number: Places, suspects: Places, nouns: Places) -> bool:
        """Repair the trees of a block; return whether any head or relation changed."""
        unseen = kinds_of(islice(self._numbers, len(self._kinds), None))
        kinds = self._kinds = np.concatenate([self._kinds, unseen])
        verbs, objects = kinds[number[words.heads[suspects]]], kinds[number[suspects]]
        places = suspects[may_be_false(words, suspects, verbs=verbs, objects=objects)]
        measures = before_of(words, nouns[kinds[number[nouns]] & QUANTITY > 0])
        late = nouns[(kinds[number[nouns]] & TIME > 0) & (words.deprels[nouns] == _NSUBJ)]
        rules = repair_columns(words, places, crowded(words, late), measures)
        self.repaired.update(rules)
        return bool(rules)

    def _number(self, words: Words, number: Places, named: Flags, others: Places) -> None:
        """Number words and their heads, equal lemmas alike, unless they have a number."""
        wanted = named.copy()
        wanted[others] = True
        wanted[words.heads[wanted]] = True
        chosen = np.flatnonzero(wanted & (number < 0))
        start, end = words.lemmas[0][chosen], words.lemmas[1][chosen]
        block, numbers = words.block, self._numbers
        for place in np.flatnonzero(end - start == 1).tolist():
            if block[start[place]] == ord("_"):
                start[place], end[place] = (side[chosen[place]] for side in words.forms)
        number[chosen] = [
            numbers.setdefault(block[first:after], len(numbers))
            for first, after in zip(start.tolist(), end.tolist(), strict=True)
        ]

    def _put(self, relation: str, heads: Places, dependents: Places) -> None:
        if relation in self._relations:
            code = PAIRS.index(relation) << 2 * _BITS
            self._pending.append(code | heads << _BITS | dependents)

    def _fold(self) -> None:
        """Add up what is pending."""
        pending = np.concatenate([self._codes, *self._pending])
        ones = np.ones(len(pending) - len(self._codes), dtype=np.int64)
        codes, inverse = np.unique(pending, return_inverse=True)
        counts = np.zeros(len(codes), dtype=np.int64)
        np.add.at(counts, inverse, np.concatenate([self._counts, ones]))
        self._codes, self._counts, self._pending = codes, counts, []

    def frame(self) -> pl.DataFrame:
        """Return relation, head, dependent and count; a pair may have more than one row."""
        self._fold()
        keys = pl.Series([cell.decode().lower() for cell in self._numbers], dtype=pl.String)
        names = pl.Series(PAIRS, dtype=pl.String)
        return pl.DataFrame(
            {
                "relation": names.gather(self._codes >> 2 * _BITS),
                "head": keys.gather(self._codes >> _BITS & _WORD),
                "dependent": keys.gather(self._codes & _WORD),
                "count": self._counts,
            }
        )


def _arguments(words: Words) -> tuple[Flags, Flags]:
    """Return which words are arguments of a verb, and which modify a noun."""
    headed = words.heads >= 0
    argument = (words.deprels == _NSUBJ) | (words.deprels == _OBJ)
    argument &= (words.upos == _NOUN) & headed
    argument &= words.upos[words.heads] == _VERB
    modifier = (words.deprels == _AMOD) & (words.upos == _ADJ) & headed
    modifier &= words.upos[words.heads] == _NOUN
    return argument, modifier


def _events(words: Words, argument: Flags) -> Iterator[tuple[_Event, Marks]]:
    """Yield every event with its marks."""
    verbs = [words.heads[argument & (words.deprels == role)] for role in (_NSUBJ, _OBJ)]
    candidates = np.intersect1d(*verbs)
    roots = candidates[words.deprels[candidates] == _ROOT]
    if not len(roots):
        return
    free = _free(words)
    below = words.children(roots[free[roots]])
    events = []
    for verb, children in below.items():
        nouns = [noun for noun in children if argument[noun] and free[noun]]
        subjects, objects = (
            [noun for noun in nouns if words.deprels[noun] == role] for role in (_NSUBJ, _OBJ)
        )
        if subjects and objects:
            events.append((verb, subjects, objects))
    children = [child for verb, _, _ in events for child in below[verb]]
    below |= words.children(np.array(children, dtype=np.int64))
    for event in events:
        yield event, _marks(words, event[0], below)


def _free(words: Words) -> Flags:
    """Return which words are not `compound` and have no dependent that is."""
    compounds = np.flatnonzero(words.deprels == _COMPOUND)
    heads = words.heads[compounds]
    free = np.ones(len(words), dtype=np.bool_)
    free[compounds] = False
    free[heads[heads >= 0]] = False
    return free


def _marks(words: Words, verb: int, below: Mapping[int, list[int]]) -> Marks:
    """Return the marks of an event; its verb never has a particle here."""
    modal = any(
        words.deprels[child] == _AUX and words.key(child) in MODALS for child in below[verb]
    )
    question = is_question(words.form(place) for place in reversed(words.sentence_of(verb)))
    return Marks(_is_negated(words, verb, below), modal, question, particle=False)


def _is_negated(words: Words, verb: int, below: Mapping[int, list[int]]) -> bool:
    """Return what `negation.is_negated` returns for a verb that is the root."""
    arguments = [child for child in below[verb] if words.deprels[child] in (_NSUBJ, _OBJ)]
    for child in below[verb]:
        if words.key(child) in (NOT | NOBODY if child in arguments else NOT):
            return True
    for argument in arguments:
        for place in below[argument]:
            lemma = words.key(place)
            if lemma == NEITHER or (lemma in NO and words.deprels[place] == _DET):
                return True
    return False
