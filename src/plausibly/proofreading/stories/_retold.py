"""Compares states with their sentence, and with the same sentence in the plausible story."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from plausibly.datasets.gita.stories import Block, Story
from plausibly.datasets.gita.variants import originals
from plausibly.proofreading.stories._form import Remark

# Parts that are opened to open something else: the door of the shower.
_PART = r"(?:la porta|lo sportello|l['\u2019]anta|il coperchio|il tappo) d(?:i|el|ella|ello) "
_ARTICLE = r"(?:il |lo |la |i |gli |le |un |uno |una |l['\u2019]|un['\u2019])"
_OBJECT = rf"\w*\s+(?:{_PART}|{_ARTICLE})?([^\W\d_]+)"
# Verb, attribute, and whether the verb makes it true.
_VERBS = (
    (re.compile(rf"\b(?:apre|apro|aprono|apert){_OBJECT}", re.IGNORECASE), "open", True),
    (re.compile(rf"\b(?:chiud|chius){_OBJECT}", re.IGNORECASE), "open", False),
    (re.compile(rf"\b(?:accend|acces){_OBJECT}", re.IGNORECASE), "power", True),
    (re.compile(rf"\b(?:spegn|spent){_OBJECT}", re.IGNORECASE), "power", False),
)
_LEAVES = {True: (2, 4, 6), False: (1, 3, 5)}
_TURNED = re.compile(r"\b(?:non|prova|cerca|cercato|provato)\b", re.IGNORECASE)


def differing_states(stories: Sequence[Story]) -> Iterator[tuple[Story, str, str]]:
    """Yield the sentences whose states differ from those of the same sentence elsewhere.

    If all variants agree and only the plausible story differs, it is the one reported.
    """
    first = originals(stories)
    variants = defaultdict(list)
    for story in stories:
        original = first.get(story.story)
        if original is not None and story is not original and _whole(story) and _whole(original):
            variants[story.story].append(story)
    for number, group in variants.items():
        original = first[number]
        apart = [_apart(story, original) for story in group]
        shared = set.intersection(*(set(one) for one in apart)) if len(apart) > 1 else set()
        agreed = {place for place in shared if len({_key(one[place]) for one in apart}) == 1}
        for place in sorted(agreed):
            what = f"sentence {place} has different states in every variant"
            yield original, "states_differ", what
        for story, one in zip(group, apart, strict=True):
            for place in sorted(set(one) - agreed):
                there = story.sentences.index(original.sentences[place])
                what = f"sentence {there} has different states in the plausible story"
                yield story, "states_differ", what


def _whole(story: Story) -> bool:
    return bool(story.blocks) and len(story.blocks) == len(story.sentences)


def _apart(story: Story, original: Story) -> dict[int, Block]:
    """Return the original's sentences that have different states in a variant."""
    blocks = {}
    for place, sentence in enumerate(original.sentences):
        if original.sentences.count(sentence) == 1 == story.sentences.count(sentence):
            block = story.blocks[story.sentences.index(sentence)]
            if _key(block) != _key(original.blocks[place]):
                blocks[place] = block
    return blocks


def _key(block: Block) -> frozenset[tuple[str, str]]:
    """Return the relevant entries of a block, regardless of order."""
    return frozenset(
        (name, f"{entity}: {code}")
        for name, pairs in block.items()
        for entity, code in pairs
        if code
    )


def any_code(pairs: Sequence[tuple[str, int]]) -> bool:
    """Return whether any entity has a meaningful code."""
    return any(code for _, code in pairs)


def contradicted_sentences(story: Story) -> Iterator[Remark]:
    """Yield the sentences whose states are empty, or the opposite of what their verb does."""
    if not _whole(story):
        return
    for place, (sentence, block) in enumerate(zip(story.sentences, story.blocks, strict=True)):
        named = [one for one in (*story.actors, *story.objects) if one and one in sentence]
        if named and block and not any(map(any_code, block.values())):
            what = f"sentence {place}: every code is 0, though it names {named[0]!r}"
            yield "no_states_told", what, "warning"
        for pattern, attribute, leaves in () if _TURNED.search(sentence) else _VERBS:
            verb = pattern.search(sentence)
            codes = dict(block.get(attribute, ()))
            code = codes.get(verb[1]) if verb else None
            if verb and code in _LEAVES[not leaves]:
                what = f"sentence {place}: {verb[0]!r}, but {attribute} has code {code}"
                yield "states_against_sentence", what, "warning"
