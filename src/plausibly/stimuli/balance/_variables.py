"""Nuisance variables of items: length, frequency and norms of their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import polars as pl

from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.datasets.lexica.norms import Norms
from plausibly.stimuli.balance._repeats import key_columns

NORMS = re.compile(r"_(concreteness|frequency|zipf)$|^surprisal(_per_word)?$")
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case.

    >>> words_of("A well-known dog's 2 bones.")
    ['a', 'well-known', "dog's", 'bones']
    """
    return _WORD.findall(text.casefold())


def nuisance_variables(
    items: pl.DataFrame, frequency: FrequencyList | None, norms: Norms | None
) -> pl.DataFrame:
    """Return one column per nuisance variable; missing values stay missing."""
    texts = items["text"].to_list()
    words = [words_of(text) for text in texts]
    columns = {
        "characters": pl.Series([len(text) for text in texts], dtype=pl.Float64),
        "words": pl.Series([len(found) for found in words], dtype=pl.Float64),
    }
    roles = items.select(key_columns(items.columns))
    if frequency is not None:
        columns |= _looked_up(roles, words, "zipf", "rarest", frequency.zipf)
    if norms is not None:
        rated = dict(norms.rated.select("word", "concreteness").iter_rows())

        def known(given: pl.Series) -> pl.Series:
            lower = given.str.to_lowercase()
            return lower.replace_strict(rated, default=None, return_dtype=pl.Float64)

        columns |= _looked_up(roles, words, "concreteness", "least", known)
    own = [name for name in items.columns if NORMS.search(name) and name not in columns]
    return pl.DataFrame(columns).with_columns(items.select(own).cast(pl.Float64))


def _looked_up(
    roles: pl.DataFrame,
    words: Sequence[Sequence[str]],
    what: str,
    lowest: str,
    known: Callable[[pl.Series], pl.Series],
) -> dict[str, pl.Series]:
    """Return what is known of the words: by role where items have roles, else over each text."""
    if roles.width:
        return {f"{role.name}_{what}": known(role).cast(pl.Float64) for role in roles}
    flat = pl.Series([word for found in words for word in found], dtype=pl.String)
    values = dict(zip(flat.to_list(), known(flat).to_list(), strict=True))
    found = [[value for word in ws if (value := values[word]) is not None] for ws in words]
    means = [sum(each) / len(each) if each else None for each in found]
    return {
        f"mean_{what}": pl.Series(means, dtype=pl.Float64),
        f"{lowest}_{what}": pl.Series([min(e, default=None) for e in found], dtype=pl.Float64),
    }
