"""The guides on collecting ratings show studies that can be served, and paths that exist."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import polars as pl

from plausibly.cli import run
from plausibly.ratings import import_ratings
from plausibly.tables import ITEMS
from plausibly.web.study import read_study
from worlds.served import items_of, served_of, store_of, study_folder, works_through

GUIDES = Path(__file__).resolve().parents[2] / "docs" / "how-to"
TEXT = "".join(
    (GUIDES / name).read_text(encoding="utf-8")
    for name in ("collect-ratings.md", "look-after-people.md", "write-forms.md")
)
BLOCKS = re.findall(r"```toml\n(.*?)```", TEXT, flags=re.DOTALL)


def test_the_studies_of_the_guide_can_be_served(tmp_path: Path) -> None:
    pap, desk, source, consent, custom = BLOCKS
    study = study_folder(tmp_path / "pap", items_of(3, 1), {})
    (study / "study.toml").write_text(pap, encoding="utf-8")
    assert read_study(study).plan.target == 10
    (study / "study.toml").write_text(f'[study]\nprotocol = "pap"\n{source}', encoding="utf-8")
    assert read_study(study).plan.batch == 24
    (study / "study.toml").write_text(f'[study]\nprotocol = "pap"\n{consent}', encoding="utf-8")
    assert read_study(study).server["withdraw_until"] == "2027-06-30"
    (study / "study.toml").write_text(f'[study]\nprotocol = "pap"\n{desk}', encoding="utf-8")
    assert read_study(study).plan.batch == 24
    candidates = pl.DataFrame(
        {
            "item": ["e1", "e1#i"],
            "text": ["Pair", "One"],
            "source": ["e1", "e1"],
            "candidate": [None, "i"],
            "genre": ["news", None],
        }
    )
    own = study_folder(tmp_path / "own", ITEMS.check(candidates), {}, protocol="custom")
    (own / "study.toml").write_text(custom, encoding="utf-8")
    assert [question.id for question in read_study(own).form.questions] == [
        "grammatical",
        "best",
        "comment",
    ]


def test_the_paths_of_the_guide_are_those_of_the_api() -> None:
    document = json.loads(files("plausibly.web").joinpath("openapi.json").read_bytes())
    named = {f"/api/v1/{path}" for path in re.findall(r"\$API/([\w/]+)", TEXT)}
    known = {path.format(person="PERSON", item="ITEM", round=2) for path in document["paths"]}
    assert named <= known
    assert len(named) == 8


def test_a_study_goes_on_with_what_was_collected(tmp_path: Path) -> None:
    ratings = {"source": "answers.sqlite", "format": "answers"}
    study = study_folder(tmp_path, items_of(6), {"ratings": ratings})
    served = served_of(6, batch=6, quota=6)
    engine = store_of(study, served)
    with engine.begin() as connection:
        for name in ("ann", "bob"):
            works_through(connection, name, served, given="4")
    engine.dispose()
    assert run(["run", str(study), "--to", "ratings"]) == 0
    collected = import_ratings(study / "ratings.parquet").ratings
    assert collected.height == 12
    assert collected["answer"].unique().to_list() == ["4"]
