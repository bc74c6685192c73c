"""The page of references is what its script writes, and it leaves nothing out."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from plausibly.labels import METHODS
from plausibly.measures import graded
from plausibly.measures.agreement import NAMES
from plausibly.measures.distances import DISTANCES
from plausibly.models.selection import KINDS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "explanation" / "validation.md").read_text(encoding="utf-8")
# What agree reports next to its measures.
COUNTED = ("variance_components", "ratings_needed")
CHEAP = (
    "Agreement",
    "Predictions",
    "Tests and shares",
    "Texts and language models",
    "Labels that are numbers, and shares",
)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(DOCS))
    monkeypatch.setattr(sys, "path", list(sys.path))
    import make_validation  # type: ignore[import-not-found]

    return make_validation


def without_versions(text: str) -> str:
    return re.sub(r"(\| [\w.-]+) [\w.-]+, `", r"\1, `", text)


def part(title: str) -> str:
    return f"## {title}\n" + PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("title", CHEAP)
def test_a_section_comes_out_as_it_is_on_the_page(made: Any, title: str) -> None:
    text = made.section(title, made.SECTIONS[title], made.References())
    assert without_versions(text).strip() == without_versions(part(title)).strip()


def test_sections_without_numbers_come_out_as_they_are_on_the_page(made: Any) -> None:
    assert PAGE.startswith(made.INTRODUCTION)
    for text in (made.without_section(), made.formulas_section(), made.data_section()):
        assert text.strip() in PAGE
    assert re.findall(r"^## (.*)$", PAGE, re.MULTILINE)[: len(made.SECTIONS)] == [*made.SECTIONS]


@pytest.mark.parametrize("name", [*NAMES, *COUNTED, *METHODS, *graded.MEASURES, *DISTANCES])
def test_everything_is_compared_or_listed_as_without_a_reference(name: str) -> None:
    compared = re.findall(r"^\| `([\w-]+)[`,]", PAGE.partition("## Without")[0], re.MULTILINE)
    listed = re.findall(r"^\| ([\w-]+) \|", part("Without a reference"), re.MULTILINE)
    assert name in {*compared, *listed}
    assert re.search(rf"`.*\b{name.removesuffix('_linear').removesuffix('_quadratic')}", PAGE)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_model_is_listed(kind: str) -> None:
    [models] = re.findall(r"^\| models of selectional preference \((.*)\) \|", PAGE, re.MULTILINE)
    assert kind in models.split(", ")


def test_a_difference_is_rounded_up(made: Any) -> None:
    import validation_sets  # type: ignore[import-not-found]

    one = validation_sets.Comparison("x", "y", "z", "gaps", (1.0, 2.0), (1.0, 2.003))
    assert one.cells("1")[4] == "below 1e-2"
    assert validation_sets.bound(0.6) == "below 10"
