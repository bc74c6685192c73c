"""English nouns by lemminflect: plurals, and which nouns have none."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from plausibly.errors import MissingExtra

Inflect = Callable[[str, str], tuple[str, ...]]


class LemminflectNouns:
    """What lemminflect's dictionary says of nouns; where it says nothing, nouns are countable."""

    def __init__(self) -> None:
        self._inflect = _lemminflect()

    def plural(self, noun: str) -> str:
        """Return the plural of one word."""
        forms = self._inflect(noun, "NNS")
        return forms[0] if forms else f"{noun}s"

    def is_mass(self, noun: str) -> bool:
        """Tell whether the only plural a word has is the word itself.

        It says so of animals as well (`sheep`); our own exceptions come before it.
        """
        return self._inflect(noun, "NNS") == (noun,)


@cache
def _lemminflect() -> Inflect:
    try:
        from lemminflect import getInflection
    except ImportError as error:
        raise MissingExtra("plurals and mass nouns of English", "parse") from error
    inflect: Inflect = getInflection
    return inflect
