"""What only a reader can judge about a story; the builder points to the places."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from plausibly.datasets.gita.findings import StoryFinding
from plausibly.datasets.gita.stories import Story, names
from plausibly.datasets.gita.variants import BadCloze, written_cloze
from plausibly.errors import UnknownName

_WORD = re.compile(r"[^\W\d_]+")


def mental_verbs(stories: Iterable[Story], *, lang: str) -> Iterator[StoryFinding]:
    """Yield a note for each sentence with a verb of the mind, which nobody can observe."""
    pattern, exceptions = _mental(lang)
    for story in stories:
        for place, sentence in enumerate(story.sentences):
            words = (word.casefold() for word in _WORD.findall(sentence))
            found = [w for w in words if pattern.fullmatch(w) and w not in exceptions]
            if found:
                message = f"sentence {place}: {found[0]!r} may be a verb of the mind"
                yield StoryFinding(story.row, story.example, "mental_verb", message, "note")


@cache
def _words() -> Mapping[str, Any]:
    place = resources.files("plausibly.proofreading.stories") / "words.toml"
    return tomllib.loads(place.read_text(encoding="utf-8"))


@cache
def _mental(lang: str) -> tuple[re.Pattern[str], frozenset[str]]:
    languages = _words()
    if lang not in languages:
        raise UnknownName("language", lang, languages)
    words = languages[lang]
    stems = "|".join(map(re.escape, words["stems"]))
    endings = "|".join(map(re.escape, words["endings"]))
    forms = "|".join(map(re.escape, words["forms"]))
    pattern = re.compile(rf"(?:{stems})(?:{endings})|{forms}")
    return pattern, frozenset(words["exceptions"])


def mental_languages() -> tuple[str, ...]:
    """Return the languages with a list of verbs of the mind."""
    return tuple(_words())


def absent_objects(stories: Iterable[Story]) -> Iterator[StoryFinding]:
    """Yield a note for each object that no sentence names, so that a reader can fix the list."""
    for story in stories:
        for name in story.objects:
            if not any(names(name, sentence) for sentence in story.sentences):
                message = f"the object {name!r} is in no sentence"
                yield StoryFinding(story.row, story.example, "absent_object", message, "note")


_JOINED = re.compile(r"\s+(?:e|ed|and|&|\+)\s+")
_PRONOUNS = frozenset({"io", "noi", "tu", "voi", "lui", "lei", "loro", "i", "we", "you", "they"})


def strange_actors(stories: Iterable[Story]) -> Iterator[StoryFinding]:
    """Yield a warning for an actor that no sentence names, and a note if others come first.

    A story tells what its actor does, so sentences begin with the actor (GITA4CALAMITA, section
    3); many good sentences do not, so this is only a note.
    """
    for story in stories:
        actors = [part for name in story.actors for part in _JOINED.split(name) if part]
        acting = [name for name in actors if name.casefold() not in _PRONOUNS]
        for name in acting:
            if not any(names(name, sentence) for sentence in story.sentences):
                message = f"the actor {name!r} is in no sentence"
                yield StoryFinding(story.row, story.example, "absent_actor", message, "warning")
        first = [
            place
            for place, sentence in enumerate(story.sentences)
            if acting
            and sentence.strip()
            and not any(names(name, sentence.split(",")[0][:40]) for name in acting)
        ]
        if first:
            places = ", ".join(map(str, first))
            which = f"sentence {places} does" if len(first) == 1 else f"sentences {places} do"
            message = f"{which} not begin with the actor"
            yield StoryFinding(story.row, story.example, "agent_not_first", message, "note")


@cache
def _signs(lang: str) -> dict[str, re.Pattern[str]]:
    place = resources.files("plausibly.proofreading.stories") / "signs.toml"
    states = tomllib.loads(place.read_text(encoding="utf-8")).get(lang, {})
    return {
        state: re.compile(rf"\b(?:ri|s|de)?(?:{'|'.join(stems)})", re.IGNORECASE)
        for state, stems in states.items()
    }


def speaks_of(state: str | None, text: str, *, lang: str) -> bool:
    """Return whether a text has a word related to a state."""
    signs = _signs(lang).get(state or "")
    return bool(signs and signs.search(text))


def unspoken_states(stories: Iterable[Story], *, lang: str) -> Iterator[StoryFinding]:
    """Yield a note for each story without a word related to its state."""
    for story in stories:
        text = " ".join(story.sentences)
        if story.state in _signs(lang) and text and not speaks_of(story.state, text, lang=lang):
            message = f"the state is {story.state!r}, but no sentence mentions it"
            yield StoryFinding(story.row, story.example, "state_unspoken", message, "note")


def written_variants(stories: Iterable[Story]) -> list[Story]:
    """Return the readable variants that authors wrote with their stories."""
    return [one for story in stories for one in written_cloze(story) if isinstance(one, Story)]


def unreadable_variants(stories: Iterable[Story]) -> Iterator[StoryFinding]:
    """Yield the unreadable variants that authors wrote with their stories."""
    for story in stories:
        for one in written_cloze(story):
            if isinstance(one, BadCloze):
                yield StoryFinding(story.row, one.name, "bad_cloze", one.reason, "error")
