"""SP-10K: selectional preference of word pairs (Zhang et al., 2019)."""

from __future__ import annotations

from plausibly.ratings.collection import COLLECTION
from plausibly.study import Protocol
from plausibly.verbs.ratings import collect_step

SP10K = Protocol(
    "sp10k",
    seed=1,
    steps=(
        collect_step(source="Section 3.1: 11 people a pair at least, in surveys of 103 questions"),
    ),
    sections=COLLECTION["sp10k"],
)
