"""Sentences from bare predicates: our own templates, with articles put back by rule.

The table form of ConceptNet has lost its articles (`candidate`, `win election`). A predicate that
does not look like what its relation asks for is refused with a reason, not guessed at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plausibly.stimuli.adept_words import Lexicon, like_gerund, like_past, settings
from plausibly.stimuli.articles import article_by_sound
from plausibly.stimuli.realise import third_person

MOST_WORDS = 7
_HEDGES = frozenset(
    {"very", "quite", "often", "usually", "sometimes", "always", "generally", "too"}
)


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a predicate does not become a sentence."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What a sentence is about: the words before its verb, and whether they are many."""

    phrase: str
    plural: bool

    def agreeing(self, verb: str, lexicon: Lexicon) -> str:
        """Return a verb lemma as this subject wants it."""
        if verb == "be":
            return "are" if self.plural else "is"
        return verb if self.plural else third_person(verb, lexicon.language)


def subject(noun: str, lexicon: Lexicon) -> Subject:
    """Return a noun as a subject: bare in the plural or of a mass, else with an article."""
    if lexicon.is_plural(noun):
        return Subject(noun, True)
    if lexicon.is_mass(noun):
        return Subject(noun, False)
    return Subject(f"{article_by_sound(noun)} {noun}", False)


def sentence(relation: str, noun: str, predicate: str, lexicon: Lexicon) -> str | Refused:
    """Return the sentence an assertion makes, or why it makes none.

    Args:
        relation: One of the five.
        noun: The start of the assertion.
        predicate: Its end.
        lexicon: What is known of words.
    """
    words = predicate.split()
    about = subject(noun, lexicon)
    told = _TEMPLATES[relation](about, words, lexicon)
    if isinstance(told, Refused):
        return told
    whole = f"{about.phrase} {told}"
    return f"{whole[:1].upper()}{whole[1:]}."


def _capable(about: Subject, words: Sequence[str], lexicon: Lexicon) -> str | Refused:
    verb = words[0]
    if not _is_verb(verb, lexicon, alone=len(words) == 1):
        return Refused("no_verb", f"{verb!r} is not a plain verb")
    return " ".join([about.agreeing(verb, lexicon), *with_articles(words[1:], lexicon)])


def _property(about: Subject, words: Sequence[str], lexicon: Lexicon) -> str | Refused:
    first = next((word for word in words if word not in _HEDGES), "")
    if first in settings()["participle"] or lexicon.share(first, "adjective") > 0.5:
        rest = list(words)
        place = rest.index(first) + 1
        return " ".join(
            [about.agreeing("be", lexicon), *rest[:place], *with_articles(rest[place:], lexicon)]
        )
    if not lexicon.judges and first and not like_gerund(first) and not first.endswith("s"):
        return " ".join([about.agreeing("be", lexicon), *words])
    return Refused("no_property", f"{first!r} is not an adjective")


def _receives(about: Subject, words: Sequence[str], lexicon: Lexicon) -> str | Refused:
    first = words[0]
    if not (like_past(first) or first.endswith("en") or first in settings()["participle"]):
        return Refused("no_participle", f"{first!r} is not a past participle")
    if first.endswith("en") and lexicon.share(first, "noun") > 0.5:
        return Refused("no_participle", f"{first!r} is a noun")
    return " ".join([about.agreeing("be", lexicon), first, *with_articles(words[1:], lexicon)])


def _has(about: Subject, words: Sequence[str], lexicon: Lexicon) -> str | Refused:
    first, last = words[0], words[-1]
    verbal = first in settings()["participle"] or like_past(first) or like_gerund(first)
    if verbal and lexicon.share(first, "adjective") < 0.5:
        return Refused("no_thing", f"{first!r} is a verb, expected what it has")
    if lexicon.judges and lexicon.share(first, "adjective") > 0.6 and len(words) == 1:
        return Refused("no_thing", f"{first!r} is an adjective, expected what it has")
    if lexicon.judges and not _is_noun(last, lexicon):
        return Refused("no_thing", f"{last!r} is not a noun")
    return " ".join([about.agreeing("have", lexicon), *with_articles(words, lexicon)])


def _used(about: Subject, words: Sequence[str], lexicon: Lexicon) -> str | Refused:
    first, rest = words[0], words[1:]
    used = f"{about.agreeing('be', lexicon)} used"
    if _is_gerund(first, lexicon):
        return " ".join([used, "for", first, *with_articles(rest, lexicon)])
    if _is_verb(first, lexicon, alone=not rest):
        return " ".join([used, "to", first, *with_articles(rest, lexicon)])
    if lexicon.judges and not _is_noun(words[-1], lexicon):
        return Refused("no_use", f"{first!r} is neither a verb nor a thing")
    if not lexicon.judges and rest:
        return Refused("no_use", f"{first!r} may be a verb or a noun; the counts do not tell")
    return " ".join([used, "for", *(with_articles(words, lexicon) if rest else words)])


_TEMPLATES = {
    "CapableOf": _capable,
    "HasProperty": _property,
    "ReceivesAction": _receives,
    "HasA": _has,
    "UsedFor": _used,
}


def _is_gerund(word: str, lexicon: Lexicon) -> bool:
    if not like_gerund(word):
        return False
    stems = (word[:-3], f"{word[:-3]}e", word[:-4])
    known = any(stem in lexicon.uses["verb"] for stem in stems)
    return known or not lexicon.judges


def _is_verb(word: str, lexicon: Lexicon, *, alone: bool) -> bool:
    """Tell whether a word can be a verb lemma; before other words a rarer verb will do."""
    if word in settings()["function"] and word != "have":
        return False
    if not lexicon.judges:
        return (
            not like_gerund(word)
            and not like_past(word)
            and (word in lexicon.uses["verb"] or not alone)
        )
    return word in lexicon.uses["verb"] and lexicon.share(word, "verb") > (0.5 if alone else 0.05)


def _is_noun(word: str, lexicon: Lexicon) -> bool:
    return lexicon.is_plural(word) or lexicon.share(word, "noun") > 0.3


def with_articles(words: Sequence[str], lexicon: Lexicon) -> list[str]:
    """Return the words with an article before each bare singular that can take one.

    A noun phrase is a run of words between prepositions; it gets an article if its last word is
    a countable singular noun and no determiner stands before it.
    """
    told: list[str] = []
    run: list[str] = []
    for word in words:
        if word in settings()["preposition"]:
            told += [*_phrase(run, lexicon), word]
            run = []
        else:
            run.append(word)
    return [*told, *_phrase(run, lexicon)]


def _phrase(run: Sequence[str], lexicon: Lexicon) -> list[str]:
    if not run or run[0] in settings()["determiner"] or run[0] in _HEDGES:
        return list(run)
    last = run[-1]
    if len(run) == 2 and lexicon.share(last, "adjective") > 0.5:
        last = run[0]  # "keep head warm"
    bare = last in settings()["bare"] or last in settings()["function"]
    if bare or not _is_thing(last, lexicon) or (len(run) > 1 and _verbal(run[0], lexicon)):
        return list(run)
    return [article_by_sound(run[0]), *run]


def _is_thing(word: str, lexicon: Lexicon) -> bool:
    if lexicon.is_plural(word) or lexicon.is_mass(word) or like_past(word) or word.endswith("ly"):
        return False
    return lexicon.share(word, "noun") > 0.6 or word in lexicon.language.collective


def _verbal(word: str, lexicon: Lexicon) -> bool:
    """Tell whether a run begins with a verb (`to eat`, `help people grow`), not with a noun."""
    return lexicon.share(word, "verb") > 0.7 or _is_gerund(word, lexicon)
