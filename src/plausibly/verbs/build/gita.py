"""GITA: variants of short stories."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.backends.frequency import recognised
from plausibly.datasets.gita.language import story_language
from plausibly.datasets.gita.stories import STATES, read_stories, story_of
from plausibly.errors import Problem, TableError
from plausibly.io import read_rows
from plausibly.proofreading.stories.proofread import before_building
from plausibly.stimuli.built import Built
from plausibly.stimuli.gita.augmentation import augmented
from plausibly.stimuli.gita.building import build_gita as gita_items
from plausibly.stimuli.gita.choices import paired
from plausibly.study.verb import verb
from plausibly.verbs.build._items import (
    NEW_FOLDER,
    ItemSet,
    frequencies_if_any,
    require_at_least,
    with_balance,
)
from plausibly.verbs.build._study import building

# How readers answer whether a sentence is plausible by itself, in English and Italian.
ANSWERS = dict.fromkeys(("yes", "true", "plausible", "1", "sì", "si", "vero"), True) | (
    dict.fromkeys(("no", "false", "implausible", "0", "falso"), False)
)


@verb(output=NEW_FOLDER, study=building("gita", "stories"))
def build_gita(
    stories: str | Path,
    *,
    language: str | None = None,
    swaps: int | None = None,
    opposites: str | Path | None = None,
    alone: str | Path | None = None,
    augment: int = 0,
    choice: bool = False,
) -> ItemSet:
    """Propose swaps of two sentences per story, keep written variants, and list sentences to judge.

    Writes items.parquet, states.parquet, proposals.parquet, reading.parquet, findings.json,
    ledger.parquet, funnel.json, balance.json, entities.parquet (the actors, objects and other
    nouns of each sentence), and the stories in both released forms (revised.jsonl and first.json);
    each can be rebuilt from the other.

    Args:
        stories: Stories in either released form, as the paper prints them, or with four fields
            each.
        language: Language of the stories: it or en (default: their field language, or what their
            words show).
        swaps: Number of swaps to keep per story, the best first (default: all).
        opposites: Table with the columns verb and opposite, to propose replaced sentences.
        alone: Judgements of single sentences: reading.parquet of an earlier build with a column
            answer (yes or no), one row per reader; stories with a sentence that most readers
            found implausible are left out.
        augment: Copies of each written story with the name of another story's actor, for
            training; written to augmented.jsonl with `aug` true, never among the items.
        choice: Make each item a pair of a story and a written variant; `[form] arm = "choice"` asks
            people which of the two can happen.

    Examples:
        plausibly build gita stories.jsonl --alone read.csv -o variants
        plausibly build gita stories.jsonl --augment 3 -o variants

    >>> build_gita(stories="stories.jsonl", swaps=-1)
    Traceback (most recent call last):
    plausibly.errors.StudyError: swaps= must be 0 or more; got -1.
    """
    require_at_least({"swaps": 0, "augment": 0}, {"swaps": swaps, "augment": augment})
    table = _opposites(Path(opposites)) if opposites else None
    judged = _judged(Path(alone)) if alone else {}
    written = read_stories(Path(stories))
    spoken, shown = story_language(written, language, known=recognised)
    built = gita_items(
        written,
        check=partial(before_building, lang=spoken),
        swaps=swaps,
        opposites=table,
        lang=spoken,
        alone=judged,
    )
    if choice:
        built = replace(built, items=paired(built.items))
    built = with_balance(built, frequency=frequencies_if_any(None, spoken), lang=spoken)
    kinds = Counter(built.items.select("condition", "status").iter_rows())
    findings = len(built.documents["findings.json"])
    unread, proposals = (built.tables[name].height for name in ("reading", "proposals"))
    notes = (
        *shown,
        *(f"{condition}, {status}: {count}" for (condition, status), count in kinds.items()),
        *(f"left out, {r}: {n}" for r, n in sorted(Counter(built.ledger["rule"]).items())),
        f"findings: {findings}",
        f"sentences to read alone: {unread}; proposals: {proposals}",
    )
    if augment:
        copies = _copies(built, augment, spoken)
        built = replace(built, documents={**built.documents, "augmented.jsonl": copies})
        whole = len({copy["augmented_from"] for copy in copies})
        none = "" if copies else "; no story's actor has a name that fits another story"
        notes += (f"copies with another actor: {len(copies)}, of {whole} stories{none}",)
    counts = Counter(built.items.filter(pl.col("status") == "written")["state"].drop_nulls())
    states = {state: counts[state] for state in STATES}
    bare = ", ".join(state for state, number in states.items() if not number)
    notes += (f"states that break no written story: {bare or 'none'}",)
    own = {"states": states}
    return ItemSet(built.items, built.ledger, "gita", built, own=own, notes=notes)


def _copies(built: Built, most: int, lang: str) -> list[dict[str, Any]]:
    """Return copies of the written stories with the names of other stories' actors."""
    items, revised = built.documents["first.json"]["test"], built.documents["revised.jsonl"]
    named = {item: story_of(fields) for item, fields in zip(items, revised, strict=True)}
    return augmented(named, copies=most, lang=lang)


def _judged(path: Path) -> dict[str, bool]:
    """Return whether each sentence that was read alone is plausible; ties are undecided."""
    rows = read_rows(path)
    if not {"text", "answer"} <= set(rows.frame.columns):
        there = ", ".join(rows.frame.columns)
        raise TableError(f"{path}: columns text and answer are needed. Columns found: {there}.")
    texts, answers = (rows.frame[name].cast(pl.String).to_list() for name in ("text", "answer"))
    words = [(answer or "").strip().casefold() for answer in answers]
    rows.reject(
        [
            Problem(row, f"answer {answers[row]!r} is neither yes nor no")
            for row, word in enumerate(words)
            if word and word not in ANSWERS
        ]
    )
    votes: Counter[str] = Counter()
    for text, word in zip(texts, words, strict=True):
        if text and word:
            votes[text.strip()] += 1 if ANSWERS[word] else -1
    return {text: balance > 0 for text, balance in votes.items() if balance}


def _opposites(path: Path) -> dict[str, str]:
    rows = read_rows(path)
    if not {"verb", "opposite"} <= set(rows.frame.columns):
        there = ", ".join(rows.frame.columns)
        raise TableError(f"{path}: columns verb and opposite are needed. Columns found: {there}.")
    rows.reject([])
    return dict(rows.frame.select("verb", "opposite").drop_nulls().iter_rows())
