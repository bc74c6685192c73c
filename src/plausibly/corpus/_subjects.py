"""Subjects: nouns that a parser wrongly takes for a second subject of a verb.

A verb has one subject. In "A former miner, his courage won admiration" the first noun describes,
in "Fishermen this morning found a boat" the second says when, and in "Friends, we lost a boat" the
first is spoken to.
"""

from __future__ import annotations

from collections.abc import Sequence

from plausibly.corpus._reporting import COMMAS, FREE, NOUNS
from plausibly.corpus._reporting_words import ReportingWords
from plausibly.corpus._trees import Tree

DESCRIPTION, TIME, ADDRESS = "description", "time", "address"
TWO = 2
_WHEN = frozenset({"last", "next", "this", "each", "every", "a", "an"})
_OWNED = ("nmod:poss", "appos", "conj", "nummod")


def false_subjects(tree: Tree, verb: int, words: ReportingWords) -> list[str]:
    """Free a verb of nouns that are not its subject; return the rule behind each change."""
    subjects = subjects_before(tree, verb)
    ago = [noun for noun in subjects if _is_ago(tree, noun, words)]
    if ago:
        for noun in ago:
            tree.deprels[noun] = "obl"
        return [TIME] * len(ago)
    last = subjects[-1] if subjects else -1
    if last >= 0 and tree.upos[last] == "NOUN" and tree.key(last) in words.times:
        return [TIME] if _says_when(tree, verb, subjects) else []
    if len(subjects) != TWO:
        return []
    spoken_to = [noun for noun in subjects if _is_spoken_to(tree, noun, words)]
    if spoken_to:
        tree.deprels[spoken_to[0]] = FREE
        return [ADDRESS]
    false = _description(tree, subjects)
    if false < 0:
        return []
    tree.deprels[false] = FREE
    return [DESCRIPTION]


def subjects_before(tree: Tree, verb: int) -> list[int]:
    """Return the subjects of a verb that come before it."""
    return [
        child for child in tree.children(verb) if child < verb and tree.deprels[child] == "nsubj"
    ]


def _is_ago(tree: Tree, noun: int, words: ReportingWords) -> bool:
    """Return whether a noun is a time before `ago`: years ago, he wrote a book."""
    return tree.key(noun) in words.times and tree.forms[noun + 1].lower() == "ago"


def _says_when(tree: Tree, verb: int, subjects: Sequence[int]) -> bool:
    """Make a time before a verb an adverbial, if another noun is there to be the subject."""
    time = subjects[-1]
    below = [child for child in tree.children(time) if child < time]
    marked = [child for child in below if tree.forms[child] in _WHEN]
    if not marked:
        return False
    if len(subjects) == 1:
        nouns = [
            child
            for child in below
            if child < marked[0]
            and tree.upos[child] in NOUNS
            and not tree.deprels[child].startswith(_OWNED)
        ]
        if not nouns:
            return False
        subject = nouns[-1]
        for child in below:
            if child < marked[0] and child != subject:
                tree.heads[child] = subject
        tree.put(subject, verb, "nsubj")
    elif tree.upos[subjects[-2]] not in NOUNS:
        return False
    tree.deprels[time] = "obl"
    return True


def _is_spoken_to(tree: Tree, noun: int, words: ReportingWords) -> bool:
    """Return whether a noun before a comma is who is spoken to: my friends, he lost a boat."""
    if tree.key(noun) not in words.addressees:
        return False
    end = tree.end(noun)
    if not COMMAS & {tree.forms[end], tree.forms[end + 1]}:
        return False
    return not any(tree.deprels[child] == "det" for child in tree.children(noun))


def _description(tree: Tree, subjects: Sequence[int]) -> int:
    """Return which of two subjects only describes the other, -1 if none does.

    Between commas it is the second (the town, a port, has …), before a comma the first. A noun
    that describes a name (a keen sailor, Ann Hale bought …) stays: the event is true of it.
    """
    first, second = subjects
    if tree.upos[first] not in NOUNS or tree.upos[second] != "NOUN":
        return -1
    begin, after = tree.begin(second), tree.end(second) + 1
    joined = any(tree.deprels[child] in ("case", "cc", "conj") for child in tree.children(second))
    # What is listed describes nothing: the level of care, the level of skill.
    listed = tree.key(first) == tree.key(second) or "and" in tree.forms[begin:second]
    if joined or listed or not 0 < begin <= after < tree.size:
        return -1
    if not {tree.forms[begin], tree.forms[begin - 1]} & COMMAS:
        return -1
    false = second if tree.forms[after] in COMMAS else first
    described = any(tree.deprels[child] == "det" for child in tree.children(false))
    return false if described and tree.upos[false] == "NOUN" else -1
