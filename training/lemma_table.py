"""The lemma table of the embedded parser, counted in the training treebank."""

from __future__ import annotations

from collections import Counter, defaultdict

from training.treebank import Tree

from plausibly.backends.lemmas import inflected_lemma

# Where we part from EWT, which keeps `people`: GUM has `person`, as have the events of PAP; and
# from lemminflect, which puts the rarer noun first.
OTHERWISE = {("NOUN", "people"): "person", ("NOUN", "leaves"): "leaf"}


def lemma_table(trees: list[Tree]) -> dict[str, dict[str, str]]:
    """Return UPOS to lower-cased form to its most frequent lemma, where the rules say otherwise.

    A lemma of `OTHERWISE` goes before what was counted. Ties go to the lemma that sorts first. The
    first half of a word written apart has the lemma of the whole, and is left out.
    """
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for tree in trees:
        halves = {
            head
            for head, label in zip(tree.heads, tree.deprels, strict=True)
            if label == "goeswith"
        }
        words = zip(tree.forms, tree.upos, tree.lemmas, strict=True)
        for position, (form, upos, lemma) in enumerate(words, start=1):
            if position not in halves:
                counts[upos, form.lower()][lemma] += 1
    table: dict[str, dict[str, str]] = defaultdict(dict)
    for upos, form in sorted(counts.keys() | OTHERWISE.keys()):
        lemmas = counts[upos, form]
        counted = min(lemmas, key=lambda lemma: (-lemmas[lemma], lemma), default=form)
        lemma = OTHERWISE.get((upos, form), counted)
        expected = form if upos == "PROPN" else inflected_lemma(form, upos)
        same = lemma.lower() == expected if upos == "PROPN" else lemma == expected
        if not same:
            table[upos][form] = lemma
    return dict(table)
