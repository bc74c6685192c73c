"""What a header says its column is, in five languages."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import cast

from plausibly.io.layout import Role
from plausibly.io.opening import packaged_toml

LANGUAGES = {"en": "English", "de": "German", "it": "Italian", "fr": "French", "es": "Spanish"}
NOT_ITEMS = ("time", "comment", "person", "check", "order")
MEASURED, GRADED = "measured", "graded"
SHORT = 3  # words up to which a header names a fact; a longer one is a sentence
ABOUT_YOU = re.compile(
    r"\b(you|your|yours|du|dein|deine|sie|ihr|ihre|ihren|tu|tuo|tua|suo|sua|lei|vous|votre|vos|"
    r"usted|su|sus|eres|sei)\b"
)
_FILLERS = {
    *("in", "of", "the", "a", "an", "any", "other", "further", "more", "your", "and"),
    *("or", "years", "seconds", "s", "ms", "der", "die", "das", "und", "oder", "jahren"),
    "jahre",
    *("sekunden", "weitere", "weiteren", "sonstige", "il", "la", "lo", "altri", "altre"),
    *("anni", "secondi", "le", "les", "autres", "ans", "secondes", "el", "otros"),
    *("otras", "anos", "segundos", "mean", "average", "median", "mittlere", "media", "moyen"),
}
_LINKS = {
    *("of", "the", "de", "du", "des", "d'", "la", "le", "les", "di", "del", "della", "dello"),
    *("dell'", "dei", "degli", "delle", "el", "los", "las", "der", "die", "das", "il", "lo"),
}
_IDS = (
    *("id", "identifiant", "identificativo", "identificador", "identifier", "kennung", "code"),
    *("codice", "codigo", "nr", "no", "n", "numero", "number", "nummer"),
)
_PARENTHESES = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_UNIT = re.compile(r"(?<=\w) (s|ms|sec|secs|msec|msecs|milliseconds?)$")
# What people sign, however long the sentence is.
CONSENT = re.compile(
    r"\b(informed consent|i (hereby |voluntarily )?(consent|agree)|"
    r"agree to (participate|take part)|einverstanden|einverstandnis\w*|einwillig\w+|acconsento|"
    r"consenso informato|consentement|j'accepte|consiento|consentimiento)\b"
)
# What tells people which answer to give.
INSTRUCTED = re.compile(
    r"\b(please|bitte|per favore|si prega di|veuillez|por favor)\b.{0,60}"
    r"\b(select|choose|tick|click|mark|wahlen|klicken|kreuzen|markieren|selezion\w+|scegli\w*|"
    r"selectionn\w+|choisi\w+|coche\w*|seleccion\w+|elija|elige|marque)\b"
)


@dataclass(frozen=True, slots=True)
class HeaderWord:
    """A word of a header that shows what its column is."""

    role: Role
    languages: frozenset[str]


def plain(text: str) -> str:
    """Return a text in lower case without accents, its words separated by single spaces.

    >>> plain("  Été_2024: Âge? ")
    'ete 2024 age'
    """
    letters = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    bare = "".join(sign for sign in letters if not unicodedata.combining(sign))
    return " ".join(re.sub(r"[^\w']+|_", " ", bare).split())


@cache
def _lists() -> Mapping[str, Mapping[str, list[str]]]:
    """Return the words of the file, by what they show and by language."""
    return packaged_toml("plausibly.ratings", "header_words.toml")


@cache
def _words() -> Mapping[str, HeaderWord]:
    """Return every word with its role; a role that stands earlier in the file wins."""
    words: dict[str, HeaderWord] = {}
    for role, languages in _lists().items():
        if role in (MEASURED, GRADED):
            continue
        for language, own in languages.items():
            for word in map(plain, own):
                known = words.get(word)
                if known is None:
                    words[word] = HeaderWord(cast(Role, role), frozenset({language}))
                elif known.role == role:
                    words[word] = HeaderWord(known.role, known.languages | {language})
    return words


@cache
def _pattern() -> re.Pattern[str]:
    longest = sorted(_words(), key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, longest))})\b")


def word_in(header: str) -> HeaderWord | None:
    """Return what a header says about its column, None if the column may be an item.

    A sentence is about a person only if it addresses them, and a short header only if most of its
    words are about them.

    >>> word_in("Anmerkungen").role, word_in("Semester").role, word_in("Zeitstempel").role
    ('comment', 'person', 'time')
    >>> word_in("The age of the tree is visible in its rings."), word_in("student eats book")
    (None, None)
    >>> word_in("What is your age?").role, word_in("Age in years").role
    ('person', 'person')
    >>> word_in("I agree to participate in this study.").role
    'person'
    """
    bare = plain(header)
    if INSTRUCTED.search(bare):
        return HeaderWord("check", frozenset())
    if CONSENT.search(bare):
        return HeaderWord("person", frozenset())
    matches = [
        (match[1], word)
        for match in _pattern().finditer(bare)
        if (word := _words()[match[1]]).role in NOT_ITEMS
    ]
    if not matches:
        return None
    if not ABOUT_YOU.search(bare):
        words = [word for word in bare.split() if word not in _FILLERS and not word.isdecimal()]
        about = sum(len(text.split()) for text, _ in matches)
        if len(words) > SHORT or 2 * about <= len(words):
            return None
    return matches[0][1]


def exact_word(header: str) -> HeaderWord | None:
    """Return what a header says that is nothing but a word of ours, with "id" or "name" next to it.

    What is in parentheses, such as a unit, does not count.

    >>> [exact_word(one).role for one in ("Worker_ID", "Bewertung (1-7)", "ID frase")]
    ['annotator', 'answer', 'item']
    """
    bare = _UNIT.sub("", plain(_PARENTHESES.sub("", header))) or plain(header)
    starts = [bare, _without_id(bare)]
    for ending in ("", " id", " name", "id", " code", "code", " nr", " number", "nummer"):
        for start in dict.fromkeys(starts):
            if start.endswith(ending) and (
                word := _words().get(start.removesuffix(ending).strip())
            ):
                return word
    return None


def _without_id(bare: str) -> str:
    """Return a header without the "number of the" before what it numbers.

    >>> _without_id("identifiant du participant"), _without_id("n de phrase")
    ('participant', 'phrase')
    """
    words = bare.split()
    if len(words) < 2 or words[0] not in _IDS:
        return bare
    start = next((n for n, word in enumerate(words[1:], start=1) if word not in _LINKS), 0)
    return " ".join(words[start:])


def is_id(header: str) -> bool:
    """Return whether a header is about numbers or codes of things, not the things themselves.

    >>> is_id("item_id"), is_id("N° de phrase"), is_id("Satznummer"), is_id("Phrase")
    (True, True, True, False)
    """
    bare = plain(header)
    return (
        _without_id(bare) != bare or re.search(r"(id|nr|number|nummer|code|no)$", bare) is not None
    )


def is_measured(header: str) -> bool:
    """Return whether a header names what is judged, such as plausibility.

    >>> is_measured("Plausibilità (0-100)"), is_measured("plausibility_rating"), is_measured("Age")
    (True, True, False)
    >>> is_measured("Note de plausibilité"), is_measured("Note")
    (True, False)
    """
    measured = {plain(word) for own in _lists()[MEASURED].values() for word in own}
    degrees = {plain(word) for own in _lists()[GRADED].values() for word in own}
    bare = plain(_PARENTHESES.sub("", header)).split()
    words = [word for word in bare if word not in _LINKS | degrees]
    known = [word in measured for word in words]
    answers = [(role := _words().get(word)) is not None and role.role == "answer" for word in words]
    return any(known) and all(a or b for a, b in zip(known, answers, strict=True))


def language_of(headers: Iterable[str]) -> str | None:
    """Return the language whose words headers have; None if there are none, or they leave it open.

    >>> language_of(["Zeitstempel", "Alter", "Q1"]), language_of(["Q1", "Q2"])
    ('German', None)
    """
    counts: Counter[str] = Counter()
    for header in headers:
        word = exact_word(header) or word_in(header)
        if word is not None and word.languages:
            counts.update(dict.fromkeys(word.languages, 1.0 / len(word.languages)))
    best = counts.most_common(2)
    if not best or (len(best) == 2 and best[0][1] == best[1][1]):
        return None
    return LANGUAGES[best[0][0]]
