"""Stories of one number belong together: one plausible, its variants, one author."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from plausibly.datasets.gita.stories import Story
from plausibly.proofreading.stories._file import FEWEST, StoryRemark

_LETTERS = {"O": "order", "C": "cloze"}


def whole_families(stories: Sequence[Story]) -> Iterator[StoryRemark]:
    """Yield the plausible stories that lack a variant most others in the file have."""
    kinds: defaultdict[str, set[str | None]] = defaultdict(set)
    first: dict[str, Story] = {}
    for story in stories:
        letter = story.example.partition("-")[2][:1]
        kinds[story.story] |= {story.kind, _LETTERS.get(letter)}
        if not story.breaks:
            first.setdefault(story.story, story)
    for kind in ("order", "cloze"):
        have = sum(kind in kinds[number] for number in first)
        if len(first) < FEWEST or have <= len(first) * 0.6:
            continue
        for number, story in first.items():
            if number and kind not in kinds[number]:
                what = f"story {number} has no {kind} variant, though most stories have one"
                yield story, "no_variant", what


def numbering(stories: Sequence[Story]) -> Iterator[StoryRemark]:
    """Yield variants whose numbers leave a gap, and second plausible stories of a number."""
    variants = defaultdict(list)
    plausible: dict[str, Story] = {}
    for story in stories:
        index = story.fields.get("idx")
        if story.kind in ("order", "cloze") and isinstance(index, int):
            variants[story.story, story.kind].append((index, story))
        if not story.breaks and story.kind is None and story.plausible and story.story:
            first = plausible.setdefault(story.story, story)
            if first is not story:
                what = f"a second plausible story {story.story}, besides {first.example}"
                yield story, "second_plausible", what
    rows = Counter(story.fields["row"] for story in stories if _is_number(story))
    for story in stories:
        if _is_number(story) and rows[story.fields["row"]] > 1:
            yield story, "repeated_row", f"several stories have row {story.fields['row']}"
    for (number, kind), members in variants.items():
        there = {index for index, _ in members}
        for index, story in members:
            if index > 0 and index - 1 not in there:
                what = f"idx {index} of the {kind} variants of {number}, but none before it"
                yield story, "idx_gap", what


def _is_number(story: Story) -> bool:
    return type(story.fields.get("row")) is int


def odd_originals(stories: Sequence[Story]) -> Iterator[StoryRemark]:
    """Yield the plausible stories that differ from all their variants, which agree."""
    variants = defaultdict(list)
    first: dict[str, Story] = {}
    for story in stories:
        if story.breaks:
            variants[story.story].append(story)
        else:
            first.setdefault(story.story, story)
    for number, story in first.items():
        if len(variants[number]) > 1:
            yield from (
                (story, "original_differs", what) for what in _alone(story, variants[number])
            )


def _alone(story: Story, variants: Sequence[Story]) -> Iterator[str]:
    """Yield how a plausible story differs from all its variants."""
    for name in ("actor", "location", "worker_id", "states"):
        values = {str(one.fields.get(name)) for one in variants}
        here = story.fields.get(name)
        if name == "states" and (not isinstance(here, str) or values == {"None"}):
            continue
        if len(values) == 1 and values != {str(here)}:
            yield f"{name} is {here!r}, in every variant {values.pop()!r}"
    things = {frozenset(one.objects) for one in variants}
    if len(things) == 1 and (apart := set(story.objects) ^ set(*things)):
        yield f"every variant has different objects: {', '.join(sorted(apart))}"
    shared = set.intersection(*(set(one.sentences) for one in variants)) - set(story.sentences)
    for place, sentence in enumerate(story.sentences):
        if shared and sentence and not any(sentence in one.sentences for one in variants):
            yield f"sentence {place} is in no variant; they all have {min(shared)!r}"
