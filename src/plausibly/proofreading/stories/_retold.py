"""What states say beside a sentence, and beside the same sentence in the plausible story."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from plausibly.datasets.gita.stories import Block, Story
from plausibly.datasets.gita.variants import originals
from plausibly.proofreading.stories._form import Said

# What one opens to open something else: the door of the shower.
_PART = r"(?:la porta|lo sportello|l['\u2019]anta|il coperchio|il tappo) d(?:i|el|ella|ello) "
_ARTICLE = r"(?:il |lo |la |i |gli |le |un |uno |una |l['\u2019]|un['\u2019])"
_OBJECT = rf"\w*\s+(?:{_PART}|{_ARTICLE})?([^\W\d_]+)"
# Verb, attribute, and whether it leaves it true.
_VERBS = (
    (re.compile(rf"\b(?:apre|apro|aprono|apert){_OBJECT}", re.IGNORECASE), "open", True),
    (re.compile(rf"\b(?:chiud|chius){_OBJECT}", re.IGNORECASE), "open", False),
    (re.compile(rf"\b(?:accend|acces){_OBJECT}", re.IGNORECASE), "power", True),
    (re.compile(rf"\b(?:spegn|spent){_OBJECT}", re.IGNORECASE), "power", False),
)
_LEAVES = {True: (2, 4, 6), False: (1, 3, 5)}
_TURNED = re.compile(r"\b(?:non|prova|cerca|cercato|provato)\b", re.IGNORECASE)


def retold_otherwise(stories: Sequence[Story]) -> Iterator[tuple[Story, str, str]]:
    """Yield the sentences whose states are others than beside the same sentence elsewhere.

    Where all variants say the same and the plausible story something else, that is where to look.
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
        unchanged = {place for place in shared if len({_key(one[place]) for one in apart}) == 1}
        for place in sorted(unchanged):
            what = f"sentence {place} has other states than in every variant"
            yield original, "states_differ", what
        for story, one in zip(group, apart, strict=True):
            for place in sorted(set(one) - unchanged):
                there = story.sentences.index(original.sentences[place])
                what = f"sentence {there} has other states than in the plausible story"
                yield story, "states_differ", what


def _whole(story: Story) -> bool:
    return bool(story.blocks) and len(story.blocks) == len(story.sentences)


def _apart(story: Story, original: Story) -> dict[int, Block]:
    """Return the sentences of the original that a variant has with other states."""
    found = {}
    for place, sentence in enumerate(original.sentences):
        if original.sentences.count(sentence) == 1 == story.sentences.count(sentence):
            block = story.blocks[story.sentences.index(sentence)]
            if _key(block) != _key(original.blocks[place]):
                found[place] = block
    return found


def _key(block: Block) -> frozenset[tuple[str, str]]:
    """Return what a block says, in whatever order, without what is irrelevant."""
    return frozenset(
        (name, f"{entity}: {code}")
        for name, pairs in block.items()
        for entity, code in pairs
        if code
    )


def any_code(pairs: Sequence[tuple[str, int]]) -> bool:
    """Return whether any entity has a code that says something."""
    return any(code for _, code in pairs)


def beside_sentences(story: Story) -> Iterator[Said]:
    """Yield the sentences whose states say nothing, or the opposite of what their verb does."""
    if not _whole(story):
        return
    for place, (sentence, block) in enumerate(zip(story.sentences, story.blocks, strict=True)):
        named = [one for one in (*story.actors, *story.objects) if one and one in sentence]
        if named and block and not any(map(any_code, block.values())):
            what = f"sentence {place}: every code is 0, though it names {named[0]!r}"
            yield "no_states_told", what, "warning"
        for pattern, attribute, leaves in () if _TURNED.search(sentence) else _VERBS:
            found = pattern.search(sentence)
            codes = dict(block.get(attribute, ()))
            code = codes.get(found[1]) if found else None
            if found and code in _LEAVES[not leaves]:
                what = f"sentence {place}: {found[0]!r}, but {attribute} has code {code}"
                yield "states_against_sentence", what, "warning"
