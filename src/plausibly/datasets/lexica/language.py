"""Language profiles: the facts about a language that realisation and builders need, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from types import MappingProxyType

from plausibly.errors import StudyError, UnknownName
from plausibly.io.opening import packaged_toml

LANGUAGES = ("en", "it")
# The parts that a user can provide as a file.
BROUGHT = ("norms", "conceptnet", "nonsubsective adjectives")
_LIGHT = ("light_verbs", "light_forms")
_WORDS = (
    "a_before",
    "an_before",
    "plural_only",
    "collective",
    "mass",
    "proper",
    "measures",
    *_LIGHT,
)


@dataclass(frozen=True, slots=True)
class Language:
    """One language, as its file describes it.

    Args:
        lang: Two letters.
        name: For messages.
        a_before: Beginnings that take `a` although they are spelt with a vowel.
        an_before: Beginnings that take `an` although they are spelt with a consonant.
        plural_only: Nouns whose verb is plural: `police`, `people`.
        collective: Nouns of a group that take either; singular by default.
        mass: Nouns without an indefinite article: `water`.
        proper: Adjectives written with a capital: `american`, as spelled in the counts.
        measures: Units and times, which do not act: `hour`, `kilometre`.
        light_verbs: Light verbs and copulas, which mean little by themselves: `have`, `become`.
        light_forms: Their other forms, for items that are inflected: `has`, `became`.
        third_person: Verbs whose third person the rules get wrong.
        plural: Nouns whose plural the rules get wrong.
        lacks: What each protocol needs and this language lacks.
    """

    lang: str
    name: str
    a_before: tuple[str, ...] = ()
    an_before: tuple[str, ...] = ()
    plural_only: frozenset[str] = frozenset()
    collective: frozenset[str] = frozenset()
    mass: frozenset[str] = frozenset()
    proper: frozenset[str] = frozenset()
    measures: frozenset[str] = frozenset()
    light_verbs: frozenset[str] = frozenset()
    light_forms: frozenset[str] = frozenset()
    third_person: Mapping[str, str] = field(default_factory=dict)
    plural: Mapping[str, str] = field(default_factory=dict)
    lacks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def language(lang: str) -> Language:
    """Return the profile of a language.

    >>> language("en").third_person["have"]
    'has'
    """
    if lang not in LANGUAGES:
        raise UnknownName("language", lang, LANGUAGES)
    document = packaged_toml("plausibly.datasets.lexica", f"language_{lang}.toml")
    known = {one.name for one in fields(Language)}
    strangers = sorted(set(document) - known)
    if strangers:
        raise StudyError(f"language_{lang}.toml: unknown key {strangers[0]!r}.")
    words = {name: document.get(name, []) for name in _WORDS}
    return Language(
        lang=lang,
        name=document["name"],
        a_before=tuple(words["a_before"]),
        an_before=tuple(words["an_before"]),
        plural_only=frozenset(words["plural_only"]),
        collective=frozenset(words["collective"]),
        mass=frozenset(words["mass"]),
        proper=frozenset(words["proper"]),
        measures=frozenset(words["measures"]),
        light_verbs=frozenset(words["light_verbs"]),
        light_forms=frozenset(words["light_forms"]),
        third_person=MappingProxyType(document.get("third_person", {})),
        plural=MappingProxyType(document.get("plural", {})),
        lacks=MappingProxyType(
            {protocol: tuple(needs) for protocol, needs in document.get("lacks", {}).items()}
        ),
    )


def require(lang: str, protocol: str, *, given: frozenset[str] = frozenset()) -> Language:
    """Return the profile of a language; raise if a protocol cannot be built in it.

    Args:
        lang: Two letters.
        protocol: As `plausibly build` knows it.
        given: Resources that the user provides, by their name in the profile.
    """
    profile = language(lang)
    missing = [need for need in profile.lacks.get(protocol, ()) if need not in given]
    if missing:
        rules = [need for need in missing if need not in BROUGHT]
        way = (
            f"No option takes {rules[0]}: it can be built only in English."
            if rules
            else "Pass it as a file."
        )
        raise StudyError(
            f"building {protocol} in {profile.name} needs parts that do not come with the package: "
            f"{', '.join(missing)}. {way}"
        )
    return profile
