"""Word order in the sentences of ADEPT pairs: a verb follows its subject, no plain verb `for`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from plausibly.datasets.lexica.language import language
from plausibly.datasets.lexica.usage import usage
from plausibly.proofreading.pairs._words import EnglishWords, settings

FINITE = frozenset(
    {
        *("is", "are", "was", "were", "be", "am", "has", "have", "had", "do", "does", "did"),
        *("can", "could", "may", "might", "must", "will", "would", "should", "shall", "cannot"),
    }
)
# Words that open a noun phrase; the word before them is a verb or a preposition.
OPENING = frozenset(
    {
        *("a", "an", "the", "my", "your", "his", "her", "its", "our", "their", "this", "these"),
        *("something", "someone", "somebody", "it", "them", "him", "me", "us", "you", "everyone"),
        *("yourself", "itself", "one's", "others", "things"),
    }
)
_ONE_OF = frozenset(
    {"a", "an", "the", "this", "one", "each", "every", "my", "your", "his", "her", "our", "their"}
)
_OWN = frozenset({"a", "an", "the", "my", "your", "his", "her", "our", "their", "its", "every"})
# Words that cannot follow a determiner: "the of", "a is".
_NEVER_AFTER = frozenset(
    {
        *("of", "for", "with", "from", "is", "are", "was", "has", "and", "be", "than", "because"),
        *("at", "by", "to", "or", "it", "you", "they", "them", "into", "would", "does"),
    }
)
_BEFORE_GERUND = frozenset({"for", "of", "by", "without"})
_STRANDED = frozenset({"to", "for", "with", "by", "of", "from", "at"})
_PRONOUNS = frozenset({"it", "you", "he", "she", "they", "we", "i", "that", "this", "there", "one"})
_NOT_ONE = frozenset({"don't", "aren't", "haven't", "weren't", "dont", "arent", "havent"})
# How many times as often a word must be a verb as a noun to count as a verb.
MOSTLY = 5

Remarks = Iterator[tuple[str, str]]
Words = Sequence[str]


def strange_clause(row: Mapping[str, str], tokens: Words, words: EnglishWords) -> Remarks:
    """Yield kind and message of words that are out of place in a clause.

    Args:
        row: sentence1, noun.
        tokens: The words of sentence1, in lower case.
        words: A dictionary.
    """
    noun = row["noun"].casefold()
    yield from _after_subject(noun, tokens, words)
    yield from _after_use(noun, tokens, words)
    yield from _last(noun, tokens)
    yield from _without_verb(noun, tokens, words)
    for place, (word, after) in enumerate(pairwise(tokens)):
        third = tokens[place + 2] if place + 2 < len(tokens) else ""
        yield from _after_preposition(word, after, third, words)
        yield from _after_determiner(word, after, words)
        yield from _after_do(word, after, third, words)
        if after in _NEGATED or word == "to":
            yield from _negated(word, after, third, words)
        if word in ("is", "are") and is_third(after, words) and _singular_opening(tokens, third):
            yield "verb_form", f"'{word} {after}': two verbs in a row"
        if word == "of" and tokens[place - 1] == "capable" and is_third(after, words):
            yield "bare_verb", f"'capable of {after}' needs a form in -ing"
        if word == "using" and after in ("for", "to") and tokens[place - 1] in ("is", "are"):
            yield "verb_form", f"'using {after}': 'used' may be meant"


_NEGATED = frozenset({"is", "are", "has", "have", "was", "who"})


def _negated(word: str, after: str, third: str, words: EnglishWords) -> Remarks:
    """Find `not is useful`, `people who is old`, `to be sit` and `between a house`."""
    if word in ("not", "no") and after in _NEGATED - {"who"}:
        yield "verb_form", f"'{word} {after}': the verb comes first"
    single = after == "who" and third in ("is", "has", "was", "does")
    if single and "NOUN" in words.classes(word) and _many(word, words):
        yield "agreement", f"'{word} who {third}': a plural with a singular verb"
    if (word, after) != ("to", "be") or {"ADJ", "ADV"} & set(words.classes(third)):
        return
    if is_plain(third, words) and not words.is_participle(third) and _hardly_noun(third):
        yield "verb_form", f"'be {third}' needs a participle"


def is_third(word: str, words: EnglishWords) -> bool:
    """Return whether a word is, or may be, a verb in the third person."""
    return word.endswith("s") and words.is_verb_form(word) and word not in FINITE


def is_plain(word: str, words: EnglishWords) -> bool:
    """Return whether a word is, or may be, a verb in its plain form."""
    return "VERB" in words.classes(word) and not words.is_verb_form(word)


def _finite(word: str, words: EnglishWords) -> bool:
    return word in FINITE or word.endswith("n't") or is_third(word, words)


def _after_subject(noun: str, tokens: Words, words: EnglishWords) -> Remarks:
    """Find what cannot follow a noun in the singular that opens the sentence."""
    if len(tokens) < 3 or tokens[0] not in _ONE_OF or tokens[1] != noun or _many(noun, words):
        return
    verb, after = tokens[2], tokens[3] if len(tokens) > 3 else ""
    if verb in _NOT_ONE:
        yield "singular_with_plural_verb", f"'{noun} {verb}': a singular with a plural verb"
    if verb in FINITE or not words.classes(verb) or words.is_bare_verb(verb):
        return
    rest = [word for word in tokens[3:] if word not in OPENING]
    if is_plain(verb, words) and not words.is_participle(verb) and not _adverb(verb):
        if not any(_finite(word, words) for word in rest[:2]) and _begins(after, words):
            yield "verb_form", f"'{noun} {verb}' needs the singular form of the verb"
    elif verb.endswith("ing") and words.is_verb_form(verb):
        only = [word for word in rest if "NOUN" not in words.classes(word)]
        if not any(_finite(word, words) for word in only):
            yield "no_verb", f"'{noun} {verb}': no 'is' before it"


def _begins(word: str, words: EnglishWords) -> bool:
    """Return whether a word, or the end, may follow a verb but not a noun that awaits its verb."""
    closed = word in OPENING or word in settings()["preposition"] or _adverb(word)
    many = "NOUN" in words.classes(word) and words.is_plural(word)
    return not word or closed or many


def _many(noun: str, words: EnglishWords) -> bool:
    listed = noun in settings()["several"] or noun in language("en").plural_only
    return listed or words.is_plural(noun)


def _adverb(word: str) -> bool:
    return word.endswith("ly") or word in settings()["adverb"] or word in settings()["function"]


def _after_use(noun: str, tokens: Words, words: EnglishWords) -> Remarks:
    """Find `You use a thing` followed by a verb without its `to`."""
    if tuple(tokens[:2]) != ("you", "use") or noun not in tokens:
        return
    place = tokens.index(noun) + 1
    after = tokens[place] if place < len(tokens) else ""
    verb = is_plain(after, words) or words.is_verb_form(after) or after == "too"
    if verb and after not in settings()["preposition"]:
        yield "verb_form", f"'{noun} {after}' needs 'to' before the verb"
    then = tokens[place + 1] if place + 1 < len(tokens) else ""
    if after == "to" and (then in _OWN or then in _PRONOUNS):
        yield "verb_form", f"'to {then}' needs a verb"


def _without_verb(noun: str, tokens: Words, words: EnglishWords) -> Remarks:
    """Find a subject before a participle or a preposition, and no verb anywhere."""
    if tokens[0] == "you" and len(tokens) > 1 and tokens[1] in _OWN:
        yield "no_verb", f"'you {tokens[1]}': no verb between them"
    if noun not in tokens[:2]:
        return
    rest = tokens[tokens.index(noun) + 1 :]
    if len(rest) < 2 or any(_finite(word, words) for word in rest):
        return
    first, joined = rest[0], rest[1] in settings()["preposition"]
    done = words.is_verb_form(first) and words.is_participle(first) and not first.endswith("ing")
    placed = tokens[0] in ("a", "an") and first in _PLACING
    if (done and joined) or (placed and not any(words.is_verb_form(word) for word in rest)):
        yield "no_verb", f"'{noun} {first}': no verb in sentence1"


_PLACING = frozenset({"with", "of", "in", "on", "for", "from", "at", "near", "under", "without"})
# Verbs that need an object.
_WANTING = frozenset(
    {
        *("causes", "makes", "gives", "contains", "has", "uses", "needs", "wants", "means"),
        *("includes", "provides", "requires", "brings", "puts", "gets", "becomes", "allows"),
    }
)
_PART = frozenset({"kind", "type", "sort", "form", "part", "piece", "lot", "number", "member"})


def _last(noun: str, tokens: Words) -> Remarks:
    last, before = tokens[-1], tokens[-2] if len(tokens) > 1 else ""
    if last in _STRANDED and before == noun:
        yield "cut_off", f"sentence1 ends with '{before} {last}'"
    unsaid = len(tokens) > 3 and last in ("is", "are", "was", "were") and before not in _PRONOUNS
    objectless = last in _WANTING and before == noun
    if unsaid or objectless or (last == "to" and before == "you"):
        yield "cut_off", f"sentence1 ends with '{before} {last}'"
    if last == "of" and before in _PART and tokens[-3:-2] in (["a"], ["one"], ["some"]):
        yield "cut_off", f"sentence1 ends with '{before} {last}'"


def _after_preposition(word: str, after: str, third: str, words: EnglishWords) -> Remarks:
    if word not in _BEFORE_GERUND:
        return
    plain = is_plain(after, words) and not words.is_bare_verb(after)
    described = "ADJ" in words.classes(after) or after.endswith("ing")
    past = after.endswith("ed") and words.is_participle(after)
    object_follows = ((plain and not described) or past) and third in OPENING
    object_follows |= plain and third in _OWN
    object_follows |= word == "for" and plain and not described and _hardly_noun(after)
    object_follows &= (after, third) != ("make", "believe")
    if object_follows or (is_third(after, words) and mostly_verb(after, words)):
        yield "bare_verb", f"'{word} {after}' needs a form in -ing"


def mostly_verb(form: str, words: EnglishWords) -> bool:
    """Return whether a form in -s is of a verb that is hardly ever a noun."""
    if "NOUN" not in words.classes(form):
        return True
    lemmas = (form.removesuffix("s"), form.removesuffix("es"), f"{form.removesuffix('ies')}y")
    verb = max(sum(usage().verbs.get(lemma, (0,))) for lemma in lemmas)
    noun = max(sum(usage().nouns.get(lemma, (0,))) for lemma in lemmas)
    return verb >= FREQUENT and noun * MOSTLY < verb


def _hardly_noun(verb: str) -> bool:
    """Return whether a verb was counted often, but hardly as a noun: `hold`, not `play`."""
    times = sum(usage().verbs.get(verb, (0,)))
    return times >= FREQUENT / 2 and sum(usage().nouns.get(verb, (0,))) * MOSTLY**2 < times


# Counts of a verb from which on its uses as a noun would have been counted, too.
FREQUENT = 200


def _after_determiner(word: str, after: str, words: EnglishWords) -> Remarks:
    if word not in _OWN:
        return
    if after in _NEVER_AFTER and (word, after) not in _AS_LETTERS:
        yield "determiner", f"'{word} {after}' do not go together"
    only_verb = set(words.classes(after)) == {"VERB"} and not words.is_participle(after)
    if only_verb and after not in usage().nouns and not after.endswith("ing"):
        lemma = words.is_verb_form(after)
        if lemma and after.endswith("s"):
            yield "determiner", f"'{word} {after}': {after!r} is a verb"


_AS_LETTERS = frozenset({("a", "to"), ("a", "and"), ("a", "or"), ("a", "is"), ("a", "of")}) | {
    (own, "or") for own in ("his", "her", "their", "your", "my")
}


def _after_do(word: str, after: str, third: str, words: EnglishWords) -> Remarks:
    verb = third if after == "not" else after
    negated = word in ("doesn't", "don't", "didn't") or (
        word in ("does", "do", "did") and after == "not"
    )
    if negated and words.is_verb_form(verb) and not is_plain(verb, words):
        yield "verb_form", f"'{word} {verb}' needs the plain form of the verb"


def _singular_opening(tokens: Words, third: str) -> bool:
    return tokens[0] in ("a", "an") or third in OPENING
