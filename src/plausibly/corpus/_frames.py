"""Frames: nouns that a parser takes for objects though they are predicates or receivers.

The words are in `reporting_en.toml`, made by `training/count_reporting.py`.
"""

from __future__ import annotations

from plausibly.corpus._reporting import ReportingWords
from plausibly.corpus._trees import Tree

PREDICATE, RECEIVER = "predicate", "receiver"
_TWO = 2


def outside_frame(tree: Tree, noun: int, words: ReportingWords) -> str | None:
    """Give a noun the relation its verb's frame has for it; return the name of the rule, or None.

    A noun after `become` is a predicate, and so is the second object of `call`. The first of two
    objects of `give`, one right after the other, is who receives the second.
    """
    verb = tree.heads[noun]
    if verb < 0 or tree.deprels[noun] != "obj":
        return None
    lemma = tree.key(verb)
    objects = [
        child for child in tree.children(verb) if child > verb and tree.deprels[child] == "obj"
    ]
    if lemma in words.copular or (lemma in words.naming and objects[0] < noun):
        tree.deprels[noun] = "xcomp"
        return PREDICATE
    if lemma in words.giving and _receives(tree, noun, objects):
        tree.deprels[noun] = "iobj"
        return RECEIVER
    return None


def _receives(tree: Tree, noun: int, objects: list[int]) -> bool:
    """Return whether a noun is the first of two objects, one right after the other."""
    if len(objects) != _TWO or objects[0] != noun:
        return False
    return tree.begin(objects[1]) == tree.end(noun) + 1 and _is_thing(tree, noun, objects[1])


def _is_thing(tree: Tree, noun: int, thing: int) -> bool:
    """Return whether a noun or amount can be given; not a rate: pay two dollars | a day."""
    rate = any(tree.upos[child] in ("NUM", "SYM") for child in tree.children(noun))
    return tree.upos[thing] in ("NOUN", "PROPN", "NUM", "SYM", "PRON") and not rate
