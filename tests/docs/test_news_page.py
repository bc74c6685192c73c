"""The page of results for news is what its script writes today."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_written_from_the_sentences_as_they_are() -> None:
    code = "import make_results_news as news; print(news.page(news.sentences()), end='')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT / "docs",
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == (ROOT / "docs/results/news.md").read_text(encoding="utf-8")
