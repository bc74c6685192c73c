"""GITA's own file from a study: the revised form, a story a line."""

from __future__ import annotations

import json
from collections.abc import Mapping

import polars as pl

from plausibly.datasets.gita import KINDS
from plausibly.errors import StudyError
from plausibly.tables import ITEMS, LABELS


def released(items: pl.DataFrame, labels: pl.DataFrame) -> dict[str, pl.DataFrame | str]:
    """Return the stories in the revised form, what is right about them from the labels.

    A story without a label on `plausible` is left out: nobody has decided it. Sentences count
    from 0 in the file and from 1 in the labels.

    Raises:
        StudyError: If items have no sentences or no story.
    """
    missing = [column for column in ("sentences", "story") if column not in items.columns]
    if missing:
        raise StudyError(f"GITA's form needs items with a column {missing[0]}.")
    said: dict[str, dict[str, str]] = {}
    for item, question, label in (
        LABELS.check(labels).drop_nulls("label").select("item", "question", "label").iter_rows()
    ):
        said.setdefault(item, {})[question] = label
    rows = ITEMS.sort(ITEMS.check(items)).filter(pl.col("kind") == "item").iter_rows(named=True)
    decided = [row for row in rows if "plausible" in said.get(row["item"], {})]
    lines = [_line(place, row, said[row["item"]]) for place, row in enumerate(decided)]
    return {"stories.jsonl": "".join(f"{line}\n" for line in lines)}


def _line(place: int, row: Mapping[str, str | None], said: Mapping[str, str]) -> str:
    conflict = said.get("conflict_sentence")
    fields = {
        "row": place,
        "story_id": row["story"],
        "type": row["condition"] if row["condition"] in KINDS else None,
        "actor": row.get("actor") or "",
        "objects": row.get("objects") or "",
        "sentences": json.loads(row["sentences"] or "[]"),
        "example_id": row.get("example") or row["item"],
        "plausible": said["plausible"] == "true",
        "breakpoint": int(said.get("breakpoint", "0")) - 1,
        "confl_sents": [] if conflict is None else [int(conflict) - 1],
        "confl_pairs": [],
        "states": said.get("state"),
    }
    return json.dumps(fields, ensure_ascii=False)
