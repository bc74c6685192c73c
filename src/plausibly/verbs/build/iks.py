"""Implicit knowledge: candidates of models next to two source sentences, blinded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.iks import QUESTIONS
from plausibly.datasets.iks.sheet import roman
from plausibly.ratings.codebook import codebook
from plausibly.ratings.forms import form_of
from plausibly.stimuli.iks import build_iks as iks_items
from plausibly.stimuli.iks import identical_candidates, read_candidates, read_sources
from plausibly.study.folder import PROTOCOLS
from plausibly.study.verb import verb
from plausibly.verbs.build._items import (
    NEW_FOLDER,
    BlindingKey,
    ItemSet,
    frequencies_if_any,
    with_balance,
)
from plausibly.verbs.build._study import building

SERVED = "iks"  # the protocol whose form the manual explains
MANUAL = "manual.html"


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
    r"""Number the candidates of each item anew, to hide which model wrote which.

    Writes items.parquet, sheet.csv (nine questions, the reference not shown), references.csv (for
    the second step), manual.html (a codebook to print), ledger.parquet, funnel.json and
    balance.json, none of which names a model.
    The key, which annotators must not see, is written outside the folder.

    Args:
        sources: Table with item, source_1, source_2 and, if there are any, reference, relation and
            genre.
        candidates: Tables with item, sentence[, system]; one file per model.
        blind_key: Where the key goes, outside the folder (default: FOLDER-key.parquet, next to it).
        language: Language of the sentences, for the balance report, and of the manual (en, it).
        seed: Seed for everything drawn at random.

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
    same = identical_candidates(built.items)
    own = {"sheet.csv": sheet, MANUAL: _manual(language)}
    built = with_balance(
        replace(built, documents={**built.documents, **own}),
        frequency=frequencies_if_any(None, language),
        lang=language,
        seed=seed,
        compared=built.items.filter(pl.col("candidate").is_not_null()),
    )
    notes = (
        f"items: {built.documents['references.csv'].height}; candidates: {sheet.height}",
        f"missing or empty: {built.ledger.height}",
        *(f"{item}: candidates {' and '.join(names)} are identical." for item, names in same),
    )
    place = None if blind_key is None else Path(blind_key)
    secret = BlindingKey(systems, place, inputs=(Path(sources), *files))
    named = {"identical": [{"item": item, "candidates": names} for item, names in same]}
    return ItemSet(built.items, built.ledger, "iks", built, own=named, notes=notes, key=secret)


def _manual(language: str) -> str:
    """Return the codebook of the form, in the language where the form has one."""
    protocol = PROTOCOLS[SERVED]
    form = form_of(protocol.form_in(language), where="form.toml")
    return codebook(form, language, QUESTIONS)
