"""The page on building items runs from top to bottom, for every builder."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from plausibly.verbs.build import BUILDERS
from worlds.pages import blocks, page_blocks, type_blocks

PAGE = "docs/how-to/build-stimuli.md"


@pytest.mark.weights
def test_every_block_of_the_page_runs(tmp_path: Path) -> None:
    run = [one for one in page_blocks(PAGE) if one.language in ("sh", "python")]
    assert not [one.reason for one in run if one.reason]
    type_blocks(run, tmp_path)
    for folder in ("adept", "sp10k", "gita", "iks", "custom", "from-python"):
        assert not pl.read_parquet(tmp_path / folder / "items.parquet").is_empty()
        for name in ("ledger.parquet", "funnel.json", "balance.json"):
            assert (tmp_path / folder / name).exists()
    assert (tmp_path / "iks-key.parquet").exists()


def test_every_builder_but_those_shown_on_other_pages_is_on_it() -> None:
    shown = set(re.findall(r"plausibly build (\w+)", "".join(blocks(PAGE, "sh"))))
    assert shown == set(BUILDERS) - {"pap", "checks"}
