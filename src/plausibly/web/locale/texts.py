"""The catalogue: every text the server itself says, by name, one file per language.

The pages of participants and authors are there in every language of `INTERFACES`, the desk of the
researcher in those of `DESKS`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any

from plausibly.errors import StudyError, UnknownName
from plausibly.io import read_toml
from plausibly.ratings.server import ENGLISH, INTERFACES, has_pages, pages_file

DESKS = ("en", "it")
USUAL = ("number.", "date.")  # how numbers and dates are written: as in English unless a file says
RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"})


class Texts:
    """The texts of one language.

    A study has a language that is not shipped, or other words, in its file pages.LANGUAGE.toml,
    with the names of the English file. Texts that are missing there are shown as shipped, or in
    English.

    >>> Texts("en")("status.404")
    'There is nothing here.'
    """

    def __init__(self, language: str, folder: Path | None = None) -> None:
        """Read the texts.

        Args:
            language: Such as en.
            folder: The study whose pages.LANGUAGE.toml is read; None for the shipped texts.
        """
        self.language = language
        base = language.partition("-")[0]
        near = next((one for one in (language, base) if one in INTERFACES), None)
        shipped = _shipped(near) if near else {}
        path = None if folder is None else pages_file(folder, language)
        written = _written(path) if path is not None and path.is_file() else {}
        english = _shipped(ENGLISH)
        known = {**shipped, **written}
        self.missing = tuple(
            name for name in english if name not in known and not name.startswith(USUAL)
        )
        """Names of texts that are shown in English: the file of the study lacks them."""
        self.unfilled = tuple(
            name for name, text in written.items() if _gaps(english[name], name) - _gaps(text, name)
        )
        """Names of texts of the study's file that lack a word in braces of the English text."""
        self.desk_language = language if language in DESKS else ENGLISH
        desk = _shipped(f"desk.{self.desk_language}")
        self._texts: Mapping[str, str] = {**desk, **english, **known}

    @property
    def direction(self) -> str:
        """The direction of the script, as HTML names it."""
        return "rtl" if self.language.partition("-")[0].lower() in RIGHT_TO_LEFT else "ltr"

    def speaking(self, language: str, folder: Path) -> Texts:
        """Return the texts of another language of a study; these where it has no such pages."""
        return Texts(language, folder) if has_pages(language, folder) else self

    def __call__(self, name: str, /, **filled: object) -> str:
        """Return a text with its gaps filled."""
        if name not in self._texts:
            raise UnknownName("text", name, self._texts)
        text = self._texts[name]
        return text.format(**filled) if filled else text

    def counted(self, name: str, count: int, /, **filled: object) -> str:
        """Return the text of the desk that suits a count, with the count in it.

        >>> Texts("it").counted("desk.people", 1200), Texts("en").counted("desk.people", 1)
        ('1.200 persone', '1 person')
        """
        form = "one" if count == 1 else "many"
        return self(f"{name}_{form}", count=self.desk_number(count), **filled)

    def number(self, value: float, digits: int = 0) -> str:
        """Return a number as the language of the pages writes it.

        >>> Texts("en").number(1234.5, 2), Texts("de").number(1234.5, 2)
        ('1,234.50', '1.234,50')
        """
        return self._number(value, digits, "number")

    def desk_number(self, value: float, digits: int = 0) -> str:
        """Return a number as the language of the desk writes it, which may be another.

        >>> Texts("it").desk_number(1234.5, 2), Texts("de").desk_number(1234.5, 2)
        ('1.234,50', '1,234.50')
        """
        return self._number(value, digits, "desk_number")

    def _number(self, value: float, digits: int, section: str) -> str:
        signs = {",": self(f"{section}.thousands"), ".": self(f"{section}.decimal")}
        signs["-"] = "\N{MINUS SIGN}"
        return "".join(signs.get(sign, sign) for sign in f"{value:z,.{digits}f}")

    def day(self, day: date) -> str:
        """Return a date as the language of the pages writes it.

        >>> Texts("en").day(date(2027, 6, 3)), Texts("de").day(date(2027, 6, 3))
        ('2027-06-03', '03.06.2027')
        """
        return self("date.day", day=f"{day:%d}", month=f"{day:%m}", year=f"{day:%Y}")

    def word(self, word: str) -> str:
        """Return what the desk calls a state, verdict, flag or action of the store.

        >>> Texts("it").word("screened out"), Texts("it").word("a reason somebody wrote")
        ('non ammessa', 'a reason somebody wrote')
        """
        return self._texts.get(f"desk_word.{word}", word)


def _place(language: str) -> Any:
    return files(__package__).joinpath(f"{language}.toml")


def _shipped(language: str) -> dict[str, str]:
    return _by_name(tomllib.loads(_place(language).read_text(encoding="utf-8")))


def _by_name(sections: Mapping[str, Any]) -> dict[str, str]:
    return {
        f"{section}.{name}": text
        for section, texts in sections.items()
        for name, text in (texts.items() if isinstance(texts, dict) else ())
    }


def _written(path: Path) -> dict[str, str]:
    """Return the texts of a study's file; raise if one could not be shown."""
    texts, english = _by_name(read_toml(path)), _shipped(ENGLISH)
    for name, text in texts.items():
        if name not in english:
            raise UnknownName(f"text in {path}", name, english)
        if not isinstance(text, str) or not (text.strip() or name.startswith("number.")):
            raise StudyError(f"{path}: {name} must be a text; got {text!r}.")
        gaps = _gaps(text, f"{path}: {name}")
        strange = sorted(gaps - _gaps(english[name], name))
        if strange:
            raise StudyError(
                f"{path}: {name} has the placeholder {{{strange[0]}}}, which is never filled. "
                "The English "
                f"text is {english[name]!r}."
            )
    return texts


def _gaps(text: str, where: str) -> set[str]:
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError as error:
        raise StudyError(f"{where}: a brace without its partner ({error}).") from error
