"""Writes a study as GITA's file: the revised format, one story per line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from plausibly.datasets.gita import CONFLICT, KINDS, OPTIONS, STATE
from plausibly.errors import StudyError
from plausibly.tables import ITEMS, LABELS

STORY_COLUMNS = ("story", "item_group")
"""Columns that may name the story of an item; the first one present counts."""
ANSWERS = ("true", "false")

Row = Mapping[str, Any]
Said = Mapping[str, str]


def released(items: pl.DataFrame, labels: pl.DataFrame) -> dict[str, pl.DataFrame | str]:
    """Return the stories in the revised format, with correct answers from the labels.

    A story without a label on `plausible` is undecided and left out. Sentences count from 0 in the
    file and from 1 in the labels.

    Raises:
        StudyError: If items have no sentences.
    """
    said = _said(labels)
    rows = [row for row in _rows(items) if "plausible" in said.get(row["item"], {})]
    lines = [_line(place, row, said[row["item"]]) for place, row in enumerate(rows)]
    return {"stories.jsonl": _text(lines)}


def decided_stories(
    items: pl.DataFrame, labels: pl.DataFrame, *, tasks: Collection[str]
) -> tuple[str, dict[str, int]]:
    """Return the stories whose labels suffice to score the tasks, and how many others there are.

    Every line also has the name of its item. The others are counted by the first missing question.

    Raises:
        StudyError: If items have no sentences, or nothing is decided.
    """
    said, rows = _said(labels), _rows(items)
    lacking = [_undecided(said.get(row["item"], {}), tasks) for row in rows]
    whole = [row for row, question in zip(rows, lacking, strict=True) if not question]
    if not whole:
        raise StudyError(
            f"none of {len(rows)} stories has the labels that tasks are scored by (plausible as "
            "true or false; if a story breaks, conflict_sentence, breakpoint and state)."
        )
    lines = [
        {"item": row["item"], **_line(place, row, _meant(said[row["item"]]))}
        for place, row in enumerate(whole)
    ]
    return _text(lines), dict(Counter(question for question in lacking if question))


def _undecided(said: Said, tasks: Collection[str]) -> str:
    """Return the first question without the label that a task needs."""
    if said.get("plausible") not in ANSWERS:
        return "plausible"
    if said["plausible"] == "true":
        return ""
    if _place(said.get("breakpoint")) < 0:
        return "breakpoint"
    pair = f"{_place(said.get('conflict_sentence'))} and {_place(said['breakpoint'])}"
    if pair not in OPTIONS[CONFLICT] and {CONFLICT, STATE} & set(tasks):
        return "conflict_sentence"
    return "state" if STATE in tasks and said.get("state") not in OPTIONS[STATE] else ""


def _meant(said: Said) -> Said:
    """Return the labels that apply: a plausible story breaks nowhere."""
    return {"plausible": "true"} if said["plausible"] == "true" else said


def _said(labels: pl.DataFrame) -> dict[str, dict[str, str]]:
    """Return the labels of every item, by question."""
    said: dict[str, dict[str, str]] = {}
    known = LABELS.check(labels).drop_nulls("label").select("item", "question", "label")
    for item, question, label in known.iter_rows():
        said.setdefault(item, {})[question] = label
    return said


def _rows(items: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the stories with their sentences, without checks, in the order of their names.

    An item without a story's name is a story by itself.
    """
    if "sentences" not in items.columns:
        raise StudyError("GITA's format needs items with a column sentences.")
    group = next((column for column in STORY_COLUMNS if column in items.columns), "item")
    rows = ITEMS.sort(ITEMS.check(items)).filter(pl.col("kind") == "item").iter_rows(named=True)
    return [
        {**row, "story": row[group] or row["item"], "sentences": _sentences(row)} for row in rows
    ]


def _sentences(row: Row) -> list[str]:
    try:
        sentences = json.loads(row["sentences"] or "[]")
    except ValueError:
        sentences = None
    if not isinstance(sentences, list) or not all(isinstance(one, str) for one in sentences):
        raise StudyError(
            f"items: the sentences of {row['item']!r} are not a JSON list of texts: "
            f"{str(row['sentences'])[:60]!r}."
        )
    return sentences


def _place(label: str | None) -> int:
    """Return the place of a sentence, from 0; -1 if the label does not name one."""
    return int(label) - 1 if label and label.isdecimal() and len(label) < 4 else -1


def _line(place: int, row: Row, said: Said) -> dict[str, Any]:
    conflict = _place(said.get("conflict_sentence"))
    return {
        "row": place,
        "story_id": row["story"],
        "type": row["condition"] if row["condition"] in KINDS else None,
        "actor": row.get("actor") or "",
        "objects": row.get("objects") or "",
        "sentences": row["sentences"],
        "example_id": row.get("example") or row["item"],
        "plausible": said["plausible"] == "true",
        "breakpoint": _place(said.get("breakpoint")),
        "confl_sents": [] if conflict < 0 else [conflict],
        "confl_pairs": [],
        "states": said.get("state"),
    }


def _text(lines: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
