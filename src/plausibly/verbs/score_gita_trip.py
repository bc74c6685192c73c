"""Story pairs of GITA that a model judges accurately, consistently and verifiably."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plausibly.datasets.gita.trip import read_pairs
from plausibly.evaluation.gita_trip import score_pairs
from plausibly.study.results import Result, text_table
from plausibly.study.verb import verb


@dataclass(frozen=True, eq=False, repr=False)
class TripScore(Result):
    """How many story pairs are accurate, consistent and verifiable."""

    counts: Mapping[str, int]

    def as_json(self) -> dict[str, Any]:
        """Return the counts."""
        return dict(self.counts)

    def text(self) -> str:
        """Return the counts as a table."""
        return text_table(tuple(self.counts), [tuple(self.counts.values())])


@verb("score gita-trip")
def score_gita_trip(predictions: str | Path) -> TripScore:
    """Count the story pairs that are accurate, consistent and verifiable.

    Args:
        predictions: File of story pairs with what a model predicts about each.

    Examples:
        plausibly score gita-trip predictions.jsonl
        plausibly score gita-trip predictions.jsonl --json

    >>> import json, tempfile
    >>> pair = {"story_label": 1, "story_pred": 1, "conflict_label": [0], "conflict_pred": [1]}
    >>> states = ("preconditions_label", "preconditions_pred", "effects_label", "effects_pred")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "pairs.jsonl"
    ...     _ = path.write_text(json.dumps({**pair, **{name: {} for name in states}}))
    ...     score_gita_trip(path).as_json()
    {'pairs': 1, 'accurate': 1, 'consistent': 0, 'verifiable': 0}
    """
    return TripScore(score_pairs(read_pairs(Path(predictions))).as_json())
