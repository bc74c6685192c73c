"""Missing answers: empty cells, and the words programs write for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

WORDS = ("NA", "N/A", "NaN", "nan", "None")
# Written by R, Excel (also German), pandas and databases, but never as an answer; in any case.
SIGNS = (
    *("na", "n/a", "nan", "#n/a", "#na", "#nv", "<na>", "null", "#null!"),
    # What survey tools offer to those who do not answer.
    *("no answer", "prefer not to answer", "prefer not to say", "keine angabe", "keine antwort"),
    *("nessuna risposta", "preferisco non rispondere", "sans réponse", "pas de réponse"),
    *("sin respuesta", "prefiero no responder"),
)
CODES = (99.0, 999.0, 9999.0, -99.0, -999.0, -9999.0)
MOST_POINTS = 11  # of a scale next to which such a number can only be a code
# As often an answer as a missing one: kept and reported.
DOUBTFUL = (
    *("-", "--", "\u2013", "\u2014", ".", "?", "*", "none", "n.a.", "k.a.", "missing"),
    *("don't know", "i don't know", "don\u2019t know", "i don\u2019t know"),
    *("weiß nicht", "weiss nicht", "ich weiß nicht", "ich weiss nicht", "weiß ich nicht"),
    *("non so", "non lo so", "je ne sais pas", "ne sais pas", "no sé", "no lo sé", "no se"),
    *("weet niet", "weet ik niet", "ik weet het niet", "não sei"),
)


@dataclass(frozen=True, slots=True)
class Missing:
    """The answers that are left out and counted.

    Args:
        words: Cells to treat as missing, without the spaces around them.
        blank: Whether an empty or blank cell is missing, too.
        signs: Words in lower case that are missing in any capitalisation.
    """

    words: frozenset[str]
    blank: bool = True
    signs: frozenset[str] = frozenset(SIGNS)

    def marks(self, answers: pl.Series) -> pl.Series:
        """Return for each answer whether it is missing."""
        distinct = answers.drop_nulls().unique()
        bare = distinct.str.strip_chars()
        none = bare.is_in(list(self.words)) | bare.str.to_lowercase().is_in(list(self.signs))
        if self.blank:
            none |= bare == ""
        words = distinct.filter(none)
        marked = answers.is_in(words.implode()) if words.len() else answers.is_null() & False
        return marked.fill_null(value=False) | (answers.is_null() & self.blank)

    def codes(self, ratings: pl.DataFrame) -> pl.Series:
        """Return for each answer whether it is a code for none, such as 99 on a scale from 1 to 7.

        >>> MISSING.codes(pl.DataFrame({"question": ["q"] * 3, "answer": ["1", "6.5", "99"]})).sum()
        1
        """
        never = pl.repeat(False, ratings.height, eager=True)
        value = pl.col("answer").str.strip_chars().cast(pl.Float64, strict=False)
        is_code = value.is_in(CODES)
        if not self.signs or not ratings.select(is_code.any()).item():
            return never
        distinct = ratings.select("question", "answer", code=is_code).unique().drop_nulls()
        number = value.filter(~pl.col("code").fill_null(value=False))
        points = number.max() - number.min() + 1
        scales = distinct.group_by("question").agg(
            pl.col("code").any(),
            few=(points <= MOST_POINTS) & number.is_not_null().all() & (number.n_unique() > 1),
        )
        coded = scales.filter(pl.col("code") & pl.col("few"))["question"]
        return ratings.select(
            (is_code & pl.col("question").is_in(coded.implode())).fill_null(value=False)
        ).to_series()

    def doubtful(self, ratings: pl.DataFrame) -> dict[str, int]:
        """Return the answers that are kept but often mean a missing one, with their counts.

        These are words, and codes below or above all other numbers that a question got.

        >>> answers = ["-", "4", " - ", "NA", "60", "-99"]
        >>> MISSING.doubtful(pl.DataFrame({"question": ["q"] * 6, "answer": answers}))
        {'-': 2, '-99': 1}
        """
        bare = pl.col("answer").str.strip_chars()
        answers = (
            ratings.select("question", answer=bare)
            .drop_nulls()
            .group_by("question", "answer")
            .agg(count=pl.len())
            .with_columns(number=pl.col("answer").cast(pl.Float64, strict=False))
        )
        is_code = pl.col("number").is_in(CODES)
        other = pl.col("number").filter(~is_code)
        lowest, highest = other.min().over("question"), other.max().over("question")
        outside = is_code & (lowest < highest) & ~pl.col("number").is_between(lowest, highest)
        doubts = pl.col("answer").str.to_lowercase().is_in(DOUBTFUL) | outside
        kept = answers.filter(doubts.fill_null(value=False)).group_by("answer")
        counts = kept.agg(pl.col("count").sum()).sort("answer").rows()
        return {answer: count for answer, count in counts if not self.is_none(answer)}

    def is_none(self, answer: str | None) -> bool:
        """Return whether one answer is missing.

        >>> MISSING.is_none(" NA "), MISSING.is_none("null"), MISSING.is_none("none")
        (True, True, False)
        """
        bare = (answer or "").strip()
        return bare in self.words or bare.lower() in self.signs or (self.blank and not bare)


MISSING = Missing(frozenset(WORDS))
NOTHING = Missing(frozenset(), blank=False, signs=frozenset())


def missing_answers(words: str | Sequence[str] | Missing | None) -> Missing:
    """Return which answers are missing: the usual words and the user's; with "", none at all.

    >>> sorted(missing_answers("not sure, -").words - MISSING.words)
    ['-', 'not sure']
    >>> missing_answers("").blank
    False
    """
    if words is None:
        return MISSING
    if isinstance(words, Missing):
        return words
    listed = words.split(",") if isinstance(words, str) else words
    added = frozenset(word.strip() for word in listed if word.strip())
    return Missing(MISSING.words | added) if added else NOTHING
