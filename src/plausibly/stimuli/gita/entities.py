"""Actors and entities of each sentence, for whoever annotates states.

Pensa et al. (2024, section 3.3) had a script extract the entities and actors of each sentence and
organise them for manual annotation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import polars as pl

from plausibly.datasets.gita.stories import Story, names

SCHEMA = {
    "item": pl.String(),
    "sentence": pl.Int64(),
    "text": pl.String(),
    "actors": pl.String(),
    "implied": pl.Boolean(),
    "objects": pl.String(),
    "unlisted": pl.String(),
}
_ITALIAN = (
    *("il", "lo", "la", "i", "gli", "le", "un", "uno", "una"),
    *(f"{stem}{end}" for stem in ("d", "n") for end in ("el", "ello", "ella", "ei", "elle")),
    *(f"{stem}{end}" for stem in ("a", "da", "su") for end in ("l", "llo", "lla", "i", "lle")),
    *("degli", "negli", "agli", "dagli", "sugli"),
)
_BEFORE = {
    "it": rf"(?:{'|'.join(sorted(_ITALIAN))}) |(?:l|un|dell|all|nell|sull|dall)['\u2019]",
    "en": r"(?:the|an?|his|her|its|their) ",
}
_PRONOUNS = {"it": ("lui", "lei", "loro"), "en": ("he", "she", "they")}
_WORD = r"([^\W\d_]+)"


def entities(named: Mapping[str, Story], *, lang: str) -> pl.DataFrame:
    """Return who acts in each sentence of each story and what it names.

    `actors` and `objects` are those of the story that the sentence names. A sentence that names no
    actor has the story's actors if it begins with a verb or a pronoun; `implied` marks it.
    `unlisted` are words after an article that none of the story's objects is.
    """
    rows = [
        (item, place, sentence, *_found(story, sentence, lang))
        for item, story in named.items()
        for place, sentence in enumerate(story.sentences)
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _found(story: Story, sentence: str, lang: str) -> tuple[str, bool, str, str]:
    actors = [one for one in story.actors if re.search(rf"\b{re.escape(one)}\b", sentence)]
    implied = not actors and bool(story.actors) and not _has_subject(sentence, lang)
    objects = [one for one in story.objects if names(one, sentence)]
    behind = re.findall(rf"\b(?:{_BEFORE[lang]}){_WORD}", sentence, re.IGNORECASE)
    unlisted = [word for word in behind if not any(names(one, word) for one in story.objects)]
    return (
        ", ".join(story.actors if implied else actors),
        implied,
        ", ".join(objects),
        ", ".join(dict.fromkeys(unlisted)),
    )


def _has_subject(sentence: str, lang: str) -> bool:
    """Return whether a sentence begins with a thing; English verbs are never without a subject."""
    first = re.match(_WORD, sentence.strip())
    if first and first[1].casefold() in _PRONOUNS[lang]:
        return False
    thing = re.match(rf"(?:{_BEFORE[lang]})", sentence.strip(), re.IGNORECASE)
    return lang == "en" or bool(thing)
