"""The page of errata is what the command writes from the published data."""

from __future__ import annotations

from pathlib import Path

import pytest

from plausibly.cli import run

pytestmark = pytest.mark.data

PAGE = Path(__file__).resolve().parents[2] / "docs" / "results" / "errata.md"


def test_the_page_of_errata_is_what_the_command_writes(
    data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["replicate", "all", "--data", str(data_folder), "--format", "markdown"]
    assert run(command) == 0
    written = PAGE.read_text(encoding="utf-8")
    assert capsys.readouterr().out == written, f"run: plausibly {' '.join(command)} > {PAGE.name}"
