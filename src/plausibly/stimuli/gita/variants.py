"""Variants of a plausible story: two sentences exchanged, or one replaced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plausibly.datasets.gita.stories import Story


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two tellings of a story differ.

    Args:
        places: The sentences that differ, from 0.
        swap: The two that are exchanged, if that is all.
    """

    places: tuple[int, ...]
    swap: tuple[int, int] | None = None


def difference(original: Sequence[str], variant: Sequence[str]) -> Difference | None:
    """Return where a variant differs from the original; None if one is longer.

    >>> difference(["a", "b", "c"], ["b", "a", "c"])
    Difference(places=(0, 1), swap=(0, 1))
    """
    if len(original) != len(variant):
        return None
    pairs = zip(original, variant, strict=True)
    places = tuple(place for place, (one, other) in enumerate(pairs) if one != other)
    if len(places) == 2:
        first, second = places
        if original[first] == variant[second] and original[second] == variant[first]:
            return Difference(places, (first, second))
    return Difference(places)


def originals(stories: Iterable[Story]) -> dict[str, Story]:
    """Return the plausible story of every number: the first that does not break."""
    found: dict[str, Story] = {}
    for story in stories:
        if not story.breaks:
            found.setdefault(story.story, story)
    return found


def kind_of(story: Story, original: Story | None) -> str:
    """Return `plausible`, `order` or `cloze`: by breakpoint, then type, then how it was made."""
    if not story.breaks:
        return "plausible"
    if story.kind in ("order", "cloze"):
        return story.kind
    change = difference(original.sentences, story.sentences) if original else None
    return "order" if change is not None and change.swap is not None else "cloze"
