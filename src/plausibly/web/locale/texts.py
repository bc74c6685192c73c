"""The catalogue: every text the server itself says, by name, in one file per language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from plausibly.errors import UnknownName


class Texts:
    """The texts of one language.

    >>> Texts("en")("status.404")
    'There is nothing here.'
    """

    def __init__(self, language: str) -> None:
        source = files(__package__).joinpath(f"{language}.toml")
        sections = tomllib.loads(source.read_text(encoding="utf-8"))
        self.language = language
        self._texts: Mapping[str, str] = {
            f"{section}.{name}": text
            for section, texts in sections.items()
            for name, text in texts.items()
        }

    def __call__(self, name: str, /, **filled: object) -> str:
        """Return a text with its gaps filled."""
        if name not in self._texts:
            raise UnknownName("text", name, self._texts)
        text = self._texts[name]
        return text.format(**filled) if filled else text
