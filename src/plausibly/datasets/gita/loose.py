"""Reads stories from a file that may have faults: the readable stories, and the faults."""

from __future__ import annotations

from pathlib import Path

from plausibly.datasets.gita.stories import Story, story_of
from plausibly.errors import TableError
from plausibly.io.written import written_records

Fault = tuple[int, str, str, str]


def read_loosely(path: Path) -> tuple[list[Story], list[Fault]]:
    """Return every story that is an object, and row, id, kind and message of all faults.

    Bad rows do not stop the reading.

    Args:
        path: `.json` in the first format or as one array, or `.jsonl`; each also `.gz`.

    Raises:
        TableError: If the file holds no story at all.
    """
    stories: list[Story] = []
    faults: list[Fault] = []
    for row, record in enumerate(written_records(path, shown_by="sentences")):
        place = record.key or f"line {record.line}"
        if record.fields is None:
            faults.append((row, place, "broken_row", f"{place}: {record.flaw}"))
            continue
        story = story_of(record.fields, row=row, key=record.key)
        stories.append(story)
        faults += [
            (story.row, story.example, "repeated_field", f"field {name!r} occurs twice")
            for name in record.repeated
        ]
    if not stories:
        raise TableError(
            f'{path}: no stories found. Expected {{"test": {{id: story}}}}, one array of stories, '
            "or one story per line (.jsonl)."
        )
    return stories, faults
