"""The language a text is in, judged by its smallest words; no model is asked."""

from __future__ import annotations

import re
from collections import Counter

# Words that are frequent in one language and, all together, in no other.
_WORDS = {
    "en": "the of and to in is was that for with his he as on by at from are this be it an or were",
    "de": "der die und das den von zu mit sich des auf ist im dem nicht ein eine als auch es wurde",
    "fr": "le la les des et du une dans est que pour qui sur par au avec pas il ce sont aux cette",
    "es": "el la los las del y en que un una por con para es su se al lo como fue más sus este",
    "it": "il di che è la un una per con del non della sono gli le dei nel da si alla anche delle",
    "pt": "o os as do da dos das em um uma não que para com por foi ao mais se como sua pela",
    "nl": "de het een van en in is dat op te zijn met voor niet aan er om ook als bij wordt werd",
    "sv": "och att det som en på är av för med den till inte han var ett om de sig har från",
    "pl": "w i na z do się nie jest to że o jak był po od przez przy oraz który dla są jego",
}
NAMES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "sv": "Swedish",
    "pl": "Polish",
    "other": "no language known here",
}
FEWEST = 20
LOOKED_AT = 3000

_LANGUAGES: dict[str, list[str]] = {}
for _language, _words in _WORDS.items():
    for _word in _words.split():
        _LANGUAGES.setdefault(_word, []).append(_language)
_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str) -> str | None:
    """Return the code of the language a text seems to be in; None if that is not clear.

    Of the words in its first 3,000 characters those are counted that are small words of a
    language; `other` is what has hardly any of them.

    >>> language_of("Il cane ha inseguito il gatto nel giardino, che non era della signora, " * 3)
    'it'
    >>> language_of("Dogs bark.") is None
    True
    """
    words = _WORD.findall(text[:LOOKED_AT].lower())
    if len(words) < FEWEST:
        return None
    votes = Counter(language for word in words for language in _LANGUAGES.get(word, ()))
    if not votes or votes.most_common(1)[0][1] < len(words) * 0.08:
        return "other"
    best = max(votes.values())
    first = [language for language, count in votes.items() if count == best]
    return first[0] if len(first) == 1 else None


def remark(languages: dict[str, int], parser: str) -> list[str]:
    """Say that texts seem to be in other languages than the parser's, if one in twenty is."""
    known = sum(languages.values())
    others = {one: n for one, n in languages.items() if one != parser}
    if not known or sum(others.values()) < known / 20:
        return []
    most = max(others, key=lambda one: (others[one], one))
    return [
        f"{sum(others.values())} of {known} documents do not look {NAMES.get(parser, parser)}, "
        f"most of them {NAMES[most]}, and the parser reads {NAMES.get(parser, parser)}: what is "
        "counted in them means nothing. Use a parser of their language (stanza, or "
        "spacy:NAME), or choose other documents."
    ]
