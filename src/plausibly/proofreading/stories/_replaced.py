"""Replaced sentences that seem to break nothing: a person has to name the conflict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plausibly.datasets.gita.findings import StoryFinding
from plausibly.datasets.gita.stories import Story
from plausibly.datasets.gita.variants import difference, kind_of, originals
from plausibly.proofreading.stories.reading import speaks_of

_WORD = re.compile(r"[^\W_]+")
# Negations, numbers and the like: adding one changes the meaning of a sentence.
_TURNING = re.compile(
    r"non|senza|mai|più|nessun\w*|niente|nulla|né|ma|però|quasi|prima|dopo|\d+"
    r"|not|never|no|without|nothing|but|before|after|almost"
)
_STEM = 4


def harmless_replacements(stories: Sequence[Story], *, lang: str) -> Iterator[StoryFinding]:
    """Yield a note for each replaced sentence that can hardly conflict with its story.

    It only adds to the original sentence, or it shares nothing with the other sentences except
    the actor.

    Args:
        stories: Stories, with the plausible ones their variants come from.
        lang: Their language.
    """
    first = originals(stories)
    for story in stories:
        original = first.get(story.story)
        if original is None or kind_of(story, original) != "cloze":
            continue
        change = difference(original.sentences, story.sentences)
        if change is None or len(change.places) != 1:
            continue
        [place] = change.places
        what = _added(original.sentences[place], story.sentences[place])
        if not what and _stands_alone(story, original, place, lang):
            what = "mentions nothing that the other sentences mention"
        if what:
            message = f"the replaced sentence {place} {what}: does it conflict?"
            yield StoryFinding(story.row, story.example, "harmless_replacement", message, "note")


def _added(before: str, after: str) -> str:
    """Return the difference between two sentences if words are only added or left out.

    >>> _added("Ada apre il frigo.", "Ada apre piano il frigo.")
    "only adds 'piano'"
    >>> _added("Ada apre il frigo.", "Ada non apre il frigo.")
    ''
    """
    here, there = _words(before), _words(after)
    for verb, short, long in (("adds", here, there), ("leaves out", there, here)):
        more = _more(short, long)
        if more and not any(map(_TURNING.fullmatch, more)):
            return f"only {verb} {' '.join(more)!r}"
    return ""


def _more(short: Sequence[str], long: Sequence[str]) -> list[str]:
    """Return the words a sentence adds to another; none if it lacks any of the other's words."""
    rest = list(short)
    more = [word for word in long if not (rest and rest[0] == word and rest.pop(0))]
    return [] if rest else more


def _stands_alone(story: Story, original: Story, place: int, lang: str) -> bool:
    others = [one for other, one in enumerate(story.sentences) if other != place]
    actors = {word for name in story.actors for word in _words(name)}
    things = {word for name in story.objects for word in _words(name)} - actors
    context = [*others, original.sentences[place], str(story.fields.get("location", ""))]
    stems = {one for text in (*context, *things) for one in _stems(text, actors)}
    sentence = story.sentences[place]
    if things & set(_words(sentence)) or not stems or speaks_of(story.state, sentence, lang=lang):
        return False
    return not stems & _stems(sentence, actors)


def _stems(text: str, actors: set[str]) -> set[str]:
    return {w[:_STEM] for w in _words(text) if len(w) >= _STEM and w not in actors}


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
