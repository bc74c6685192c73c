"""The example study: made-up events of all 27 combinations, rated by a generated crowd."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from plausibly.io import write_table
from plausibly.protocols.pap.crowd import generate_crowd
from plausibly.study.protocol import Protocol, TomlFile
from plausibly.tables import ANNOTATORS, ITEMS, RATINGS

RATINGS_FILE = "answers.csv"
ROLES = ("subject", "verb", "object")


def write_example(_protocol: Protocol, folder: Path, seed: int) -> Mapping[str, Mapping[str, Any]]:
    """Write items, annotators and their answers; return what study.toml says about them."""
    items = example_items(seed=seed)
    ratings, annotators = generate_crowd(items, seed=seed, target=12)
    write_table(items, folder / "items.parquet", ITEMS)
    write_table(annotators, folder / "annotators.parquet", ANNOTATORS)
    write_table(ratings, folder / RATINGS_FILE, RATINGS)
    return {"ratings": {"source": RATINGS_FILE}}


def example_items(*, seed: int, per_cell: int = 3) -> pl.DataFrame:
    """Return made-up events, `per_cell` for each combination and condition, and check items."""
    words = TomlFile(files(__package__).joinpath("example", "items.toml"))
    generator = np.random.default_rng(seed)
    rows: list[dict[str, str | None]] = []
    for levels in product("amc", repeat=3):
        triples = list(
            product(*(words[role][level] for role, level in zip(ROLES, levels, strict=True)))
        )
        chosen = generator.permutation(len(triples))[: 2 * per_cell]
        for place, triple in enumerate(chosen):
            condition = "attested" if place < per_cell else "perturbed"
            rows.append(_event(triples[triple], condition, "-".join(levels)))
    for expected, texts in words["checks"].items():
        rows += [_check(text, expected) for text in texts]
    return ITEMS.sort(ITEMS.check(pl.DataFrame(rows, infer_schema_length=None)))


def _event(words: tuple[str, ...], condition: str, combination: str) -> dict[str, str | None]:
    text = " ".join(words)
    event = {"item": text.replace(" ", "-"), "text": text, "condition": condition, "kind": "item"}
    roles = dict(zip(ROLES, words, strict=True))
    return {**event, "expected": None, "combination": combination, **roles}


def _check(text: str, expected: str) -> dict[str, str | None]:
    check = {"item": f"check-{text.replace(' ', '-')}", "text": text, "condition": None}
    nothing = dict.fromkeys(("combination", *ROLES))
    return {**check, "kind": "check", "expected": expected, **nothing}
