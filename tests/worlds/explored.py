"""Ratings, items and predictions to explore, some with texts that a page must not obey."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

HOSTILE = (
    '<img src="x" onerror="document.body.dataset.hit=1">',
    "</script><script>document.body.dataset.hit=1</script>",
    "\u202eright to left",
    '=HYPERLINK("http://example.org")',
    "+1+1",
    "@SUM(A1)",
    "-2+3",
    'plain, "quoted"\nand two lines',
)
PEOPLE = 6


def explored_items(size: int = 40) -> pl.DataFrame:
    """Return items with hostile texts first."""
    plain = [f"otter {number} paints a ladder" for number in range(size - len(HOSTILE))]
    return pl.DataFrame(
        {
            "item": [f"t{number:03}" for number in range(size)],
            "text": [*HOSTILE, *plain],
            "condition": [("attested", "perturbed", None)[number % 3] for number in range(size)],
            "source": [f"Sentence {number} of a corpus." for number in range(size)],
        }
    )


def explored_ratings(size: int = 40) -> pl.DataFrame:
    """Return ratings from 1 to 5, more divided the later the item."""
    rows = [
        {
            "item": f"t{item:03}",
            "annotator": f"a{person}",
            "question": "plausible",
            "answer": str(1 + (item + person * (item % 4)) % 5),
        }
        for item in range(size)
        for person in range(PEOPLE)
    ]
    return pl.DataFrame(rows)


def explored_predictions(size: int = 40) -> pl.DataFrame:
    """Return what two models predict; one of them says nothing about every fifth item."""
    rows = []
    for model, step in (("large", 1), ("small", 2)):
        for item in range(size):
            if model == "small" and item % 5 == 0:
                continue
            label = str(1 + (item * step) % 5)
            shares = {label: 0.5 + item / 100, "other": 0.5 - item / 100}
            row = {"item": f"t{item:03}", "question": "plausible", "model": model}
            rows.append(
                {**row, "label": label, "score": item / 40, "distribution": json.dumps(shares)}
            )
    return pl.DataFrame(rows)


def write_explored(folder: Path, size: int = 40) -> dict[str, Path]:
    """Write the three tables into a folder, and return where."""
    tables = {
        "ratings": explored_ratings(size),
        "items": explored_items(size),
        "predictions": explored_predictions(size),
    }
    for name, table in tables.items():
        table.write_parquet(folder / f"{name}.parquet")
    return {name: folder / f"{name}.parquet" for name in tables}
