"""A study of one's own is rehearsed as its form and its [people] say, on every scale."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.errors import PlausiblyError
from plausibly.io import content_hash
from plausibly.study import PROTOCOLS
from plausibly.study.settings import write_settings
from plausibly.tables import RATINGS
from plausibly.web.rehearsal import Rehearsed, rehearse

QUESTIONS: list[dict[str, Any]] = [
    {"id": "fits", "type": "slider", "min": 0, "max": 100, "start": 50, "text": "How likely?"},
    {"id": "happens", "type": "choice", "options": ["yes", "no"], "text": "Would it happen?"},
    {"id": "why", "type": "choice", "options": ["who", "what", "where"], "text": "Which part?"},
    {"id": "comment", "type": "text", "required": False, "text": "Anything else?"},
]
DECLARED = {"effects": {"condition": {"usual": 1.2, "odd": -1.2}}}


def study_in(folder: Path, people: dict[str, Any]) -> Path:
    """Return a study in two languages: 8 groups in two conditions, lists within a language."""
    folder.mkdir(exist_ok=True)
    rows = [
        {"group": f"g{g}", "condition": c, "language": one, "text": f"Event {g}, {c} ({one})."}
        for g, c, one in product(range(8), ("usual", "odd"), ("en", "it"))
    ]
    pl.DataFrame(rows).write_csv(folder / "events.csv")
    sections = {
        "build": {"table": "events.csv", "lists": "latin"},
        "form": {"questions": QUESTIONS},
        "ratings": {"source": "rehearse", "people": 24, "target": 6, "checks_per_batch": 0},
        "people": people,
    }
    write_settings(folder, PROTOCOLS["custom"], name="events", overrides=sections)
    pb.Study(folder).run(to="build")
    return folder


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study_in(tmp_path_factory.mktemp("scales") / "events", DECLARED)


@pytest.fixture(scope="module")
def rehearsed(study: Path) -> Rehearsed:
    return rehearse(study, people=24, mix={"careful": 1.0}, seed=1)


def slider(ratings: pl.DataFrame, study: Path) -> pl.DataFrame:
    items = pl.read_parquet(study / "items.parquet").select("item", "condition", "language")
    own = ratings.filter(pl.col("question") == "fits").join(items, on="item")
    return own.with_columns(pl.col("answer").cast(pl.Float64).alias("number"))


def test_everyone_rates_one_list_of_one_language(rehearsed: Rehearsed, study: Path) -> None:
    items = pl.read_parquet(study / "items.parquet").select("item", "item_group", "language")
    own = rehearsed.ratings.filter(pl.col("question") == "fits").join(items, on="item")
    each = own.group_by("annotator").agg(
        pl.col("language").n_unique(), pl.col("item_group").n_unique(), n=pl.len()
    )
    assert set(each.select("language", "item_group", "n").rows()) == {(1, 8, 8)}
    people = own.select("annotator", "language").unique()["language"].value_counts()
    assert set(people["count"]) == {12}


def test_conditions_differ_and_no_answer_is_everyones(rehearsed: Rehearsed, study: Path) -> None:
    own = slider(rehearsed.ratings, study)
    means = dict(own.group_by("condition").agg(pl.col("number").mean()).iter_rows())
    assert means["usual"] - means["odd"] > 20
    assert own["number"].value_counts()["count"].max() < 0.2 * own.height  # type: ignore[operator]
    both = own.join(
        rehearsed.ratings.filter(pl.col("question") == "happens"), on=["item", "annotator"]
    )
    yes = (both["answer_right"] == "yes").cast(pl.Float64).to_numpy()
    assert np.corrcoef(both["number"].to_numpy(), yes)[0, 1] > 0.3
    assert "comment" not in set(rehearsed.ratings["question"])
    assert rehearsed.report["model"]["effects"] == DECLARED["effects"]


def test_the_same_seed_gives_the_same_answers(rehearsed: Rehearsed, study: Path) -> None:
    again = rehearse(study, people=24, mix={"careful": 1.0}, seed=1)
    assert content_hash(again.ratings, RATINGS) == content_hash(rehearsed.ratings, RATINGS)


def test_the_study_runs_to_its_labels_and_again_when_people_change(study: Path) -> None:
    states = {one.step: one.state for one in pb.Study(study).run(to="label")}
    assert states["ratings"] == states["clean"] == states["label"] == "run"
    labels = pl.read_parquet(study / "labels.parquet")
    assert set(labels["question"]) >= {"fits", "happens"}
    text = (study / "study.toml").read_text(encoding="utf-8")
    (study / "study.toml").write_text(text.replace("severity = 0.5", "severity = 0.9"))
    assert {one.step: one.state for one in pb.Study(study).run(to="ratings")}["ratings"] == "run"
    (study / "study.toml").write_text(text, encoding="utf-8")


def test_a_pilot_stands_in_for_what_is_declared(
    rehearsed: Rehearsed, study: Path, tmp_path: Path
) -> None:
    other = study_in(tmp_path / "piloted", {"pilot": "pilot.csv"})
    with pytest.raises(PlausiblyError, match=r"pilot\.csv"):
        rehearse(other, people=2)
    rehearsed.ratings.select("item", "annotator", "question", "answer").write_csv(
        other / "pilot.csv"
    )
    done = rehearse(other, people=24, mix={"careful": 1.0}, seed=2)
    own = slider(done.ratings, other)
    means = dict(own.group_by("condition").agg(pl.col("number").mean()).iter_rows())
    assert means["usual"] - means["odd"] > 15
    assert done.report["model"]["questions"]["happens"]["direction"] == -1
    step = pb.Study(other).active.step("ratings")
    assert "pilot.csv" in step.reads(pb.Study(other).settings.sections)


def test_a_changed_form_is_rehearsed_again(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "items.csv").write_text("item,text\na,Otters paint ladders.\nb,Otters swim.\n")
    text = """[study]
name = "own"
protocol = "custom"
[build]
table = "items.csv"
[ratings]
source = "rehearse"
people = 4
target = 2
batch = 2
checks_per_batch = 0
[form]
consent = ["You judge sentences."]
instructions = ["Read each."]
[[form.questions]]
id = "fits"
type = "choice"
text = "Does it fit?"
options = ["yes", "no"]
"""
    (folder / "study.toml").write_text(text)
    pb.run(folder, to="ratings")
    (folder / "study.toml").write_text(text.replace('"no"]', '"no", "unsure"]'))
    states = {one.step: one.state for one in pb.status(folder)}
    assert (states["build"], states["ratings"]) == ("done", "to do")
