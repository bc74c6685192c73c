"""English words by lemminflect: plurals, nouns that have none, forms that are no lemmas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from string import ascii_lowercase

from plausibly.backends.frequency import WordFreq
from plausibly.backends.inflections import lemminflect
from plausibly.errors import MissingExtra

# Misspellings are in every list of frequencies; at this value few of them are left.
LEAST_ZIPF = 2.0
_OF_ADJECTIVES = (
    *("able", "al", "ar", "ary", "ate", "ed", "ent", "ese", "ful", "ian", "ible", "ic"),
    *("ing", "ish", "ive", "less", "ous", "y"),
)
_OF_NOUNS = ("ment", "ness", "tion", "sion", "ity", "ship", "hood", "ology", "graphy")
# Misspellings are rarer than this, and what they stand for is so much more frequent, in Zipf.
FREQUENT, HUNDREDFOLD = 3.5, 2.0
SHORTEST = 5
# A form of a word is at most so much rarer than the word, in Zipf; what a name has for one is not.
COMMONER = 1.2
LEAST_COMPOUND, SHORTEST_PART = 1.3, 4
_FORMS = ("NNS", "VBD", "VBG")
_OF_BOTH = ("al", "ar", "ary", "ate", "ent", "ian", "ish", "y")
_COMPARED = frozenset({"better", "best", "worse", "worst"})
# Languages whose words are most likely to stray into an English text.
_NEIGHBOURS = ("de", "es", "fr", "it", "nl", "pt")
Inflect = Callable[[str, str], tuple[str, ...]]
AllLemmas = Callable[[str], Mapping[str, tuple[str, ...]]]


def is_inflected(word: str, pos: str) -> bool:
    """Return whether lemminflect's dictionary has a word as a form of `pos` but as no lemma of it.

    A word it does not have is taken for a lemma.
    """
    lemmas = _all_lemmas()(word).get(pos.upper())
    return lemmas is not None and word not in lemmas


def is_adjective(word: str) -> bool:
    """Return whether lemminflect's dictionary has a word as an adjective or as a participle.

    Of a word with hyphens the last part is asked about. What a verb has in the third person is
    no participle.

    >>> [is_adjective(word) for word in ("fair", "broken", "fairs")]
    [True, True, False]
    """
    last = word.rpartition("-")[2]
    lemmas = _all_lemmas()(last)
    formed = last not in lemmas.get("VERB", (last,))
    return "ADJ" in lemmas or (formed and not last.endswith("s"))


def is_compared(word: str) -> bool:
    """Return whether a word is an adjective in -er or -est and no word of its own.

    >>> [is_compared(word) for word in ("bigger", "worst", "clever", "honest")]
    [True, True, False, False]
    """
    lemmas = _all_lemmas()(word)
    compared = word in _COMPARED or word not in lemmas.get("NOUN", ())
    return word not in lemmas.get("ADJ", (word,)) and compared


def describes(word: str) -> bool:
    """Return whether a word is an adjective, or a participle, in its plain degree.

    >>> [describes(word) for word in ("big", "bigger", "broken")]
    [True, False, True]
    """
    return is_adjective(word) and not is_compared(word)


def is_word(word: str) -> bool:
    """Check if lemminflect's dictionary has a word in any form; of one with hyphens, all parts.

    >>> [is_word(word) for word in ("happily", "children", "gloobing")]
    [True, True, False]
    """
    return all(_all_lemmas()(part) for part in word.split("-"))


class LemminflectWords:
    """What lemminflect's dictionary says of words; wordfreq is asked about those it lacks."""

    def __init__(self) -> None:
        _all_lemmas()
        self._known = cache(self._is_word)
        self._meant = cache(self._closest)
        self._spoken = cache(self._foreign)
        try:
            self._frequency: WordFreq | None = WordFreq("en")
        except MissingExtra:
            self._frequency = None

    def is_word(self, word: str) -> bool:
        """Return whether there is such a word: in the dictionary, or not too rare in any text."""
        return self._known(word)

    def _is_word(self, word: str) -> bool:
        if is_word(word) or self._frequency is None:
            return is_word(word)
        zipf = self._frequency.zipf([word])[0]
        return zipf is not None and zipf >= LEAST_ZIPF

    def is_used(self, word: str) -> bool:
        """Return whether the dictionary has a word, or texts have it inflected or as a compound.

        Names, abbreviations and misspellings have hardly any other form. A word with a hyphen is
        asked about without it.

        >>> words = LemminflectWords()
        >>> [words.is_used(word) for word in ("downpour", "overgrazing", "co-operation")]
        [True, True, True]
        >>> [words.is_used(word) for word in ("moc", "isssue", "pre-mad")]
        [False, False, False]
        """
        if is_word(word) or ("-" in word and self.is_word(word.replace("-", ""))):
            return True
        if self._frequency is None or not word.isalpha() or len(word) < SHORTEST:
            return False
        own = self._frequency.zipf([word])[0] or 0.0
        forms = {form for tag in _FORMS for form in _lemminflect()(word, tag)} - {word}
        other = max((zipf or 0.0 for zipf in self._frequency.zipf(sorted(forms))), default=0.0)
        inflected = own >= LEAST_ZIPF and other >= own - COMMONER and not self.meant(word)
        return inflected or (own >= LEAST_COMPOUND and _is_compound(word))

    def is_unseen(self, word: str) -> bool:
        """Return whether neither the dictionary nor any list of frequencies has a word."""
        if is_word(word) or self._frequency is None:
            return False
        return not self._frequency.zipf([word])[0]

    def classes(self, word: str) -> frozenset[str]:
        """Return the classes the dictionary has a word in, such as NOUN and VERB."""
        return _classes(word)

    def is_plural(self, word: str) -> bool:
        """Return whether a word is the plural of a noun and no noun in the singular."""
        return word not in _all_lemmas()(word).get("NOUN", (word,))

    def is_verb_form(self, word: str) -> bool:
        """Return whether a word is a form of a verb other than its plain one."""
        return word not in _all_lemmas()(word).get("VERB", (word,))

    def is_participle(self, word: str) -> bool:
        """Return whether a word is a participle of a verb, in -ing or of the past."""
        return _participle(word)

    def is_compared(self, word: str) -> bool:
        """Return whether a word is an adjective in -er or -est and no word of its own."""
        return is_compared(word)

    def meant(self, word: str) -> str:
        """Return the word a misspelt one stands for: one letter apart, a hundred times as frequent.

        Empty for a word the dictionary has, a frequent or a short one.

        >>> words = LemminflectWords()
        >>> words.meant("recieve"), words.meant("believe")
        ('receive', '')
        """
        return self._meant(word)

    def _closest(self, word: str) -> str:
        if self._frequency is None or len(word) < SHORTEST or is_word(word):
            return ""
        own = self._frequency.zipf([word])[0] or 0.0
        others = sorted(_one_letter_apart(word))
        values = zip(self._frequency.zipf(others), others, strict=True)
        zipf, best = max((zipf or 0.0, other) for zipf, other in values)
        rare = own < FREQUENT and zipf >= own + HUNDREDFOLD
        return best if rare and is_word(best) else ""

    def other_language(self, word: str) -> str:
        """Return the language in which a word is a hundred times as frequent as in English.

        >>> words = LemminflectWords()
        >>> words.other_language("gatto"), words.other_language("cat")
        ('it', '')
        """
        return self._spoken(word)

    def _foreign(self, word: str) -> str:
        if self._frequency is None or is_word(word):
            return ""
        own = self._frequency.zipf([word])[0] or 0.0
        values = [(_frequencies(lang).zipf([word])[0] or 0.0, lang) for lang in _NEIGHBOURS]
        zipf, lang = max(values)
        foreign = own < FREQUENT and zipf >= max(FREQUENT, own + HUNDREDFOLD)
        return lang if foreign else ""

    def is_noun_alone(self, word: str) -> bool:
        """Return whether a word is a noun and no adjective, by dictionary and by its ending."""
        lemmas = _all_lemmas()(word)
        alike = word.endswith(_OF_ADJECTIVES) and not word.endswith(_OF_NOUNS)
        # Of frequent words the dictionary knows the classes, whatever their endings look like.
        named = set(lemmas) == {"NOUN"} or (word.endswith("ish") and "ADJ" not in lemmas)
        settled = named and word.endswith(_OF_BOTH) and self._frequent(word)
        return "NOUN" in lemmas and not is_adjective(word) and (settled or not alike)

    def _frequent(self, word: str) -> bool:
        zipf = self._frequency.zipf([word])[0] if self._frequency is not None else None
        return zipf is not None and zipf >= FREQUENT

    def is_bare_verb(self, word: str) -> bool:
        """Return whether a word is a verb in its plain form and nothing else."""
        lemmas = _all_lemmas()(word)
        return set(lemmas) == {"VERB"} and word in lemmas["VERB"]


def _is_compound(word: str) -> bool:
    """Return whether a word consists of two words of the dictionary."""
    places = range(SHORTEST_PART, len(word) - SHORTEST_PART + 1)
    return any(is_word(word[:place]) and is_word(word[place:]) for place in places)


@cache
def _classes(word: str) -> frozenset[str]:
    return frozenset(_all_lemmas()(word))


@cache
def _participle(word: str) -> bool:
    inflect = _lemminflect()
    verbs = _all_lemmas()(word).get("VERB", ())
    return any(word in inflect(verb, tag) for verb in verbs for tag in ("VBN", "VBG"))


@cache
def _frequencies(lang: str) -> WordFreq:
    return WordFreq(lang, words="small")


def _one_letter_apart(word: str) -> set[str]:
    """Return what a word becomes with one letter less, more, exchanged or another."""
    parts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    less = {start + end[1:] for start, end in parts if end}
    turned = {start + end[1] + end[0] + end[2:] for start, end in parts if len(end) > 1}
    other = {start + one + end[1:] for start, end in parts if end for one in ascii_lowercase}
    more = {start + one + end for start, end in parts for one in ascii_lowercase}
    return (less | turned | other | more) - {word}


class LemminflectNouns:
    """What lemminflect's dictionary says of nouns; where it says nothing, nouns are countable."""

    def __init__(self) -> None:
        _lemminflect()

    def plural(self, noun: str) -> str:
        """Return the plural of one word."""
        forms = _plurals(noun)
        return forms[0] if forms else f"{noun}s"

    def is_mass(self, noun: str) -> bool:
        """Return whether the only plural a word has is the word itself.

        It says so of animals as well (`sheep`); our own exceptions come before it.
        """
        return _plurals(noun) == (noun,)


@lru_cache(maxsize=100_000)
def _plurals(noun: str) -> tuple[str, ...]:
    return _lemminflect()(noun, "NNS")


@cache
def _lemminflect() -> Inflect:
    inflect: Inflect = lemminflect("plurals and mass nouns of English").getInflection
    return inflect


@cache
def _all_lemmas() -> AllLemmas:
    module = lemminflect("telling inflected forms of English from lemmas")
    # It copies its answer every time; the same few thousand words are asked about again and again.
    lemmas: AllLemmas = cache(module.getAllLemmas)
    return lemmas
