"""The verb `extract`: command, study and notebook say the same, and tables wait until asked."""

from __future__ import annotations

import json
from inspect import signature
from pathlib import Path
from typing import Any

import click
import polars as pl
import pytest

from plausibly.cli import run
from plausibly.cli.groups import command_at
from plausibly.study.steps import Work
from plausibly.verbs.extract import extract
from worlds.trees import DOG, GIRL, conllu

STEP = extract.step()
TIMES = ("finished", "seconds")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "a.conllu").write_bytes(conllu(DOG, GIRL, GIRL))
    return tmp_path / "a.conllu"


def timeless(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in TIMES}


def test_command_study_and_notebook_say_the_same(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    extracted = extract(str(corpus), output=str(tmp_path / "out"), workers=1, min_count=2)
    arguments = ["extract", str(corpus), "-o", str(tmp_path / "out"), "--workers", "1"]
    assert run([*arguments, "--min-count", "2", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    parameters = {**STEP.parameters, "files": ["a.conllu"], "workers": 1, "min_count": 2}
    STEP.run(Work(tmp_path, parameters, {}, seed=1))
    stored = json.loads((tmp_path / "extract.json").read_text())
    assert timeless(printed) == timeless(extracted.as_json())
    stored["inputs"] = printed["inputs"]
    assert timeless(stored) == timeless(printed)
    assert all((tmp_path / name).is_file() for name in STEP.outputs)


def test_tables_are_read_when_they_are_asked_for(corpus: Path, tmp_path: Path) -> None:
    extracted = extract([corpus], output=tmp_path / "out", workers=1)
    assert isinstance(extracted.svo, pl.LazyFrame)
    assert extracted.svo.collect().row(1)[:4] == ("girl", "eat", "apple", 2)
    assert "svo triples" in repr(extracted)
    assert "svo triples" in extracted._repr_html_()


def test_written_elsewhere_it_is_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    extracted = extract([corpus], output=tmp_path / "out", workers=1)
    other = extracted.write(tmp_path / "other")
    assert {p.name: p.read_bytes() for p in other.iterdir()} == {
        p.name: p.read_bytes() for p in (tmp_path / "out").iterdir()
    }


def test_parsed_trees_may_be_in_any_language(corpus: Path, tmp_path: Path) -> None:
    named = extract([corpus], output=tmp_path / "it", workers=1, language="it", format="conllu")
    plain = extract([corpus], output=tmp_path / "out", workers=1)
    assert named.svo.collect().equals(plain.svo.collect())


def test_every_keyword_has_an_option_and_every_option_a_keyword() -> None:
    keywords = set(signature(extract).parameters) - {"watch"}
    options = {one.name for one in command_at("extract").params if isinstance(one, click.Parameter)}
    assert options - {"as_json"} == keywords
    assert set(STEP.parameters) == keywords - {"seed", "output"}
