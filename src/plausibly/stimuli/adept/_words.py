"""What a list or a dictionary says against the words of ADEPT pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from plausibly.datasets.adept.nonsubsective import shipped_nonsubsective
from plausibly.stimuli.lexica.profanity import own_list

_WORD = re.compile(r"[\w'-]+")
_USED_FOR = re.compile(r"\bused for ([a-z]+)\b", re.IGNORECASE)


class EnglishWords(Protocol):
    """What a dictionary says of English words."""

    def is_word(self, word: str) -> bool:
        """Tell whether there is such a word."""
        ...

    def is_noun_alone(self, word: str) -> bool:
        """Tell whether a word is a noun and no adjective."""
        ...

    def is_bare_verb(self, word: str) -> bool:
        """Tell whether a word is a verb in its plain form and nothing else."""
        ...


def wrong_words(
    rows: Sequence[Mapping[str, str]], words: EnglishWords | None
) -> Iterator[tuple[int, str, str]]:
    """Yield idx, kind and message of what a list or a dictionary says against words of pairs."""
    profane, listed = own_list().words, shipped_nonsubsective()
    for row in rows:
        idx, modifier = int(row["idx"]), row["modifier"].casefold()
        if modifier in profane:
            yield (idx, "offensive_modifier", f"{modifier!r} is {profane[modifier]}")
        if words is None:
            continue
        if modifier not in listed and words.is_noun_alone(modifier):
            yield (idx, "noun_modifier", f"{modifier!r} is a noun")
        strange = _unknown(row, words)
        if strange:
            yield (idx, "unknown_word", f"{strange!r} is no word")
        bare = _USED_FOR.search(row["sentence1"])
        if bare is not None and words.is_bare_verb(bare[1].casefold()):
            yield (idx, "bare_verb", f"'used for {bare[1]}' wants a form in -ing")


def _unknown(row: Mapping[str, str], words: EnglishWords) -> str:
    """Return the first word that is none and stands in both sentences; names are not judged."""
    second = set(_WORD.findall(row["sentence2"].casefold()))
    for place, word in enumerate(_WORD.findall(row["sentence1"])):
        plain = word.casefold().removesuffix("'s").strip("'-")
        name = word[:1].isupper() and place > 0
        if not plain.isascii() or not plain.isalpha() or name or len(plain) < 4:
            continue
        if plain in second and not words.is_word(plain):
            return str(word)
    return ""
