"""What a model of answers reads: ratings, items and norms, from files, tables or a study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl

from plausibly.analysis.concreteness import with_concreteness
from plausibly.datasets.norms import read_norms
from plausibly.errors import StudyError, option
from plausibly.io.frames import Source, as_items
from plausibly.measures.early import first_answers
from plausibly.models.lite.words import lemmas
from plausibly.ratings.kinds import of_kinds
from plausibly.ratings.sources import Ratings, left_out_checks, read_raw_ratings, without_checks


def read_answers(
    ratings: Ratings,
    items: Source | None,
    norms: str | Path | None,
    reading: tuple[str, Mapping[str, str] | None, str | None, str | None],
) -> tuple[pl.DataFrame, pl.DataFrame | None, tuple[str, ...]]:
    """Return ratings without checks, their items, and what was noticed on the way.

    Args:
        ratings: File or table of ratings.
        items: Items table; None for that of the file.
        norms: Concreteness norms, whose columns the items then have.
        reading: Format, columns and missing answers of the file, and kinds of annotators.
    """
    form, columns, missing, kinds = reading
    imported = read_raw_ratings(ratings, format=form, columns=columns, missing=missing)
    imported, _ = of_kinds(imported, kinds)
    known = imported.items if items is None else as_items(items)
    if norms is not None:
        if known is None:
            raise StudyError(
                f"{option('norms')} describes the words of the items. Pass {option('items')} too."
            )
        known = with_concreteness(known, _concreteness(Path(norms)), _forms)
    table, checks = without_checks(imported.ratings, known)
    table, early = first_answers(table)
    return table, known, (*imported.notes, *left_out_checks(checks), *early)


def _concreteness(path: Path) -> dict[str, float]:
    rated = read_norms(path).with_columns(pl.col("word").str.to_lowercase())
    return dict(
        rated.unique("word", keep="first", maintain_order=True)["word", "concreteness"].iter_rows()
    )


def _forms(word: str, verb: bool) -> Iterator[str]:
    yield from lemmas(word, verbs=verb)
