"""Encodings of files of ratings: as you say, or guessed and reported."""

from __future__ import annotations

from pathlib import Path

import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError, TableError
from plausibly.ratings import import_ratings

TABLE = "item;annotator;answer\nKäse;Jörg;4\n„Brot“;Zoë;5\n"


def table(folder: Path, encoding: str, text: str = TABLE) -> Path:
    path = folder / "ratings.csv"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encoding_is_guessed(tmp_path: Path, encoding: str) -> None:
    imported = import_ratings(table(tmp_path, encoding))
    assert imported.ratings["item"].to_list() == ["Käse", "„Brot“"]
    assert any("read as cp1252" in note for note in imported.notes) == (encoding == "cp1252")


@pytest.mark.parametrize("encoding", ["mac-roman", "utf-16-le", "cp1252"])
def test_the_encoding_that_is_named_is_used(tmp_path: Path, encoding: str) -> None:
    result = pb.read(table(tmp_path, encoding), encoding=encoding)
    assert result.ratings["annotator"].to_list() == ["Jörg", "Zoë"]
    assert not any("read as" in note for note in result.notes)


def test_a_damaged_character_of_utf8_is_not_taken_for_windows(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_bytes(TABLE.encode() + b"t\xe43;a;1\n")
    with pytest.raises(TableError, match=r"ratings\.csv:4: not UTF-8"):
        import_ratings(path)


def test_a_wrong_encoding_is_named(tmp_path: Path) -> None:
    path = table(tmp_path, "cp1252")
    with pytest.raises(TableError, match="not utf-8 throughout"):
        pb.read(path, encoding="utf-8")
    with pytest.raises(StudyError, match="unknown encoding 'cp1253x'"):
        pb.read(path, encoding="cp1253x")


def test_read_takes_the_encoding_and_every_command_guesses_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, output = table(tmp_path, "mac-roman"), tmp_path / "out.parquet"
    assert run(["read", str(path), "--encoding", "mac-roman", "-o", str(output)]) == 0
    assert "Käse" in import_ratings(output).ratings["item"].to_list()
    assert run(["label", str(table(tmp_path, "cp1252")), "--method", "mean", "--json"]) == 0
    assert "read as cp1252" in capsys.readouterr().err


def test_items_of_a_german_spreadsheet_are_read_in_a_study_and_the_guess_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "study"
    study.mkdir()
    text = "group;condition;text\n1;wörtlich;Der Wind trägt den Drachen.\n2;übertragen;Öl rührt.\n"
    (study / "sätze.csv").write_bytes(text.encode("cp1252"))
    settings = '[study]\nname = "s"\nprotocol = "custom"\n[build]\ntable = "sätze.csv"\n'
    (study / "study.toml").write_text(settings, encoding="utf-8")
    assert run(["run", str(study), "--to", "build"]) == 0
    assert capsys.readouterr().err.count("read as cp1252") == 1
    assert run(["build", "custom", str(study / "sätze.csv"), "-o", str(tmp_path / "out")]) == 0
    assert "save the file as UTF-8" in capsys.readouterr().err
    built = pb.build_custom(study / "sätze.csv")
    assert sorted(built.items["condition"]) == ["wörtlich", "übertragen"]
    assert len(built.made.guesses) == 1
