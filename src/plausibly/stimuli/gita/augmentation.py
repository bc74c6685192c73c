"""Augmentation: stories with another actor, as more training data.

GITA's field `aug` is there for it: "possible automatic data augmentation techniques" against
overfitting (Pensa et al., 2024, appendix A). Only the name changes, so conflict and state stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from plausibly.datasets.gita.stories import Story, story_of
from plausibly.io.ranks import rank
from plausibly.stimuli.gita.conversion import revised_form

_MALE_IN_A = frozenset({"andrea", "elia", "enea", "gianluca", "luca", "mattia", "nicola", "tobia"})
# Actors that are no name of one person: pronouns, nouns in lower case, "Marco e Anna".
_NO_NAME = re.compile(r"(?:io|noi|i|we|it|they|he|she)\Z|.*\s(?:e|ed|and|&)\s", re.IGNORECASE)
_GENDERED = re.compile(r"\b(?:he|she|him|her|his|hers|himself|herself)\b", re.IGNORECASE)


def augmented(
    named: Mapping[str, Story], *, copies: int, lang: str, seed: int = 1
) -> list[dict[str, Any]]:
    """Return stories with the name of another story's actor, in the revised form.

    A story and its variants get the same names. In Italian, names of one gender are exchanged, as
    participles agree with them; in English, stories with a gendered pronoun are passed over.

    Args:
        named: Stories by item.
        copies: Names per story, at most.
        lang: The language of the stories.
        seed: Chooses the names.
    """
    actors = sorted(filter(None, {_name(story) for story in named.values()}))
    made = []
    for item, story in named.items():
        drawn = sorted((rank(seed, f"{story.story}|{n}"), n) for n in _others(story, actors, lang))
        for number, (_, name) in enumerate(drawn[:copies]):
            made.append(_retold(item, story, name, number))
    return made


def gender(name: str) -> str:
    """Return the gender of an Italian name by its ending, empty if that does not show it.

    >>> [gender(name) for name in ("Marco", "Anna", "Luca", "Beatrice")]
    ['m', 'f', 'm', '']
    """
    if name.endswith("o") or name.casefold() in _MALE_IN_A:
        return "m"
    return "f" if name.endswith("a") else ""


def _name(story: Story) -> str:
    """Return the name of the one who acts; empty for several, a pronoun or a noun (`nonna`)."""
    alone = story.actors[0] if len(story.actors) == 1 else ""
    return alone if alone[:1].isupper() and not _NO_NAME.match(alone) else ""


def _others(story: Story, actors: Iterable[str], lang: str) -> list[str]:
    """Return the names that can replace the actor of a story."""
    text = " ".join(story.sentences)
    own = _name(story)
    if not own or not re.search(rf"\b{re.escape(own)}\b", text):
        return []
    if lang == "en" and _GENDERED.search(text):
        return []
    return [
        name
        for name in actors
        if name != own
        and (lang == "en" or (gender(own) and gender(name) == gender(own)))
        and not re.search(rf"\b{re.escape(name)}\b", text)
    ]


def _retold(item: str, story: Story, name: str, number: int) -> dict[str, Any]:
    fields = _renamed(dict(story.fields), story.actors[0], name)
    renamed = replace(story_of(fields, row=story.row), kind=story.kind)
    return revised_form(renamed) | {
        "aug": True,
        "example_id": f"{item}-A{number}",
        "augmented_from": item,
    }


def _renamed(value: Any, old: str, new: str) -> Any:
    """Return fields with another name wherever the old one is a word.

    >>> _renamed(["Dice ad Ada di uscire."], "Ada", "Rita")
    ['Dice a Rita di uscire.']
    """
    if isinstance(value, Mapping):
        return {key: _renamed(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(inner, old, new) for inner in value]
    if not isinstance(value, str):
        return value
    text = re.sub(rf"\b{re.escape(old)}\b", new, value)
    vowel = new[:1].casefold() in "aeiou"
    return text if vowel else re.sub(rf"\b([AaEe])d (?={re.escape(new)}\b)", r"\1 ", text)
