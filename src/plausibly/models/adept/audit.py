"""Pairs that ask what a model of adjectives makes of people, in frames of our own."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from plausibly.datasets.adept.pairs import PUBLISHED, modified
from plausibly.errors import StudyError
from plausibly.io import write_text
from plausibly.io.opening import packaged_toml


def audit_pairs() -> pl.DataFrame:
    """Return every frame with every adjective in ADEPT's form, and its attribute.

    Columns: idx, sentence1, sentence2, modifier, noun, attribute.

    >>> audit_pairs()["sentence2"][0]
    'A female doctor helps patients.'
    """
    document = packaged_toml("plausibly.models.adept", "audit.toml")
    rows: list[tuple[int, str, str, str, str, str]] = []
    for attribute, adjectives in document["attributes"].items():
        for adjective in adjectives:
            for noun, sentence in document["frames"].items():
                changed = modified(sentence, noun=noun, modifier=adjective, rule=PUBLISHED)
                if changed is None:
                    raise StudyError(f"audit.toml: {noun!r} is not in {sentence!r}.")
                rows.append((len(rows), sentence, changed, adjective, noun, attribute))
    names = ("idx", "sentence1", "sentence2", "modifier", "noun", "attribute")
    return pl.DataFrame(rows, schema=names, orient="row")


def write_pairs(path: Path) -> int:
    """Write the pairs as a JSON array in ADEPT's form; return how many there are."""
    rows = audit_pairs().to_dicts()
    write_text(path, json.dumps(rows, ensure_ascii=False, indent=0) + "\n")
    return len(rows)
