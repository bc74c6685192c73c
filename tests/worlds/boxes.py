"""A story of Ada and a box, with its variants."""

from __future__ import annotations

from typing import Any

from plausibly.datasets.gita.stories import ATTRIBUTES, Story, story_of

TOLD = (
    "Ada apre la scatola.",
    "Ada prende il tappo dalla scatola.",
    "Ada riempie la brocca.",
    "Ada chiude la brocca con il tappo.",
    "Ada sposta la brocca.",
)


def fields(kind: str | None = None, **changed: Any) -> dict[str, Any]:
    """Return the fields of one story; a variant exchanges or replaces sentences."""
    told = list(TOLD)
    if kind == "order":
        told[0], told[1] = told[1], told[0]
    if kind == "cloze":
        told[0] = "Ada chiude la scatola."
    letter = {"order": "-O0", "cloze": "-C0", None: ""}[kind]
    plain: dict[str, Any] = {
        "story_id": 7,
        "worker_id": "w",
        "type": kind,
        "idx": 0 if kind else None,
        "actor": "Ada",
        "location": "cucina",
        "objects": "scatola, tappo, brocca",
        "sentences": told,
        "length": 5,
        "example_id": f"7{letter}",
        "plausible": kind is None,
        "breakpoint": 1 if kind else -1,
        "confl_sents": [0] if kind else [],
        "confl_pairs": [[0], [1]] if kind == "cloze" else [],
        "states": "open",
    }
    return plain | changed


def stories(*told: dict[str, Any]) -> list[Story]:
    return [story_of(one, row=row) for row, one in enumerate(told)]


def blocks(**codes: tuple[str, int]) -> dict[str, Any]:
    """Return one block of attributes in which all but the given ones are irrelevant."""
    return {name: [list(codes.get(name, ("scatola", 0)))] for name in ATTRIBUTES}
