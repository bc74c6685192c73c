"""Checkers find what was put wrong in sound pairs and stories, and nothing before."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plausibly.datasets.adept.pairs import modified
from plausibly.datasets.gita.stories import ATTRIBUTES, DEFAULTS
from plausibly.verbs.check import CheckReport, check_adept, check_gita
from worlds.faults import PAIR_FAULTS, STORY_FAULTS, Row, with_fault

SENTENCES = [
    ("A kettle is used for boiling fresh water.", "kettle", "silver"),
    ("A garden is planted with green vegetables.", "garden", "old"),
    ("A teacher is paid for helping young children.", "teacher", "kind"),
]
TOLD = (
    "Ada apre la scatola.",
    "Ada prende il tappo dalla scatola.",
    "Ada riempie la brocca.",
    "Ada chiude la brocca con il tappo.",
    "Ada sposta la brocca.",
)
OBJECTS = ("scatola", "tappo", "brocca")


def pairs() -> list[Row]:
    return [
        {
            "sentence1": sentence,
            "sentence2": modified(sentence, noun=noun, modifier=modifier),
            "modifier": modifier,
            "noun": noun,
            "idx": idx,
            "label": idx,
        }
        for idx, (sentence, noun, modifier) in enumerate(SENTENCES)
    ]


def states() -> list[Row]:
    """Return blocks in which the box is opened, and has to be open for the lid to be taken."""
    told = [
        {
            name: [[thing, DEFAULTS[name]] for thing in (["Ada"] if place < 5 else OBJECTS)]
            for place, name in enumerate(ATTRIBUTES)
        }
        for _ in TOLD
    ]
    told[0]["open"][0][1], told[1]["open"][0][1] = 4, 2
    return told


def story(kind: str | None, *, form: str) -> Row:
    sentences = list(TOLD)
    told = states() if form == "first" else "open"
    if kind == "order":
        sentences[:2] = sentences[1::-1]
    if kind == "cloze":
        sentences[0] = "Ada chiude la scatola."
    if isinstance(told, list) and kind == "order":
        told[:2] = told[1::-1]
    if isinstance(told, list) and kind == "cloze":
        told[0]["open"][0][1] = 3
    return {
        "story_id": 7,
        "type": kind,
        "idx": 0 if kind else None,
        "actor": "Ada",
        "objects": ", ".join(OBJECTS),
        "sentences": sentences,
        "length": 5,
        "example_id": f"7{ {'order': '-O0', 'cloze': '-C0', None: ''}[kind] }",
        "plausible": kind is None,
        "breakpoint": 1 if kind else -1,
        "confl_sents": [0] if kind else [],
        "confl_pairs": [[0], [1]] if kind == "cloze" else [],
        "states": told,
    }


def stories(form: str) -> list[Row]:
    return [story(kind, form=form) for kind in (None, "order", "cloze")]


CHECKS: dict[str, Callable[..., CheckReport]] = {"adept": check_adept, "gita": check_gita}


def kinds(what: str, rows: list[Row], folder: Path) -> set[str]:
    path = folder / "rows.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return set(CHECKS[what](path).findings["kind"])


def test_sound_rows_have_no_findings(tmp_path: Path) -> None:
    assert not kinds("adept", pairs(), tmp_path)
    for form in ("first", "revised"):
        assert not kinds("gita", stories(form), tmp_path)


@pytest.mark.parametrize("name", PAIR_FAULTS)
def test_a_fault_of_any_pair_is_found(name: str, tmp_path: Path) -> None:
    for place, sound in enumerate(pairs()):
        rows = with_fault(pairs(), place, PAIR_FAULTS[name])
        assert rows[place] != sound
        assert kinds("adept", rows, tmp_path), rows[place]


@pytest.mark.parametrize("name", STORY_FAULTS)
def test_a_fault_of_any_story_is_found(name: str, tmp_path: Path) -> None:
    where, fault = STORY_FAULTS[name]
    for form in ("first", "revised"):
        if {"first", "revised"} & set(where.split()) - {form}:
            continue
        for place, sound in enumerate(stories(form)):
            if ("plausible" in where and place) or ("broken" in where and not place):
                continue
            rows = with_fault(stories(form), place, fault)
            assert rows[place] != sound
            assert kinds("gita", rows, tmp_path), rows[place]


def test_a_variant_that_changes_nothing_is_found(tmp_path: Path) -> None:
    rows = stories("revised")
    rows[1]["sentences"] = rows[0]["sentences"]
    assert "identical" in kinds("gita", rows, tmp_path)


def test_an_implausible_story_without_contradiction_is_found(tmp_path: Path) -> None:
    rows = stories("first")
    rows[2]["states"] = rows[0]["states"]
    assert kinds("gita", rows, tmp_path) == {"no_contradiction", "states_against_sentence"}


def test_two_pairs_with_the_same_sentences_or_idx_are_found(tmp_path: Path) -> None:
    rows = pairs()
    assert kinds("adept", [*rows, rows[0] | {"idx": 9}], tmp_path) == {"duplicate"}
    assert "repeated_idx" in kinds("adept", [rows[0], rows[1] | {"idx": 0}], tmp_path)


@pytest.mark.parametrize("cloze", [[{"replace": 7, "sentence": "Ada dorme."}], ["Ada dorme."], {}])
def test_a_variant_its_author_wrote_wrongly_is_found(cloze: object, tmp_path: Path) -> None:
    rows = stories("revised")
    rows[0]["cloze"] = cloze
    assert kinds("gita", rows, tmp_path) == {"bad_cloze"}
