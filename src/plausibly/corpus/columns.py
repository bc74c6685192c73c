"""Relations in columns: what `find` says of each sentence, said of a whole block at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from plausibly.corpus.relations import SVO, Found, Patterns, Row, find
from plausibly.io.conllu_columns import DEPRELS, UPOS, Flags, Places, Words

_VERB, _NOUN, _ADJ = (UPOS.index(tag) + 1 for tag in ("VERB", "NOUN", "ADJ"))
_NSUBJ, _OBJ, _AMOD, _ROOT = (DEPRELS.index(name) + 1 for name in ("nsubj", "obj", "amod", "root"))
_PAIR = {_NSUBJ: "nsubj", _OBJ: "dobj"}
_TRIPLES_ALONE = Patterns(relations=(SVO,))
_TWO_HOPS = {_NSUBJ: "nsubj_amod", _OBJ: "dobj_amod"}


def find_in_columns(words: Words, patterns: Patterns) -> Found:
    """Return every relation in a block's words; the patterns may differ in `relations` alone.

    Each noun has one head, so the two-hop relations are a look-up, not a join. Triples are rare:
    the few sentences that can hold one are read as sentences.
    """
    if not len(words):
        return Found([], 0)
    headed = words.heads >= 0
    argument = (words.deprels == _NSUBJ) | (words.deprels == _OBJ)
    argument &= (words.upos == _NOUN) & headed
    argument &= words.upos[words.heads] == _VERB
    modifier = (words.deprels == _AMOD) & (words.upos == _ADJ) & headed
    modifier &= words.upos[words.heads] == _NOUN
    nouns, adjectives = np.flatnonzero(argument), np.flatnonzero(modifier)
    modified = words.heads[adjectives]
    of_argument = argument[modified]
    key = _keys(words, np.concatenate((nouns, words.heads[nouns], adjectives, modified)))
    rows: list[Row] = [
        (_PAIR[relation], key(verb), key(noun), "")
        for relation, verb, noun in _listed(words, nouns, nouns)
    ]
    rows += [
        (_TWO_HOPS[relation], key(verb), key(adjective), "")
        for relation, verb, adjective in _listed(
            words, modified[of_argument], adjectives[of_argument]
        )
    ]
    rows += [
        ("amod", key(noun), key(adjective), "")
        for noun, adjective in zip(modified.tolist(), adjectives.tolist(), strict=True)
    ]
    triples = _triples(words, argument) if SVO in patterns.relations else Found([], 0)
    wanted = set(patterns.relations)
    return Found([row for row in rows if row[0] in wanted] + triples.rows, triples.negated)


def _listed(words: Words, arguments: Places, dependents: Places) -> Iterator[tuple[int, int, int]]:
    """Yield the relation an argument has to its verb, the verb, and a dependent of either."""
    relations, verbs = words.deprels[arguments], words.heads[arguments]
    return zip(relations.tolist(), verbs.tolist(), dependents.tolist(), strict=True)


def _keys(words: Words, places: Places) -> Callable[[int], str]:
    """Return a look-up of the key of each of the given words, as `relations.key` makes it."""
    wanted = np.unique(places)
    starts, ends = words.lemmas[0][wanted].tolist(), words.lemmas[1][wanted].tolist()
    keys: dict[int, str] = {}
    for word, start, end in zip(wanted.tolist(), starts, ends, strict=True):
        cell = words.block[start:end]
        if cell == b"_":
            cell = words.block[words.forms[0][word] : words.forms[1][word]]
        keys[word] = cell.decode().lower()
    return keys.__getitem__


def _triples(words: Words, argument: Flags) -> Found:
    """Return the triples, found in the sentences whose root verb has both arguments."""
    roots = (words.deprels == _ROOT) & (words.upos == _VERB)
    verbs = [words.heads[argument & (words.deprels == role)] for role in (_NSUBJ, _OBJ)]
    candidates = np.intersect1d(*verbs)
    rows: list[Row] = []
    negated = 0
    for verb in candidates[roots[candidates]].tolist():
        found = find(words.sentence(verb), _TRIPLES_ALONE)
        rows += found.rows
        negated += found.negated
    return Found(rows, negated)
