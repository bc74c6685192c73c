"""Languages that models were made for, next to the languages they are asked in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from plausibly.errors import StudyError, UnknownName

MULTILINGUAL = "multilingual"
_LANGUAGE = re.compile(r"[a-z]{2,3}")
# As a sentence names them: the code of Italian reads as a pronoun.
_NAMES = {"en": "English", "it": "Italian", "de": "German", "fr": "French", "es": "Spanish"}


def languages_of(model: str, made_for: Sequence[str]) -> tuple[str, ...]:
    """Return the languages a model was made for, empty if nobody names them.

    Args:
        model: The model, as it is asked for.
        made_for: Codes separated by commas, or multilingual; MODEL=CODES holds for one model only.

    >>> languages_of("smollm2", ["multilingual", "smollm2=en"]), languages_of("mock:1", [])
    (('en',), ())
    >>> languages_of("smollm2", ["en", "it"])
    ('en', 'it')
    >>> languages_of("smollm2", ["Italian"])
    Traceback (most recent call last):
    plausibly.errors.StudyError: made_for must be codes such as it or en,it, or multilingual; got \
'Italian'.
    """
    own = [one for one in made_for if one.startswith(f"{model}=")]
    shared = [one for one in made_for if "=" not in one]
    languages = [
        part.strip() for one in own or shared for part in one.rpartition("=")[2].split(",")
    ]
    for language in languages:
        if language != MULTILINGUAL and not _LANGUAGE.fullmatch(language):
            message = (
                f"made_for must be codes such as it or en,it, or multilingual; got {language!r}."
            )
            raise StudyError(message, parameter="made_for")
    return tuple(dict.fromkeys(languages))


def check_made_for(models: Sequence[str], made_for: Sequence[str]) -> None:
    """Raise if languages are named for a model that is not asked.

    >>> check_made_for(["smollm2"], ["it", "smollm2=en"])
    """
    for one in made_for:
        model = one.rpartition("=")[0]
        if model and model not in models:
            raise UnknownName("model", model, models, parameter="made_for")


def language_note(made_for: Sequence[str], asked_in: Sequence[str]) -> str:
    """Return what to know where a model is asked in a language that it was not made for.

    >>> language_note(("en",), ("it",))
    'The model was made for English but asked in Italian, so expect worse results.'
    >>> language_note(("multilingual",), ("it",))[:55]
    'The model is multilingual, not made for Italian in part'
    >>> language_note(("en", "it"), ("it",)), language_note((), ("it",))
    ('', '')
    """
    others = _named(one for one in dict.fromkeys(asked_in) if one not in made_for)
    if not made_for or not others:
        return ""
    if MULTILINGUAL in made_for:
        return (
            f"The model is multilingual, not made for {others} in particular, which may lower its "
            "results."
        )
    named = _named(made_for)
    return f"The model was made for {named} but asked in {others}, so expect worse results."


def _named(codes: Iterable[str]) -> str:
    return ", ".join(_NAMES.get(one, one) for one in codes)
