"""Sentences computed from very few ratings: nouns agree with their counts, and nothing is false."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

import plausibly as pb
from plausibly.io import write_text

STUDY = """[study]
name = "few"
protocol = "custom"
seed = 1
[ratings]
source = "answers.csv"
"""
SEVERAL = re.compile(
    r"(?<![\d.,])1 (?:further answers|items|people|annotators|ratings|pairs|rows)\b"
)


def shown(page: str) -> str:
    text = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def answers_of(path: Path, *rows: str) -> Path:
    """Write answers to a file: an item, an annotator and an answer, separated by commas."""
    table = path / "answers.csv"
    write_text(table, "\n".join(["item,annotator,answer", *rows]) + "\n")
    return table


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([f"i{n},p0,{1 + n % 5}" for n in range(8)], "1 person gave 8 ratings"),
        (["i0,p0,1", "i0,p1,1", "i1,p0,5", "i1,p1,5"], "over 1 pair of people"),
        (["i0,p0,yes"], "1 annotator gave 1 rating of 1 item"),
    ],
)
def test_a_report_of_very_few_ratings(rows: list[str], sentence: str, tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    answers_of(study, *rows)
    write_text(study / "study.toml", STUDY)
    pb.run(study)
    page = shown((study / "report.html").read_text(encoding="utf-8"))
    assert sentence in page
    assert "These rules set no rating aside" in page
    assert "share of not defined" not in page
    card = pb.release(study).write(tmp_path / "release") / "README.md"
    for text in (page, card.read_text(encoding="utf-8")):
        assert not SEVERAL.search(text)


def test_an_audit_of_one_person_and_of_one_rating_each(tmp_path: Path) -> None:
    alone = pb.audit(answers_of(tmp_path, *[f"i{n},ann,{n % 5}" for n in range(8)]))
    assert "The only annotator is ann." in shown(alone.page)
    assert not SEVERAL.search(shown(alone.page))
    apart = pb.audit(answers_of(tmp_path, *[f"i{n},p{n},{n % 5}" for n in range(8)]))
    assert "No annotator has two ratings" in shown(apart.page)
    compared = next(one for one in apart.as_json()["verdicts"] if one["for"] == "model comparison")
    assert compared["because"].startswith("8 items are too few to compare two models")


def test_without_conditions_a_model_needs_terms(tmp_path: Path) -> None:
    table = answers_of(tmp_path, *[f"i{n},p{m},{n % 2}" for n in range(4) for m in range(2)])
    with pytest.raises(pb.PlausiblyError, match="Name the columns that may have an effect"):
        pb.analyse(table)
