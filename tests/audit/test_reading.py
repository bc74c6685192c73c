"""Findings of AUDIT B: which columns of a survey's export are items."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from plausibly.cli import run
from plausibly.ratings import Imported, import_ratings

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
