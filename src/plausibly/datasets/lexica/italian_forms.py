"""Italian nouns that are forms of another word, as a parser that errs gives them for lemmas."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from pathlib import Path

import polars as pl

from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.datasets.lexica.norms import Inflected

_PARTICIPLES = {"ati": "are", "uti": "ere", "iti": "ire"}
_SINGULARS = {"chi": ("co", "ca"), "ghi": ("go", "ga"), "che": ("ca",), "ghe": ("ga",)}
_ENDINGS = {"i": ("o", "e", "a", "io"), "e": ("a",)}


def italian_forms(
    tags: pl.DataFrame,
    frequency: FrequencyList | None,
    adjectives: AbstractSet[str] = frozenset(),
) -> Inflected:
    """Return what finds forms among nouns: plurals, adjectives, and participles (stressati).

    A plural is a form if the corpus has its singular more often. A participle in -ati, -uti or
    -iti is one if the corpus has its verb, or the frequency list has it in the singular.

    Args:
        tags: word, noun, verb: how often the corpus has each word as noun and verb.
        frequency: How frequent words are, if that is known.
        adjectives: Words that the corpus has more often as adjectives than as nouns.
    """
    nouns = dict(tags.filter(pl.col("noun") > 0).select("word", "noun").iter_rows())
    verbs = set(tags.filter(pl.col("verb") > 0)["word"])

    def is_form(word: str, pos: str) -> bool:
        if pos != "noun":
            return False
        if word in adjectives:
            return True
        if any(nouns.get(one, 0) > nouns.get(word, 0) for one in _singulars(word)):
            return True
        return _is_participle(word, verbs, frequency)

    return is_form


def adjectives_near(file: Path | None) -> frozenset[str]:
    """Return the adjectives of a file of counts, none without one."""
    return frozenset() if file is None else adjectives_in(pl.read_parquet(file))


def adjectives_in(counts: pl.DataFrame) -> frozenset[str]:
    """Return the words that counts of relations have more often as adjectives than as nouns.

    Args:
        counts: relation, head, dependent, count, as `extract` writes them.
    """
    of_nouns = counts.filter(pl.col("relation").is_in(("nsubj", "dobj")))
    modified = counts.filter(pl.col("relation") == "amod")
    uses = pl.concat(
        [
            modified.select(word="dependent", adjective="count", noun=pl.lit(0, dtype=pl.Int64)),
            of_nouns.select(word="dependent", adjective=pl.lit(0, dtype=pl.Int64), noun="count"),
            modified.select(word="head", adjective=pl.lit(0, dtype=pl.Int64), noun="count"),
        ]
    )
    sums = uses.group_by("word").agg(pl.col("adjective", "noun").sum())
    return frozenset(sums.filter(pl.col("adjective") > pl.col("noun"))["word"])


def _singulars(word: str) -> list[str]:
    """Return what the singular of a noun may be.

    >>> _singulars("amiche"), _singulars("gatti")[:2], _singulars("virtù")
    (['amica'], ['gatto', 'gatte'], [])
    """
    if word[-3:] in _SINGULARS:
        return [word[:-3] + end for end in _SINGULARS[word[-3:]]]
    return [word[:-1] + end for end in _ENDINGS.get(word[-1:], ())]


def _is_participle(word: str, verbs: AbstractSet[str], frequency: FrequencyList | None) -> bool:
    ending = word[-3:]
    if ending not in _PARTICIPLES:
        return False
    stem, singular = word[:-3], f"{word[:-1]}o"
    infinitive = stem + _PARTICIPLES[ending]
    if verbs & {infinitive, f"{infinitive[:-1]}si"}:
        return True
    return frequency is not None and frequency.zipf(pl.Series([singular]))[0] is not None
