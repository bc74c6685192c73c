"""Repair: what a parser often gets wrong is put right in the tree before relations are looked for.

The rules for reporting verbs are in `_reporting`, those for predicates and receivers in
`_frames`, those for a second subject in `_subjects`. A noun that only measures (hundreds of
competitors) gives its place to the noun after `of`; its words are in `_measures`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from plausibly.corpus._arguments import key
from plausibly.corpus._frames import (
    EXTENT,
    INFINITIVE,
    OBJECTLESS,
    PREDICATE,
    RATE,
    RECEIVER,
    outside_frame,
)
from plausibly.corpus._measures import QUANTITY, STAY, measure_words
from plausibly.corpus._reporting import (
    CLAUSE,
    ELSEWHERE,
    MARKS,
    NOUNS,
    SPEAKER,
    UNSAYABLE,
    VERBAL,
    false_object,
)
from plausibly.corpus._reporting_words import reporting_words
from plausibly.corpus._subjects import ADDRESS, DESCRIPTION, TIME, TWO, false_subjects
from plausibly.corpus._trees import Tree
from plausibly.ports import Sentence

Repair = Literal["on", "none"]
ENTITY = "entity"
RULES = (
    *(CLAUSE, ELSEWHERE, SPEAKER, UNSAYABLE, PREDICATE, RECEIVER, EXTENT, OBJECTLESS, DESCRIPTION),
    *(INFINITIVE, TIME, ADDRESS, QUANTITY, ENTITY),
)


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
    objects, crowded, measures = (
        object_suspects(sentence),
        subject_suspects(sentence),
        quantity_suspects(sentence, roles),
    )
    if not (objects or crowded or measures):
        return sentence, []
    tree = Tree(sentence)
    rules = repair_tree(tree, objects, crowded, measures)
    return (tree.repaired() if rules else sentence), rules


def repair_tree(
    tree: Tree, objects: Sequence[int], crowded: Sequence[int], measures: Sequence[int]
) -> list[str]:
    """Repair a tree; return the rule behind each change.

    Args:
        tree: What is changed.
        objects: Nouns that may not be the object of their verb.
        crowded: Verbs with two subjects before them, or with a time as subject.
        measures: Quantity nouns right before `of`.
    """
    words = reporting_words()
    rules = [
        rule
        for noun in objects
        if (rule := false_object(tree, noun, words) or outside_frame(tree, noun, words))
    ]
    rules += [rule for verb in crowded for rule in false_subjects(tree, verb, words)]
    return rules + [QUANTITY for noun in measures for _ in range(_replace_measures(tree, noun))]


def object_suspects(sentence: Sentence) -> list[int]:
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
            or lemma in known.objectless
            or ((lemma in known.naming or lemma in known.giving) and _has_two(sentence, verb))
            or (lemma in known.allowing and noun < last)
            or _may_measure(sentence, verb, noun)
        ):
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


def _may_measure(sentence: Sentence, verb: int, noun: int) -> bool:
    """Return whether a unit or a time may be how far, how long, when, or per what."""
    known, lemma, unit = reporting_words(), key(sentence, verb), key(sentence, noun)
    if unit not in known.units:
        return False
    if unit in known.extents and (lemma in known.changing or lemma in known.growing):
        return True
    if unit in known.times and (lemma in known.lasting or _has_two(sentence, verb)):
        return True
    return sentence.forms[noun - 1].lower() in RATE


def _has_two(sentence: Sentence, verb: int) -> bool:
    """Return whether a verb has more than one object."""
    pairs = zip(sentence.heads, sentence.deprels, strict=True)
    return sum(head == verb + 1 and deprel == "obj" for head, deprel in pairs) > 1


def subject_suspects(sentence: Sentence) -> list[int]:
    """Return the verbs with two subjects before them, or with a time as subject before them."""
    if "nsubj" not in sentence.deprels:
        return []
    heads, upos, times = sentence.heads, sentence.upos, reporting_words().times
    subjects = Counter(
        heads[place] - 1
        for place, deprel in enumerate(sentence.deprels)
        if deprel == "nsubj" and place < heads[place] - 1 and upos[heads[place] - 1] == "VERB"
    )
    late = {
        heads[place] - 1
        for place, deprel in enumerate(sentence.deprels)
        if deprel == "nsubj" and upos[place] == "NOUN" and key(sentence, place) in times
    }
    return sorted(verb for verb, count in subjects.items() if count >= TWO or verb in late)


def quantity_suspects(sentence: Sentence, roles: frozenset[str]) -> list[int]:
    """Return the arguments of verbs that are quantity nouns right before `of`."""
    heads, upos, tables = sentence.heads, sentence.upos, measure_words()
    return [
        place - 1
        for place, form in enumerate(sentence.forms)
        if place
        and (of := tables.get(form.lower())) is not None
        and sentence.deprels[place - 1] in roles
        and upos[place - 1] == "NOUN"
        and heads[place - 1] > 0
        and upos[heads[place - 1] - 1] == "VERB"
        and key(sentence, place - 1) in of.quantities
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
    words = measure_words().get(tree.forms[of]) if of < tree.size else None
    if words is None or tree.key(noun) not in words.quantities:
        return False
    measured = tree.heads[of]
    if tree.deprels[of] != "case" or measured <= of or tree.heads[measured] != noun:
        return False
    if tree.upos[measured] not in NOUNS or tree.deprels[measured].partition(":")[0] != "nmod":
        return False
    children = tree.children(noun)
    below = [(tree.deprels[child], tree.forms[child]) for child in children if child < noun]
    if not words.measures(tree.key(noun), tree.forms[noun], below):
        return False
    for child in children:
        if child != measured and tree.deprels[child] not in STAY:
            tree.heads[child] = measured
    tree.put(measured, tree.heads[noun], tree.deprels[noun])
    if tree.deprels[noun] == "obj" and tree.key(tree.heads[noun]) == "say":
        false_object(tree, measured, reporting_words())
    tree.put(noun, measured, "nmod")
    return True
