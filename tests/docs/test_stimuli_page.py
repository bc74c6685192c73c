"""The page on building items runs from top to bottom, for every builder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import polars as pl

from plausibly.cli.build import BUILDERS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "build-stimuli.md"
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_every_command_of_the_page_runs(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for block in BLOCKS:
        done = subprocess.run(
            ["sh", "-e", "-c", block],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{block}\n{done.stderr}"
    for folder in ("adept", "sp10k", "gita", "iks", "custom"):
        assert not pl.read_parquet(tmp_path / folder / "items.parquet").is_empty()
        for name in ("ledger.parquet", "funnel.json", "balance.json"):
            assert (tmp_path / folder / name).exists()
    assert (tmp_path / "iks-key.parquet").exists()


def test_every_builder_but_the_one_with_its_own_page_is_on_it() -> None:
    shown = set(re.findall(r"plausibly build (\w+)", "".join(BLOCKS)))
    assert shown == set(BUILDERS) - {"pap"}
