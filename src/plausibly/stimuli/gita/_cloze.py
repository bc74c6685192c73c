"""Variants an author wrote beside a plausible story: one sentence replaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plausibly.datasets.gita.stories import APART, FORMS, Story, story_of

OF_AUTHOR = "written_as_cloze"
_CLOZE = {"replace", "sentence", "conflict", "breakpoint"}


@dataclass(frozen=True, slots=True)
class BadCloze:
    """A variant an author wrote that cannot be read, and why."""

    name: str
    row: int
    reason: str


def written_cloze(story: Story) -> Iterator[Story | BadCloze]:
    """Yield the variants an author wrote into the field `cloze` of a plausible story."""
    written = story.fields.get("cloze")
    if not isinstance(written, list | None):
        reason = "'cloze' is no list of variants. Put [] around it"
        yield BadCloze(f"{story.story}-C", story.row, reason)
        return
    for number, one in enumerate(written or ()):
        name = f"{story.story}-C{number}"
        fault = _fault(one, len(story.sentences))
        yield BadCloze(name, story.row, fault) if fault else _cloze(story, one, number)


def _fault(one: object, sentences: int) -> str:
    """Return why what an author wrote is no variant, empty if it is one."""
    if not isinstance(one, Mapping) or not set(one) >= _CLOZE:
        return "needs 'replace' (a sentence from 0), 'sentence', 'conflict' and 'breakpoint'"
    for name in ("replace", "conflict", "breakpoint"):
        place = one[name]
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < sentences:
            return f"{name} is {place!r}; the story has sentences 0 to {sentences - 1}"
    if not isinstance(one["sentence"], str) or not one["sentence"].strip():
        return f"sentence is {one['sentence']!r}, expected the sentence that takes the place"
    return ""


def _cloze(story: Story, one: Mapping[str, Any], number: int) -> Story:
    """Return the variant of a story in which one sentence is replaced."""
    sentences = list(story.sentences)
    sentences[one["replace"]] = one["sentence"]
    state = one.get("state", story.state)
    left_out = ("cloze", *APART, *FORMS)
    fields = {name: value for name, value in story.fields.items() if name not in left_out}
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
