"""Variants of a plausible story: two sentences swapped, or one replaced (the field `cloze`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plausibly.datasets.gita.stories import APART, FORMS, TRANSLATION, Story, story_of

OF_AUTHOR = "written_as_cloze"
_CLOZE = {"replace", "sentence", "conflict", "breakpoint"}


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two versions of a story differ.

    Args:
        places: The sentences that differ, from 0.
        swap: The two that are swapped, if that is the only difference.
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


@dataclass(frozen=True, slots=True)
class BadCloze:
    """An unreadable variant by an author, and why it is unreadable."""

    name: str
    row: int
    reason: str


def written_cloze(story: Story) -> Iterator[Story | BadCloze]:
    """Yield the variants that an author wrote into the field `cloze` of a plausible story."""
    written = story.fields.get("cloze")
    if not isinstance(written, list | None):
        reason = "'cloze' is not a list of variants. Put [] around it"
        yield BadCloze(f"{story.story}-C", story.row, reason)
        return
    for number, one in enumerate(written or ()):
        name = f"{story.story}-C{number}"
        fault = _fault(one, len(story.sentences))
        yield BadCloze(name, story.row, fault) if fault else _cloze(story, one, number)


def _fault(one: object, sentences: int) -> str:
    """Return why an author's entry is not a variant; empty if it is one."""
    if not isinstance(one, Mapping) or not set(one) >= _CLOZE:
        return "needs 'replace' (a sentence from 0), 'sentence', 'conflict' and 'breakpoint'"
    for name in ("replace", "conflict", "breakpoint"):
        place = one[name]
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < sentences:
            return f"{name} is {place!r}; the story has sentences 0 to {sentences - 1}"
    if not isinstance(one["sentence"], str) or not one["sentence"].strip():
        return f"sentence is {one['sentence']!r}, expected the new sentence"
    return ""


def _cloze(story: Story, one: Mapping[str, Any], number: int) -> Story:
    """Return the variant of a story in which one sentence is replaced."""
    sentences = list(story.sentences)
    sentences[one["replace"]] = one["sentence"]
    state = one.get("state", story.state)
    left_out = ("cloze", TRANSLATION, *APART, *FORMS)
    fields = {name: value for name, value in story.fields.items() if name not in left_out}
    if story.translation and isinstance(one.get(TRANSLATION), str):
        lines = list(story.translation)
        lines[one["replace"]] = one[TRANSLATION]
        fields[TRANSLATION] = lines
    fields |= {
        "type": "cloze",
        "idx": number,
        "sentences": sentences,
        "example_id": f"{story.story}-C{number}",
        "plausible": False,
        "breakpoint": one["breakpoint"],
        "confl_sents": [one["conflict"]],
        "confl_pairs": [one["conflict"], one["breakpoint"]],
        "states": state,
        OF_AUTHOR: True,
    }
    if state is not None and "state" not in one:
        fields["states_inferred"] = True
    return story_of(fields, row=story.row)
