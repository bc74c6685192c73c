"""Irregularities in a set of ADEPT pairs: how each is made, and what the splits share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from plausibly.datasets.adept.loose import read_loosely
from plausibly.datasets.adept.nonsubsective import shipped_nonsubsective
from plausibly.datasets.lexica.identity import identity_terms
from plausibly.errors import TableError
from plausibly.proofreading.pairs._bare import without_article
from plausibly.proofreading.pairs._grammar import strange_grammar
from plausibly.proofreading.pairs._rows import FINDERS, Row, follows, irregular, strange_text
from plausibly.proofreading.pairs._together import (
    PairProblem,
    exact_groups,
    nearly,
    of_groups,
    of_labels,
    repeated_idx,
    shared_of,
)
from plausibly.proofreading.pairs._words import EnglishWords, wrong_words


@dataclass(frozen=True, slots=True)
class PairReport:
    """The report of `check adept`.

    Args:
        pairs: How many there are.
        exact: How many have a second sentence that follows from the first.
        exceptions: The others.
        duplicates: Pairs with the same two sentences.
        cross_split: Those of them that are in several files.
        shared: For two files, the sentences and nouns of the second that are in the first.
        problems: All other irregularities, and the above again by pair.
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
        """Return the report as printed."""
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
    """Return the irregularities in the pairs of some files, each file being one split.

    Args:
        paths: The files. A bad row is reported like other problems and does not stop the check.
        words: A dictionary; without one, unknown words are not found.
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
    """Return the irregularities in pairs that have a `split`.

    A pair is exact when its second sentence follows by the rule of the release (the noun as any
    run of letters, article by spelling) or by ours (a whole word, article by sound).
    """
    rows = pairs.sort("idx", "split").to_dicts()
    exact = [follows(row) for row in rows]
    exceptions = tuple(row["idx"] for row, one in zip(rows, exact, strict=True) if not one)
    groups, terms = exact_groups(pairs), identity_terms()
    duplicates = tuple(tuple(sorted(idx)) for idx, _, _ in groups)
    crossing = tuple(tuple(sorted(idx)) for idx, _, splits in groups if splits > 1)
    problems = [
        *faults,
        *of_labels(pairs),
        *nearly(pairs),
        *(PairProblem(row["idx"], *one) for row in rows for one in _by_words(row, words)),
        *(
            PairProblem(row["idx"], *one)
            for row, by_rule in zip(rows, exact, strict=True)
            for one in irregular(row, exact=by_rule)
        ),
        *(PairProblem(*one) for one in wrong_words(rows, words)),
        *(PairProblem(*one) for one in without_article(rows, words)),
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
        problems=tuple(sorted(set(problems))),
        identity=tuple(row["idx"] for row in rows if terms.groups(row["modifier"], row["noun"])),
    )


def _by_words(row: Row, words: EnglishWords | None) -> Iterator[tuple[str, str]]:
    yield from strange_text(row, prefixes=shipped_nonsubsective())
    if words is not None:
        yield from strange_grammar(row, words)


KINDS = (
    *("broken_row", "repeated_field", "wrong_type", "unknown_field", "no_text", "bad_idx"),
    *("no_label", "bad_label", "one_label", "labels_shifted", "not_by_rule"),
    *FINDERS,
    *("question", "double_space", "space_before_stop", "no_final_stop", "back_tick", "broken_verb"),
    *("odd_sign", "outer_space", "modifier_form", "no_space_after_comma", "white_space"),
    *("several_sentences", "capitals", "capital_inside", "unbalanced", "digit_in_word"),
    *("long_sentence", "fragment", "offensive_modifier", "offensive_word", "noun_modifier"),
    *("adverb_modifier", "verb_modifier", "compared_modifier", "unlisted_modifier"),
    *("unknown_word", "bare_verb", "verb_form", "no_verb", "imperative", "cut_off", "determiner"),
    *("stray_sign", "exclamation", "two_prepositions", "compared_twice", "no_capital"),
    *("confused_word", "placeholder", "own_view", "other_language", "double_negation"),
    *(
        "pronoun",
        "preposition",
        "adverb",
        "opening",
        "no_plural",
        "no_article",
        "noun_name",
        "predicative_modifier",
        "chat_word",
    ),
    *("two_determiners", "no_apostrophe", "small_i", "word_twice", "article_before_plural"),
    *("repeated_idx", "duplicate", "nearly_duplicate", "labels_differ", "cross_split"),
)
"""Every kind of irregularity that `check adept` finds."""
