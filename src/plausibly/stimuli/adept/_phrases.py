"""Sentences from bare predicates: our templates, with articles put back by rule.

The table form of ConceptNet has lost its articles (`candidate`, `win election`). A predicate that
does not fit its relation is refused with a reason rather than guessed at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from plausibly.datasets.adept.articles import article_by_sound
from plausibly.datasets.lexica.english import cased, like_gerund, like_past, third_person
from plausibly.datasets.lexica.usage import usage
from plausibly.stimuli.adept._nouns import (
    HEDGES,
    VERB,
    NounRefusal,
    is_gerund,
    verb_of,
    with_articles,
)
from plausibly.stimuli.adept.lexicon import Lexicon, settings

MOST_WORDS = 7


@dataclass(frozen=True, slots=True)
class Worded:
    """A predicate in its relation's template: finished words, and words that need articles."""

    start: Sequence[str]
    rest: Sequence[str] = field(default=())


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a sentence: its words, and whether it is plural."""

    phrase: str
    plural: bool

    def agreeing(self, verb: str, lexicon: Lexicon) -> str:
        """Return a verb in the form that agrees with this subject."""
        if verb == "be":
            return "are" if self.plural else "is"
        return verb if self.plural else third_person(verb, lexicon.language)


def subject(noun: str, lexicon: Lexicon) -> Subject:
    """Return a noun as a subject: bare if it is a plural or mass noun, else with an article."""
    if noun in settings()["definite"]:
        return Subject(f"the {noun}", False)
    if lexicon.is_plural(noun):
        return Subject(noun, True)
    if lexicon.is_mass(noun):
        return Subject(noun, False)
    return Subject(f"{article_by_sound(noun)} {noun}", False)


def sentence(relation: str, noun: str, predicate: str, lexicon: Lexicon) -> str | NounRefusal:
    """Return the sentence of an assertion, or why there is none."""
    words = predicate.split()
    about = subject(noun, lexicon)
    worded = _TEMPLATES[relation](about, words, lexicon)
    if isinstance(worded, NounRefusal):
        return worded
    rest = with_articles(worded.rest, lexicon)
    if isinstance(rest, NounRefusal):
        return rest
    words = [cased(word, lexicon.language) for word in (*worded.start, *rest)]
    whole = " ".join([about.phrase, *words])
    return f"{whole[:1].upper()}{whole[1:]}."


def _capable(about: Subject, words: Sequence[str], lexicon: Lexicon) -> Worded | NounRefusal:
    verb, rest = words[0], words[1:]
    if not _is_verb(verb, lexicon, alone=not rest):
        return NounRefusal("no_verb", f"{verb!r} is not a plain verb")
    return _misused(verb, rest, lexicon) or Worded([about.agreeing(verb, lexicon)], rest)


def _property(about: Subject, words: Sequence[str], lexicon: Lexicon) -> Worded | NounRefusal:
    first = next((word for word in words if word not in HEDGES), "")
    if first in settings()["participle"] or lexicon.share(first, "adjective") > 0.5:
        place = list(words).index(first) + 1
        if place < len(words) and lexicon.share(words[place], "adjective") > 0.5:
            return NounRefusal("two_properties", f"{words[place]!r} follows without a comma")
        return Worded([about.agreeing("be", lexicon), *words[:place]], words[place:])
    if not lexicon.judges and first and not like_gerund(first) and not first.endswith("s"):
        return Worded([about.agreeing("be", lexicon), *words])
    return NounRefusal("no_property", f"{first!r} is not an adjective")


def _receives(about: Subject, words: Sequence[str], lexicon: Lexicon) -> Worded | NounRefusal:
    first = words[0]
    if not (like_past(first) or first.endswith("en") or first in settings()["participle"]):
        return NounRefusal("no_participle", f"{first!r} is not a past participle")
    if first.endswith("en") and lexicon.share(first, "noun") > 0.5:
        return NounRefusal("no_participle", f"{first!r} is a noun")
    return Worded([about.agreeing("be", lexicon), first], words[1:])


def _has(about: Subject, words: Sequence[str], lexicon: Lexicon) -> Worded | NounRefusal:
    first, last = words[0], words[-1]
    verbal = first in settings()["participle"] or like_past(first) or like_gerund(first)
    if verbal and lexicon.share(first, "adjective") < 0.5:
        return NounRefusal("no_thing", f"{first!r} is a verb, expected a thing it has")
    if lexicon.judges and lexicon.share(first, "adjective") > 0.6 and len(words) == 1:
        return NounRefusal("no_thing", f"{first!r} is an adjective, expected a thing it has")
    if lexicon.judges and not _is_noun(last, lexicon):
        return NounRefusal("no_thing", f"{last!r} is not a noun")
    return Worded([about.agreeing("have", lexicon)], words)


def _used(about: Subject, words: Sequence[str], lexicon: Lexicon) -> Worded | NounRefusal:
    first, rest = words[0], words[1:]
    used = [about.agreeing("be", lexicon), "used"]
    if is_gerund(first, lexicon):
        refused = _misused(verb_of(first, lexicon), rest, lexicon)
        return refused or Worded([*used, "for", first], rest)
    if _is_verb(first, lexicon, alone=not rest):
        thing = lexicon.share(first, "noun") > 0.3 and first not in settings()["before_verb"]
        if (
            thing
            and rest[:1] == ["to"]
            and any(_is_verb(w, lexicon, alone=True) for w in rest[1:2])
        ):
            return NounRefusal("no_use", f"'{first} to' may be a noun: a place to sit")
        return _misused(first, rest, lexicon) or Worded([*used, "to", first], rest)
    if lexicon.judges and not _is_noun(words[-1], lexicon):
        return NounRefusal("no_use", f"{first!r} is neither a verb nor a thing")
    if not lexicon.judges and rest:
        return NounRefusal("no_use", f"{first!r} may be a verb or a noun; the counts do not decide")
    return Worded([*used, "for"], words)


def _misused(verb: str, rest: Sequence[str], lexicon: Lexicon) -> NounRefusal | None:
    """Return a refusal if a transitive verb lacks an object, or an intransitive one has one."""
    if not lexicon.judges:
        return None
    following = rest[0] if rest else ""
    if following in settings()["particle"]:
        return None
    if rest and _strange_object(verb, rest, lexicon):
        return NounRefusal("doubtful_noun", f"{following!r} after {verb!r} may not be a noun")
    if not rest or following in settings()["preposition"] or following in settings()["adverb"]:
        needs = lexicon.transitive(verb)
        return NounRefusal("no_object", f"{verb!r} needs an object") if needs else None
    if usage().forbids_object(verb) and _is_noun(rest[-1], lexicon):
        return NounRefusal("odd_object", f"{verb!r} hardly ever has an object")
    return None


def _strange_object(verb: str, rest: Sequence[str], lexicon: Lexicon) -> bool:
    """Return whether a verb's object is a verb or more often an adjective.

    This refuses "require run off" and "honor veteran", not "help save" and "become old".
    """
    first, alone = rest[0], len(rest) == 1 or rest[1] in settings()["preposition"]
    lists = settings()
    spelt = like_gerund(first) or like_past(first) or first in lists["participle"]
    if spelt or lexicon.is_plural(first) or first in lists["definite"] or first in lists["ways"]:
        return False
    if lexicon.share(first, "verb") > VERB:
        compound = len(rest) > 1 and _is_noun(rest[1], lexicon)  # "combat planes"
        return verb not in lists["before_verb"] and not compound
    described = lexicon.share(first, "adjective") > 0.5 and first in usage().nouns
    return alone and described and verb not in lists["linking"]


_TEMPLATES = {
    "CapableOf": _capable,
    "HasProperty": _property,
    "ReceivesAction": _receives,
    "HasA": _has,
    "UsedFor": _used,
}


def _is_verb(word: str, lexicon: Lexicon, *, alone: bool) -> bool:
    """Return whether a word can be a verb lemma; before other words, a rarer verb is enough."""
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
    if word in settings()["function"]:
        return False
    return lexicon.is_plural(word) or lexicon.share(word, "noun") > 0.3
