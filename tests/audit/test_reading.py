"""Findings of AUDIT B: what is read from files as people have them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from plausibly.cli import run
from plausibly.errors import TableError
from plausibly.ratings import Imported, import_ratings
from worlds.exports import labelstudio

# Column, import id and text as Qualtrics exports them: only questions have an import id QID….
COLUMNS = (
    ("ResponseId", "_recordId", "Response ID"),
    ("Finished", "finished", "Finished"),
    ("Q1", "QID1", "A dog barks."),
    ("Q2", "QID2", "A stone barks."),
    ("Q3_1", "QID7_1", "Rain is wet."),
    ("Q_RecaptchaScore", "Q_RecaptchaScore", "Q_RecaptchaScore"),
    ("Quota", "Quota", "Quota"),
    ("list", "list", "list"),
)
ASKED = ["Q1", "Q2", "Q3_1"]
ANSWERS = ("514", "425", "513", "414")


def qualtrics(path: Path, *, without: tuple[str, ...] = ()) -> Path:
    kept = [place for place, column in enumerate(COLUMNS) if column[0] not in without]
    rows = [
        [name for name, _, _ in COLUMNS],
        [text for _, _, text in COLUMNS],
        [json.dumps({"ImportId": import_id}) for _, import_id, _ in COLUMNS],
    ]
    for number, answers in enumerate(ANSWERS):
        rows.append([f"R_{number}", "True", *answers, "0.9", "2", str(1 + number % 2)])
    with path.open("w", newline="", encoding="utf-8") as target:
        csv.writer(target).writerows([[row[place] for place in kept] for row in rows])
    return path


def items_of(imported: Imported) -> list[str]:
    return imported.ratings["item"].unique().sort().to_list()


def test_a_pattern_of_items_matches_questions_only(tmp_path: Path) -> None:
    path = qualtrics(tmp_path / "export.csv")
    assert items_of(import_ratings(path, form="wide", names={"item": "Q*"})) == ASKED


def test_embedded_data_are_not_items(tmp_path: Path) -> None:
    path = qualtrics(tmp_path / "export.csv")
    assert items_of(import_ratings(path, form="wide", names={})) == ASKED


def test_agreement_is_the_same_with_and_without_the_columns_of_the_tool(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = qualtrics(tmp_path / "whole.csv")
    asked = qualtrics(tmp_path / "asked.csv", without=("Q_RecaptchaScore", "Quota", "list"))
    documents = []
    for path in (whole, asked):
        reading = ["--format", "wide", "--columns", "item=Q*", "--resamples", "0", "--json"]
        assert run(["agree", str(path), *reading]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    assert documents[0] == documents[1]


def test_a_file_of_german_excel_is_read(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes("item;annotator;answer\nKäse;a;4,5\nKäse;b;3\n".encode("cp1252"))
    imported = import_ratings(path)
    assert imported.ratings.select("item", "value").rows() == [("Käse", 4.5), ("Käse", 3.0)]
    assert imported.layout.encoding == "cp1252"


def test_a_file_with_semicolons_is_not_told_to_use_semicolons(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item;annotator;answer\ni1;a;4,5\ni1;b;1,234.5\n")
    with pytest.raises(TableError) as caught:
        import_ratings(path)
    assert "semicolons between" not in str(caught.value)
    assert "decimal=" not in str(caught.value), "a decimal comma would not read 1,234.5"


def test_the_comment_box_of_label_studio_is_not_a_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = labelstudio()
    path = export.written(tmp_path)
    assert run(["agree", str(path), "--resamples", "0", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert "questions" not in document, "there is one question"
    assert import_ratings(path).layout.dropped["cancelled annotations"] == 6


def test_semester_comments_and_total_time_are_not_items(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    header = "Zeitstempel;t1;t2;t3;Semester;Anmerkungen;Gesamtzeit"
    path.write_text(f"{header}\n1.5.;1;2;3;4;ja;60\n2.5.;2;3;1;5;nein;70\n3.5.;3;1;2;4;ja;80\n")
    assert items_of(import_ratings(path)) == ["t1", "t2", "t3"]
