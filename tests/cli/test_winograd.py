"""`plausibly score winograd` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.cli import run
from plausibly.study.results import ABSENT


def test_the_label_column_is_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("id,a,b,label,answer\n1,2,1,B,A\n2,2,1,,A\n3,0,0,A,A\n4,1,2,NA,A\n")
    assert run(["score", "winograd", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "correct": 2,
        "wrong": 1,
        "none": 1,
        "a_p": 2 / 3,
        "a_o": 2.5 / 4,
    }


def test_people_get_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("1,2,0,A,A\n")
    assert run(["score", "winograd", str(path), "--no-answer", "either-missing"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].split() == ["correct", "wrong", "none", "a_p", "a_o"]
    assert shown[2].split() == ["0", "0", "1", ABSENT, "0.5"]


def test_a_bad_row_is_named_and_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("1,2,1,A,A\n2,two,1,A,A\n")
    assert run(["score", "winograd", str(path), "--json"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert f"{path}:2: score A 'two' is not a number" in said.err


def test_an_unknown_policy_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("1,2,1,A,A\n")
    assert run(["score", "winograd", str(path), "--no-answer", "never"]) == 2
