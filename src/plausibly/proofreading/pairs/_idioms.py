"""Idioms of English that the sentences of ADEPT pairs may break, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plausibly.datasets.lexica.identity import identity_terms
from plausibly.datasets.lexica.language import language
from plausibly.proofreading.pairs._clauses import FINITE, OPENING, is_plain, is_third
from plausibly.proofreading.pairs._rows import NUMBERS
from plausibly.proofreading.pairs._words import EnglishWords, settings

_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_HAVE = frozenset({"has", "have", "had"})
_AUXILIARIES = _BE | _HAVE
_SUBJECTS = frozenset({"it", "he", "she", "they", "i"})
_OBJECTS = frozenset({"me", "him", "them", "us"})
_PREPOSITIONS = frozenset({"to", "for", "of", "from", "on", "in", "at", "with", "by"})
_FIXED = {
    "capable": {"of"},
    "consist": {"of", "in"},
    "consists": {"of", "in"},
    "composed": {"of", "by", "in", "on", "with"},
    "interested": {"in"},
    "depends": {"on"},
    "belongs": {"to", "in", "on", "with"},
    "afraid": {"of"},
}
# Those of them that always need it.
_ALWAYS = frozenset({"consist", "consists", "depends", "belongs"})
_WISHING = frozenset(
    {
        *("want", "wants", "need", "needs", "like", "likes", "try", "tries", "hope", "hopes"),
        *("help", "helps", "learn", "learns", "love", "loves", "plans", "able", "used", "decides"),
        *("has", "have", "wishes", "starts", "begins", "attempts", "prepares", "tends"),
    }
)
# Nouns and other words written for verbs that sound or look alike.
_NOUN_FOR_VERB = dict(
    (
        *(("breath", "breathe"), ("advice", "advise"), ("bath", "bathe"), ("cloth", "clothe")),
        *(("belief", "believe"), ("proof", "prove"), ("life", "live"), ("loss", "lose")),
        *(("choice", "choose"), ("sale", "sell"), ("thought", "think"), ("speech", "speak")),
        *(("flight", "fly"), ("food", "feed"), ("growth", "grow"), ("death", "die")),
        *(("knowledge", "know"), ("weight", "weigh"), ("success", "succeed"), ("no", "know")),
        *(("relief", "relieve"), ("entrance", "enter"), ("here", "hear"), ("safe", "save")),
    )
)
_SUBORDINATE = frozenset(
    {"if", "when", "while", "although", "unless", "since", "whereas", "though", "until", "whenever"}
)
_JOINING = frozenset(
    {
        *("what", "where", "how", "that", "when", "if", "because", "so", "and", "but", "as", "or"),
        *("than", "while", "until", "which", "who", "whether", "after", "before", "since", "why"),
        *("though", "although", "unless", "whatever", "once", "say", "says", "think", "thinks"),
    }
)
_SHORT = {"the", "and", "to", "you", "of", "for", "is", "it", "that", "this", "with", "are", "can"}

Remarks = Iterator[tuple[str, str]]
Words = Sequence[str]


def strange_idiom(text: str, noun: str, tokens: Words, words: EnglishWords) -> Remarks:
    """Yield kind and message of words in an order that English does not have.

    Args:
        text: The sentence.
        noun: Its noun.
        tokens: Its words, in lower case.
        words: A dictionary.
    """
    yield from _openings(text, noun, tokens, words)
    yield from _last(text, tokens)
    yield from _joined(tokens, words)
    for place in range(1, len(tokens)):
        before = tokens[place - 2] if place > 1 else ""
        after = tokens[place + 1] if place + 1 < len(tokens) else ""
        one = (before, tokens[place - 1], tokens[place], after)
        for finder in (_forms, _to, _numbers):
            yield from finder(one, words)
        yield from _cases(one)
    for word in (one for one in tokens if len(one) < 5):
        turned = [
            word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)
        ]
        meant = _SHORT.intersection(turned)
        unknown = not words.classes(word) or word in ("fro", "si", "ot")
        if meant and unknown and word not in _SHORT | {"no", "on"} and "and fro" not in text:
            yield "unknown_word", f"{word!r} is not a word; {min(meant)!r} may be meant"


def _openings(text: str, noun: str, tokens: Words, words: EnglishWords) -> Remarks:
    first, second = tokens[0], tokens[1] if len(tokens) > 1 else ""
    if first in _OBJECTS:
        yield "pronoun", f"sentence1 begins with {first!r}"
    if first in _SUBORDINATE and "," not in text:
        yield "opening", f"sentence1 begins with {first!r} and has no main clause"
    if (first == "that" and second in OPENING) or re.match(r"\d+[.)]? [A-Z]", text):
        yield "opening", f"sentence1 begins with '{first} {second}'"
    if first != noun and (first == "use" or words.is_bare_verb(first)):
        yield "imperative", f"'{first} {second}': an instruction without a subject"
    if len(tokens) > 3 and first in OPENING and second == noun:
        yield from _subject(noun, tokens, words)


def _subject(noun: str, tokens: Words, words: EnglishWords) -> Remarks:
    first, verb = tokens[0], tokens[2]
    finite = [word for word in tokens[3:] if word in FINITE or is_third(word, words)]
    if verb in _SUBJECTS:
        yield "pronoun", f"'{noun} {verb}': two subjects"
    if verb in ("that", "which", "who") and len(finite) < 2:
        yield "no_verb", f"'{noun} {verb}': the main clause has no verb"
    if verb.endswith("'s") and "VERB" in words.classes(verb.removesuffix("'s")):
        yield "no_apostrophe", f"{verb!r}: a verb has no apostrophe"
    many = words.is_plural(noun) and "NOUN" in words.classes(noun)
    listed = noun in language("en").plural_only or noun in _PEOPLE
    singular = is_third(verb, words) or verb in ("is", "has", "was", "does")
    if first in _OF_MANY and (many or listed) and singular:
        yield "agreement", f"{noun!r} is plural, {verb!r} is singular"


_OF_MANY = frozenset({"the", "my", "your", "our", "their", "these", "those"})
_PEOPLE = frozenset({"children", "men", "women", "people", "mice", "police", "geese"})


def _last(text: str, tokens: Words) -> Remarks:
    last = tokens[-1]
    if last == "i" or (
        len(tokens) > 1 and tokens[-2] in _PREPOSITIONS and last in _SUBJECTS - {"it"}
    ):
        yield "pronoun", f"{last!r} at the end of sentence1"
    owner = last.removesuffix("'s")
    if owner != last and len(tokens) > 2 and text.rstrip(" .").endswith("'s"):
        yield "no_apostrophe", f"{last!r} is possessive, but no noun follows"
    clause = re.search(r", (?:it|he|she|they) (?:is|are|was|has)\b", text.casefold())
    if clause and tokens[0] not in _SUBORDINATE:
        yield "several_sentences", f"{clause[0]!r} begins another sentence"


def _joined(tokens: Words, words: EnglishWords) -> Remarks:
    for place in range(2, len(tokens) - 2):
        started = any(word in FINITE or is_third(word, words) for word in tokens[:place])
        new = tokens[place] in ("it", "he", "she") and tokens[place + 1] in ("is", "has", "was")
        if new and started and not _JOINING.intersection(tokens[:place]):
            yield (
                "several_sentences",
                f"'{tokens[place]} {tokens[place + 1]}' begins another sentence",
            )
    for place in range(1, len(tokens) - 1):
        if tokens[place] not in ("and", "or"):
            continue
        left, right = tokens[place - 1], tokens[place + 1]
        doing = left.endswith("ing") and words.is_verb_form(left)
        plain = words.is_bare_verb(right)
        to_ing = place > 1 and tokens[place - 2] == "to" and is_plain(left, words)
        gerund = right.endswith("ing") and set(words.classes(right)) == {"VERB"}
        if (plain and (doing or is_third(left, words))) or (to_ing and gerund):
            yield "verb_form", f"'{left} {tokens[place]} {right}': forms do not match"


Four = tuple[str, str, str, str]
_THERE = {"is": ("many", "two", "three", "several", "few"), "are": ("a", "an", "one", "much")}
_COUNTED = re.compile(r"[2-9]|[1-9]\d")


def _forms(one: Four, words: EnglishWords) -> Remarks:
    """Find pasts after `is` and `has`, plain verbs after `been`, and words that take no `no`."""
    _, first, second, _ = one
    classes = words.classes(second)
    if first in _AUXILIARIES:
        yield from _auxiliary(one, words)
    if (
        first == "no"
        and one[0] in _BE
        and words.is_participle(second)
        and not _described(one[3], words)
    ):
        yield "verb_form", f"'{one[0]} no {second}': 'not' may be meant"
    thing_used = one[0] in _BE and first == "used" and not _adverbial(second)
    if thing_used and (is_plain(second, words) or "NOUN" in classes):
        yield "verb_form", f"'used {second}' needs 'to' or 'for'"
    if second == "am" and first != "i":
        yield "agreement", f"'{first} am' do not go together"
    yield from _bound(one, words)
    own = first in ("a", "an", "the") and second.endswith("ly") and set(classes) == {"ADV"}
    if own and _is_thing(one[3], words) and not words.is_participle(one[3]):
        yield "adverb", f"'{second} {one[3]}': an adverb before a noun"


def _bound(one: Four, words: EnglishWords) -> Remarks:
    """Find verbs and adjectives with a missing or wrong preposition."""
    _, first, second, _ = one
    kept = _FIXED.get(first)
    if kept and second in _PREPOSITIONS and second not in kept:
        yield "preposition", f"'{first} {second}': {min(kept)!r} may be meant"
    bound = kept and (second in OPENING or _is_thing(second, words)) and first in _ALWAYS
    thing = _is_thing(second, words) or second in language("en").mass
    material = first == "made" and one[0] in _BE and not one[3] and thing
    if bound or material:
        meant = min(kept) if kept else "of"
        yield "preposition", f"'{first} {second}' needs {meant!r} between them"


def _auxiliary(one: Four, words: EnglishWords) -> Remarks:
    """Find `is wrote`, `is broke by` and `has make`."""
    _, first, second, after = one
    finite = words.is_verb_form(second) and not words.is_participle(second) and second != "lit"
    other = {"ADJ", "NOUN", "ADV"} & set(words.classes(second)) and after != "by"
    if finite and not second.endswith(("s", "ed")) and not other:
        yield "verb_form", f"'{first} {second}' needs a participle"
    plain = words.is_bare_verb(second) or second in ("use", "make", "be")
    if plain and first in ("been", "being", *_HAVE) and not words.is_participle(second):
        yield "verb_form", f"'{first} {second}' needs a participle"


def _is_thing(word: str, words: EnglishWords) -> bool:
    return "NOUN" in words.classes(word) and "ADJ" not in words.classes(word)


def _adverbial(word: str) -> bool:
    lists = settings()
    listed = any(word in lists[name] for name in ("preposition", "adverb", "function"))
    return listed or word.endswith("ly")


def _described(word: str, words: EnglishWords) -> bool:
    return "NOUN" in words.classes(word)


def _to(one: Four, words: EnglishWords) -> Remarks:
    before, first, second, after = one
    if first != "to":
        return
    classes = set(words.classes(second))
    if second.endswith("ed") and not after and words.is_verb_form(second) and "NOUN" not in classes:
        yield "verb_form", f"'to {second}' needs the plain form of the verb"
    past = words.is_verb_form(second) and not second.endswith(("s", "ed", "ing"))
    if past and not is_plain(second, words) and not {"ADJ", "NOUN", "ADV"} & classes:
        yield "verb_form", f"'to {second}' needs the plain form of the verb"
    if before not in _WISHING:
        return
    doing = second.endswith("ing") and words.is_verb_form(second) and before != "used"
    if doing or (is_third(second, words) and not is_plain(second, words)):
        yield "verb_form", f"'to {second}' needs the plain form of the verb"
    if second in _NOUN_FOR_VERB:
        yield "confused_word", f"'to {second}': {_NOUN_FOR_VERB[second]!r} may be meant"


def _numbers(one: Four, words: EnglishWords) -> Remarks:
    before, first, second, after = one
    if before == "there" and second in _THERE.get(first, ()):
        yield "agreement", f"'there {first} {second}' do not go together"
    several = _COUNTED.fullmatch(first) is not None
    if (several or first == "one") and not after and set(words.classes(second)) == {"NOUN"}:
        many = words.is_plural(second) or second in settings()["several"] or second in NUMBERS
        alone = first == "one" and before not in NUMBERS and words.is_plural(second)
        if (several and not many) or alone:
            yield "determiner", f"'{first} {second}' do not go together"
    if first in ("a", "an"):
        yield from _one(first, second, after, words)


def _one(first: str, second: str, after: str, words: EnglishWords) -> Remarks:
    owner = second.removesuffix("s")
    many = owner != second and (words.is_plural(second) or not words.classes(second))
    people = owner in ("person", "man", "child", "woman") or identity_terms().is_person(owner)
    if many and people and "NOUN" in words.classes(after):
        yield "no_apostrophe", f"'{first} {second} {after}' needs an apostrophe"
    ends = not after or after in FINITE or is_third(after, words)
    if second in settings()["uncountable"] and ends:
        yield "determiner", f"'{first} {second}': {second!r} is uncountable"
    only = second in language("en").plural_only and second not in ("clergy", "people", "folk")
    if only and after and ends:
        yield "article_before_plural", f"'{first} {second}': an article before a plural"


def _cases(one: Four) -> Remarks:
    before, first, second, after = one
    wrong = first in _PREPOSITIONS and second in ("they", "he", "she", "we") and not after
    if wrong and before not in _JOINING:
        yield "pronoun", f"'{first} {second}' do not go together"
