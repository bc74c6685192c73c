"""Word frequencies by wordfreq (Speer, 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from types import ModuleType

from plausibly.errors import MissingExtra, StudyError

RECOGNISED = ("de", "en", "es", "fr", "it", "pt")
"""Languages that texts are compared with to recognise theirs."""


def recognised(*, without: str = "") -> dict[str, WordFreq]:
    """Return how frequent words are in languages that can be recognised; none without wordfreq."""
    try:
        return {one: WordFreq(one, words="small") for one in RECOGNISED if one != without}
    except MissingExtra:
        return {}


class WordFreq:
    """The frequencies of one language, as wordfreq has them.

    Args:
        lang: The language.
        words: Which list: `best`, the longest there is, or `small`, read in a tenth of the time.
    """

    def __init__(self, lang: str, *, words: str = "best") -> None:
        module = _wordfreq()
        self._words = words
        self._module = module
        self._lang = _language(module, lang)

    @property
    def name(self) -> str:
        """The package the frequencies come from, with its version, and the language."""
        return f"wordfreq {version('wordfreq')}, {self._lang}"

    def zipf(self, words: Sequence[str]) -> list[float | None]:
        """Return the Zipf value of every word, None for one that wordfreq does not know."""
        known = self._module.get_frequency_dict(self._lang, self._words)
        values = [known.get(word) for word in words]
        return [self._module.freq_to_zipf(value) if value else None for value in values]

    def most_frequent(self, number: int) -> list[str]:
        """Return the most frequent words, most frequent first."""
        words: list[str] = self._module.top_n_list(self._lang, number)
        return words


def _language(module: ModuleType, lang: str) -> str:
    if lang not in module.available_languages():
        raise StudyError(f"wordfreq has no language {lang!r}. Pass your own frequency list.")
    return lang


def _wordfreq() -> ModuleType:
    try:
        import wordfreq
    except ImportError as error:
        raise MissingExtra("word frequencies by wordfreq", "parse") from error
    module: ModuleType = wordfreq
    return module
