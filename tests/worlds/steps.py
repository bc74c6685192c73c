"""A small implicit-knowledge study: two items, three candidates each, a reference for step 2."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.iks.sheet import roman
from plausibly.stimuli.iks import build_iks
from worlds.served import study_folder

REFERENCES = {"e1": "Mint soothes a sore throat.", "e2": "Ice melts above zero degrees."}
SOURCES = pl.DataFrame(
    {
        "item": ["e1", "e2"],
        "source_1": ["Ada coughed all night.", "The lake was frozen."],
        "source_2": ["She drank peppermint tea.", "By May people swam."],
        "reference": list(REFERENCES.values()),
        "relation": ["support", "contradict"],
        "genre": ["story", "news"],
    }
)
CANDIDATES = pl.DataFrame(
    [
        {"item": item, "system": system, "sentence": f"{system} says something about {item}."}
        for item in REFERENCES
        for system in ("alder", "birch", "cedar")
    ]
)


def iks_folder(path: Path, **form: Any) -> Path:
    """Write an implicit-knowledge study and return its folder."""
    built, _ = build_iks(SOURCES, CANDIDATES, number=roman, seed=1)
    sections = {"ratings": {"batch": 2, "target": 5}, "form": form}
    return study_folder(path, built.items, sections, protocol="iks")


def first_step(names: list[str], **changes: Any) -> dict[str, Any]:
    """Return answers to step 1 that rule out the first candidate."""
    answers: dict[str, Any] = {
        "grammaticality": {names[0]: "NO", names[1]: "YES", names[2]: "ALMOST"},
        "coherence": {names[1]: "YES", names[2]: "PARTLY"},
        "content_a": "YES",
        "content_b": {names[1]: "YES", names[2]: "NO"},
        "content_c": {names[1]: "YES", names[2]: "NEUTRAL"},
        "content_d": [names[1], names[2]],
    }
    return {**answers, **changes}


def second_step(names: list[str], **changes: Any) -> dict[str, Any]:
    """Return answers to step 2 about the two candidates that are left."""
    answers: dict[str, Any] = {
        "comparison_a": {names[1]: "PARTLY", names[2]: "NO"},
        "comparison_b": {names[1]: "BOTH", names[2]: "RS"},
        "comparison_c": names[1],
    }
    return {**answers, **changes}
