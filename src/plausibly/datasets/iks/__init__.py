"""Implicit knowledge: what the annotation manual asks about sentences that fill a gap."""

from __future__ import annotations

QUESTIONS = {
    "grammaticality": "Grammaticality",
    "coherence": "Coherence",
    "content_a": "Content A",
    "content_b": "Content B",
    "content_c": "Content C",
    "content_d": "Content D",
    "comparison_a": "Comparison A",
    "comparison_b": "Comparison B",
    "comparison_c": "Comparison C",
}
"""Our name of each question, and the manual's heading."""

# Worst first; the place of an answer is its value.
SCALES: dict[str, tuple[str, ...]] = {
    "grammaticality": ("NO", "ERRORS", "ALMOST", "YES"),
    "coherence": ("NONSENSE", "NO", "PARTLY", "YES"),
    "content_a": ("NO", "YES"),
    "content_b": ("NO", "YES"),
    "content_c": ("NO", "NEUTRAL", "YES"),
    "comparison_a": ("NO", "PARTLY", "YES"),
    "comparison_b": ("RS", "BOTH", "GS"),
}
PER_ITEM = ("content_a", "content_d", "comparison_c")
PER_CANDIDATE = tuple(question for question in QUESTIONS if question not in PER_ITEM)
SKIPPED = "-"

# Sentences may support or attack each other, or be contradictory.
RELATIONS = ("support", "attack", "contradict")
