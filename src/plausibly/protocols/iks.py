"""Implicit knowledge: sentences that fill a gap, judged by the annotation manual in two steps."""

from __future__ import annotations

from plausibly.ratings.collection import COLLECTION
from plausibly.study import Protocol
from plausibly.verbs.ratings import collect_step

IKS = Protocol(
    "iks",
    seed=1,
    steps=(collect_step(source="Annotation manual: step 1 unseen, step 2 beside the reference"),),
    sections=COLLECTION["iks"],
)
