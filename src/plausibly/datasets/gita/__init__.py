"""GITA and GITA4CALAMITA: physical commonsense in Italian stories (Pensa et al., 2024).

The first version has the attributes and codes of TRIP (Storks et al., 2021) for every sentence;
the revised one names a single physical state behind the conflict of a story.
"""

from __future__ import annotations

STORIES = "gita4calamita_356.jsonl"
FIRST_VERSION = "GITA_test.json"
OUTPUTS = ("llm_outputs", "results", "unified_evaluation/results")
"""Folders of a data folder that may hold the answers of models."""

SENTENCES = 5
KINDS = ("order", "cloze")

STORY, CONFLICT, STATE = "story_class", "conflict_detec", "physical_state"
CHOICE, SWAPPED = "story_choice", "story_choice_swapped"
ASKED = "samples.jsonl"
"""What `ask` writes: the answers to all tasks."""

# The options in the order their log-likelihoods are logged; sections 2 and 3.5 of the paper and
# the authors' prompts name them.
OPTIONS: dict[str, tuple[str, ...]] = {
    STORY: ("false", "true"),
    CONFLICT: (
        *("0 and 1", "2 and 4", "1 and 2", "0 and 4", "3 and 4"),
        *("0 and 3", "1 and 4", "2 and 3", "0 and 2", "1 and 3"),
    ),
    STATE: (
        *("power", "location", "exist", "clean", "edible", "wet", "functional"),
        *("wearing", "open", "conscious", "temperature", "solid", "occupied", "in pieces"),
    ),
}
TASKS = tuple(OPTIONS)
