"""A form as a prompt: what a page says, in the same words and order, for a model that reads."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Formatter
from typing import Any

from plausibly.errors import StudyError, UnknownName
from plausibly.io import read_bytes
from plausibly.io.opening import packaged_toml

FIELDS = ("instructions", "text", "question", "options", "examples")
"""What a wording may have in braces."""
FORM = "form"
"""The wording that is the form itself."""
BETWEEN = "\n\n"
ENDINGS = "endings"
"""The table of a file of wordings with the sentences around an answer."""


@cache
def known_endings() -> dict[str, dict[str, str]]:
    """Return how an answer is asked for, by language."""
    return packaged_toml("plausibly.asking", "endings.toml")


@dataclass(frozen=True, slots=True)
class Endings:
    """The sentences around an answer, in a language; in English where there are none in it.

    Args:
        language: Language of the prompt.
        own: Sentences of the user's own, which come first.

    >>> Endings("it")("whole", low=0, high=100)
    "Rispondi con un numero intero da 0 a 100 e nient'altro."
    >>> Endings("xx", {"answer": "Xyzzy:"})("answer")
    'Xyzzy:'
    """

    language: str
    own: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, kind: str, **parts: object) -> str:
        """Return one sentence."""
        known = known_endings()
        sentences = known.get(self.language.partition("-")[0], known["en"])
        return (self.own.get(kind) or sentences[kind]).format(**parts)


@dataclass(frozen=True, slots=True)
class FormWording:
    """A way to put the form in words.

    Args:
        name: As `--prompts` knows it.
        template: A text with fields in braces, one of `FIELDS`; empty for the form itself.
        language: Language of the template, in which answers are asked for; empty for the form's.
        about: What sets it apart.
        endings: How an answer is asked for, where that is not in our words.
    """

    name: str = FORM
    template: str = ""
    language: str = ""
    about: str = "the form as people see it"
    endings: Mapping[str, str] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Return the hash of its words."""
        own = json.dumps(self.endings, sort_keys=True) if self.endings else ""
        return sha256(f"{self.language}|{self.template}{own}".encode()).hexdigest()

    @property
    def shows_examples(self) -> bool:
        """Return whether the template has a place for examples; else they are turns before it."""
        return "{examples}" in self.template

    def first_turns(self, sheet: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return the turns up to the first question about an item."""
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
    own = _own_endings(document.pop(ENDINGS, {}), f"{path}: [{ENDINGS}]")
    wordings = {name: _wording(name, raw, f"{path}: [{name}]") for name, raw in document.items()}
    return {n: replace(w, endings=own) for n, w in (wordings or {FORM: FormWording()}).items()}


def _own_endings(raw: Any, place: str) -> dict[str, str]:
    """Return how the user asks for an answer; raise at a sentence that we would not use or fill."""
    ours = known_endings()["en"]
    if not isinstance(raw, Mapping) or not all(isinstance(one, str) for one in raw.values()):
        raise StudyError(f"{place}: write texts, such as answer = 'Answer:'.")
    for key, text in raw.items():
        if key not in ours:
            raise StudyError(f"{place}: {UnknownName('key', key, ours)}")
        filled = set(_fields(ours[key], place))
        unknown = next((name for name in _fields(text, place) if name not in filled), None)
        if unknown is not None:
            raise StudyError(f"{place} {key}: {UnknownName('field', unknown, sorted(filled))}")
    return dict(raw)


def _fields(text: str, place: str) -> list[str]:
    try:
        return [name for _, name, _, _ in Formatter().parse(text) if name is not None]
    except ValueError as error:
        what = "Write a brace that is meant as such twice: {{."
        raise StudyError(f"{place}: {error}. {what}") from error


def _wording(name: str, raw: Any, place: str) -> FormWording:
    if not isinstance(raw, Mapping) or not isinstance(raw.get("text"), str):
        raise StudyError(f"{place}: a wording needs text, with fields such as {{question}}.")
    for key in raw:
        if key not in ("text", "language", "about"):
            raise StudyError(f"{place}: {UnknownName('key', key, ('text', 'language', 'about'))}")
    text = str(raw["text"])
    named = _fields(text, place)
    for name_of_field in named:
        if name_of_field not in FIELDS:
            raise StudyError(f"{place}: {UnknownName('field', name_of_field, FIELDS)}")
    for needed in ("text", "question"):
        if needed not in named:
            raise StudyError(f"{place}: lacks the field {{{needed}}}. Add it.")
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
