"""SP-10K: selectional preference of 10,000 word pairs (Zhang et al., 2019)."""

from __future__ import annotations

QUESTION = "preference"

# Section 2.1: three relations of one hop and two of two hops, by the names the release gives them.
ONE_HOP = ("nsubj", "dobj", "amod")
TWO_HOP = ("nsubj_amod", "dobj_amod")
RELATIONS = (*ONE_HOP, *TWO_HOP)

# Section 2.2: each head has two frequent dependents and two drawn at random; the release lists
# the pairs of a head in this order.
PER_HEAD = 4
FREQUENT_PER_HEAD = 2

# Section 3.1: from a perfect match to none; the survey also lets people say that they do not know.
OPTIONS = ("5", "4", "3", "2", "1", "not sure")


def word_class(relation: str, role: str) -> str:
    """Return which class of words is in a role of a relation.

    >>> word_class("amod", "head"), word_class("dobj_amod", "dependent")
    ('noun', 'adjective')
    """
    if role == "head":
        return "noun" if relation == "amod" else "verb"
    return "noun" if relation in ("nsubj", "dobj") else "adjective"


VERB_RELATIONS = tuple(name for name in RELATIONS if word_class(name, "head") == "verb")
"""Relations whose heads are verbs."""
