"""Tasks with annotations as Label Studio imports them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.io import write_json
from plausibly.tables import ITEMS, RATINGS


def write_labelstudio(
    ratings: pl.DataFrame, path: Path, *, items: pl.DataFrame | None = None
) -> None:
    """Write tasks with annotations in the full form; answers become choices.

    Sets between semicolons become several choices. The file can be imported into Label Studio.
    """
    ratings = RATINGS.sort(RATINGS.check(ratings))
    told = {} if items is None else {row["item"]: row for row in _facts(items)}
    tasks: dict[str, dict[str, Any]] = {}
    for row in ratings.iter_rows(named=True):
        item = row["item"]
        data = told.get(item, {"item": item, "text": item})
        task = tasks.setdefault(item, {"id": len(tasks) + 1, "data": data, "annotations": {}})
        annotation = task["annotations"].setdefault(
            row["annotator"],
            {
                "completed_by": row["annotator"],
                "was_cancelled": False,
                "lead_time": row.get("seconds"),
                "created_at": row.get("submitted"),
                "result": [],
            },
        )
        annotation["result"].append(
            {
                "from_name": row["question"],
                "to_name": "text",
                "type": "choices",
                "value": {"choices": row["answer"].split(";")},
            }
        )
    whole = [{**task, "annotations": [*task["annotations"].values()]} for task in tasks.values()]
    write_json(path, json.loads(json.dumps(whole)))


def _facts(items: pl.DataFrame) -> Iterator[dict[str, Any]]:
    for row in ITEMS.check(items).iter_rows(named=True):
        yield {name: value for name, value in row.items() if value is not None}
