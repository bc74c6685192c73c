"""A small study of each published protocol, with items of our own that are fit to be shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.iks.sheet import roman
from plausibly.stimuli.iks import build_iks
from plausibly.tables import ITEMS
from worlds.served import study_folder

PROTOCOLS = ("pap", "adept", "sp10k", "gita", "iks")
TITLES = {
    "pap": "How plausible is it?",
    "adept": "What does the adjective do?",
    "sp10k": "Which words go together?",
    "gita": "Storie brevi",
    "iks": "Between the lines",
}
RATINGS: dict[str, dict[str, Any]] = {
    "pap": {"batch": 2, "quota": 2, "checks_per_batch": 1, "target": 50},
    "adept": {"batch": 2, "quota": 2, "checks_per_batch": 1, "target": 50},
    "sp10k": {"target": 50, "quota": 3},
    "gita": {"batch": 2, "quota": 2, "target": 50},
    "iks": {"batch": 1, "quota": 1, "target": 50},
}
STORIES = {
    "g1": (
        "Ada accende il forno.",
        "Prepara l'impasto.",
        "Il forno si rompe.",
        "Ada inforna la torta.",
        "La torta cuoce bene.",
    ),
    "g2": (
        "Ugo apre l'ombrello.",
        "Esce di casa.",
        "Piove forte.",
        "Cammina fino alla fermata.",
        "Chiude l'ombrello sull'autobus.",
    ),
}
SOURCES = pl.DataFrame(
    {
        "item": ["e1"],
        "source_1": ["Ada coughed all night."],
        "source_2": ["She drank peppermint tea."],
        "reference": ["Mint soothes a sore throat."],
        "relation": ["support"],
        "genre": ["story"],
    }
)
SENTENCES = {
    "alder": "peppermint helps against a cough",
    "birch": "tea is a drink made of leaves",
    "cedar": "cough the because of night mint",
}


def protocol_folder(
    path: Path, protocol: str, *, server: Mapping[str, Any] | None = None, **ratings: Any
) -> Path:
    """Write a small study of a protocol and return its folder."""
    said = {
        "ratings": {**RATINGS[protocol], **ratings},
        "server": {"title": TITLES[protocol], **(server or {})},
    }
    folder = study_folder(path, _items(protocol), said, protocol=protocol)
    if protocol == "sp10k":
        layout = [
            {"survey": "dobj-1", "position": n, "item": item}
            for n, item in enumerate(("s1", "s2", "s3", "c1"), 1)
        ]
        pl.DataFrame(layout).write_parquet(folder / "surveys.parquet")
    return folder


def _items(protocol: str) -> pl.DataFrame:
    if protocol == "iks":
        told = [{"item": "e1", "system": s, "sentence": t} for s, t in SENTENCES.items()]
        built, _ = build_iks(SOURCES, pl.DataFrame(told), number=roman, seed=1)
        return built.items
    rows = {"pap": _pap, "adept": _adept, "sp10k": _sp10k, "gita": _gita}[protocol]()
    items = pl.DataFrame(
        [{"kind": "item", "expected": None, **row} for row in rows], infer_schema_length=None
    )
    return ITEMS.check(items.with_columns(condition=pl.lit(None, pl.String)))


def _pap() -> list[dict[str, Any]]:
    return [
        {"item": "p1", "text": "child draws house"},
        {"item": "p2", "text": "cloud peels potato"},
        {"item": "c1", "text": "cook stirs soup", "kind": "check", "expected": "plausible"},
    ]


def _adept() -> list[dict[str, Any]]:
    said = {"kind": "attention", "expected": "more likely"}
    choose = "Please choose “more likely than the original” here."
    return [
        {
            "item": "a1",
            "text": "A broken clock tells the time.",
            "sentence1": "A clock tells the time.",
        },
        {"item": "a2", "text": "A red bus stops here.", "sentence1": "A bus stops here."},
        {"item": "n1", "text": choose, "sentence1": "A reader reads.", **said},
    ]


def _sp10k() -> list[dict[str, Any]]:
    return [
        {"item": "s1", "text": "climb, mountain"},
        {"item": "s2", "text": "climb, letter"},
        {"item": "s3", "text": "climb, wall"},
        {"item": "c1", "text": "read, book", "kind": "check", "expected": "5"},
    ]


def _gita() -> list[dict[str, Any]]:
    return [
        {"item": name, "text": " ".join(story), "sentences": json.dumps(story)}
        for name, story in STORIES.items()
    ]
