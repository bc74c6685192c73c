"""`plausibly report` and the study commands around it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from plausibly.analysis.figures.drawing import (
    Bar,
    Segment,
    Span,
    axis,
    draw_bars,
    draw_spans,
)
from plausibly.analysis.showing import MINUS
from plausibly.cli import run
from worlds.events import crowd, study_of


def test_report_runs_what_it_needs_and_prints_where_the_page_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "otters"
    assert run(["init", "pap", str(folder), "--example", "--seed", "5"]) == 0
    assert run(["report", str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder / 'report.html'}\n"
    assert (folder / "report.html").is_file()
    assert run(["status", str(folder), "--json"]) == 0
    states = {row["step"]: row["state"] for row in json.loads(capsys.readouterr().out)}
    assert set(states.values()) == {"done"}
    assert list(states) == [
        "ratings",
        "clean",
        "label",
        "agree",
        "describe",
        "analyse",
        "browse",
        "report",
    ]


def test_a_report_without_answers_says_what_people_must_do_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["init", "pap", str(tmp_path / "new")]) == 0
    assert run(["report", str(tmp_path / "new")]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "plausibly serve" in told.err


@pytest.mark.parametrize("command", ["report", "run", "status"])
def test_a_file_in_place_of_a_study_says_how_to_make_one(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("item,annotator,answer\nt1,a,4\n")
    assert run([command, str(answers)]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f"{answers} is a file, not the folder of a study" in said
    assert "plausibly init custom DIR" in said


def test_an_unknown_command_proposes_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lable"]) == 2
    assert "Did you mean 'label'?" in capsys.readouterr().err


def test_replicate_all_takes_what_is_there_and_says_what_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replicate", "all", "--data", str(tmp_path)]) == 1
    assert "none of adept, gita, pap, sp10k is here" in capsys.readouterr().err


def test_doctor_explains_a_language(capsys: pytest.CaptureFixture[str]) -> None:
    told = {}
    for lang in ("en", "it"):
        assert run(["doctor", "--language", lang, "--json"]) == 0
        told[lang] = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    assert told["en"].keys() - told["it"].keys() == {"plurals and third person", "articles"}
    assert told["en"]["texts to relations"]["found"] == "embedded"
    assert told["it"]["texts to relations"]["found"] is None
    assert "--parser stanza --language it" in told["it"]["texts to relations"]["get"]
    assert (told["en"]["adept"]["found"], told["it"]["adept"]["found"]) == ("ready to use", None)
    assert told["it"]["pap"]["found"] == "with your norms"
    assert run(["doctor", "--language", "xx"]) == 1
    assert "unknown language 'xx'" in capsys.readouterr().err


def test_doctor_names_what_is_missing_and_how_to_get_it(
    capsys: pytest.CaptureFixture[str], without_data: None
) -> None:
    assert run(["doctor", "--json"]) == 0
    found = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert found["polars"]["found"]
    assert found["published datasets"]["found"] is None
    assert "PLAUSIBLY_DATA" in found["published datasets"]["get"]
    assert run(["doctor", "--strict"]) == 1
    assert "is missing" in capsys.readouterr().err


def test_labels_of_report_and_release_are_in_the_order_of_the_form(tmp_path: Path) -> None:
    ratings, items = crowd(people=6, groups=3)
    form = (
        '[[form.questions]]\nid = "happens"\ntype = "choice"\ntext = "Does it happen?"\n'
        'options = ["yes", "no"]\n'
    )
    folder = study_of(tmp_path / "events", ratings.filter(question="happens"), items, form)
    assert run(["run", str(folder)]) == 0
    assert run(["release", str(folder), "-o", str(tmp_path / "release")]) == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    drawn = page.partition('id="figure-labels"')[2].partition("</svg>")[0]
    card = (tmp_path / "release" / "figures" / "labels-1.svg").read_text(encoding="utf-8")
    for figure in (drawn, card):
        legend = re.findall(r">\s*(yes|no)\s*</text>", figure)
        assert legend == ["yes", "no"]


def test_numbers_next_to_intervals_have_a_minus_sign() -> None:
    drawn = draw_spans(
        [Span("alpha", -0.02, -0.1, 0.1, "-0.02")], title="t", scale=axis("alpha", [-0.1, 0.1])
    )
    assert f"{MINUS}0.02" in drawn
    assert "-0.02<" not in drawn


@pytest.mark.parametrize("letter", ["W", "語"])
def test_a_very_long_label_leaves_room_for_its_bar(letter: str) -> None:
    label = letter * 100
    drawn = draw_bars([Bar(label, [Segment(0, 1, 0, "all")], "3")], title="t")
    (wide,) = re.findall(r'<rect[^>]* width="([-\d.]+)"', drawn)
    assert float(wide) > 100
    assert "".join(re.findall(f">({letter}+)<", drawn)) == label
