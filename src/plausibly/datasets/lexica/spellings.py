"""Other spellings of a word, so that ratings of organize hold for organise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from plausibly.io.opening import packaged_toml

# Languages with a file of spellings; the others have one spelling of each word.
LANGUAGES = ("en",)
_LEAST_STEM = 3


@dataclass(frozen=True, slots=True)
class Spellings:
    """What is known about two ways of spelling the words of a language.

    Args:
        words: Whole words, either way.
        endings: Ends of words, either way.
        joined: Prefixes that stand with a hyphen or without, and before which letters ("": all).
    """

    words: Mapping[str, str]
    endings: tuple[tuple[str, str], ...]
    joined: Mapping[str, str]

    def of(self, word: str) -> Iterator[str]:
        """Yield other spellings of a word, the surest first; most of them are no words.

        >>> list(spellings("en").of("theatre")), "organize" in spellings("en").of("organise")
        (['theater'], True)
        """
        if word in self.words:
            yield self.words[word]
            return
        for old, new in self.endings:
            if word.endswith(old) and len(word) >= len(old) + _LEAST_STEM:
                yield word.removesuffix(old) + new
        for prefix, letters in self.joined.items():
            rest = word.removeprefix(prefix)
            stem = rest.removeprefix("-")
            if rest != word and len(stem) >= _LEAST_STEM and (not letters or stem[0] in letters):
                yield prefix + (stem if stem != rest else f"-{rest}")

    def respelt(self, words: Iterable[str], known: frozenset[str]) -> dict[str, str]:
        """Return for words that are not known under their own spelling one that is.

        >>> spellings("en").respelt(["colour", "tea", "livre"], frozenset({"color", "liver"}))
        {'colour': 'color'}
        """
        others = {
            word: next((one for one in self.of(word) if one in known), None)
            for word in words
            if word not in known
        }
        return {word: other for word, other in others.items() if other is not None}


@cache
def spellings(lang: str) -> Spellings:
    """Return the spellings of a language; nothing is known about most of them."""
    if lang not in LANGUAGES:
        return Spellings({}, (), {})
    read = packaged_toml("plausibly.datasets.lexica", f"spellings_{lang}.toml")
    pairs = list(read["words"].items())
    ends = list(read["endings"].items())
    return Spellings(
        words=dict([*((new, old) for old, new in pairs), *pairs]),
        endings=(*ends, *((new, old) for old, new in ends)),
        joined=read["joined"],
    )
