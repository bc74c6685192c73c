"""A study named in place of its ratings: the command and Python give what its steps stored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.io import write_table
from plausibly.ratings.sources import read_ratings
from plausibly.study.sources import KEPT
from plausibly.tables import RATINGS
from worlds.events import crowd, study_of

SETTINGS = """
[questions.fit]
scale = "interval"
bounds = [0, 100]

[agree]
measures = "krippendorff_alpha,percent_agreement"
resamples = 50

[label]
method = "mean"

[describe]
weigh = "ratings"

[analyse]
terms = "condition"
question = "fit"
family = "linear"
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ratings, items = crowd(people=10, groups=5)
    rated = ratings.filter(pl.col("question") == "fit")
    folder = study_of(tmp_path_factory.mktemp("named") / "events", rated, items, SETTINGS)
    pb.Study(folder).run(to="analyse")
    return folder


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def stored(study: Path, verb: str) -> Any:
    return json.loads((study / f"{verb}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("verb", ["agree", "label", "analyse", "describe"])
def test_a_named_study_gives_what_its_step_stored(
    study: Path, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = stored(study, verb)
    by_command = printed(capsys, verb, str(study))
    in_python = json.loads(json.dumps(getattr(pb, verb)(study).as_json()))
    assert by_command == in_python
    if verb == "analyse":
        assert by_command == document["questions"]["fit"]
    elif verb == "describe":
        assert by_command["questions"] == document["questions"]
        assert by_command["weigh"] == "ratings"
    else:
        assert by_command == document


def test_what_is_passed_comes_before_what_the_study_sets(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    described = printed(capsys, "describe", str(study), "--by", "language")
    assert [row["by"] for row in described["questions"]["fit"]["rows"]] == [
        {"language": "en"},
        {"language": "it"},
    ]
    assert printed(capsys, "label", str(study), "--method", "median")["method"] == "median"


def test_other_verbs_read_the_ratings_a_study_kept(study: Path) -> None:
    kept = pl.read_parquet(study / "clean/ratings.parquet")
    assert pb.read(study).ratings.height == kept.height


def test_a_study_without_ratings_is_refused_with_the_next_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["init", "custom", str(tmp_path / "new")]) == 0
    assert run(["agree", str(tmp_path / "new")]) == 1
    assert "no ratings yet. Collect or import them, then: plausibly run" in capsys.readouterr().err


@pytest.mark.parametrize("setting", ["", 'missing = ""\n'])
def test_answers_that_a_study_stored_are_not_read_as_missing_again(
    tmp_path: Path, setting: str
) -> None:
    (tmp_path / "study.toml").write_text(f"[ratings]\n{setting}", encoding="utf-8")
    answers = ["yes", "null", "yes", "NA", "NA", "yes"]
    rows = {"item": [*"ababab"], "annotator": [*"vvwwxx"], "answer": answers}
    rated = pl.DataFrame({**rows, "question": "fits", "value": None})
    stored = RATINGS.check(rated.with_columns(pl.col("value").cast(pl.Float64)))
    for name in KEPT:
        place = tmp_path / name
        place.parent.mkdir(exist_ok=True)
        write_table(stored, place, RATINGS)
        assert sorted(read_ratings(place).ratings["answer"]) == sorted(answers)
    assert read_ratings(tmp_path).ratings.height == 6
    said = {"item": ["a", "b"], "question": "fits", "model": "m", "label": ["NA", "null"]}
    (one,) = pb.evaluate(pl.DataFrame(said), ratings=place, fewest=1, resamples=0).models
    assert one.agreement["ratings"] == 6
