"""A form as a prompt: what a page says, in the same words and order, for a model that reads."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import Formatter
from typing import Any

from plausibly.errors import StudyError, UnknownName
from plausibly.io import read_bytes

FIELDS = ("instructions", "text", "question", "options", "examples")
"""What a wording may have in braces."""
FORM = "form"
"""The wording that is the form itself."""
BETWEEN = "\n\n"
ENDINGS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "answer": "Answer:",
        "one": "Answer with exactly one of the following and nothing else:",
        "several": "Answer with one or several of the following, separated by semicolons, and "
        "nothing else:",
        "number": "Answer with a number from {low} to {high} in steps of {step} and nothing else.",
        "whole": "Answer with a whole number from {low} to {high} and nothing else.",
        "ends": "{low} means “{first}”, {high} means “{last}”.",
        "candidate": "Candidate {name}: {text}",
        "about": "About candidate {name}:",
    },
    "it": {
        "answer": "Risposta:",
        "one": "Rispondi con una sola delle risposte seguenti e nient'altro:",
        "several": "Rispondi con una o più delle risposte seguenti, separate da punto e virgola, "
        "e nient'altro:",
        "number": "Rispondi con un numero da {low} a {high} a passi di {step} e nient'altro.",
        "whole": "Rispondi con un numero intero da {low} a {high} e nient'altro.",
        "ends": "{low} significa «{first}», {high} significa «{last}».",
        "candidate": "Candidato {name}: {text}",
        "about": "Sul candidato {name}:",
    },
    "de": {
        "answer": "Antwort:",
        "one": "Antworte mit genau einer der folgenden Antworten und nichts anderem:",
        "several": "Antworte mit einer oder mehreren der folgenden Antworten, durch Semikolon "
        "getrennt, und nichts anderem:",
        "number": "Antworte mit einer Zahl von {low} bis {high} in Schritten von {step} und nichts "
        "anderem.",
        "whole": "Antworte mit einer ganzen Zahl von {low} bis {high} und nichts anderem.",
        "ends": "{low} bedeutet „{first}“, {high} bedeutet „{last}“.",
        "candidate": "Kandidat {name}: {text}",
        "about": "Zu Kandidat {name}:",
    },
}
"""By language, how an answer is asked for; other languages are asked in English."""


@dataclass(frozen=True, slots=True)
class FormWording:
    """A way to put the form in words.

    Args:
        name: As `--prompts` knows it.
        template: A text with fields in braces, one of `FIELDS`; empty for the form itself.
        language: Language of the template, in which answers are asked for; empty for the form's.
        about: What sets it apart.
    """

    name: str = FORM
    template: str = ""
    language: str = ""
    about: str = "the form as people see it"

    @property
    def digest(self) -> str:
        """Return the hash of its words."""
        return sha256(f"{self.language}|{self.template}".encode()).hexdigest()

    @property
    def shows_examples(self) -> bool:
        """Return whether the template has a place for examples; else they are turns before it."""
        return "{examples}" in self.template

    def first_turns(self, sheet: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return the turns up to the first question about an item.

        Args:
            sheet: From each field to its text.
        """
        if self.template:
            return [("user", self.template.format_map({"examples": "", **sheet}).strip())]
        system = [("system", sheet["instructions"])] if sheet["instructions"] else []
        asked = (sheet["text"], sheet["question"], sheet["options"])
        return [*system, ("user", BETWEEN.join(part for part in asked if part))]


def read_wordings(path: Path) -> dict[str, FormWording]:
    """Return the wordings of a TOML file: a table each, with `text` and, if need be, `language`.

    Raises:
        StudyError: At a field nobody fills, or a wording that does not show the question.
    """
    try:
        document = tomllib.loads(read_bytes(path).decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StudyError(f"{path}: {error}.") from error
    if not document:
        raise StudyError(f"{path}: no wording. Write a table such as [plain] with text = '…'.")
    return {name: _wording(name, raw, f"{path}: [{name}]") for name, raw in document.items()}


def _wording(name: str, raw: Any, place: str) -> FormWording:
    if not isinstance(raw, Mapping) or not isinstance(raw.get("text"), str):
        raise StudyError(f"{place}: a wording needs text, with fields such as {{question}}.")
    for key in raw:
        if key not in ("text", "language", "about"):
            raise StudyError(f"{place}: {UnknownName('key', key, ('text', 'language', 'about'))}")
    text = str(raw["text"])
    try:
        named = [field for _, field, _, _ in Formatter().parse(text) if field is not None]
    except ValueError as error:
        what = "Write a brace that is meant as such twice: {{."
        raise StudyError(f"{place}: {error}. {what}") from error
    for field in named:
        if field not in FIELDS:
            raise StudyError(f"{place}: {UnknownName('field', field, FIELDS)}")
    for needed in ("text", "question"):
        if needed not in named:
            raise StudyError(f"{place}: shows no {{{needed}}}. Add it.")
    return FormWording(name, text, str(raw.get("language", "")), str(raw.get("about", "")))


def chosen_wordings(names: str | None) -> list[FormWording]:
    """Return the wordings of a file, or the form itself where none is named."""
    if names is None or names.strip() == FORM:
        return [FormWording()]
    path = Path(names)
    if path.suffix != ".toml":
        raise StudyError(
            f"prompts: {names!r} does not name a wording. Name a file (.toml), or {FORM!r}.",
            parameter="prompts",
        )
    return list(read_wordings(path).values())


def ending(kind: str, language: str, **parts: object) -> str:
    """Return a sentence around an answer, in a language.

    >>> ending("whole", "it", low=0, high=100)
    "Rispondi con un numero intero da 0 a 100 e nient'altro."
    """
    known = ENDINGS.get(language.partition("-")[0], ENDINGS["en"])
    return known[kind].format(**parts)


def listed(options: Sequence[str], labels: Sequence[str]) -> str:
    r"""Return options as a prompt lists them, with what each means where that is not the same.

    >>> listed(["1", "2"], ["never", "always"])
    '1: never\n2: always'
    >>> listed(["no", "yes"], ["no", "yes"])
    'no\nyes'
    >>> listed(["1", "2"], ["1: never", "2: always"])
    '1: never\n2: always'
    """
    pairs = zip(options, labels or options, strict=True)
    return "\n".join(
        label if label == one or label.startswith(f"{one}: ") else f"{one}: {label}"
        for one, label in pairs
    )
