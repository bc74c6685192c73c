"""Stories of one file compared: they share fields, but neither ids nor texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from plausibly.datasets.gita.stories import FIRST, REVISED, TRANSLATION, Story, form_of
from plausibly.proofreading.plain import same_key

KNOWN = frozenset(
    {
        *("row", "story_id", "worker_id", "type", "idx", "aug", "actor", "location", "objects"),
        TRANSLATION,
        *("sentences", "length", "example_id", "plausible", "breakpoint", "confl_sents"),
        *("conflict_sents", "confl_pairs", "conflict_pairs", "states", "states_inferred"),
        *(FIRST, REVISED, "cloze", "order", "key", "notes"),
    }
)
# Fields that have the same type in every story of a file.
ALWAYS = (
    *("row", "story_id", "worker_id", "aug", "actor", "location", "objects", "sentences"),
    *("length", "example_id", "plausible", "breakpoint", "confl_sents", "confl_pairs"),
)
_TYPES = {int: "a number", str: "a text", bool: "true or false", list: "a list", type(None): "null"}
# From this many shared sentences on, two stories count as the same.
SHARED = 3
# How many stories make a habit that another can break.
FEWEST = 4

StoryRemark = tuple[Story, str, str]


def unlike_others(stories: Sequence[Story]) -> Iterator[StoryRemark]:
    """Yield story, kind and message where a story differs from most of its file."""
    if len(stories) < FEWEST:
        return
    yield from _fields(stories)
    yield from _most(stories, "form_differs", "states in the {} form", _form)
    for name in ALWAYS:
        yield from _most(stories, "type_differs", f"{name} is {{}}", partial(_type, name))
    yield from _most(stories, "type_differs", "confl_pairs holds {}", _pairs)


def _fields(stories: Sequence[Story]) -> Iterator[StoryRemark]:
    times = Counter(name for story in stories for name in story.fields)
    usual = [name for name, n in times.items() if n > len(stories) * 0.6]
    for story in stories:
        for name in usual:
            if name not in story.fields:
                yield story, "field_missing_here", f"no field {name!r}, though most stories have it"
        for name in story.fields:
            if name not in KNOWN and times[name] <= len(stories) * 0.6:
                yield story, "unknown_field", f"field {name!r} does not belong to a story"


def _form(story: Story) -> str | None:
    return form_of(story.fields) if story.fields.get("states") else None


def _pairs(story: Story) -> str | None:
    """Return how the numbers of a conflict are written; None if there are none."""
    pairs = story.fields.get("confl_pairs")
    if not isinstance(pairs, list) or not pairs:
        return None
    return "lists" if any(isinstance(one, list) for one in pairs) else "numbers"


def _type(name: str, story: Story) -> str | None:
    """Return the JSON type of a field; None if it is missing or has a wrong type."""
    return _TYPES.get(type(story.fields[name])) if name in story.fields else None


def _most(
    stories: Sequence[Story], kind: str, what: str, of: Callable[[Story], str | None]
) -> Iterator[StoryRemark]:
    values = [of(story) for story in stories]
    counts = Counter(value for value in values if value is not None)
    if len(counts) < 2:
        return
    usual, times = counts.most_common(1)[0]
    if times <= sum(counts.values()) * 0.6:
        return
    for story, value in zip(stories, values, strict=True):
        if value not in (None, usual):
            yield story, kind, f"{what.format(value)}, most others {usual}"


def alike(stories: Sequence[Story]) -> Iterator[StoryRemark]:
    """Yield the stories that repeat another except for case, punctuation or the actor's name."""
    exact = Counter(story.sentences for story in stories)
    groups = defaultdict(list)
    for story in stories:
        if any(story.sentences):
            groups[_without_actor(story)].append(story)
    for group in groups.values():
        for story in group:
            others = [one.example for one in group if one.sentences != story.sentences]
            if others and exact[story.sentences] == 1:
                what = f"repeats {others[0]} except for names, case or punctuation"
                yield story, "nearly_identical", what


def shared_sentences(stories: Sequence[Story]) -> Iterator[StoryRemark]:
    """Yield the stories of one number that share most sentences with one of another number."""
    tellers = defaultdict(set)
    for place, story in enumerate(stories):
        for sentence in set(_without_actor(story)) - {""}:
            tellers[sentence].add(place)
    for story in stories:
        meets = Counter(
            other
            for sentence in set(_without_actor(story))
            for other in tellers[sentence]
            if stories[other].story != story.story
        )
        for other, times in meets.most_common(1):
            if times >= SHARED:
                name = stories[other].example or stories[other].story
                what = f"shares {times} sentences with {name}"
                yield story, "shared_sentences", what


def _without_actor(story: Story) -> tuple[str, ...]:
    names = {same_key(name) for name in story.actors}
    return tuple(
        " ".join("_" if word in names else word for word in same_key(sentence).split())
        for sentence in story.sentences
    )
