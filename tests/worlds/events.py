"""A study of events in two languages and two conditions: a slider, yes or no, and notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl


def crowd(people: int = 16, groups: int = 8) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return ratings on a slider, a yes/no question and comments, and items in two languages."""
    draw = np.random.default_rng(5)
    languages, conditions = ("en", "it"), ("odd", "plain")
    items = [
        {
            "item": f"{language}{group}{condition}",
            "text": f"an event {language} {group} {condition}",
            "condition": condition,
            "item_group": f"{language}{group}",
            "language": language,
        }
        for language in languages
        for group in range(groups)
        for condition in conditions
    ]
    level = {one["item_group"]: draw.normal(0, 8) for one in items}
    rows: list[dict[str, Any]] = []
    for one in items:
        for person in range(people):
            if (person + int(one["item_group"][2:])) % 2 != conditions.index(one["condition"]):
                continue
            effect = 12.0 if one["language"] == "en" else 4.0
            plain = (one["condition"] == "plain") - 0.5
            value = 50 + 2 * effect * plain + level[one["item_group"]] + draw.normal(0, 14)
            base = {"item": one["item"], "annotator": f"{one['language']}-p{person}"}
            rated = int(np.clip(round(value), 0, 100))
            happens = "yes" if value + draw.normal(0, 15) > 50 else "no"
            rows.append({**base, "question": "fit", "answer": str(rated)})
            rows.append({**base, "question": "happens", "answer": happens})
            note = f"{one['text']}, seen by {person}"
            rows.append({**base, "question": "note", "answer": note})
    return pl.DataFrame(rows), pl.DataFrame(items)


def study_of(folder: Path, ratings: pl.DataFrame, items: pl.DataFrame, settings: str = "") -> Path:
    """Return a custom study with these ratings and items that sets only what is written."""
    folder.mkdir()
    ratings.write_csv(folder / "answers.csv")
    items.with_columns(kind=pl.lit("item")).write_parquet(folder / "items.parquet")
    (folder / "study.toml").write_text(
        '[study]\nname = "events"\nprotocol = "custom"\n\n'
        f'[ratings]\nsource = "answers.csv"\n\n{settings}\n'
    )
    return folder
