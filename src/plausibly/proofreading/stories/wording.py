"""Words of a story that a reader stumbles over: unknown or foreign words, wrong articles."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources

from plausibly.datasets.gita.findings import StoryFinding
from plausibly.datasets.gita.stories import Story
from plausibly.datasets.lexica.italian import gender_by_ending
from plausibly.datasets.lexica.italian_sounds import UNO, VOWELS
from plausibly.ports import Frequencies
from plausibly.proofreading.stories._languages import borrowed, other_tongue
from plausibly.proofreading.stories.grammar import mistakes
from plausibly.proofreading.stories.persons import genders, misfits, nouns_of_one
from plausibly.proofreading.stories.usage import (
    actors_elsewhere,
    other_apostrophe,
    other_gender,
    other_number,
)

_WORD = re.compile(r"[^\W\d_]+")
# The frequency of the rarest listed words; rarer ones are in hardly any text.
LEAST_ZIPF = 1.1
# The frequency of words in nearly every sentence, and of words in few texts.
FREQUENT = 5.0
RARE = 3.0
LEAST_VERB = 2.5
_ARTICLES = frozenset({"il", "lo", "la", "l", "i", "gli", "le", "un", "uno", "una"})
# The longest sentence of the released stories has 17 words.
MOST_WORDS = 30
# Pronouns attached to the end of a verb, and words that precede others.
_CLITICS = re.compile(
    r"(?:(?<=r)|(?<=ndo)|(?<=t[oaie]))(?:gli|glie)?(?:mi|ti|si|ci|vi|lo|la|li|le|ne)$"
)
_BEFORE = ("video", "tele", "ri", "auto", "multi", "mini", "super", "s")
_FEMININE = ("la", "una", "della", "alla", "nella", "sulla", "dalla")
_SHORT = ("il", "del", "al", "nel", "sul", "dal", "col", "i", "dei", "ai", "nei", "sui", "dai")
_LONG = ("lo", "uno", "dello", "allo", "nello", "sullo", "dallo", "gli", "degli", "agli", "negli")
_MASCULINE = ("il", "un", "del", "al", "nel", "sul", "dal", "col", "lo", "uno", "dello", "allo")
_ARTICLE = re.compile(
    rf"\b({'|'.join(sorted({*_FEMININE, *_SHORT, *_LONG, *_MASCULINE}, key=len, reverse=True))})"
    r"\s+([^\W\d_]+(?:-\w+)?)",
    re.IGNORECASE,
)
# Nouns of a verb or a place and another noun are masculine, whatever their ending: scolapasta.
_COMPOUND = re.compile(
    r"(?:accendi|apri|asciuga|batti|conta|copri|guarda|lava|para|passa|pesa|poggia|porta|reggi|salva"
    r"|scalda|schiaccia|scola|segna|spremi|stuzzica|taglia|tira|trita|dopo|sotto|retro)\w{4}"
)
# Nouns of both genders.
_BOTH = frozenset(
    {"fine", "fronte", "capitale", "morale", "noce", "corrente", "sorgente", "vocale", "base"}
)
# Loan words whose article follows their sound, or that take either.
_EITHER = frozenset({"omelette", "abat-jour", "iogurt", "yogurt", "hobby", "hotel", "hamburger"})


_POINTING = re.compile(
    r"\b(?:(?:(?:quest|quell|mi|tu|su)o|quel) (?=\w+a\b)|(?:quest|quell|mi|tu|su)a (?=\w+o\b))"
    r"([^\W\d_]+)",
    re.IGNORECASE,
)
_PRONOUNS = ("lo", "la", "gli")
_BEFORE_VERB = (*_PRONOUNS, "li", "le", "ne", "si", "ci", "vi", "mi", "ti")
# A sentence that begins with a noun goes on with a verb: "Il cane lo segue."
_SUBJECT = re.compile(r"(?:(?:il|lo|la|i|gli|le|suo|sua|un|uno|una) |l['\u2019])\w+", re.IGNORECASE)
# "uno dei piatti", "uno alla volta", "una per una": no article, but a pronoun.
_NO_NOUN = re.compile(
    r"(?:d[ei]|d[ae]l\w*|d[ae]i|degli|dagli|a|ad|ai|al\w{0,2}|agli|in|ne[il]|nel\w{2}|negli|con|su|su[il]"
    r"|sul\w{0,2}|sugli|per|tra|fra|dopo|dietro|sopra|sotto|vicino|accanto|dentro|e|ed|o|che|è|era|ha)"
)
_ENCLITIC = re.compile(r"\w+[aei]rla")
_BEFORE_PRONOUN = (",", "e", "ed", "ma", "o", "poi", "non", "che", "se", "chi")
# Endings of infinitives and participles.
_NOT_FINITE = re.compile(r"[^\W\d_]{2,}(?:are|ere|ire|ato|uto|ito)$")


def strange_words(
    stories: Sequence[Story],
    *,
    lang: str,
    frequency: Frequencies | None = None,
    foreign: Frequencies | None = None,
    neighbours: Mapping[str, Frequencies] | None = None,
) -> Iterator[StoryFinding]:
    """Yield a note for each sentence with an unknown or foreign word, or a wrong article.

    Args:
        stories: Stories.
        lang: Their language: it or en.
        frequency: Word frequencies, by which unknown words are found; without them, none are.
        foreign: Word frequencies of English, by which stray English words are found.
        neighbours: Word frequencies of languages in which whole sentences may be written.
    """
    nouns = nouns_of_one(stories) if lang == "it" else frozenset()
    unlike = defaultdict(list)
    for story, place, one in _unlike_elsewhere(stories, lang, nouns):
        unlike[id(story)].append((place, one))
    for story in stories:
        found = [
            (place, one)
            for place, sentence in enumerate(story.sentences)
            for one in (
                *_strange(story, sentence, lang, frequency),
                *_elsewhere(story, sentence, frequency, (foreign, neighbours or {})),
                *(_italian(story, sentence, nouns) if lang == "it" else ()),
            )
        ]
        found += unlike[id(story)]
        found += genders(story, word_settings(lang)) if lang == "it" else ()
        for place, (kind, what) in dict.fromkeys(found):
            message = f"sentence {place}: {what}"
            yield StoryFinding(story.row, story.example, kind, message, "note")


def _unlike_elsewhere(
    stories: Sequence[Story], lang: str, nouns: Collection[str]
) -> Iterator[tuple[Story, int, tuple[str, str]]]:
    """Yield what is at odds with the other stories: the actor, and the articles of nouns."""
    for story, place, name in actors_elsewhere(stories):
        what = f"{name!r} acts, but the actor is {story.actor!r}"
        yield story, place, ("other_actor", what)
    for story, place, sign in other_apostrophe(stories):
        yield story, place, ("odd_sign", f"has {sign}; the other stories use the other apostrophe")
    if lang != "it":
        return
    for story, place, words in (*other_gender(stories), *other_number(stories, nouns)):
        yield story, place, ("article", f"{words!r} do not fit")


def _italian(story: Story, sentence: str, nouns: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the Italian of a sentence."""
    settings = word_settings("it")
    names = _names(story)
    words = _WORD.findall(sentence)
    if len(words) > 1 and words[0].casefold() in names and _NOT_FINITE.search(words[1]):
        yield "verb_form", f"'{words[0]} {words[1]}': the verb is not finite"
    unfit = _misfits(sentence, names, {one.casefold() for one in story.objects})
    yield from (("article", f"{one!r} do not fit") for one in unfit)
    yield from mistakes(sentence, names=names, settings=settings)
    yield from misfits(story, sentence, nouns=nouns, settings=settings)


def _names(story: Story) -> set[str]:
    return {word.casefold() for name in story.actors for word in _WORD.findall(name)}


def _elsewhere(
    story: Story,
    sentence: str,
    frequency: Frequencies | None,
    others: tuple[Frequencies | None, Mapping[str, Frequencies]],
) -> Iterator[tuple[str, str]]:
    """Yield what is in another language: English words, and whole sentences."""
    english, neighbours = others
    if frequency is None:
        return
    objects = {word.casefold() for word in _WORD.findall(" ".join(story.objects))}
    if english is not None:
        yield from borrowed(sentence, objects, frequency, english)
    yield from other_tongue(sentence, _names(story), frequency, neighbours)


def _strange(
    story: Story, sentence: str, lang: str, frequency: Frequencies | None
) -> Iterator[tuple[str, str]]:
    settings = word_settings(lang)
    names = _names(story)
    named = names | {word.casefold() for one in story.objects for word in _WORD.findall(one)}
    words = _WORD.findall(sentence)
    foreign = [word for word in words if word.casefold() in settings["foreign"]]
    if len(foreign) > 1:
        one, *others = dict.fromkeys(map(repr, foreign))
        what = f"{one} and {others[0]} are" if others else f"{one} is"
        yield "other_language", f"{what} from another language"
    unknown = _unknown(words, named, frequency) if frequency is not None else ""
    if unknown:
        yield "unknown_word", f"{unknown!r} is not a word"
    if frequency is not None and not unknown:
        yield from _spelt(words, named, frequency)
    if len(words) > 1 and words[1] in settings["acting"]:
        first = words[0].casefold()
        if names and first not in named | settings["openers"] and len(first) > 3:
            yield "other_actor", f"{words[0]!r} acts, but the actor is {story.actor!r}"
    used = " ".join([*story.sentences, *story.objects]).split()
    for word in words[1:]:
        if word[:1].isupper() and word.casefold() not in names and word.casefold() in used:
            yield "capital_inside", f"{word!r} has a capital here, but not elsewhere"
    yield from _unfit(words, settings)


def _unfit(words: Sequence[str], settings: dict[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Yield what a rater should not have to read."""
    lower = [word.casefold() for word in words]
    unfinished = [one for one in lower if one in settings["unfinished"]]
    if unfinished and (not unfinished[0].endswith("re") or unfinished[0] == lower[0]):
        yield "unfinished", f"{unfinished[0]!r}: a placeholder, not a sentence"
    offensive = [word for word in words if word.casefold() in settings["offensive"]]
    if offensive:
        yield "offensive", f"{offensive[0]!r}: raters should not have to read this"
    if len(words) > MOST_WORDS:
        yield "long_sentence", f"{len(words)} words; sentences of stories are short"


def _unknown(words: Sequence[str], named: set[str], frequency: Frequencies) -> str:
    """Return the first unknown word; names inside a sentence are not judged."""
    asked = [
        word
        for place, word in enumerate(words)
        if len(word) > 2 and word.casefold() not in named and not (word[:1].isupper() and place > 0)
    ]
    values = frequency.zipf([word.casefold() for word in asked])
    rare = [word for word, zipf in zip(asked, values, strict=True) if (zipf or 0) < LEAST_ZIPF]
    return next((word for word in rare if not _made_up(word.casefold(), frequency)), "")


def _spelt(
    words: Sequence[str], named: set[str], frequency: Frequencies
) -> Iterator[tuple[str, str]]:
    """Yield words far more frequent with a letter doubled or single, and unknown languages."""
    values = [zipf or 0.0 for zipf in frequency.zipf([word.casefold() for word in words])]
    if len(words) > 3 and max(values) < FREQUENT:
        yield "other_language", f"no frequent word in '{' '.join(words[:4])} …'"
    around = zip(["", *words], [*words, ""][1:], strict=False)
    for word, zipf, (before, after) in zip(words, values, around, strict=True):
        if len(word) < 5 or zipf >= RARE or word.casefold() in named or word[:1].isupper():
            continue
        if future := _future(word.casefold(), frequency):
            yield "spelling", f"{word!r} lacks an accent: {future!r}"
            continue
        past = word.endswith("ò") and (after in _ARTICLES or before in _BEFORE_VERB)
        others = [*_doubled(word.casefold()), *([] if past else _unaccented(word.casefold()))]
        known = zip(frequency.zipf(others), others, strict=True)
        frequent = [other for found, other in known if (found or 0.0) >= zipf + 2]
        if frequent:
            yield "spelling", f"{word!r} is rare, {frequent[0]!r} frequent"


def _doubled(word: str) -> list[str]:
    """Return the word with each consonant doubled, or each double one made single."""
    found = [
        word[:i] + word[i] + word[i:] for i in range(1, len(word) - 1) if word[i] not in VOWELS
    ]
    return found + [word[:i] + word[i + 1 :] for i in range(1, len(word)) if word[i] == word[i - 1]]


def _future(word: str, frequency: Frequencies) -> str:
    """Return the future that a word in -era or -ira lacks the accent of, if its verb is known."""
    stem, ending = word[:-3], word[-3:]
    verbs = {"era": [f"{stem}are", f"{stem}ere"], "ira": [f"{stem}ire"]}.get(ending, [])
    return f"{word[:-1]}à" if _are_known(verbs, frequency) else ""


def _are_known(words: Sequence[str], frequency: Frequencies) -> bool:
    return any((zipf or 0.0) >= LEAST_VERB for zipf in frequency.zipf(words))


def _unaccented(word: str) -> list[str]:
    """Return a word without its final accent."""
    plain = unicodedata.normalize("NFD", word[-1:])[:1]
    return [word[:-1] + plain] if plain != word[-1:] else []


def _made_up(word: str, frequency: Frequencies) -> bool:
    """Return whether a rare word is a known one with a prefix or suffix, or of a known verb."""
    stem = _CLITICS.sub("", word)
    parts = [stem, f"{stem}e"] if stem != word else []
    parts += [word.removeprefix(start) for start in _BEFORE if word.startswith(start)]
    infinitive = frequency.zipf([f"{word}re"])[0] if word.endswith("a") else None
    known = frequency.zipf([part for part in parts if len(part) > 4])
    return (infinitive or 0) >= LEAST_ZIPF or any((zipf or 0) >= 2 for zipf in known)


def _misfits(
    sentence: str, names: Collection[str] = (), things: Collection[str] = ()
) -> Iterator[str]:
    """Yield articles and words that do not go together in Italian.

    >>> list(_misfits("Ada apre il porta con la mano e lo zaino."))
    ['il porta']
    """
    settings = word_settings("it")
    yield from _pointing(sentence, things, settings)
    for found in _ARTICLE.finditer(sentence):
        article, word = found[1].casefold(), found[2].casefold()
        if article in _PRONOUNS and _begins_clause(sentence[: found.start()], word, names, things):
            continue
        pronoun = article in ("uno", "una") and _NO_NOUN.fullmatch(word)
        if pronoun or word == "loro" or found[2][:1].isupper():
            continue
        long = bool(UNO.match(word))
        wrong = (
            (article in _FEMININE and word[-1:] == "o" and word not in settings["feminine_in_o"])
            or (
                article in _MASCULINE
                and word[-1:] == "a"
                and word not in settings["masculine_in_a"]
                and gender_by_ending(word)[0] == "f"
                and not (_COMPOUND.match(word) or _ENCLITIC.fullmatch(word))
            )
            or (article in _MASCULINE and article != "lo" and _is_feminine(word))
            or (article in (*_FEMININE, "lo", "uno") and word[:1] in VOWELS and not long)
            or (article in _SHORT and (long or word[:1] in VOWELS))
            or (article == "un" and long)
            or (article in _LONG and not long and word[:1] not in VOWELS)
        )
        verb = _is_verb(article, word) and word not in things
        if wrong and word not in _EITHER and not verb:
            yield found[0]


def _is_feminine(word: str) -> bool:
    """Return whether a noun in -e or -tà is known to be feminine alone."""
    in_e = word.endswith("e") and not word.endswith("ie") and word not in _BOTH
    return (in_e or word.endswith("tà")) and gender_by_ending(word) == ("f", False)


def _pointing(
    sentence: str, things: Collection[str], settings: Mapping[str, frozenset[str]]
) -> Iterator[str]:
    """Yield `questo tazza` and `sua libro`, where the noun is an object of the story."""
    for found in _POINTING.finditer(sentence):
        word = found[1].casefold()
        either = settings["masculine_in_a"] | settings["feminine_in_o"]
        if word in things and word not in either:
            yield found[0]


def _begins_clause(before: str, word: str, names: Collection[str], things: Collection[str]) -> bool:
    """Return whether a verb may follow `lo`, `la` or `gli`: `Ada prende il libro e lo legge`."""
    if before.strip().casefold() in names or _SUBJECT.fullmatch(before.strip()):
        return True
    last = re.search(r"(?:[^\W\d_]+|,)\s*$", before)
    opens = last is not None and last[0].strip().casefold() in {*names, *_BEFORE_PRONOUN}
    endings = "aeoàèìò" if "io" in names else "aeàèìò"
    return opens and word not in things and word[-1:] in endings


def _is_verb(article: str, word: str) -> bool:
    """Return whether a verb follows, which makes the apparent article a pronoun."""
    verbal = word.endswith(
        ("iamo", "ano", "ono", "ava", "eva", "iva", "ato", "uto", "ito", "ò", "ì")
    )
    return article in ("lo", "la", "gli") and (verbal or word in ("ha", "ho", "hai", "mette"))


@cache
def word_settings(lang: str) -> dict[str, frozenset[str]]:
    """Return the lists of words of a language."""
    place = resources.files("plausibly.proofreading.stories") / "words.toml"
    words = tomllib.loads(place.read_text(encoding="utf-8"))[lang]
    return {name: frozenset(listed) for name, listed in words.items()}
