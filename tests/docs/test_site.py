"""The site: every page is in the navigation, and every protocol in the gallery."""

from __future__ import annotations

import ast
import re
import runpy
import subprocess
import sys
from pathlib import Path

from plausibly.study import PROTOCOLS
from worlds.pages import ROOT

DOCS = ROOT / "docs"
MOST_WORDS, MOST_AT_FIRST = 84_400, 1_700  # as words have letters or digits


def test_every_page_is_in_the_navigation_once() -> None:
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    shown = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", settings, re.MULTILINE)
    written = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert sorted(shown) == sorted(written)


def test_the_figures_of_results_show_the_tables_of_their_pages(tmp_path: Path) -> None:
    script = [sys.executable, str(DOCS / "make_result_figures.py"), str(tmp_path)]
    subprocess.run(script, check=True, timeout=60)
    drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_bytes() for path in (DOCS / "results/figures").iterdir()}
    assert {"errata.svg", "adept.svg", "sp10k.svg", "events.svg", "rehearsal.svg"} <= set(kept)
    assert drawn == kept, "run docs/make_result_figures.py"


def test_every_page_of_results_begins_with_what_its_tables_show() -> None:
    summaries = runpy.run_path(str(DOCS / "results_summaries.py"))["SUMMARIES"]
    written_by_hand = {"README", "asking", "errata", "rehearsal"}
    pages = {path.stem for path in (DOCS / "results").glob("*.md")}
    assert set(summaries) == pages - written_by_hand
    for name, summary in summaries.items():
        page = (DOCS / f"results/{name}.md").read_text(encoding="utf-8")
        title, _, rest = page.partition(f"\n\n{summary}\n\n")
        assert rest, name
        assert "\n" not in title
        numbers = set(re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w)", summary))
        shown = set(re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w)", rest))
        assert numbers <= shown, name


def test_the_gallery_has_a_study_of_every_protocol() -> None:
    source = (DOCS / "make_gallery.py").read_text(encoding="utf-8")
    (found,) = re.findall(r"^STUDIES = (\{.*?^\})", source, re.MULTILINE | re.DOTALL)
    assert set(ast.literal_eval(found)) == {"demo", *PROTOCOLS}
    assert "<!-- gallery -->" in (DOCS / "gallery.md").read_text(encoding="utf-8")


def test_the_pages_stay_within_their_budget() -> None:
    """A newcomer reads three pages; what is said twice is cut and linked instead."""
    pages = {path: path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    words = {path: len(re.findall(r"\S*\w\S*", text)) for path, text in pages.items()}
    assert sum(words.values()) <= MOST_WORDS
    start = ("index.md", "tutorial.md", "tutorials/custom.md", "how-to/README.md", "gallery.md")
    assert sum(words[DOCS / name] for name in start) <= MOST_AT_FIRST
