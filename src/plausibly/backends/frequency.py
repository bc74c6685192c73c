"""Word frequencies by wordfreq (Speer, 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from types import ModuleType

from plausibly.errors import MissingExtra, StudyError


def wordfreq_version() -> str:
    """Return the name and version of the package the frequencies come from."""
    _wordfreq()
    return f"wordfreq {version('wordfreq')}"


def wordfreq_zipf(words: Sequence[str], lang: str) -> list[float | None]:
    """Return the Zipf value of every word, None for one that wordfreq does not know."""
    module = _wordfreq()
    known = module.get_frequency_dict(_language(module, lang))
    values = [known.get(word) for word in words]
    return [module.freq_to_zipf(value) if value else None for value in values]


def wordfreq_top(number: int, lang: str) -> list[str]:
    """Return the most frequent words, most frequent first."""
    module = _wordfreq()
    words: list[str] = module.top_n_list(_language(module, lang), number)
    return words


def _language(module: ModuleType, lang: str) -> str:
    if lang not in module.available_languages():
        raise StudyError(f"wordfreq knows no language {lang!r}. Pass a frequency list of your own.")
    return lang


def _wordfreq() -> ModuleType:
    try:
        import wordfreq
    except ImportError as error:
        raise MissingExtra("word frequencies by wordfreq", "parse") from error
    module: ModuleType = wordfreq
    return module
