"""A PAP study that begins at a corpus: extract and build are steps like the others."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.study import PROTOCOLS, Study
from plausibly.study.settings import write_settings
from plausibly.verbs.init import init
from worlds.svo import invented_norms, invented_svo, write_norms


@pytest.fixture
def study(tmp_path: Path) -> Study:
    norms = invented_norms(nouns=200, verbs=60)
    folder = tmp_path / "events"
    folder.mkdir()
    invented_svo(norms, rows=3000).write_parquet(folder / "triples.parquet")
    write_norms(norms, folder / "norms.tsv")
    build = {"svo": "triples.parquet", "norms": "norms.tsv", "per_cell": 2, "min_zipf": 0.0}
    write_settings(folder, PROTOCOLS["pap"], name="events", overrides={"build": build})
    return Study(folder)


def test_building_is_a_step_with_the_parameters_of_the_command(study: Study) -> None:
    assert [one.step for one in study.status()][:2] == ["build", "ratings"]
    assert study.run(to="build")[-1].state == "run"
    folder = study.folder
    built = pb.build(
        "pap",
        svo=folder / "triples.parquet",
        norms=folder / "norms.tsv",
        per_cell=2,
        min_zipf=0.0,
        seed=1,
    )
    assert pl.read_parquet(folder / "items.parquet").equals(built.items)
    assert pl.read_parquet(folder / "build" / "ledger.parquet").height == built.ledger.height
    assert study.run(to="build")[-1].state == "done"


def test_another_number_of_events_builds_again(study: Study) -> None:
    study.run(to="build")
    path = study.folder / "study.toml"
    path.write_text(path.read_text().replace("per_cell = 2", "per_cell = 1"))
    assert study.run(to="build")[-1].state == "run"
    assert pl.read_parquet(study.folder / "items.parquet")["combination"].count() == 54


def test_a_study_with_items_of_its_own_has_neither_step(tmp_path: Path) -> None:
    study = init("pap", tmp_path / "own")
    names = [one.step for one in study.status()]
    assert "extract" not in names
    assert "build" not in names
    settings = tomllib.loads((study.folder / "study.toml").read_text())
    assert settings["extract"]["files"] == []
    assert settings["build"]["norms"] == "predicted"


def test_the_corpus_of_a_study_is_counted_by_its_own_step(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    rows = ["1 dogs dog NOUN _ _ 2 nsubj _ _", "2 chase chase VERB _ _ 0 root _ _"]
    rows.append("3 cats cat NOUN _ _ 2 obj _ _")
    (folder / "a.conllu").write_text("\n".join(rows).replace(" ", "\t") + "\n\n")
    overrides = {"extract": {"files": ["a.conllu"], "workers": 1}}
    write_settings(folder, replace(PROTOCOLS["pap"], seed=3), name="small", overrides=overrides)
    assert Study(folder).run(to="extract")[-1].state == "run"
    svo = pl.read_parquet(folder / "corpus" / "svo.parquet")
    assert svo.select("subject", "verb", "object").row(0) == ("dog", "chase", "cat")
