"""Writes a study as ADEPT's files: an array of pairs for each split."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from plausibly.datasets.adept import CODES
from plausibly.errors import StudyError
from plausibly.tables import ITEMS, LABELS

_COLUMNS = ("sentence1", "sentence2", "modifier", "noun")


def released(items: pl.DataFrame, labels: pl.DataFrame) -> dict[str, pl.DataFrame | str]:
    """Return the pairs with an agreed label as JSON by split, or as `pairs.json` without splits.

    Raises:
        StudyError: If items lack a sentence, the modifier or the noun, or a label is not a class.
    """
    if "sentence2" not in items.columns:  # the text is the sentence with its adjective
        items = items.with_columns(sentence2="text")
    missing = [column for column in _COLUMNS if column not in items.columns]
    if missing:
        raise StudyError(f"ADEPT's format needs items with a column {missing[0]}.")
    codes = {name: int(code) for code, name in CODES.items()}
    agreed = LABELS.check(labels).drop_nulls("label").select("item", "label")
    odd = agreed.filter(~pl.col("label").is_in(list(codes)))
    if odd.height:
        raise StudyError(f"label {odd['label'][0]!r} is not one of ADEPT's: {', '.join(codes)}.")
    pairs = ITEMS.sort(ITEMS.check(items)).filter(pl.col("kind") == "item")
    named = pairs["idx"] if "idx" in pairs.columns else pairs["item"]
    numbers = named.cast(pl.Int64, strict=False)
    own = numbers.null_count() == 0 and numbers.n_unique() == pairs.height
    pairs = pairs.with_columns(idx=numbers if own else pl.int_range(pl.len())).join(
        agreed, on="item", maintain_order="left"
    )
    pairs = pairs.with_columns(pl.col("label").replace_strict(codes, return_dtype=pl.Int64))
    splits: list[str | None] = [None]
    if "split" in pairs.columns and pairs["split"].null_count() < pairs.height:
        splits = pairs["split"].drop_nulls().unique().sort().to_list()
    return {
        f"{split or 'pairs'}.json": (
            pairs if split is None else pairs.filter(pl.col("split") == split)
        ).select(*_COLUMNS, "label", "idx")
        for split in splits
    }


def alternates(trace: Iterable[Mapping[str, Any]], labels: pl.DataFrame) -> str:
    """Return the record of every entry in the format of ADEPT's datasheet, a JSON array.

    An entry has its original sentence, its four variants with the adjective in square brackets,
    and the class that people gave the annotated one.

    Args:
        trace: The trace from `build adept`: original, noun, predicate, surface, adjectives,
            variants and the place of the annotated one.
        labels: The labels table.
    """
    agreed = dict(LABELS.check(labels).select("item", "label").iter_rows())
    records = []
    for entry in trace:
        words = [str(one["adjective"]) for one in entry["adjectives"]]
        marked = [
            _marked(str(sentence), word)
            for word, sentence in zip(words, entry["variants"], strict=True)
        ]
        classes = [
            agreed.get(entry["item"]) if place == entry["annotated"] else None
            for place in range(len(words))
        ]
        records.append(
            {
                "original_sentence": entry["original"],
                **{f"alternate{number}": text for number, text in enumerate(marked, start=1)},
                "surfaceText": entry["surface"],
                "noun": entry["noun"],
                "predicate": entry["predicate"],
                "original_modifiers": words,
                "labelled_plausibilities": classes,
            }
        )
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def _marked(sentence: str, word: str) -> str:
    """Return a sentence with the first occurrence of a word in square brackets.

    >>> _marked("Old cats purr.", "old")
    '[Old] cats purr.'
    """
    pattern = rf"(?<!\w){re.escape(word)}(?!\w)"
    return re.sub(pattern, lambda found: f"[{found[0]}]", sentence, count=1, flags=re.IGNORECASE)
