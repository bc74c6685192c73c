"""The tiers of TRIP on story pairs, as the first version of GITA was scored.

Storks et al. (2021), "Tiered Reasoning for Intuitive Physics", and the released predictions of
GITA. A pair is *accurate* if the plausible story was picked; *consistent* if also the predicted
conflict sentences are the right ones; *verifiable* if also at least one state was predicted
where it matters (effects of the first conflict sentence, preconditions of the second) and every
state predicted there is right. A state the model misses is not held against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plausibly.datasets.gita.stories import DEFAULTS
from plausibly.datasets.gita.trip import StoryPair


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


def is_accurate(pair: StoryPair) -> bool:
    """Whether the plausible story was picked."""
    return pair.story[0] == pair.story[1]


def is_consistent(pair: StoryPair) -> bool:
    """Whether the right conflict sentences were named as well."""
    return is_accurate(pair) and pair.conflict[0] == pair.conflict[1]


def is_verifiable(pair: StoryPair) -> bool:
    """Whether states were predicted where the conflict lies, and all of them rightly."""
    if not is_consistent(pair) or len(pair.conflict[0]) < 2:
        return False
    states = list(_states(pair))
    return bool(states) and all(said == right for said, right in states)


def _states(pair: StoryPair) -> Iterator[tuple[int, int]]:
    """Yield each state predicted where the conflict lies, and the right value there."""
    first, second = min(pair.conflict[0]), max(pair.conflict[0])
    for sentence, (right, said) in ((first, pair.effects), (second, pair.preconditions)):
        for entity, sentences in said.items():
            known = right.get(entity, {}).get(str(sentence), {})
            for attribute, value in sentences.get(str(sentence), {}).items():
                default = DEFAULTS.get(attribute, 0)
                if value != default:
                    yield value, known.get(attribute, default)


def score_pairs(pairs: list[StoryPair]) -> TripCounts:
    """Return how many pairs reach each tier, from the predictions alone."""
    return TripCounts(
        len(pairs),
        sum(is_accurate(pair) for pair in pairs),
        sum(is_consistent(pair) for pair in pairs),
        sum(is_verifiable(pair) for pair in pairs),
    )
