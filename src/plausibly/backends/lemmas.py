"""English lemmas for the embedded parser: a table from the treebank, rules for the rest."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from plausibly.backends.inflections import lemminflect

INFLECTED = ("NOUN", "VERB", "AUX")
COMPARED = ("ADJ", "ADV")
PLURAL_NAME = "PROPN|Number=Plur"
KEPT = 1_000_000


def inflected_lemma(form: str, upos: str) -> str:
    """Return the lemma of a lower-cased form by lemminflect; the form itself without one.

    Of adjectives and adverbs only what looks compared is asked for: elsewhere the lemmas of
    lemminflect undo derivation (`learned` becomes `learn`).
    """
    compared = upos in COMPARED and form.endswith(("er", "est"))
    if not (compared or upos in INFLECTED) or not form.isalpha():
        return form
    found = _lemminflect()(form, upos)
    lemma = found[0].lower() if found else form
    return _undoubled(form, lemma) if upos == "VERB" else lemma


def _undoubled(form: str, lemma: str) -> str:
    """Return the lemma of a verb that the dictionary lacks with one letter of two: trialling."""
    double = len(lemma) > 3 and lemma[-1] == lemma[-2] and lemma != form
    if not double or _lemminflect()(lemma, "VERB", lemmatize_oov=False):
        return lemma
    known = any(_lemminflect()(lemma[:-1], upos, lemmatize_oov=False) for upos in ("VERB", "NOUN"))
    return lemma[:-1] if known else lemma


def singular_name(form: str) -> str:
    """Return a name in the plural without its ending, the case of what is left kept."""
    singular = inflected_lemma(form.lower(), "NOUN")
    return form[: len(singular)] if form.lower().startswith(singular) else singular.title()


@cache
def _lemminflect() -> Callable[..., tuple[str, ...]]:
    module = lemminflect("lemmatising English words")
    lemmas: Callable[..., tuple[str, ...]] = module.getLemma
    return lemmas


class Lemmatiser(dict[tuple[str, str], str]):
    """Maps (form, upos) to a lemma; a pair is worked out once, and a million pairs are kept.

    Proper nouns keep their case when the table does not know them, and lose a plural ending when
    they come as `PLURAL_NAME`; everything else is lower-cased.

    Args:
        table: UPOS to lower-cased form to lemma, consulted before the rules.

    >>> lemmatiser = Lemmatiser({"ADJ": {"better": "good"}})
    >>> lemmatiser["Better", "ADJ"], lemmatiser["Rome", "PROPN"]
    ('good', 'Rome')
    """

    def __init__(self, table: Mapping[str, Mapping[str, str]]) -> None:
        super().__init__()
        self._table = {upos: dict(lemmas) for upos, lemmas in table.items()}

    def __missing__(self, key: tuple[str, str]) -> str:
        form, tag = key
        upos, _, plural = tag.partition("|")
        lemma = self._table.get(upos, {}).get(form.lower())
        if lemma is None:
            lemma = self._by_rule(form, upos, plural=bool(plural))
        if len(self) >= KEPT:
            self.clear()
        self[key] = lemma
        return lemma

    @staticmethod
    def _by_rule(form: str, upos: str, *, plural: bool) -> str:
        if upos != "PROPN":
            return inflected_lemma(form.lower(), upos)
        return singular_name(form) if plural else form


def read_lemmatiser(path: Path) -> Lemmatiser:
    """Return the lemmatiser whose table is in a JSON file."""
    return Lemmatiser(json.loads(path.read_text(encoding="utf-8")))
