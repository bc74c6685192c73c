"""The page of errata is what the command writes from the published data."""

from __future__ import annotations

from pathlib import Path

import pytest

from plausibly.cli import run
from plausibly.replications.recomputing import recomputed
from plausibly.replications.rulings import rulings
from plausibly.replications.showing import opening

pytestmark = pytest.mark.data

PAGE = Path(__file__).resolve().parents[2] / "docs" / "results" / "errata.md"


def test_the_page_of_errata_is_what_the_command_writes(
    data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["replicate", "all", "--data", str(data_folder), "--format", "markdown"]
    assert run(command) == 0
    written = PAGE.read_text(encoding="utf-8")
    assert capsys.readouterr().out == written, f"run: plausibly {' '.join(command)} > {PAGE.name}"


def test_only_a_terminal_is_told_the_option_that_shows_what_is_not_recomputed(
    data_folder: Path,
) -> None:
    statements = rulings(recomputed("pap", data_folder).records)
    why = "Not recomputed (15): 15 cannot be decided from what is released"
    assert opening(statements)[-1] == f"{why}."
    told = opening(statements, option=True)[-1]
    assert told == f"{why}; --only 'not computable' shows which."
