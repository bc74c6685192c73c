"""A release of items in several languages has a configuration for each."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb


def study(folder: Path, languages: list[str]) -> Path:
    place = pb.init("custom", folder).folder
    texts = [f"otter paints ladder {number}" for number in range(len(languages))]
    names = [f"t{number}" for number in range(len(languages))]
    items = pl.DataFrame({"item": names, "text": texts, "language": languages})
    items.write_parquet(place / "items.parquet")
    return place


@pytest.mark.parametrize("splits", [None, "train=0.5,test=0.5"])
def test_every_language_has_its_items_and_no_others(tmp_path: Path, splits: str | None) -> None:
    place = study(tmp_path / "both", ["en", "it", "en", "it", "it", "en"])
    pb.release(place, splits=splits).write(tmp_path / "release")
    card = (tmp_path / "release" / "README.md").read_text(encoding="utf-8")
    document = json.loads((tmp_path / "release" / "croissant.json").read_text())
    assert document["inLanguage"] == ["en", "it"]
    listed = {one["@id"] for one in document["distribution"]}
    for language, count in (("en", 3), ("it", 3)):
        assert f'config_name: "{language}"' in card
        files = sorted((tmp_path / "release" / "languages" / language).glob("*.parquet"))
        rows = pl.concat([pl.read_parquet(one) for one in files])
        assert rows["language"].to_list() == [language] * count
        assert {f"languages/{language}/{one.name}" for one in files} <= listed


def test_one_language_needs_no_configuration(tmp_path: Path) -> None:
    place = study(tmp_path / "one", ["it", "it"])
    pb.release(place).write(tmp_path / "release")
    assert not (tmp_path / "release" / "languages").exists()
    assert '"it"' in (tmp_path / "release" / "README.md").read_text(encoding="utf-8")


def test_items_without_a_language_are_in_that_of_the_form(tmp_path: Path) -> None:
    place = tmp_path / "own"
    place.mkdir()
    head = '[study]\nname = "own"\nprotocol = "custom"\n'
    (place / "study.toml").write_text(f'{head}[form]\nlanguage = "es"\n', encoding="utf-8")
    items = pl.DataFrame({"item": ["t0"], "text": ["La niña dibuja un árbol."]})
    items.write_parquet(place / "items.parquet")
    pb.release(place).write(tmp_path / "release")
    assert '- "es"' in (tmp_path / "release" / "README.md").read_text(encoding="utf-8")
    document = json.loads((tmp_path / "release" / "croissant.json").read_text())
    assert document["inLanguage"] == ["es"]
