"""Everything there is to say about stories: while they are written, before building, in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plausibly.datasets.gita.findings import StoryFinding
from plausibly.datasets.gita.stories import Story
from plausibly.ports import Frequencies
from plausibly.proofreading.stories._replaced import harmless_replacements
from plausibly.proofreading.stories.checks import check_stories
from plausibly.proofreading.stories.physics import state_findings
from plausibly.proofreading.stories.reading import (
    absent_objects,
    mental_verbs,
    strange_actors,
    unreadable_variants,
    unspoken_states,
    written_variants,
)
from plausibly.proofreading.stories.wording import strange_words


def before_building(stories: Sequence[Story], *, lang: str) -> list[StoryFinding]:
    """Return what an author should look at before variants are built from stories."""
    return [
        *check_stories(stories),
        *mental_verbs(stories, lang=lang),
        *absent_objects(stories),
    ]


def while_writing(stories: Sequence[Story], *, lang: str) -> list[StoryFinding]:
    """Return what an author should look at while writing stories and their variants."""
    return [
        *before_building(stories, lang=lang),
        *strange_actors(stories),
        *state_findings(stories),
    ]


def proofread(
    stories: Sequence[Story],
    *,
    lang: str,
    frequency: Frequencies | None = None,
    english: Frequencies | None = None,
    neighbours: Mapping[str, Frequencies] | None = None,
) -> list[StoryFinding]:
    """Return every finding on the stories of a file and on the variants written into them.

    Args:
        stories: The stories.
        lang: Their language.
        frequency: How frequent words are in it; without it, no word is called unknown.
        english: How frequent words are in English, for words left in it.
        neighbours: The same for the languages a sentence may have been left in.
    """
    everything = [*stories, *written_variants(stories)]
    words = strange_words(
        everything, lang=lang, frequency=frequency, foreign=english, neighbours=neighbours
    )
    return [
        *check_stories(stories),
        *_once([*mental_verbs(everything, lang=lang), *strange_actors(everything), *words]),
        *absent_objects(stories),
        *unspoken_states(everything, lang=lang),
        *harmless_replacements(everything, lang=lang),
        *unreadable_variants(stories),
        *state_findings(stories),
    ]


def _once(found: Sequence[StoryFinding]) -> list[StoryFinding]:
    """Return the findings without those of a variant that repeat one of its story."""
    first = {(one.row, one.kind, one.message): one for one in reversed(found)}
    return [one for one in found if first[one.row, one.kind, one.message] is one]
