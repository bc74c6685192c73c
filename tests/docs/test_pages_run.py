"""What README and tutorial tell a reader to type runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from worlds.pages import ROOT, blocks, type_in


def test_the_tutorial_runs_from_top_to_bottom(tmp_path: Path) -> None:
    type_in("docs/tutorial.md", tmp_path)
    assert (tmp_path / "otters" / "report.html").exists()


@pytest.mark.parametrize("name", ["pap", "adept", "sp10k", "gita", "iks", "custom"])
def test_the_tutorial_of_a_protocol_runs(name: str, tmp_path: Path) -> None:
    type_in(f"docs/tutorials/{name}.md", tmp_path)
    assert list(tmp_path.glob("*/report.html"))


def test_a_protocol_of_ones_own_is_thirty_lines() -> None:
    (block,) = blocks("docs/tutorials/custom.md", "python")
    assert len(block.strip().splitlines()) <= 30
    done = subprocess.run(
        [sys.executable, "-c", block], capture_output=True, text=True, check=False
    )
    steps = ["ratings", "clean", "label", "agree", "describe", "analyse", "report"]
    assert done.stdout.strip() == str(steps), done.stderr


def test_the_python_of_the_readme_runs() -> None:
    (block,) = blocks("README.md", "python")
    done = subprocess.run(
        [sys.executable, "-c", block], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "strict-majority" in done.stdout
    assert "no interval" not in done.stdout


def test_the_readme_shows_both_commands() -> None:
    shown = "".join(blocks("README.md", "sh"))
    assert "make demo" in shown
    assert "make test" in shown
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"demo", "test"} <= set(targets)
