"""Arguments: who is subject and object of which verb, and which adjectives a noun has."""

from __future__ import annotations

from typing import NamedTuple

from plausibly.ports import Sentence

RELATIVE_PRONOUNS = frozenset({"who", "whom", "which", "that"})

Governed = dict[int, list[int]]

_PLAIN = dict.fromkeys(("nsubj", "obj", "amod"))


class Arguments(NamedTuple):
    """From verbs to their subjects and objects, from nouns to their adjectives, by position."""

    subjects: Governed
    objects: Governed
    adjectives: Governed


def key(sentence: Sentence, word: int) -> str:
    """Return the lower-cased lemma of a word, of its form where it has no lemma."""
    lemma = sentence.lemmas[word]
    return (sentence.forms[word] if lemma in ("", "_") else lemma).lower()


def plain_arguments(sentence: Sentence, nouns: frozenset[str]) -> Arguments | None:
    """Return what hangs on verbs and nouns in the tree itself; None if nothing does."""
    _, _, upos, heads, deprels = sentence
    governed: dict[str, Governed] = {}
    for word in [word for word, relation in enumerate(deprels) if relation in _PLAIN]:
        relation, head = deprels[word], heads[word] - 1
        if head < 0:
            continue
        if relation == "amod":
            counts = upos[word] == "ADJ" and upos[head] in nouns
        else:
            counts = upos[head] == "VERB" and upos[word] in nouns
        if counts:
            governed.setdefault(relation, {}).setdefault(head, []).append(word)
    if not governed:
        return None
    return Arguments(*(governed.get(relation, {}) for relation in _PLAIN))


def propagated_arguments(
    sentence: Sentence,
    nouns: frozenset[str],
    *,
    passives: bool,
    conjuncts: bool,
    relative_clauses: bool,
) -> Arguments:
    """Return what belongs to verbs and nouns beyond what hangs on them in the tree."""
    found = plain_arguments(sentence, nouns) or Arguments({}, {}, {})
    agents: Governed = {}
    if passives:
        _add(sentence, nouns, found.objects, "nsubj:pass")
        _add(sentence, nouns, agents, "obl:agent")
    if relative_clauses:
        _see_through_clauses(sentence, nouns, found, passives=passives)
    if conjuncts:
        _share(sentence, nouns, found, agents)
    for verb, words in agents.items():
        for word in words:
            _put(found.subjects, verb, word)
    return found


def _add(sentence: Sentence, nouns: frozenset[str], governed: Governed, relation: str) -> None:
    for word, deprel in enumerate(sentence.deprels):
        head = sentence.heads[word] - 1
        if deprel != relation or head < 0:
            continue
        if sentence.upos[head] == "VERB" and sentence.upos[word] in nouns:
            _put(governed, head, word)


def _see_through_clauses(
    sentence: Sentence, nouns: frozenset[str], found: Arguments, *, passives: bool
) -> None:
    """Put the noun a relative clause hangs on into the place of its relative pronoun."""
    places = {"nsubj": found.subjects, "obj": found.objects}
    if passives:
        places["nsubj:pass"] = found.objects
    for word, deprel in enumerate(sentence.deprels):
        verb = sentence.heads[word] - 1
        if deprel not in places or verb < 0 or not _relative(sentence, word, verb):
            continue
        noun = sentence.heads[verb] - 1
        if noun >= 0 and sentence.upos[noun] in nouns:
            _put(places[deprel], verb, noun)


def _relative(sentence: Sentence, word: int, verb: int) -> bool:
    return (
        sentence.upos[word] == "PRON"
        and sentence.upos[verb] == "VERB"
        and sentence.deprels[verb] == "acl:relcl"
        and sentence.forms[word].lower() in RELATIVE_PRONOUNS
    )


def _share(sentence: Sentence, nouns: frozenset[str], found: Arguments, agents: Governed) -> None:
    """Give conjuncts what the word they are joined to has.

    Nouns share the verb, adjectives the noun. A verb without a subject of its own takes the
    subjects of the first verb, unless either of them is passive; objects are not shared.
    """
    joined = [
        (word, head - 1)
        for word, head in enumerate(sentence.heads)
        if sentence.deprels[word] == "conj" and head > 0
    ]
    for word, first in joined:
        if sentence.upos[word] in nouns:
            for governed in (found.subjects, found.objects, agents):
                _join(governed, first, word)
        elif sentence.upos[word] == "ADJ":
            _join(found.adjectives, first, word)
    owned = {
        head - 1
        for head, deprel in zip(sentence.heads, sentence.deprels, strict=True)
        if deprel.startswith(("nsubj", "csubj", "aux:pass"))
    }
    for word, first in joined:
        if sentence.upos[word] == "VERB" and word not in owned:
            for noun in found.subjects.get(first, ()):
                _put(found.subjects, word, noun)


def _join(governed: Governed, first: int, word: int) -> None:
    for head in [head for head, words in governed.items() if first in words]:
        _put(governed, head, word)


def _put(governed: Governed, head: int, word: int) -> None:
    words = governed.setdefault(head, [])
    if word not in words:
        words.append(word)
