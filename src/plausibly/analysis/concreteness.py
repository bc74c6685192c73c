"""How concrete the words of items are, as columns that the terms of a model can name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import polars as pl

from plausibly.errors import TableError

WORDS = ("subject", "verb", "object")
RATED = "{}_concreteness"
Lemmas = Callable[[str, bool], Iterator[str]]


def with_concreteness(
    items: pl.DataFrame, norms: Mapping[str, float], lemmas: Lemmas
) -> pl.DataFrame:
    """Return items with the concreteness of subject, verb and object, in standard deviations.

    Args:
        items: Events with the columns subject, verb and object.
        norms: From a word to its concreteness.
        lemmas: Forms to try for a word without a rating; its second argument is whether the word
            is a verb.
    """
    missing = [name for name in WORDS if name not in items.columns]
    if missing:
        raise TableError(f"items: no column {missing[0]!r}, but its concreteness was asked for.")
    for name in WORDS:
        rated = [_rated(str(word).lower(), norms, lemmas, name) for word in items[name]]
        column = pl.Series(RATED.format(name), rated, dtype=pl.Float64)
        items = items.with_columns((column - column.mean()) / column.std())
    return items


def _rated(word: str, norms: Mapping[str, float], lemmas: Lemmas, role: str) -> float | None:
    forms = (word, *lemmas(word, role == "verb"))
    return next((norms[form] for form in forms if form in norms), None)
