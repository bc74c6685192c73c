"""Italian verbs in the third person singular of the present, by rule and exception.

Verbs in -are, -ere and -rre follow rules. Of those in -ire some have -isce and some have not, which
the word does not show: both kinds are listed, and any other verb is marked as a guess.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from plausibly.io.opening import packaged_toml

_REFLEXIVE = {"arsi": "are", "ersi": "ere", "irsi": "ire", "rsi": "rre"}
# Of verbs in -trarsi these have -trarre; the others have -trare: incontrarsi.
_OF_TRARRE = frozenset(
    f"{prefix}trarsi" for prefix in ("", "as", "at", "con", "de", "dis", "es", "pro", "ri", "sot")
)


@dataclass(frozen=True, slots=True)
class _Table:
    """Exceptions.

    Args:
        whole: From infinitive to form, for the verb itself.
        compounds: From infinitive to form, for the verb and those that end in it: `ottenere`.
        plain: Verbs in -ire without -isce, and those that end in them: `inseguire`.
        long: Verbs in -ire with -isce.
    """

    whole: dict[str, str]
    compounds: dict[str, str]
    plain: tuple[str, ...]
    long: frozenset[str]


@cache
def _table() -> _Table:
    document = packaged_toml("plausibly.datasets.lexica", "verbs_it.toml")
    return _Table(
        document["whole"],
        document["compounds"],
        tuple(document["plain"]),
        frozenset(document["long"]),
    )


def third_person(verb: str) -> str:
    """Return an infinitive in the third person singular; of several words the first changes.

    >>> [third_person(verb) for verb in ("cercare", "ottenere", "capire", "produrre", "lavarsi")]
    ['cerca', 'ottiene', 'capisce', 'produce', 'si lava']
    """
    first, space, rest = verb.partition(" ")
    return f"{_form(first)}{space}{rest}"


def is_guess(verb: str) -> bool:
    """Return whether no rule and no exception covers a verb, so that its form may be wrong.

    >>> [verb for verb in ("mangiare", "capire", "seguire", "sbollentire") if is_guess(verb)]
    ['sbollentire']
    """
    word = _infinitive(verb.partition(" ")[0])[0]
    if _exception(word) is not None or word.endswith(("are", "ere")):
        return False
    if word.endswith("ire"):
        return word not in _table().long and not word.endswith(_table().plain)
    return True


def guesses(verbs: Iterable[str]) -> list[str]:
    """Return the verbs whose form is a guess, sorted."""
    return sorted({verb for verb in verbs if is_guess(verb)})


def _form(word: str) -> str:
    infinitive, reflexive = _infinitive(word)
    known = _exception(infinitive)
    form = known if known is not None else _by_rule(infinitive)
    return f"si {form}" if reflexive else form


def _infinitive(word: str) -> tuple[str, bool]:
    """Return an infinitive without its reflexive pronoun, and whether it had one."""
    if word in _OF_TRARRE:
        return word.removesuffix("si") + "re", True
    for ending, plain in _REFLEXIVE.items():
        if word.endswith(ending):
            return word.removesuffix(ending) + plain, True
    return word, False


def _exception(word: str) -> str | None:
    table = _table()
    if word in table.whole:
        return table.whole[word]
    for infinitive, form in table.compounds.items():
        if word.endswith(infinitive):
            return word.removesuffix(infinitive) + form
    return None


def _by_rule(word: str) -> str:
    stem = word[:-3]
    if word.endswith("are"):
        return f"{stem}a"
    if word.endswith("ere") or (word.endswith("ire") and word.endswith(_table().plain)):
        return f"{stem}e"
    return f"{stem}isce" if word.endswith("ire") else word
