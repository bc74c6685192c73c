"""The page on relations: every tree on it gives what the page says it gives."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plausibly.corpus._repair import repaired
from plausibly.corpus.relations import RELATIONS, Patterns, find
from plausibly.ports import Sentence

PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "relations.md"
TEXT = PAGE.read_text(encoding="utf-8")
TREES = re.findall(r"```tree ?(.*?)\n(.*?)gives (.*?)\n```", TEXT, flags=re.DOTALL)


@pytest.mark.parametrize(("option", "tree", "gives"), TREES)
def test_a_tree_gives_what_the_page_says(option: str, tree: str, gives: str) -> None:
    rows = [line.split() for line in tree.strip().splitlines()]
    sentence = Sentence(
        [row[1] for row in rows],
        [row[2] for row in rows],
        [row[3] for row in rows],
        [int(row[4]) for row in rows],
        [row[5] for row in rows],
    )
    name = option.removeprefix("--").replace("-", "_")
    asked: dict[str, Any] = {name: True} if name not in ("", "repair") else {}
    if name == "repair":
        sentence, actions = repaired(sentence, Patterns().roles)
        assert actions
    patterns = replace(Patterns(), **asked)
    found = set()
    for relation, head, dependent, obj in find(sentence, patterns).rows:
        words = (dependent, head, obj) if relation == "svo" else (head, dependent)
        found.add(f"{relation}({', '.join(words)})")
    assert found == (set() if gives == "nothing" else set(re.findall(r"\w+\(.*?\)", gives)))


def test_every_relation_and_option_has_a_tree() -> None:
    shown = {relation for *_, gives in TREES for relation in re.findall(r"(\w+)\(", gives)}
    assert shown == set(RELATIONS)
    options = {option.removeprefix("--").replace("-", "_") for option, _, _ in TREES}
    assert options - {""} == set(Patterns.__slots__) - {"relations"}
