"""Implicit knowledge: candidates of models next to two source sentences, blinded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.iks import QUESTIONS
from plausibly.datasets.iks.sheet import roman
from plausibly.stimuli.iks import build_iks as iks_items
from plausibly.stimuli.iks import read_candidates, read_sources
from plausibly.study.verb import verb
from plausibly.verbs.build._items import (
    NEW_FOLDER,
    BlindingKey,
    ItemSet,
    frequencies_if_any,
    with_balance,
)
from plausibly.verbs.build._study import building


def _candidates(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rows of the candidates: names of files are names of models."""
    return {"candidates": read_candidates([Path(one) for one in arguments["candidates"]])}


@verb(
    output=NEW_FOLDER,
    places=("blind_key",),
    sources=_candidates,
    study=building("iks", "sources", written="candidates"),
)
def build_iks(
    *,
    sources: str | Path,
    candidates: Sequence[str | Path],
    blind_key: str | Path | None = None,
    language: str = "en",
    seed: int,
) -> ItemSet:
    r"""Number the candidates of each item anew, so that nothing tells which model wrote which.

    Writes items.parquet, sheet.csv (nine questions, the reference not shown), references.csv (for
    the second step), ledger.parquet, funnel.json and balance.json, none of which names a model.
    The key, which annotators must not see, is written outside the folder.

    Args:
        sources: item, source_1, source_2 and, if there are any, reference, relation and genre.
        candidates: item, sentence[, system]; one file per model.
        blind_key: Where the key goes, outside the folder (default: FOLDER-key.parquet, next to it).
        language: Language, for the balance report.
        seed: Same seed, same numbers.

    Examples:
        plausibly build iks --sources pairs.csv --candidates outputs.csv --seed 1 -o sheet
        plausibly build iks --sources pairs.csv --candidates a.csv b.csv --seed 1 -o sheet

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pairs, written = Path(folder, "pairs.csv"), Path(folder, "model.csv")
    ...     _ = pairs.write_text("item,source_1,source_2\ni1,It rains.,We stay in.\n")
    ...     _ = written.write_text("item,sentence\ni1,Rain is wet.\n")
    ...     build_iks(sources=pairs, candidates=[written], seed=1).items["item"].to_list()
    ['i1', 'i1#i']
    """
    files = [Path(one) for one in candidates]
    written = read_candidates(files)
    built, systems = iks_items(read_sources(Path(sources)), written, number=roman, seed=seed)
    answers = [pl.lit(None, dtype=pl.String).alias(title) for title in QUESTIONS.values()]
    sheet = built.documents["sheet.csv"].with_columns(*answers)
    built = with_balance(
        replace(built, documents={**built.documents, "sheet.csv": sheet}),
        frequency=frequencies_if_any(None, language),
        lang=language,
        seed=seed,
        compared=built.items.filter(pl.col("candidate").is_not_null()),
    )
    notes = (
        f"items: {built.documents['references.csv'].height}; candidates: {sheet.height}",
        f"missing or empty: {built.ledger.height}",
    )
    place = None if blind_key is None else Path(blind_key)
    secret = BlindingKey(systems, place, inputs=(Path(sources), *files))
    return ItemSet(built.items, built.ledger, "iks", built, notes=notes, key=secret)
