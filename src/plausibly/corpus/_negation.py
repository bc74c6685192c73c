"""Negation and its like: which verbs are denied, only thought possible, or asked about.

The words are those of English and Italian.
"""

from __future__ import annotations

from collections.abc import Iterable

from plausibly.corpus._arguments import Arguments, key
from plausibly.ports import Sentence

NOT = frozenset({"not", "n't", "n\N{RIGHT SINGLE QUOTATION MARK}t", "never", "non"})
NO = frozenset({"no", "nessuno"})
NEITHER = "neither"
NOBODY = frozenset({"nobody", "nothing", "no-one", "noone", NEITHER, "nessuno", "niente", "nulla"})
OR = frozenset({"or", "nor"})
MODALS = frozenset(
    {
        *("can", "could", "may", "might", "must", "ought", "shall", "should", "will", "would"),
        *("ca", "wo", "sha", "'ll", "'d", "potere", "dovere"),
    }
)
CLOSING = frozenset("\"')]}\N{RIGHT DOUBLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}") | {"''"}
PARTICLE = "compound:prt"
ROLES = frozenset({"nsubj", "obj"})
PASSIVE_ROLES = ROLES | {"nsubj:pass", "obl:agent"}


def is_negated(sentence: Sentence, verb: int, arguments: Arguments, roles: frozenset[str]) -> bool:
    """Return whether a verb is negated, be it by the verb that it is joined to with `or`.

    Args:
        sentence: The tree.
        verb: Place of the verb.
        arguments: Who is subject and object of which verb.
        roles: The relations in which any word is an argument, pronouns included.
    """
    if _negated_itself(sentence, verb, arguments, roles):
        return True
    first = _or_joined_to(sentence, verb)
    return first is not None and _negated_itself(sentence, first, arguments, roles)


def _negated_itself(
    sentence: Sentence, verb: int, arguments: Arguments, roles: frozenset[str]
) -> bool:
    """Return whether a verb has `not` or `never`, or an argument that is `nobody` or has `no`."""
    own = {*arguments.subjects.get(verb, ()), *arguments.objects.get(verb, ())}
    for word, head in enumerate(sentence.heads):
        if head - 1 == verb:
            argument = sentence.deprels[word] in roles
            if key(sentence, word) in (NOT | NOBODY if argument else NOT):
                return True
            own |= {word} if argument else set()
    return any(
        head - 1 in own and _denies(key(sentence, word), sentence.deprels[word] == "det")
        for word, head in enumerate(sentence.heads)
    )


def _denies(lemma: str, determiner: bool) -> bool:
    return lemma == NEITHER or (determiner and lemma in NO)


def _or_joined_to(sentence: Sentence, verb: int) -> int | None:
    """Return the verb that one without a subject of its own is joined to by `or` or `nor`."""
    first = sentence.heads[verb] - 1
    if sentence.deprels[verb] != "conj" or first < 0 or _has_subject(sentence, verb):
        return None
    for place in range(verb, len(sentence.heads)):
        if sentence.deprels[place] == "conj" and sentence.heads[place] - 1 == first:
            joining = [
                key(sentence, word)
                for word, head in enumerate(sentence.heads)
                if head - 1 == place and sentence.deprels[word] == "cc"
            ]
            if joining:
                return first if OR & set(joining) else None
    return None


def _has_subject(sentence: Sentence, verb: int) -> bool:
    return any(
        head - 1 == verb and sentence.deprels[word].startswith(("nsubj", "csubj", "expl"))
        for word, head in enumerate(sentence.heads)
    )


def is_modal(sentence: Sentence, verb: int) -> bool:
    """Return whether a verb has a modal auxiliary."""
    return any(
        head - 1 == verb and sentence.deprels[word] == "aux" and key(sentence, word) in MODALS
        for word, head in enumerate(sentence.heads)
    )


def is_question(backwards: Iterable[str]) -> bool:
    """Return whether a sentence ends in a question mark, be it inside quotes or brackets.

    Args:
        backwards: Its forms, the last one first.

    >>> is_question((")", "?", "bark", "dogs", "Do")), is_question((".", "bark", "Dogs"))
    (True, False)
    """
    last = next((form for form in backwards if form.lower() not in CLOSING), "")
    return "?" in last


def has_particle(sentence: Sentence, verb: int) -> bool:
    """Return whether a verb has a particle: put off, take over."""
    return any(
        head - 1 == verb and sentence.deprels[word] == PARTICLE
        for word, head in enumerate(sentence.heads)
    )
