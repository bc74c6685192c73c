"""The tiers of TRIP on story pairs, as the first version of GITA was scored.

Storks et al. (2021), "Tiered Reasoning for Intuitive Physics", and the released predictions of
GITA. A pair is *accurate* if the plausible story was picked; *consistent* if also the predicted
conflict sentences are the right ones; *verifiable* if also at least one state was predicted
where it matters (effects of the first conflict sentence, preconditions of the second) and every
state predicted there is right. A state the model misses is not held against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plausibly.errors import Problem, TableError
from plausibly.io import Flaw, json_value, read_rows

# An attribute with this value is not a state; every other attribute has 0.
DEFAULTS = {"conscious": 2, "exist": 2, "functional": 2, "moveable": 2}
FIELDS = (
    *("story_label", "story_pred", "conflict_label", "conflict_pred"),
    *("preconditions_label", "preconditions_pred", "effects_label", "effects_pred"),
)

States = Mapping[str, Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True, slots=True)
class TripCounts:
    """How many pairs reach each tier."""

    pairs: int
    accurate: int
    consistent: int
    verifiable: int

    def as_json(self) -> dict[str, int]:
        """Return the counts with the keys of `score gita-trip --json`."""
        return {
            "pairs": self.pairs,
            "accurate": self.accurate,
            "consistent": self.consistent,
            "verifiable": self.verifiable,
        }


@dataclass(frozen=True, slots=True)
class Pair:
    """One implausible and one plausible story with what a model said of them.

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

    @property
    def accurate(self) -> bool:
        """Whether the plausible story was picked."""
        return self.story[0] == self.story[1]

    @property
    def consistent(self) -> bool:
        """Whether the right conflict sentences were named as well."""
        return self.accurate and self.conflict[0] == self.conflict[1]

    @property
    def verifiable(self) -> bool:
        """Whether states were predicted where the conflict lies, and all of them rightly."""
        if not self.consistent or len(self.conflict[0]) < 2:
            return False
        told = list(self._told())
        return bool(told) and all(said == right for said, right in told)

    def _told(self) -> Iterator[tuple[int, int]]:
        """Yield each state predicted where the conflict lies, and the right value there."""
        first, second = min(self.conflict[0]), max(self.conflict[0])
        for sentence, (right, said) in ((first, self.effects), (second, self.preconditions)):
            for entity, sentences in said.items():
                known = right.get(entity, {}).get(str(sentence), {})
                for attribute, value in sentences.get(str(sentence), {}).items():
                    default = DEFAULTS.get(attribute, 0)
                    if value != default:
                        yield value, known.get(attribute, default)


def score_pairs(pairs: list[Pair]) -> TripCounts:
    """Return how many pairs reach each tier, from the predictions alone."""
    return TripCounts(
        len(pairs),
        sum(pair.accurate for pair in pairs),
        sum(pair.consistent for pair in pairs),
        sum(pair.verifiable for pair in pairs),
    )


def read_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a file with one line each; flags stored in it are not read.

    Raises:
        TableError: With FILE:LINE for each of the first lines that cannot be used.
    """
    rows = read_rows(path)
    missing = [name for name in FIELDS if name not in rows.frame.columns]
    if missing and rows.frame.height:
        raise TableError(f"{path}: no field {missing[0]!r}. Expected {', '.join(FIELDS)}.")
    pairs: list[Pair] = []
    problems: list[Problem] = []
    for number, cells in enumerate(rows.frame.iter_rows(named=True)):
        found = _pair({name: _value(cells[name]) for name in FIELDS})
        if isinstance(found, str):
            problems.append(Problem(number, found))
        else:
            pairs.append(found)
    rows.reject(problems)
    if not pairs:
        raise TableError(f"{path}: no pairs. Expected one JSON object a line.")
    return pairs


def _value(cell: str | None) -> Any:
    value = json_value(cell or "null")
    return None if isinstance(value, Flaw) else value


def _pair(cells: Mapping[str, Any]) -> Pair | str:
    """Return the pair of one line, or what is wrong with it."""
    for name in ("story_label", "story_pred"):
        if type(cells[name]) is not int:
            return f"{name} is not a whole number"
    for name in ("conflict_label", "conflict_pred"):
        if not (isinstance(cells[name], list) and all(type(n) is int for n in cells[name])):
            return f"{name} is not a list of sentence numbers"
    for name in FIELDS[4:]:
        if not _are_states(cells[name]):
            return f"{name} is not entity, sentence, attribute and whole number"
    return Pair(
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
