"""Every step of the five papers has a command that exists and a test that exists."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture
def coverage(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(DOCS), *sys.path])
    return import_module("make_coverage")


def test_every_line_has_a_command_and_a_test_and_the_page_is_up_to_date(coverage: Any) -> None:
    rows = coverage.lines()
    assert list(coverage.faults(rows)) == []
    assert coverage.PAGE.read_text(encoding="utf-8") == coverage.page(rows)
    papers = {row["paper"] for row in rows}
    assert papers == {"PAP", "ADEPT", "SP-10K", "GITA", "Implicit knowledge"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"command": ""}, "no command"),
        ({"command": "models tone"}, "no command"),
        ({"command": "models tune --folds-of"}, "no option"),
        ({"test": ""}, "no test file"),
        ({"test": "tests/docs/test_coverage.py::test_nothing"}, "has no test_nothing"),
        (
            {
                "command": "models predict",
                "test": "tests/evaluation/test_adept.py::"
                "test_backoff_gives_the_commonest_label_of_the_key",
            },
            "runs nothing of 'models predict'",
        ),
        (
            {
                "command": "score iks",
                "test": "tests/cleaning/test_platform.py::test_everybody_needs_every_qualification",
            },
            "runs nothing of 'score iks'",
        ),
    ],
)
def test_a_line_without_either_is_named(
    coverage: Any, change: dict[str, str], message: str
) -> None:
    row = {**coverage.lines()[0], **change}
    assert any(message in fault for fault in coverage.faults([row]))
