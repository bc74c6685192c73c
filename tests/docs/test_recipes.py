"""Recipes of the how-to pages do what the pages say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "count-relations.md"
NAMESPACE = ' xmlns="http://iptc.org/std/NITF/2006-10-18/"'
ARTICLE = (
    '<?xml version="1.0"?><!DOCTYPE nitf SYSTEM "nitf-3-3.dtd"><nitf{space}><head>'
    '<classifier type="types_of_material">{kind}</classifier></head><body><body.content>'
    '<block class="lead_paragraph"><p>LEAD: cut</p></block>'
    '<block class="full_text"><p>The <em>old</em> dog\n sleeps.</p><p>A cat runs.</p></block>'
    "</body.content></body></nitf>"
)


def test_the_recipe_for_nitf_reads_articles_with_and_without_a_namespace(tmp_path: Path) -> None:
    section = PAGE.read_text(encoding="utf-8").split("## News in NITF")[1]
    found = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert found is not None
    folder = tmp_path / "nitf" / "1999"
    folder.mkdir(parents=True)
    (folder / "1.xml").write_text(ARTICLE.format(space="", kind="News"), encoding="utf-8")
    (folder / "2.xml").write_text(
        ARTICLE.format(space=NAMESPACE, kind="Obituary"), encoding="utf-8"
    )
    (folder / "3.xml").write_text(ARTICLE[:200], encoding="utf-8")
    (folder / "4.xml").write_text(
        "<nitf><body><body.content><p>A firm sold a plant.</p></body.content></body></nitf>",
        encoding="utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-c", found[1]], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert "3.xml" in ran.stdout
    rows = [json.loads(line) for line in (tmp_path / "news.jsonl").read_text().splitlines()]
    text = "The old dog sleeps.\n\nA cat runs."
    assert rows == [
        {"id": "1", "kind": ["News"], "text": text},
        {"id": "2", "kind": ["Obituary"], "text": text},
        {"id": "4", "kind": [], "text": "A firm sold a plant."},
    ]


def test_the_example_of_people_and_a_model_narrows_the_interval() -> None:
    page = (PAGE.parent / "analyse-answers.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", block], check=True, capture_output=True, text=True)
    printed = done.stdout.splitlines()
    assert [line.split(" ")[0] for line in printed] == ["people", "with", "the", "rating:"]
    assert "smaller than that of people alone" in printed[2]
    assert "shrunk towards the prediction of mine" in printed[3]
