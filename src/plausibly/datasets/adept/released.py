"""ADEPT's own files from a study: an array of pairs for each split."""

from __future__ import annotations

import polars as pl

from plausibly.datasets.adept import CODES
from plausibly.errors import StudyError
from plausibly.tables import ITEMS, LABELS

_COLUMNS = ("sentence1", "sentence2", "modifier", "noun")


def released(items: pl.DataFrame, labels: pl.DataFrame) -> dict[str, pl.DataFrame | str]:
    """Return the pairs people agreed on as JSON by split, or as `pairs.json` without splits.

    Raises:
        StudyError: If items lack a sentence, the modifier or the noun, or a label is no class.
    """
    missing = [column for column in _COLUMNS if column not in items.columns]
    if missing:
        raise StudyError(f"ADEPT's form needs items with a column {missing[0]}.")
    codes = {name: int(code) for code, name in CODES.items()}
    agreed = LABELS.check(labels).drop_nulls("label").select("item", "label")
    odd = agreed.filter(~pl.col("label").is_in(list(codes)))
    if odd.height:
        raise StudyError(f"label {odd['label'][0]!r} is none of ADEPT's: {', '.join(codes)}.")
    pairs = ITEMS.sort(ITEMS.check(items)).filter(pl.col("kind") == "item")
    numbers = pairs["item"].cast(pl.Int64, strict=False)
    own = numbers.null_count() == 0 and numbers.n_unique() == pairs.height
    pairs = pairs.with_columns(idx=numbers if own else pl.int_range(pl.len())).join(
        agreed, on="item", maintain_order="left"
    )
    pairs = pairs.with_columns(pl.col("label").replace_strict(codes, return_dtype=pl.Int64))
    splits = pairs["split"].unique().sort().to_list() if "split" in pairs.columns else [None]
    return {
        f"{split or 'pairs'}.json": (
            pairs if split is None else pairs.filter(pl.col("split") == split)
        ).select(*_COLUMNS, "label", "idx")
        for split in splits
    }
