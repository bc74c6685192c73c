"""GITA's stories as tables: a story is an item; what is right about it are labels."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import polars as pl

from plausibly.datasets.catalogue import find, locate
from plausibly.datasets.gita import FIRST_VERSION, STORIES
from plausibly.datasets.gita.states import one_state, state_table
from plausibly.datasets.gita.stories import Story, read_stories
from plausibly.tables import ITEMS, LABELS


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    """Return items and labels of the revised stories, or else of the first version."""
    path = find(folder, "gita", STORIES) or find(folder, "gita", FIRST_VERSION)
    return story_tables(read_stories(path or locate(folder, "gita", STORIES)))


def file_tables(path: Path) -> dict[str, pl.DataFrame]:
    """Return items and labels of one file of stories in either form."""
    return story_tables(read_stories(path))


def story_tables(stories: list[Story]) -> dict[str, pl.DataFrame]:
    """Return items, labels and, where sentences have blocks of attributes, states.

    Labels answer the questions of the three tasks: plausible (true, false), conflict_sentence and
    breakpoint (sentences from 1) and state; stories that do not break have the first alone. An
    example id that stands twice is told apart by the row.
    """
    named = dict(zip(story_names(stories), stories, strict=True))
    items = pl.DataFrame([_item(name, story) for name, story in named.items()])
    answers = [row for name, story in named.items() for row in _answers(name, story)]
    labels = pl.DataFrame(answers, schema=["item", "question", "label"], orient="row")
    labels = labels.with_columns(method=pl.lit("released"), ratings=pl.lit(0, dtype=pl.Int64))
    states = state_table(named)
    known = {
        "items": ITEMS.sort(ITEMS.check(items)),
        "labels": LABELS.sort(LABELS.check(labels)),
    }
    return known if states.is_empty() else {**known, "states": states}


def story_names(stories: list[Story]) -> list[str]:
    """Return the name of every item: its example id, with the row where two stories share it."""
    seen = Counter(story.example for story in stories)
    return [
        story.example if seen[story.example] == 1 else f"{story.example}@{story.row}"
        for story in stories
    ]


def _item(name: str, story: Story) -> dict[str, str | None]:
    return {
        "item": name,
        "text": " ".join(story.sentences),
        "condition": story.kind if story.breaks else "plausible",
        "example": story.example,
        "story": story.story,
        "actor": story.actor,
        "objects": ", ".join(story.objects),
        "sentences": json.dumps(story.sentences, ensure_ascii=False),
    }


def _answers(name: str, story: Story) -> list[tuple[str, str, str]]:
    answers = [(name, "plausible", str(story.plausible).lower())]
    if story.breaks:
        answers.append((name, "breakpoint", str(story.breakpoint + 1)))
        if story.conflict is not None:
            answers.append((name, "conflict_sentence", str(story.conflict + 1)))
        state = one_state(story)
        if state is not None:
            answers.append((name, "state", state))
    return answers
