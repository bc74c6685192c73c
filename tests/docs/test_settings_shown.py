"""The sections of study.toml that how-to pages show are accepted by a protocol of the package."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from plausibly.errors import PlausiblyError
from plausibly.study import PROTOCOLS
from plausibly.study.settings import FILE, read_settings
from worlds.pages import ROOT, Block, page_blocks

# Other files, by a key of each: wordings, endings, templates, rules, recipes, questions, release.
OTHER_FILES = {"short", "endings", "template", "rules", "rate", "fit", "title"}
SHOWN = [
    pytest.param(block, id=f"{page.stem}-{number}")
    for page in sorted((ROOT / "docs/how-to").glob("*.md"))
    for number, block in enumerate(page_blocks(f"docs/how-to/{page.name}"))
    if block.language == "toml" and OTHER_FILES.isdisjoint(tomllib.loads(block.text))
]


@pytest.mark.parametrize("block", SHOWN)
def test_the_settings_shown_are_settings(block: Block, tmp_path: Path) -> None:
    refused = []
    for name in PROTOCOLS:
        head = "" if "[study]" in block.text else f'[study]\nname = "shown"\nprotocol = "{name}"\n'
        (tmp_path / FILE).write_text(head + block.text, encoding="utf-8")
        try:
            read_settings(tmp_path, PROTOCOLS[name])
        except PlausiblyError as error:
            refused.append(str(error))
        else:
            return
    pytest.fail("\n".join(refused))
