"""Repair: what a parser often gets wrong is put right in the tree before relations are looked for.

The rules for reporting verbs are in `_reporting`, those for predicates and receivers in
`_frames`. A noun that only measures (hundreds of
competitors) gives its place to the noun after `of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from plausibly.corpus._arguments import key
from plausibly.corpus._frames import EXTENT, PREDICATE, RECEIVER, outside_frame
from plausibly.corpus._reporting import (
    CLAUSE,
    ELSEWHERE,
    MARKS,
    NOUNS,
    SPEAKER,
    UNSAYABLE,
    VERBAL,
    false_object,
    reporting_words,
)
from plausibly.corpus._trees import Tree
from plausibly.ports import Sentence

Repair = Literal["on", "none"]
QUANTITY, ENTITY = "quantity", "entity"
RULES = (CLAUSE, ELSEWHERE, SPEAKER, UNSAYABLE, PREDICATE, RECEIVER, EXTENT, QUANTITY, ENTITY)
OF = "of"

DEFINITE = frozenset({"the", "this", "that", "these", "those"})
STAY = frozenset({"amod", "nummod", "compound", "advmod", "punct", "nmod", "nmod:poss"})


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
    objects, measures = suspects(sentence), _measures(sentence, roles)
    if not (objects or measures):
        return sentence, []
    tree = Tree(sentence)
    rules = repair_tree(tree, objects, measures)
    return (tree.repaired() if rules else sentence), rules


def repair_tree(tree: Tree, objects: Sequence[int], measures: Sequence[int]) -> list[str]:
    """Repair a tree; return the rule behind each change.

    Args:
        tree: What is changed.
        objects: Nouns that may not be the object of their verb.
        measures: Quantity nouns right before `of`.
    """
    words = reporting_words()
    rules = [
        rule
        for noun in objects
        if (rule := false_object(tree, noun, words) or outside_frame(tree, noun, words))
    ]
    return rules + [QUANTITY for noun in measures for _ in range(_replace_measures(tree, noun))]


def suspects(sentence: Sentence) -> list[int]:
    """Return the nouns that may not be the object of the verb before them.

    Without a verb after the noun, or an auxiliary before it, it can belong to no other clause.
    """
    if "obj" not in sentence.deprels:
        return []
    heads, upos, known = sentence.heads, sentence.upos, reporting_words()
    last = max((place for place, tag in enumerate(upos) if tag in VERBAL), default=-1)
    found = []
    for noun, deprel in enumerate(sentence.deprels):
        verb = heads[noun] - 1
        if deprel != "obj" or not 0 <= verb < noun or upos[noun] not in NOUNS:
            continue
        if upos[verb] != "VERB":
            continue
        lemma = key(sentence, verb)
        if (
            lemma in known.copular
            or lemma in known.linking
            or ((lemma in known.naming or lemma in known.giving) and _has_two(sentence, verb))
        ):
            found.append(noun)
            continue
        if lemma in known.changing and key(sentence, noun) in known.extents:
            found.append(noun)
            continue
        if lemma not in known.verbs:
            continue
        clause = lemma in known.clausal and (noun < last or "AUX" in upos[verb:noun])
        spoken = lemma in known.speech and verb > 0 and sentence.forms[verb - 1].lower() in MARKS
        person = lemma in known.impersonal and key(sentence, noun) in known.persons
        if lemma == "say" or clause or spoken or person:
            found.append(noun)
    return found


def _has_two(sentence: Sentence, verb: int) -> bool:
    """Return whether a verb has more than one object."""
    pairs = zip(sentence.heads, sentence.deprels, strict=True)
    return sum(head == verb + 1 and deprel == "obj" for head, deprel in pairs) > 1


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
        and key(sentence, place - 1) in quantities
    ]


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
        if child != measured and tree.deprels[child] not in STAY:
            tree.heads[child] = measured
    tree.put(measured, tree.heads[noun], tree.deprels[noun])
    tree.put(noun, measured, "nmod")
    return True


def _names_figure(tree: Tree, noun: int) -> bool:
    """Return whether a quantity noun is definite, or means kinds: new varieties of rice."""
    kinds = tree.key(noun) == "variety" and tree.forms[noun] == "varieties"
    return kinds or any(
        tree.deprels[child] == "nmod:poss"
        or (tree.deprels[child] == "det" and tree.forms[child] in DEFINITE)
        for child in tree.children(noun)
    )
