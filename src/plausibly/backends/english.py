"""English words by lemminflect: plurals, mass nouns, and inflected forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from string import ascii_lowercase

from plausibly.backends.frequency import WordFreq
from plausibly.backends.inflections import lemminflect
from plausibly.datasets.lexica.usage import usage
from plausibly.errors import MissingExtra

# Every frequency list contains misspellings; few of them reach this value.
LEAST_ZIPF = 2.0
_OF_ADJECTIVES = (
    *("able", "al", "ar", "ary", "ate", "ed", "ent", "ese", "ful", "ian", "ible", "ic"),
    *("ing", "ish", "ive", "less", "ous", "y"),
)
_OF_NOUNS = ("ment", "ness", "tion", "sion", "ity", "ship", "hood", "ology", "graphy")
# Zipf values: misspellings are rarer than this, and the intended word is this much more frequent.
FREQUENT, HUNDREDFOLD = 3.5, 2.0
SHORTEST = 5
# An inflected form is at most this much rarer than its word (Zipf), unlike chance forms of names.
COMMONER = 1.2
LEAST_COMPOUND, SHORTEST_PART = 1.3, 4
_FORMS = ("NNS", "VBD", "VBG")
_OF_BOTH = ("al", "ar", "ary", "ate", "ent", "ian", "ish", "y")
_COMPARED = frozenset({"better", "best", "worse", "worst"})
# Languages whose words most often stray into an English text.
_NEIGHBOURS = ("de", "es", "fr", "it", "nl", "pt")
Inflect = Callable[[str, str], tuple[str, ...]]
AllLemmas = Callable[[str], Mapping[str, tuple[str, ...]]]


def is_inflected(word: str, pos: str) -> bool:
    """Return whether lemminflect's dictionary lists a word as a form of `pos` but not as a lemma.

    A word missing from the dictionary counts as a lemma.
    """
    lemmas = _all_lemmas()(word).get(pos.upper())
    return lemmas is not None and word not in lemmas


def is_adjective(word: str) -> bool:
    """Return whether lemminflect's dictionary lists a word as an adjective or a participle.

    Of a hyphenated word, only the last part is looked up. Verb forms in the third person do not
    count.

    >>> [is_adjective(word) for word in ("fair", "broken", "fairs")]
    [True, True, False]
    """
    last = word.rpartition("-")[2]
    lemmas = _all_lemmas()(last)
    formed = last not in lemmas.get("VERB", (last,))
    return "ADJ" in lemmas or (formed and not last.endswith("s"))


def is_noun(word: str) -> bool:
    """Return whether a word may be a noun: not if the dictionary has it as another word only.

    Words in -ing, and nouns that our counts show, pass; so do words the dictionary does not have.

    >>> [is_noun(word) for word in ("boat", "act", "cooling", "podcast", "distraught", "announce")]
    [True, True, True, True, False, False]
    """
    last = word.rpartition("-")[2]
    lemmas = _all_lemmas()(last)
    counted = last in usage().nouns or last.endswith("ing")
    return not lemmas or "NOUN" in lemmas or counted


def is_verb(word: str) -> bool:
    """Return whether a word may be a verb: not if the dictionary has it as another word only.

    >>> [is_verb(word) for word in ("bark", "have", "self-release", "podcast", "balustrade")]
    [True, True, True, True, False]
    """
    lemmas = _all_lemmas()(word.rpartition("-")[2])
    return not lemmas or "VERB" in lemmas


def is_compared(word: str) -> bool:
    """Return whether a word is an inflected adjective in -er or -est.

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
    """Check if lemminflect's dictionary has a word in any form, or all parts of a hyphenated word.

    >>> [is_word(word) for word in ("happily", "children", "gloobing")]
    [True, True, False]
    """
    return all(_all_lemmas()(part) for part in word.split("-"))


class LemminflectWords:
    """Looks words up in lemminflect's dictionary, and in wordfreq if they are missing there."""

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
        """Return whether a word exists: it is in the dictionary, or frequent enough in texts."""
        return self._known(word)

    def _is_word(self, word: str) -> bool:
        if is_word(word) or self._frequency is None:
            return is_word(word)
        zipf = self._frequency.zipf([word])[0]
        return zipf is not None and zipf >= LEAST_ZIPF

    def is_used(self, word: str) -> bool:
        """Return whether the dictionary has a word, or texts use it inflected or as a compound.

        Names, abbreviations and misspellings rarely have other forms. Hyphens are removed before
        the look-up.

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
        """Return whether a word is in neither the dictionary nor any frequency list."""
        if is_word(word) or self._frequency is None:
            return False
        return not self._frequency.zipf([word])[0]

    def classes(self, word: str) -> frozenset[str]:
        """Return the classes the dictionary has a word in, such as NOUN and VERB."""
        return _classes(word)

    def is_plural(self, word: str) -> bool:
        """Return whether a word is the plural of a noun and not also a singular noun."""
        return word not in _all_lemmas()(word).get("NOUN", (word,))

    def is_verb_form(self, word: str) -> bool:
        """Return whether a word is an inflected form of a verb."""
        return word not in _all_lemmas()(word).get("VERB", (word,))

    def is_participle(self, word: str) -> bool:
        """Return whether a word is the present or past participle of a verb."""
        return _participle(word)

    def is_compared(self, word: str) -> bool:
        """Return whether a word is an inflected adjective in -er or -est."""
        return is_compared(word)

    def meant(self, word: str) -> str:
        """Return the intended word of a misspelling: one letter apart, a hundred times as frequent.

        Empty for a word that is in the dictionary, frequent or short.

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
        """Return whether a word is a noun but not an adjective, by dictionary and ending."""
        lemmas = _all_lemmas()(word)
        alike = word.endswith(_OF_ADJECTIVES) and not word.endswith(_OF_NOUNS)
        # The dictionary knows the classes of frequent words, whatever their endings look like.
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
    """Return every word made by deleting, adding, swapping or replacing one letter."""
    parts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    less = {start + end[1:] for start, end in parts if end}
    turned = {start + end[1] + end[0] + end[2:] for start, end in parts if len(end) > 1}
    other = {start + one + end[1:] for start, end in parts if end for one in ascii_lowercase}
    more = {start + one + end for start, end in parts for one in ascii_lowercase}
    return (less | turned | other | more) - {word}


class LemminflectNouns:
    """Looks nouns up in lemminflect's dictionary; a noun missing there counts as countable."""

    def __init__(self) -> None:
        _lemminflect()

    def plural(self, noun: str) -> str:
        """Return the plural of one word."""
        forms = _plurals(noun)
        return forms[0] if forms else f"{noun}s"

    def is_mass(self, noun: str) -> bool:
        """Return whether the only plural a word has is the word itself.

        The dictionary does this for animals, too (`sheep`); our exceptions take precedence.
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
    module = lemminflect("distinguishing inflected forms of English from lemmas")
    # lemminflect copies its answer on every call, and the same few thousand words keep recurring.
    lemmas: AllLemmas = cache(module.getAllLemmas)
    return lemmas
