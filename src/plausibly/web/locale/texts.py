"""The catalogue: every text the server itself says, by name, in two files per language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from plausibly.errors import UnknownName

ROOMS = ("", "desk.")  # what people read who take part, and who conduct the study


class Texts:
    """The texts of one language.

    >>> Texts("en")("status.404")
    'There is nothing here.'
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts: dict[str, str] = {}
        for room in ROOMS:
            source = files(__package__).joinpath(f"{room}{language}.toml")
            sections: Mapping[str, Mapping[str, str]] = tomllib.loads(
                source.read_text(encoding="utf-8")
            )
            self._texts |= {
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

    def counted(self, name: str, count: int, /, **filled: object) -> str:
        """Return the text that suits a count, with the count in it.

        >>> Texts("it").counted("desk.people", 1200), Texts("en").counted("desk.people", 1)
        ('1.200 persone', '1 person')
        """
        form = "one" if count == 1 else "many"
        return self(f"{name}_{form}", count=self.number(count), **filled)

    def number(self, value: float, digits: int = 0) -> str:
        """Return a number as the language writes it.

        >>> Texts("en").number(1234.5, 2), Texts("it").number(1234.5, 2)
        ('1,234.50', '1.234,50')
        """
        signs = {",": self("number.thousands"), ".": self("number.decimal")}
        return "".join(signs.get(sign, sign) for sign in f"{value:,.{digits}f}")

    def word(self, word: str) -> str:
        """Return what the desk calls a state, verdict, flag or action of the store.

        >>> Texts("it").word("screened out"), Texts("it").word("a reason somebody wrote")
        ('non ammessa', 'a reason somebody wrote')
        """
        return self._texts.get(f"desk_word.{word}", word)
