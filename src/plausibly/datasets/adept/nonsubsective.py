"""Adjectives that do not keep a thing what it is: `former`, `alleged`, `fake`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import polars as pl

from plausibly.errors import TableError
from plausibly.io import read_rows
from plausibly.io.opening import packaged_toml

SUBSECTIVE = "subsective"
NON_SUBSECTIVE = "non-subsective"


def read_nonsubsective(
    path: Path, *, listed_only: bool = False, as_written: bool = False
) -> Mapping[str, str]:
    """Return from adjective to its class, as a file lists them.

    Args:
        path: A table with a column `adjective`; `class` (privative, plain, ...) is optional, and
            so is `in_nayak_60`, which is 0 for adjectives the list of Nayak et al. (2014) does
            not have and ADEPT treats as if it had (`dead`).
        listed_only: Leave those out.
        as_written: Keep capitals, and the hyphen prefixes are listed with (`ex-`), which corpora
            do not have.
    """
    rows = read_rows(path)
    if "adjective" not in rows.frame.columns:
        raise TableError(
            f"{path}: no column 'adjective'. Columns found: {', '.join(rows.frame.columns)}."
        )
    rows.reject([])
    frame = rows.frame.drop_nulls("adjective")
    if frame.is_empty():
        raise TableError(f"{path}: no adjective in it. List one on each line.")
    if listed_only and "in_nayak_60" in frame.columns:
        frame = frame.filter(pl.col("in_nayak_60").cast(pl.String) != "0")
    classes = frame["class"].to_list() if "class" in frame.columns else [None] * frame.height
    words = [str(word).strip() for word in frame["adjective"]]
    if not as_written:
        words = [word.casefold().removesuffix("-") for word in words]
    return MappingProxyType(
        {word: str(kind or "listed") for word, kind in zip(words, classes, strict=True)}
    )


@cache
def shipped_nonsubsective(*, listed_only: bool = False) -> Mapping[str, str]:
    """Return the list that comes with the package: 60 adjectives, and `dead` as ADEPT has it.

    >>> words = shipped_nonsubsective()
    >>> len(words), words["former"], len(shipped_nonsubsective(listed_only=True))
    (61, 'privative', 60)
    """
    document = packaged_toml("plausibly.datasets.adept", "nonsubsective.toml")
    return MappingProxyType(
        {
            word.removesuffix("-"): kind
            for kind, words in document.items()
            for word in words
            if not (listed_only and kind == "unlisted")
        }
    )
