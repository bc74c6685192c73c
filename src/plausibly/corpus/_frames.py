"""Frames: nouns that a parser takes for objects though they are predicates or receivers.

The words are in `reporting_en.toml`, made by `training/count_reporting.py`.
"""

from __future__ import annotations

from plausibly.corpus._reporting_words import ReportingWords
from plausibly.corpus._subjects import TIME
from plausibly.corpus._trees import Tree

PREDICATE, RECEIVER, EXTENT, OBJECTLESS = "predicate", "receiver", "extent", "objectless"
INFINITIVE = "infinitive"
RATE = frozenset({"a", "an"})
_TWO = 2
_WHICH = frozenset({"last", "next", "this", "each", "every"})
_MONEY = frozenset({"SYM", "NUM"})


def outside_frame(tree: Tree, noun: int, words: ReportingWords) -> str | None:
    """Give a noun the relation its verb's frame has for it; return the name of the rule, or None.

    A noun after `become` is a predicate, and so are the second object of `call` and an indefinite
    noun after `prove` that cannot be proved. The first of two objects of `give`, one right after
    the other, is who receives the second. A unit after `fall` is how far something falls, years
    after `play` are how long someone plays. The verb `come` has no object, `cut the crop this
    season` and `two cents a kilogram` have one, and `allow growers to test` has a clause.
    """
    verb = tree.heads[noun]
    if verb < 0 or tree.deprels[noun] != "obj":
        return None
    lemma = tree.key(verb)
    objects = [
        child for child in tree.children(verb) if child > verb and tree.deprels[child] == "obj"
    ]
    linked = lemma in words.linking and _is_indefinite(tree, noun, words)
    if _says_when(tree, noun, objects, words):
        rule, deprel = TIME, "obl"
    elif linked or lemma in words.copular or (lemma in words.naming and objects[0] < noun):
        rule, deprel = PREDICATE, "xcomp"
    elif lemma in words.objectless and tree.forms[max(verb - 2, 0) : verb] != ["out", "-"]:
        rule, deprel = OBJECTLESS, "obl"
    elif _is_extent(tree, lemma, noun, words):
        rule, deprel = EXTENT, "obl"
    elif lemma in words.giving and _receives(tree, noun, objects, words):
        rule, deprel = RECEIVER, "iobj"
    else:
        acts = lemma in words.allowing and _opens_infinitive(tree, verb, noun)
        return INFINITIVE if acts else None
    tree.deprels[noun] = deprel
    return rule


def _says_when(tree: Tree, noun: int, objects: list[int], words: ReportingWords) -> bool:
    """Return whether a time after another object says when: cut the crop | this season."""
    if tree.key(noun) not in words.times or objects[0] == noun:
        return False
    return any(tree.forms[child] in _WHICH for child in tree.children(noun) if child < noun)


def _opens_infinitive(tree: Tree, verb: int, noun: int) -> bool:
    """Make a noun the subject of the infinitive after it: allow growers | to test."""
    for clause in tree.children(verb):
        if clause < noun or tree.deprels[clause] != "xcomp" or tree.begin(clause) < noun:
            continue
        below = tree.children(clause)
        if not any(tree.forms[child] == "to" and child < clause for child in below):
            continue
        passive = any(tree.deprels[child] == "aux:pass" for child in below)
        tree.put(noun, clause, "nsubj:pass" if passive else "nsubj")
        return True
    return False


def _is_extent(tree: Tree, lemma: str, noun: int, words: ReportingWords) -> bool:
    """Return whether a noun is how far something goes, per what, or how long."""
    unit = tree.key(noun)
    if lemma in words.changing and unit in words.extents:
        return True
    before = noun - 2
    if tree.forms[noun - 1] in RATE and unit in words.units and before > tree.heads[noun]:
        return tree.upos[before] in _MONEY or tree.key(before) in words.units
    if lemma in words.growing and unit in words.rates:
        counts = tree.forms[noun + 1 : noun + 2] != ["of"]
    else:
        counts = lemma in words.lasting and unit in words.times
    return counts and any(
        tree.upos[child] == "NUM" for child in tree.children(noun) if child < noun
    )


def _is_indefinite(tree: Tree, noun: int, words: ReportingWords) -> bool:
    """Return whether a noun that cannot be proved has `a` or an adjective, and no determiner."""
    if tree.key(noun) in words.provable:
        return False
    before = [child for child in tree.children(noun) if child < noun]
    determiners = [tree.forms[child] for child in before if tree.deprels[child] == "det"]
    if determiners:
        return all(form in ("a", "an") for form in determiners)
    relations = {tree.deprels[child] for child in before}
    return "amod" in relations and "nmod:poss" not in relations


def _receives(tree: Tree, noun: int, objects: list[int], words: ReportingWords) -> bool:
    """Return whether a noun is the first of two objects, one right after the other.

    Neither a phrase with a preposition (pay homage | to director Ann Bell) nor a time (left Lisbon
    | early Monday) is a second object, and a story receives nothing.
    """
    if len(objects) != _TWO or objects[0] != noun or tree.key(noun) in words.tellable:
        return False
    if tree.key(objects[1]) in words.times:
        return False
    if any(tree.deprels[child] == "iobj" for child in tree.children(tree.heads[noun])):
        return False
    begin = tree.begin(objects[1])
    apart = begin != tree.end(noun) + 1 or tree.upos[begin] == "ADP"
    return not apart and _is_thing(tree, noun, objects[1])


def _is_thing(tree: Tree, noun: int, thing: int) -> bool:
    """Return whether a noun or amount can be given; not a rate: pay two dollars | a day."""
    rate = any(tree.upos[child] in ("NUM", "SYM") for child in tree.children(noun))
    return tree.upos[thing] in ("NOUN", "PROPN", "NUM", "SYM", "PRON") and not rate
