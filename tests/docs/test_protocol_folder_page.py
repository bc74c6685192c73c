"""The protocol that the page on extending writes as a folder can be started, run and released."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from plausibly import init
from plausibly.verbs.release import release
from plausibly.web.study import read_study
from worlds.pages import ROOT

PAGE = ROOT / "docs" / "how-to" / "extend.md"
BLOCK = re.compile(r"```toml file=(\S+)\n(.*?)```", re.DOTALL)


def test_the_folder_of_the_page_is_served_reported_and_released(tmp_path: Path) -> None:
    blocks = [one for one in BLOCK.findall(PAGE.read_text(encoding="utf-8")) if "/" in one[0]]
    assert {"my-protocol/protocol.toml", "my-protocol/form.toml"} <= {name for name, _ in blocks}
    for name, text in blocks:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    study = init(f"{tmp_path}/my-protocol", tmp_path / "my-study")
    texts = [f"The otter slept in place {number}." for number in range(10)]
    items = {"item": [f"t{n}" for n in range(10)], "text": texts}
    conditions = ["plain", "moved"] * 5
    table = pl.DataFrame({**items, "condition": conditions, "kind": ["item"] * 10})
    table.write_parquet(study.folder / "items.parquet")
    settings = (study.folder / "study.toml").read_text(encoding="utf-8")
    settings = settings.replace('source = "serve"', 'source = "rehearse"')
    (study.folder / "study.toml").write_text(settings.replace("people = 100", "people = 20"))
    assert read_study(study.folder).form.questions[0].text == "How natural does it sound?"
    assert study.run()[-1].step == "report"
    page = (study.folder / "report.html").read_text(encoding="utf-8")
    assert "What is measured is naturalness" in page
    assert release(study.folder).content.protocol == "natural"
