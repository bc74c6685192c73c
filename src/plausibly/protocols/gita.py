"""GITA: physical commonsense in Italian stories (Pensa et al., 2024)."""

from __future__ import annotations

from plausibly.ratings.collection import COLLECTION
from plausibly.study import Protocol
from plausibly.verbs.ratings import collect_step

GITA = Protocol(
    "gita",
    seed=1,
    steps=(collect_step(source="Section 3.3: plausible, then the conflict, then the state"),),
    sections=COLLECTION["gita"],
)
