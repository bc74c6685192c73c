"""Every block of the how-to pages runs as printed, next to the sample files of its page."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from worlds.pages import ROOT, Block, page_blocks, type_blocks

sys.path.insert(0, str(ROOT / "docs"))
from make_samples import SAMPLES, finished_study  # type: ignore[import-not-found]

sys.path.pop(0)
HOW_TO = "docs/how-to"
# Pages whose blocks other tests run.
ELSEWHERE = {
    "build-stimuli": "test_stimuli_page.py",
    "extend": "test_extend.py",
    "notebook": "test_notebook.py",
}
RUN = ("sh", "python")
PUBLISHED = "needs the published datasets"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "my-study"
    finished_study(folder)
    return folder


def runnable(page: str) -> Iterator[Block]:
    yield from (one for one in page_blocks(f"{HOW_TO}/{page}.md") if one.language in RUN)


@pytest.mark.parametrize("page", sorted(SAMPLES))
def test_every_block_runs_as_printed(
    page: str, tmp_path: Path, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(click, "launch", lambda _: 0)  # what --open calls
    SAMPLES[page](tmp_path, lambda: study)
    type_blocks([one for one in runnable(page) if not one.reason], tmp_path)


@pytest.mark.data
def test_blocks_that_need_published_data_run_where_it_is(tmp_path: Path) -> None:
    blocks = [one for one in runnable("get-datasets") if one.reason == PUBLISHED]
    assert blocks
    type_blocks(blocks, tmp_path)
    assert (tmp_path / "sp10k-tables" / "items.parquet").is_file()


def test_every_block_is_run_or_says_why_not() -> None:
    pages = {path.stem for path in (ROOT / HOW_TO).glob("*.md")} - {"README"}
    for page in sorted(pages - set(SAMPLES)):
        if page in ELSEWHERE:
            assert (Path(__file__).parent / ELSEWHERE[page]).is_file()
            continue
        assert [one.text for one in runnable(page) if not one.reason] == [], page
