"""`plausibly load` from the outside, and the same from Python."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.verbs.load import load


@pytest.fixture
def events(tmp_path: Path) -> Path:
    path = tmp_path / "events.csv"
    path.write_text("subject,verb,object,gold\ndog,eat,bone,1\nbone,eat,dog,0\n")
    return path


def test_a_file_becomes_tables_and_a_manifest(
    events: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    command = ["load", str(events), "--columns", "label=gold", "-o", str(out), "--json"]
    assert run(command) == 0
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert document == load(events, columns={"label": "gold"}).as_json()
    assert document["tables"]["labels"]["rows"] == 2
    assert pl.read_parquet(out / "items.parquet")["text"].to_list() == [
        "dog eat bone",
        "bone eat dog",
    ]
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["inputs"]["name"]["file"] == "events.csv"
    assert "Licence: not known" in said.err


def test_str_and_path_give_the_same(events: Path) -> None:
    assert load(str(events)).as_json() == load(events).as_json()
    assert "items" in repr(load(events))
    assert "<table" in load(events)._repr_html_()


def test_named_files_stand_in_for_the_data_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "a.txt", tmp_path / "b.txt"
    good.write_text("dog eat bone\n")
    bad.write_text("bone eat dog\n")
    assert run(["load", "pep3k", str(good), str(bad), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["citation"].startswith("Su Wang")
    labels = load("pep3k", good, bad).labels
    assert labels is not None
    assert labels["label"].to_list() == ["implausible", "plausible"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["papp"], "unknown dataset, file or folder 'papp'. Did you mean 'pap'?"),
        (["nowhere/x.csv"], "nowhere/x.csv: no such file or folder"),
        (["pap"], "PLAUSIBLY_DATA"),
        (["sp10k", __file__], "unknown dataset that is read from single files 'sp10k'"),
    ],
)
def test_what_cannot_be_loaded_says_why(
    arguments: list[str], message: str, without_data: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["load", *arguments]) == 1
    assert message in capsys.readouterr().err


def test_a_folder_that_is_no_release_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["load", str(tmp_path)]) == 1
    assert "not a release" in capsys.readouterr().err


@pytest.mark.data
def test_a_published_set_comes_with_licence_and_citation(
    data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["load", "pap", "--data", str(data_folder)]) == 0
    said = capsys.readouterr()
    assert "1733" in said.out
    assert "Licence: CC BY-SA 4.0" in said.err
    assert "Cite: Annerose Eichel" in said.err
