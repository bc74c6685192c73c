"""Texts of items that no longer say what their columns say, as after an edit by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from plausibly.datasets.lexica.italian_verbs import third_person
from plausibly.datasets.lexica.language import LANGUAGES, language

WORDS = ("subject", "verb", "object", "head", "dependent", "noun", "modifier")
SENTENCES = "sentences"
_WORD = re.compile(r"[^\W\d_]+")
# Endings that inflection adds to a whole word are no longer than this.
LONGEST_ENDING = 3


@dataclass(frozen=True, slots=True)
class EditedText:
    """An item whose text lacks what a column says."""

    item: str
    column: str
    value: str


def edited_texts(items: pl.DataFrame, *, lang: str) -> list[EditedText]:
    """Return every item whose text lacks a word, or the sentences, that one of its columns has.

    A word may be inflected in the text. Checks are compared like items.

    >>> rows = {"item": ["a", "b"], "text": ["Dogs chase cats.", "Dogs eat cats."]}
    >>> items = pl.DataFrame(rows).with_columns(verb=pl.lit("chase"), object=pl.lit("cat"))
    >>> edited_texts(items, lang="en")
    [EditedText(item='b', column='verb', value='chase')]
    """
    columns = [name for name in WORDS if items.schema.get(name) == pl.String]
    found: list[EditedText] = []
    for row in items.iter_rows(named=True):
        words = {word.casefold() for word in _WORD.findall(row["text"])}
        found += [
            EditedText(row["item"], name, row[name])
            for name in columns
            if row[name] and not all(_is_there(word, words, lang) for word in _words(row[name]))
        ]
        found += _other_sentences(row)
    return found


def _words(value: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(value)]


def _is_there(word: str, words: set[str], lang: str) -> bool:
    """Return whether a word, or a form of it, is among the words of a text."""
    return word in words or any(
        form in words or any(_alike(form, other) for other in words) for form in _forms(word, lang)
    )


def _forms(word: str, lang: str) -> Iterator[str]:
    yield word
    if lang in LANGUAGES:
        profile = language(lang)
        yield from (
            listed[word] for listed in (profile.third_person, profile.plural) if word in listed
        )
    if lang == "it" and word.endswith(("are", "ere", "ire", "rre", "rsi")):
        yield from _WORD.findall(third_person(word))


def _alike(word: str, other: str) -> bool:
    """Return whether two words may be forms of one: an ending added, or a short one exchanged.

    >>> _alike("go", "goes"), _alike("city", "cities"), _alike("mela", "mele"), _alike("cat", "car")
    (True, True, True, False)
    """
    if other.startswith(word) and len(other) - len(word) <= LONGEST_ENDING:
        return True
    shortest = min(len(word), len(other))
    shared = next((i for i in range(shortest) if word[i] != other[i]), shortest)
    return shared >= 3 and max(len(word), len(other)) - shared <= LONGEST_ENDING


def _other_sentences(row: Mapping[str, object]) -> Iterator[EditedText]:
    """Yield a story whose text is not made of its sentences."""
    written = row.get(SENTENCES)
    if not isinstance(written, str) or not written.startswith("["):
        return
    sentences = " ".join(str(one).strip() for one in json.loads(written))
    if " ".join(str(row["text"]).split()) != " ".join(sentences.split()):
        yield EditedText(str(row["item"]), SENTENCES, sentences)
