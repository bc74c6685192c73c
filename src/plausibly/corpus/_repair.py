"""Repair: what a parser often gets wrong is put right in the tree before relations are looked for.

The rules for reporting verbs are in `_reporting`. A noun that only measures (hundreds of
competitors) gives its place to the noun after `of`.
"""

from __future__ import annotations

from typing import Literal

from plausibly.corpus._reporting import (
    CLAUSE,
    ELSEWHERE,
    NOUNS,
    SPEAKER,
    UNSAYABLE,
    Tree,
    false_object,
    reporting_words,
)
from plausibly.ports import Sentence

Repair = Literal["on", "none"]
QUANTITY, ENTITY = "quantity", "entity"
RULES = (CLAUSE, ELSEWHERE, SPEAKER, UNSAYABLE, QUANTITY, ENTITY)
OF = "of"

_DEFINITE = frozenset({"the", "this", "that", "these", "those"})
_STAY = frozenset({"amod", "nummod", "compound", "advmod", "punct", "nmod", "nmod:poss"})


def repaired(sentence: Sentence, roles: frozenset[str]) -> tuple[Sentence, list[str]]:
    """Return a sentence with a repaired tree, and the rule behind each change.

    Args:
        sentence: The tree as parsed.
        roles: The relations in which a word is an argument of its verb.

    >>> said = Sentence(("They", "say", "dogs", "can", "bark"), ("they", "say", "dog", "can",
    ...                 "bark"), ("PRON", "VERB", "NOUN", "AUX", "VERB"), (2, 0, 2, 5, 2),
    ...                 ("nsubj", "root", "obj", "aux", "ccomp"))
    >>> tree, rules = repaired(said, frozenset({"nsubj", "obj"}))
    >>> tree.heads[2], tree.deprels[2], rules
    (5, 'nsubj', ['clause'])
    """
    objects = _suspects(sentence)
    measures = _measures(sentence, roles)
    if not (objects or measures):
        return sentence, []
    tree, actions = Tree(sentence), list[str]()
    for noun in objects:
        rule = false_object(tree, noun, reporting_words())
        actions += [rule] if rule else []
    for noun in measures:
        actions += [QUANTITY] * _replace_measures(tree, noun)
    return (tree.repaired() if actions else sentence), actions


def _suspects(sentence: Sentence) -> list[int]:
    """Return the nouns that are objects of a reporting verb before them."""
    if "obj" not in sentence.deprels:
        return []
    heads, upos, verbs = sentence.heads, sentence.upos, reporting_words().verbs
    return [
        noun
        for noun, deprel in enumerate(sentence.deprels)
        if deprel == "obj"
        and 0 < heads[noun] <= noun
        and upos[noun] in NOUNS
        and upos[heads[noun] - 1] == "VERB"
        and _lemma(sentence, heads[noun] - 1) in verbs
    ]


def _measures(sentence: Sentence, roles: frozenset[str]) -> list[int]:
    """Return the arguments of verbs that are quantity nouns right before `of`."""
    heads, upos, quantities = sentence.heads, sentence.upos, reporting_words().quantities
    return [
        place - 1
        for place, form in enumerate(sentence.forms)
        if place
        and form.lower() == OF
        and sentence.deprels[place - 1] in roles
        and upos[place - 1] == "NOUN"
        and heads[place - 1] > 0
        and upos[heads[place - 1] - 1] == "VERB"
        and _lemma(sentence, place - 1) in quantities
    ]


def _lemma(sentence: Sentence, word: int) -> str:
    lemma = sentence.lemmas[word]
    return (sentence.forms[word] if lemma in ("", "_") else lemma).lower()


def _replace_measures(tree: Tree, noun: int) -> int:
    """Replace quantity nouns (thousands of hectares of forest); return how many there were."""
    count = 0
    while _replace_measure(tree, noun):
        noun, count = tree.heads[noun], count + 1
    return count


def _replace_measure(tree: Tree, noun: int) -> bool:
    """Put the noun after `of` into the place of a quantity noun; return whether there is one."""
    of = noun + 1
    if (
        of >= tree.size
        or tree.forms[of] != OF
        or tree.key(noun) not in reporting_words().quantities
    ):
        return False
    measured = tree.heads[of]
    if tree.deprels[of] != "case" or measured <= of or tree.heads[measured] != noun:
        return False
    if tree.upos[measured] not in NOUNS or tree.deprels[measured].partition(":")[0] != "nmod":
        return False
    if tree.key(noun) in reporting_words().figures and _names_figure(tree, noun):
        return False
    for child in tree.children(noun):
        if child != measured and tree.deprels[child] not in _STAY:
            tree.heads[child] = measured
    tree.put(measured, tree.heads[noun], tree.deprels[noun])
    tree.put(noun, measured, "nmod")
    return True


def _names_figure(tree: Tree, noun: int) -> bool:
    """Return whether a quantity noun is definite, or means kinds: new varieties of rice."""
    kinds = tree.key(noun) == "variety" and tree.forms[noun] == "varieties"
    return kinds or any(
        tree.deprels[child] == "nmod:poss"
        or (tree.deprels[child] == "det" and tree.forms[child] in _DEFINITE)
        for child in tree.children(noun)
    )
