"""Score the repair of trees on a treebank: python training/evaluate_repair.py FILE.conllu.gz.

Prints F1 of noun objects and of events from raw text: without repair, with the rules for verbs, and
with quantities replaced as well. Treebanks attach quantities differently (in *hundreds of otters*
the object is *hundreds*), so each is compared with the treebank as it is and with one in which the
same rule replaced them.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.evaluate_parser import Parsed, gold_sentence, paragraphs, raw_text
from training.scores import RELATIONS, relation_f1
from training.treebank import read_trees

from plausibly.backends.parsers import parser_named
from plausibly.corpus import Patterns
from plausibly.corpus._repair import (
    object_suspects,
    quantity_suspects,
    repair_tree,
    repaired,
    subject_suspects,
)
from plausibly.corpus._trees import Tree
from plausibly.ports import Sentence

ROLES = Patterns().roles
MEASURED = ("obj", "svo, loose")


def by_verbs(sentence: Sentence) -> Sentence:
    """Return a sentence that the rules for verbs have repaired."""
    tree = Tree(sentence)
    rules = repair_tree(tree, object_suspects(sentence), subject_suspects(sentence), [])
    return tree.repaired() if rules else sentence


def by_quantities(sentence: Sentence) -> Sentence:
    """Return a sentence with quantity nouns replaced."""
    tree = Tree(sentence)
    rules = repair_tree(tree, [], [], quantity_suspects(sentence, ROLES))
    return tree.repaired() if rules else sentence


def scores(file: Path) -> dict[tuple[str, str], list[float]]:
    """Return F1 of objects and events for each repair and each gold."""
    groups = paragraphs(list(read_trees(file)))
    gold = [[gold_sentence(tree) for tree in group] for group in groups]
    plain: Parsed = [list(one) for one in parser_named("embedded").parse(map(raw_text, groups))]
    ways = {
        "none": plain,
        "verbs": [[by_verbs(one) for one in group] for group in plain],
        "verbs and quantities": [[repaired(one, ROLES)[0] for one in group] for group in plain],
    }
    golds = {
        "as published": gold,
        "quantities replaced": [[by_quantities(one) for one in group] for group in gold],
    }
    return {
        (way, name): [relation_f1(trees, parsed, RELATIONS[rule])["value"] for rule in MEASURED]
        for name, trees in golds.items()
        for way, parsed in ways.items()
    }


if __name__ == "__main__":
    for (way, name), values in scores(Path(sys.argv[1])).items():
        print(f"{way:22}{name:22}" + "".join(f"{100 * value:8.2f}" for value in values))
