"""What is irregular in a set of ADEPT pairs: how each is made, and what the splits share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polars as pl

from plausibly.datasets.adept.loose import read_loosely
from plausibly.datasets.adept.nonsubsective import shipped_nonsubsective
from plausibly.datasets.adept.pairs import PUBLISHED, modified
from plausibly.errors import TableError
from plausibly.stimuli.adept._grammar import strange_grammar
from plausibly.stimuli.adept._text import strange_text
from plausibly.stimuli.adept._together import (
    PairProblem,
    exact_groups,
    nearly,
    of_groups,
    of_labels,
    repeated_idx,
    shared_of,
)
from plausibly.stimuli.adept._words import EnglishWords, wrong_words
from plausibly.stimuli.adept.articles import BY_SOUND, article_by_sound
from plausibly.stimuli.adept.identity import identity_terms
from plausibly.stimuli.adept.lexicon import settings
from plausibly.stimuli.lexica.language import Language, language

MODALS = ("might", "may", "can", "could", "must", "will", "would", "should", "shall")
FUNCTION_WORDS = frozenset(
    {
        *("a", "an", "the", "this", "that", "these", "those", "some", "any", "one", "ones"),
        *("to", "of", "in", "on", "at", "by", "for", "with", "from", "and", "or", "but", "not"),
        *("i", "you", "he", "she", "it", "we", "they", "is", "are", "be"),
    }
)
NUMBERS = frozenset({"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"})
_ARTICLE = re.compile(r"(?<![\w'-])(an?)\s+([\w'-]+)", re.IGNORECASE)
# Endings of nouns that are no plurals: gas, glass, bus, basis, physics.
_NO_PLURAL = ("as", "ss", "us", "is", "ics", "ews")
_WORD = re.compile(r"[\w'-]+")

_PLURAL_VERB = re.compile(r"an? ([\w'-]+) (?:have|are|were|do)\b", re.IGNORECASE)

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PairReport:
    """What `check adept` says.

    Args:
        pairs: How many there are.
        exact: How many have a second sentence that follows from the first.
        exceptions: The others.
        duplicates: Pairs with the same two sentences.
        cross_split: Of these, the ones that lie in several files.
        shared: From two files to the sentences and nouns of the second that are in the first.
        problems: Everything else that is irregular, and the above once more by pair.
        identity: Pairs whose modifier groups people (a Muslim king, a disabled child).
    """

    pairs: int
    exact: int
    exceptions: tuple[int, ...]
    duplicates: tuple[tuple[int, ...], ...]
    cross_split: tuple[tuple[int, ...], ...]
    shared: Mapping[str, Mapping[str, int]]
    problems: tuple[PairProblem, ...]
    identity: tuple[int, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the report as it is printed."""
        return {
            "pairs": self.pairs,
            "exact": self.exact,
            "exceptions": list(self.exceptions),
            "duplicates": [list(group) for group in self.duplicates],
            "cross_split": [list(group) for group in self.cross_split],
            "identity": {
                "pairs": len(self.identity),
                "share": len(self.identity) / self.pairs if self.pairs else None,
                "idx": list(self.identity),
            },
            "shared": {files: dict(counts) for files, counts in self.shared.items()},
            "problems": [problem.as_json() for problem in self.problems],
        }


def check_files(paths: Sequence[Path], *, words: EnglishWords | None = None) -> PairReport:
    """Return what is irregular in the pairs of some files, each taken as one split.

    Args:
        paths: The files. A bad row is a problem like others and stops nothing.
        words: A dictionary; without one, words that are none go unseen.
    """
    tables, faults = [], []
    for split, path in _named(paths).items():
        pairs, bad = read_loosely(path)
        tables.append(pairs.with_columns(split=pl.lit(split)))
        faults += [PairProblem(*fault) for fault in bad]
    return check_pairs(pl.concat(tables), words=words, faults=faults)


def _named(paths: Sequence[Path]) -> dict[str, Path]:
    names = [path.name for path in paths]
    twice = {name for name in names if names.count(name) > 1}
    named = {str(path) if path.name in twice else path.name: path for path in paths}
    if len(named) < len(paths):
        raise TableError("check adept: the same file is named twice. Name each file once.")
    return named


def check_pairs(
    pairs: pl.DataFrame,
    *,
    words: EnglishWords | None = None,
    faults: Sequence[PairProblem] = (),
) -> PairReport:
    """Return what is irregular in pairs that say their `split`.

    A pair is exact when its second sentence follows by the rule of the release (the noun as any
    run of letters, article by spelling) or by ours (a whole word, article by sound).
    """
    rows = pairs.sort("idx", "split").to_dicts()
    exceptions = tuple(row["idx"] for row in rows if not follows(row))
    groups, terms = exact_groups(pairs), identity_terms()
    duplicates = tuple(tuple(sorted(idx)) for idx, _, _ in groups)
    crossing = tuple(tuple(sorted(idx)) for idx, _, splits in groups if splits > 1)
    problems = [
        *faults,
        *of_labels(pairs),
        *nearly(pairs),
        *(PairProblem(row["idx"], *one) for row in rows for one in _by_words(row, words)),
        *(PairProblem(row["idx"], kind, what) for row in rows for kind, what in _irregular(row)),
        *(PairProblem(*one) for one in wrong_words(rows, words)),
        *repeated_idx(pairs),
        *of_groups(groups),
    ]
    return PairReport(
        pairs=pairs.height,
        exact=pairs.height - len(exceptions),
        exceptions=exceptions,
        duplicates=duplicates,
        cross_split=crossing,
        shared=shared_of(pairs),
        problems=tuple(sorted(problems)),
        identity=tuple(row["idx"] for row in rows if terms.groups(row["modifier"], row["noun"])),
    )


def _by_words(row: Row, words: EnglishWords | None) -> Iterator[tuple[str, str]]:
    yield from strange_text(row, prefixes=shipped_nonsubsective())
    if words is not None:
        yield from strange_grammar(row, words)


def follows(row: Row) -> bool:
    """Tell whether the second sentence follows from the first by either rule."""
    made = (
        modified(row["sentence1"], noun=row["noun"], modifier=row["modifier"], rule=rule)
        for rule in (PUBLISHED, BY_SOUND)
    )
    return row["sentence2"] in made


def _irregular(row: Row) -> Iterator[tuple[str, str]]:
    if not follows(row):
        yield "not_by_rule", f"sentence2 is not sentence1 with {row['modifier']!r} before the noun"
    for kind, finds in _FINDERS.items():
        message = finds(row)
        if message is not None:
            yield kind, message


def _lower_case_start(row: Row) -> str | None:
    low = [name for name in ("sentence1", "sentence2") if row[name][:1].islower()]
    return f"{low[0]} begins with a small letter" if low else None


def _singular_with_plural_verb(row: Row) -> str | None:
    found = _PLURAL_VERB.match(row["sentence1"])
    if found is None or found[1].casefold() != row["noun"].casefold():
        return None
    return f"{found[0]!r}: one thing, a verb of many"


def _noun_inside_word(row: Row) -> str | None:
    whole = rf"(?<![\w-]){re.escape(row['noun'])}(?![\w-])"
    first = row["sentence1"].casefold().find(row["noun"].casefold())
    found = re.search(whole, row["sentence1"], re.IGNORECASE)
    if first < 0 or (found is not None and found.start() == first):
        return None
    return f"the noun {row['noun']!r} is first found inside a longer word"


def _no_noun(row: Row) -> str | None:
    if row["noun"].casefold() in row["sentence1"].casefold():
        return None
    return f"the noun {row['noun']!r} is not in sentence1"


def _noun_function_word(row: Row) -> str | None:
    noun = row["noun"].casefold()
    if noun not in FUNCTION_WORDS and noun not in NUMBERS:
        return None
    return f"{row['noun']!r} is not a noun"


def _modifier_function_word(row: Row) -> str | None:
    if row["modifier"].casefold() not in settings()["closed"]:
        return None
    return f"{row['modifier']!r} is not an adjective"


def _modifier_words(row: Row) -> str | None:
    return f"{row['modifier']!r} is more than one word" if " " in row["modifier"].strip() else None


def _modifier_capital(row: Row) -> str | None:
    modifier = row["modifier"]
    if not modifier[:1].isupper() or modifier.casefold() in _english().proper:
        return None
    return f"{modifier!r} has a capital, as names have"


def _question(row: Row) -> str | None:
    return "a question" if row["sentence1"].rstrip().endswith("?") else None


def _noun_number(row: Row) -> str | None:
    return f"{row['noun']!r} is a number" if row["noun"].strip().isdecimal() else None


def _articles(sentence: str) -> list[str]:
    return [
        f"{found[1]} {found[2]}"
        for found in _ARTICLE.finditer(sentence)
        if found[1].lower() != article_by_sound(found[2])
        and not (found[2].isupper() and len(found[2]) > 1)
        and found[2].casefold() not in FUNCTION_WORDS
    ]


def _article_in_original(row: Row) -> str | None:
    wrong = _articles(row["sentence1"])
    return f"{wrong[0]!r} sounds wrong in sentence1" if wrong else None


def _article_before_modifier(row: Row) -> str | None:
    found = re.search(
        rf"(?<![\w'-])(an?)\s+{re.escape(row['modifier'])}(?![\w-])",
        row["sentence2"],
        re.IGNORECASE,
    )
    if found is None or found[1].lower() == article_by_sound(row["modifier"]):
        return None
    return f"{found[0]!r} sounds wrong in sentence2"


def _modal_left(row: Row) -> str | None:
    words = [word.casefold() for word in _WORD.findall(row["sentence1"])]
    left = [word for word in words if word in MODALS and word != row["noun"].casefold()]
    return f"the modal {left[0]!r} is left in sentence1" if left else None


def _modifier_already_there(row: Row) -> str | None:
    words = {word.casefold() for word in _WORD.findall(row["sentence1"])}
    if row["modifier"].casefold() not in words:
        return None
    return f"{row['modifier']!r} already stands in sentence1"


def _noun_twice(row: Row) -> str | None:
    words = [word.casefold() for word in _WORD.findall(row["sentence1"])]
    times = words.count(row["noun"].casefold())
    return f"the noun occurs {times} times; the first is modified" if times > 1 else None


def _double_space(row: Row) -> str | None:
    return "two spaces in a row in sentence1" if "  " in row["sentence1"] else None


def _space_before_stop(row: Row) -> str | None:
    return "a space before the full stop" if row["sentence1"].endswith(" .") else None


def _no_final_stop(row: Row) -> str | None:
    return None if row["sentence1"].rstrip().endswith((".", "!", "?")) else "no full stop"


def _back_tick(row: Row) -> str | None:
    return "a back-tick in sentence1" if "`" in row["sentence1"] else None


def _broken_verb(row: Row) -> str | None:
    words = {word.casefold() for word in _WORD.findall(row["sentence1"])}
    return "'ises' is no word" if "ises" in words else None


def _agreement(row: Row) -> str | None:
    """Find a plural noun that opens the sentence before a verb in the singular."""
    noun, words = row["noun"].casefold(), row["sentence1"].casefold().rstrip(" .").split()
    if len(words) < 2 or words[0] != noun:
        return None
    profile, verb = _english(), words[1]
    many = noun.endswith("s") and not noun.endswith(_NO_PLURAL) and noun not in profile.mass
    one = verb.endswith("s") and (verb == "is" or not verb.endswith(("ss", "us", "is")))
    if not one or not (many or noun in profile.plural_only):
        return None
    return f"{noun!r} is plural, {verb!r} is singular"


@cache
def _english() -> Language:
    return language("en")


_FINDERS: dict[str, Callable[[Row], str | None]] = {
    "no_noun": _no_noun,
    "noun_inside_word": _noun_inside_word,
    "noun_function_word": _noun_function_word,
    "noun_number": _noun_number,
    "modifier_function_word": _modifier_function_word,
    "modifier_words": _modifier_words,
    "modifier_capital": _modifier_capital,
    "question": _question,
    "noun_twice": _noun_twice,
    "article_in_original": _article_in_original,
    "article_before_modifier": _article_before_modifier,
    "modal_left": _modal_left,
    "modifier_already_there": _modifier_already_there,
    "double_space": _double_space,
    "space_before_stop": _space_before_stop,
    "no_final_stop": _no_final_stop,
    "back_tick": _back_tick,
    "broken_verb": _broken_verb,
    "agreement": _agreement,
    "singular_with_plural_verb": _singular_with_plural_verb,
    "lower_case_start": _lower_case_start,
}
KINDS = (
    *("broken_row", "repeated_field", "wrong_type", "unknown_field", "no_text", "bad_idx"),
    *("no_label", "bad_label", "one_label", "labels_shifted", "not_by_rule"),
    *_FINDERS,
    *("odd_sign", "outer_space", "modifier_form", "no_space_after_comma", "white_space"),
    *("several_sentences", "capitals", "capital_inside", "unbalanced", "digit_in_word"),
    *("long_sentence", "fragment", "offensive_modifier", "offensive_word", "noun_modifier"),
    *("adverb_modifier", "verb_modifier", "compared_modifier", "unlisted_modifier"),
    *("unknown_word", "bare_verb", "verb_form", "no_verb", "imperative", "cut_off", "determiner"),
    *("stray_sign", "exclamation", "two_prepositions", "compared_twice", "no_capital"),
    *("confused_word", "placeholder", "own_view", "other_language", "double_negation"),
    *("opening", "no_plural"),
    *("two_determiners", "no_apostrophe", "small_i", "word_twice", "article_before_plural"),
    *("repeated_idx", "duplicate", "nearly_duplicate", "labels_differ", "cross_split"),
)
"""Every kind of irregularity `check adept` knows."""
