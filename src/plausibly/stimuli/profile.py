"""What the package provides for a language, part by part, and what a user must provide."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from plausibly.datasets.lexica.language import BROUGHT, Language, language
from plausibly.datasets.lexica.profanity import profanity_for
from plausibly.stimuli.pap.checks import check_pool
from plausibly.stimuli.sp10k.surveys import LANGUAGES


@dataclass(frozen=True, slots=True)
class LanguagePart:
    """One thing a language needs: what is available, or None, and how to get it.

    Args:
        part: parser, words, lists, texts or build.
        name: Its name.
        have: What comes with the package; None if nothing does.
        get: How to get it if nothing comes with the package, or to use another.
    """

    part: str
    name: str
    have: str | None
    get: str


def language_parts(
    lang: str, *, protocols: Iterable[str], minds: Collection[str]
) -> list[LanguagePart]:
    """Return every part of a language, in the order a study uses them.

    Args:
        lang: Two letters.
        protocols: Names of the protocols whose items can be built in it.
        minds: Languages for which verbs of the mind are listed.
    """
    profile = language(lang)
    return [
        *_parser(profile),
        *_words(profile),
        *_lists(profile),
        *_texts(profile, minds),
        *_built(profile, protocols),
    ]


def _parser(profile: Language) -> Iterator[LanguagePart]:
    english = profile.lang == "en"
    other = f"extract --parser stanza --language {profile.lang}, or --parser spacy:NAME"
    yield LanguagePart("parser", "texts to relations", "embedded" if english else None, other)


def _words(profile: Language) -> Iterator[LanguagePart]:
    if profile.lang == "en":
        rules = f"rules, {len(profile.plural)} exceptions, lemminflect's dictionary if installed"
        yield LanguagePart(
            "words", "plurals and third person", rules, "pip install 'plausibly[parse]'"
        )
        yield LanguagePart("words", "articles", "by sound; none for mass nouns", "")
        return
    by_gender = "for nouns in a list with gender: build custom --nouns FILE"
    yield LanguagePart("words", "articles and plurals", by_gender, "noun,gender[,plural]")
    yield LanguagePart("words", "forms of verbs", None, "write them into the table")


def _lists(profile: Language) -> Iterator[LanguagePart]:
    profane = len(profanity_for(None, profile.lang).words)
    light = len(profile.light_verbs)
    english = profile.lang == "en"
    yield LanguagePart(
        "lists", "profanity", f"{profane} lemmas" if profane else None, "build --profanity FILE"
    )
    yield LanguagePart(
        "lists",
        "light verbs and copulas",
        f"{light} verbs" if light else None,
        "cannot be replaced",
    )
    yield LanguagePart("lists", "frequency", "wordfreq, if installed", "build --frequency FILE")
    norms = "predicted (GloVe)" if english else None
    yield LanguagePart("lists", "concreteness", norms, "build pap --norms FILE")
    terms = "ours" if english else None
    yield LanguagePart(
        "lists", "terms that group people", terms, "build adept --identity-terms FILE"
    )


def _texts(profile: Language, minds: Collection[str]) -> Iterator[LanguagePart]:
    questions = "five relations" if profile.lang in LANGUAGES else None
    yield LanguagePart("texts", "questions of SP-10K", questions, "")
    checks = "ours" if check_pool(profile.lang) else None
    yield LanguagePart("texts", "check items of PAP", checks, "")
    mind = "ours" if profile.lang in minds else None
    yield LanguagePart("texts", "verbs of the mind (GITA)", mind, "")


def _built(profile: Language, protocols: Iterable[str]) -> Iterator[LanguagePart]:
    for protocol in protocols:
        lacks = profile.lacks.get(protocol, ())
        bring = [need for need in lacks if need in BROUGHT]
        rules = [need for need in lacks if need not in BROUGHT]
        if rules:
            yield LanguagePart("build", protocol, None, f"English only: {rules[0]}")
        else:
            have = f"with your {', '.join(bring)}" if bring else "ready to use"
            yield LanguagePart("build", protocol, have, "")
