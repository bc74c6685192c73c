"""ADEPT: how an adjective changes the plausibility of an event (Emami et al., 2021)."""

from __future__ import annotations

from plausibly.ratings.collection import COLLECTION
from plausibly.study import Protocol
from plausibly.verbs.ratings import collect_step

ADEPT = Protocol(
    "adept",
    seed=1,
    steps=(collect_step(source="Section 4.1: three people a pair, 100 pairs a person at most"),),
    sections=COLLECTION["adept"],
)
