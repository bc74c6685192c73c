"""Predictions on story pairs in TRIP's format, used to evaluate GITA's first version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plausibly.errors import Problem, TableError
from plausibly.io import Flaw, json_value, read_rows

FIELDS = (
    *("story_label", "story_pred", "conflict_label", "conflict_pred"),
    *("preconditions_label", "preconditions_pred", "effects_label", "effects_pred"),
)

States = Mapping[str, Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True, slots=True)
class StoryPair:
    """One implausible and one plausible story with a model's predictions.

    Args:
        story: Index of the plausible story, right and predicted.
        conflict: Indices of the conflict sentences, right and predicted.
        preconditions: States before each sentence, right and predicted, by entity and sentence.
        effects: States after each sentence, likewise.
    """

    story: tuple[int, int]
    conflict: tuple[frozenset[int], frozenset[int]]
    preconditions: tuple[States, States]
    effects: tuple[States, States]


def read_pairs(path: Path) -> list[StoryPair]:
    """Return the pairs of a file, one per line; flags stored in it are ignored.

    Raises:
        TableError: With FILE:LINE for each of the first lines that cannot be used.
    """
    rows = read_rows(path)
    missing = [name for name in FIELDS if name not in rows.frame.columns]
    if missing and rows.frame.height:
        raise TableError(f"{path}: no field {missing[0]!r}. Expected {', '.join(FIELDS)}.")
    pairs: list[StoryPair] = []
    problems: list[Problem] = []
    for number, cells in enumerate(rows.frame.iter_rows(named=True)):
        found = _pair({name: _value(cells[name]) for name in FIELDS})
        if isinstance(found, str):
            problems.append(Problem(number, found))
        else:
            pairs.append(found)
    rows.reject(problems)
    if not pairs:
        raise TableError(f"{path}: no pairs. Expected one JSON object per line.")
    return pairs


def _value(cell: str | None) -> Any:
    value = json_value(cell or "null")
    return None if isinstance(value, Flaw) else value


def _pair(cells: Mapping[str, Any]) -> StoryPair | str:
    """Return the pair of one line, or its problem."""
    for name in ("story_label", "story_pred"):
        if type(cells[name]) is not int:
            return f"{name} is not a whole number"
    for name in ("conflict_label", "conflict_pred"):
        if not (isinstance(cells[name], list) and all(type(n) is int for n in cells[name])):
            return f"{name} is not a list of sentence numbers"
    for name in FIELDS[4:]:
        if not _are_states(cells[name]):
            return f"{name} is not entity, sentence, attribute and whole number"
    return StoryPair(
        (cells["story_label"], cells["story_pred"]),
        (frozenset(cells["conflict_label"]), frozenset(cells["conflict_pred"])),
        (cells["preconditions_label"], cells["preconditions_pred"]),
        (cells["effects_label"], cells["effects_pred"]),
    )


def _are_states(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(sentences, dict)
        and all(
            isinstance(states, dict) and all(type(code) is int for code in states.values())
            for states in sentences.values()
        )
        for sentences in value.values()
    )
