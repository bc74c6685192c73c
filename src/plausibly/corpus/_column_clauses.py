"""Clauses in columns: objects that no rule for clauses can change, found without reading trees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plausibly.corpus._reporting import (
    AUXILIARIES,
    CLAUSES,
    COMMAS,
    FINITE,
    LINKS,
    SUBJECTS,
)
from plausibly.io.conllu.columns import UPOS, Flags, Places, Spans, Words

_VERB, _NOUN, _PROPN, _AUX = (UPOS.index(tag) + 1 for tag in ("VERB", "NOUN", "PROPN", "AUX"))
_SEEN = 8
_BYTES = np.arange(_SEEN)
_LINKS = [np.uint64(int.from_bytes(name.encode(), "little")) for name in LINKS]

Starts = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class _Copies:
    """One copy of a sentence for each object in it, and at the end a place for the head of roots.

    Args:
        places: The word of the block behind each word of a copy.
        heads: The head of each word among all copies; a root has the last word.
        owner: Which object a copy is for.
        begins: Where each copy begins.
        nouns: Where each object is in its copy.
        verbs: Where its verb is.
        relations: How the relation of each word begins.
        upos: Parts of speech, as in the block.
    """

    places: Places
    heads: Places
    owner: Places
    begins: Places
    nouns: Places
    verbs: Places
    relations: Starts
    upos: npt.NDArray[np.int8]


def may_belong_to_clause(words: Words, objects: Places, *, strong: Flags) -> Flags:
    """Return which objects of reporting verbs a rule for clauses may change.

    The conditions are a little wider than those of `false_object`, which reads the tree.

    Args:
        words: The block.
        objects: Nouns that are objects of a verb before them.
        strong: Which of their verbs hardly ever have an object.
    """
    may: Flags = np.zeros(len(objects), dtype=np.bool_)
    if not len(objects):
        return may
    copies = _copied(words, objects)
    owner, heads, relations = copies.owner, copies.heads, copies.relations
    below_noun = heads == copies.nouns[owner]
    may[owner[below_noun & _begin_with(relations, *AUXILIARIES)]] = True
    above = heads[copies.verbs]
    may |= (above > copies.nouns) & _begin_with(relations[copies.verbs], *SUBJECTS)
    clause = (heads == copies.verbs[owner]) & (np.arange(len(heads)) > copies.nouns[owner])
    clause &= _begin_with(relations, *CLAUSES)
    relative = below_noun & _begin_with(relations, "acl")
    may[owner[_open(words, copies, clause, relative)]] = True
    return may | _before_clause(words, copies, strong)


def _copied(words: Words, objects: Places) -> _Copies:
    first, after = (
        np.searchsorted(words.sentences, words.sentences[objects] + more) for more in (0, 1)
    )
    sizes = after - first
    begins = np.cumsum(sizes) - sizes
    owner = np.repeat(np.arange(len(objects)), sizes)
    moved = begins - first
    places = np.arange(len(owner)) - moved[owner]
    heads = words.heads[places]
    heads = np.where(heads >= 0, heads + moved[owner], len(owner))
    return _Copies(
        places,
        np.append(heads, len(owner)),
        np.append(owner, -1),
        begins,
        objects + moved,
        words.heads[objects] + moved,
        np.append(_first_bytes(words, words.relations, places), np.uint64(0)),
        np.append(words.upos[places], np.int8(0)),
    )


def _first_bytes(words: Words, spans: Spans, places: Places) -> Starts:
    """Return the first eight bytes of cells as numbers."""
    text = np.frombuffer(words.block, dtype=np.uint8)
    start, end = (side[places][:, None] for side in spans)
    each = start + _BYTES
    cells = np.where(each < end, text[np.minimum(each, len(text) - 1)], np.uint8(0))
    seen: Starts = cells.view("<u8")[:, 0]
    return seen


def _begin_with(cells: Starts, *names: str) -> Flags:
    """Return which cells begin with one of some names, as far as the first eight bytes show."""
    begin: Flags = np.zeros(len(cells), dtype=np.bool_)
    for name in names:
        seen = name.encode()[:_SEEN]
        mask = np.uint64((1 << 8 * len(seen)) - 1)
        begin |= cells & mask == np.uint64(int.from_bytes(seen, "little"))
    return begin


def _open(words: Words, copies: _Copies, clause: Flags, relative: Flags) -> Places:
    """Return the finite clauses that neither have a subject nor are joined to the verb."""
    heads, every = copies.heads, clause | relative
    below = np.flatnonzero(every[heads])
    relations = copies.relations[below]
    bound = np.isin(relations, _LINKS) & ~relative[heads[below]]
    bound |= _begin_with(relations, *SUBJECTS) & (copies.upos[below] != _VERB)
    every[heads[below[bound]]] = False
    finite = np.zeros(len(heads), dtype=np.bool_)
    finite[heads[below[_begin_with(relations, *AUXILIARIES)]]] = True
    plain = np.flatnonzero(every & clause & ~finite & (copies.upos == _VERB))
    finite[[place for place in plain.tolist() if not _is_gerund(words, copies, place)]] = True
    return np.flatnonzero(every & finite)


def _is_gerund(words: Words, copies: _Copies, place: int) -> bool:
    return words.form(copies.places[place]).lower().endswith("ing")


def _before_clause(words: Words, copies: _Copies, strong: Flags) -> Flags:
    """Return which objects, with all that depends on them, end before a clause of its own.

    It begins with a finite verb, a noun that is a subject or, after strong verbs, a comma.
    """
    is_none = len(copies.places)
    sizes = np.diff(copies.begins, append=is_none)
    ends = copies.begins + sizes
    after = _last_below(copies, int(sizes.max())) + 1
    inside = np.where(after < ends, after, is_none)
    noun = (copies.upos == _NOUN) | (copies.upos == _PROPN)
    subject = noun & (copies.heads > np.arange(is_none + 1))
    subject &= _begin_with(copies.relations, "nsubj")
    may: Flags = np.zeros(len(after), dtype=np.bool_)
    above = inside
    for _ in range(int(sizes.max())):
        if (above == is_none).all():
            break
        may |= subject[above]
        above = copies.heads[above]
    for owner in np.flatnonzero(~may & (inside < is_none)).tolist():
        place, end = (int(side[owner]) - int(copies.begins[owner]) for side in (after, ends))
        first = int(copies.places[copies.begins[owner]])
        may[owner] = _may_be_finite(words, first + place, first + end, strong=strong[owner])
    return may


def _last_below(copies: _Copies, longest: int) -> Places:
    """Return the last word of each object's subtree."""
    below = np.zeros(len(copies.heads), dtype=np.bool_)
    below[copies.nouns] = True
    heads = copies.heads
    for _ in range(longest.bit_length()):
        below |= below[heads]
        heads = heads[heads]
    every = np.where(below[:-1], np.arange(len(below) - 1), -1)
    return np.maximum.reduceat(every, copies.begins)


def _may_be_finite(words: Words, place: int, end: int, *, strong: bool) -> bool:
    """Return whether a word, after adverbs, may be a finite verb; a comma is one if `strong`."""
    while words.upos[place] == 0 and words.tag(place) == b"ADV":
        place += 1
        if place == end:
            return False
    if words.upos[place] in (_VERB, _AUX):
        form = words.form(place).lower()
        return form in FINITE or form.endswith("s")
    return strong and words.form(place).lower() in COMMAS
