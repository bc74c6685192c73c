"""What scoring needs of GITA's stories: what is right, one row each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.gita import SENTENCES
from plausibly.datasets.gita.stories import read_written
from plausibly.datasets.gita.values import shown, strange_values
from plausibly.errors import TableError, listed

LARGEST = 1000  # sentences of a story, and far more than any has
READ = ("story_id", "example_id", "type", "confl_sents")
STORY_FIELDS = {
    "key": pl.String(),
    "story": pl.String(),
    "example_id": pl.String(),
    "type": pl.String(),
    "plausible": pl.Boolean(),
    "breakpoint": pl.Int64(),
    "conflict": pl.String(),
    "state": pl.String(),
}


def read_story_table(path: Path, *, sentences: bool = False) -> pl.DataFrame:
    """Return the stories of a file without answers, one row each.

    Args:
        path: The file, in either form.
        sentences: Add a column with the sentences, of which every story must have five.

    Raises:
        TableError: With FILE:LINE for each of the first stories that cannot be used.
    """
    rows: list[dict[str, object]] = []
    problems: list[str] = []
    for written in read_written(path):
        fields = story_fields(written.fields)
        if sentences and isinstance(fields, dict):
            fields = _with_sentences(fields, written.fields.get("sentences"))
        if isinstance(fields, dict):
            rows.append(fields)
        else:
            problems.append(f"{path}:{written.line or written.key}: {fields}")
    if problems:
        shown = listed(problems, total=len(problems), noun="bad row")
        raise TableError(f"{shown} Nothing was written.")
    own = {"sentences": pl.List(pl.String())} if sentences else {}
    return pl.DataFrame(rows, schema={**STORY_FIELDS, **own})


def _with_sentences(fields: dict[str, object], sentences: object) -> dict[str, object] | str:
    if not isinstance(sentences, list) or len(sentences) != SENTENCES:
        return f"the story does not have {SENTENCES} sentences"
    return {**fields, "sentences": [str(sentence) for sentence in sentences]}


def story_fields(doc: Mapping[str, Any]) -> dict[str, object] | str:
    """Return the fields of a story that scoring needs, or what is wrong with them."""
    needed = ("story_id", "example_id", "plausible", "breakpoint")
    missing = [name for name in needed if doc.get(name) is None]
    if missing:
        return f"no {missing[0]}"
    if not isinstance(doc["plausible"], bool):
        return f"plausible {shown(doc['plausible'])} is not true or false"
    if type(doc["breakpoint"]) is not int or abs(doc["breakpoint"]) > LARGEST:
        return f"breakpoint {shown(doc['breakpoint'])} is not a whole number"
    read = {name: doc[name] for name in READ if doc.get(name) is not None}
    strange = next(strange_values(read), None)
    if strange is not None:
        return strange
    earlier = doc.get("confl_sents") or []
    if earlier and type(earlier[0]) is not int:
        return f"confl_sents is {shown(earlier)}, expected a list of whole numbers"
    conflict = f"{earlier[0]} and {doc['breakpoint']}" if earlier else None
    identity = (doc["story_id"], doc["example_id"], doc.get("type"), doc["breakpoint"], conflict)
    unique = doc.get("row", doc.get("sentences"))
    return {
        "key": json.dumps(identity if unique is None else unique, ensure_ascii=False),
        "story": str(doc["story_id"]),
        "example_id": str(doc["example_id"]),
        "type": doc.get("type"),
        "plausible": doc["plausible"],
        "breakpoint": doc["breakpoint"],
        "conflict": conflict,
        "state": doc.get("states") if isinstance(doc.get("states"), str) else None,
    }
