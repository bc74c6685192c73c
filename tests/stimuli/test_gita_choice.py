"""Which of two stories can happen: pairs built, asked in the form's words, and scored."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.asking.gita import ALL_OPTIONS
from plausibly.cli import run
from plausibly.datasets.gita import CHOICE
from plausibly.errors import StudyError
from plausibly.ratings.collection import collection_form
from plausibly.study import PROTOCOLS
from plausibly.verbs.build.gita import build_gita

TOLD = [
    *("Ada apre la scatola.", "Ada prende il tappo dalla scatola.", "Ada riempie la brocca."),
    *("Ada chiude la brocca con il tappo.", "Ada sposta la brocca."),
]
ACTORS = ("Ada", "Rita", "Marco", "Luca", "Nino", "Irene")
WRITTEN: dict[str, Any] = {
    "replace": 0,
    "sentence": "Ada chiude la scatola.",
    "conflict": 0,
    "breakpoint": 1,
}
STORY = {"actor": "Ada", "objects": "scatola, tappo, brocca", "sentences": TOLD}


def written(folder: Path, stories: int, **more: object) -> Path:
    told = json.dumps({**STORY, **more})
    lines = [
        json.dumps({"story_id": number, **json.loads(told.replace("Ada", actor))})
        for number, actor in enumerate(ACTORS[:stories], start=1)
    ]
    (folder / "stories.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "stories.jsonl"


def test_each_written_variant_makes_a_pair_with_its_story_in_either_order(tmp_path: Path) -> None:
    items = build_gita(written(tmp_path, 6, cloze=[WRITTEN]), choice=True).items
    assert items["expected"].value_counts()["count"].to_list() == [3, 3]
    for row in items.iter_rows(named=True):
        right, wrong = (row["one"], row["other"])[:: 1 if row["expected"] == "first" else -1]
        right, wrong = (one[3:].replace(row["actor"], "Ada") for one in (right, wrong))
        assert right == " ".join(TOLD)
        assert wrong == " ".join([WRITTEN["sentence"], *TOLD[1:]])
        assert row["text"].startswith("A: ")
        assert row["item_group"] == row["story"]
    assert "sentences" not in items.columns


def test_stories_without_a_written_variant_make_no_pairs(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no story has a variant that somebody wrote"):
        build_gita(written(tmp_path, 1), choice=True)


@pytest.mark.parametrize("language", ["", "en"])
def test_people_are_asked_with_the_options_of_models(language: str) -> None:
    form = collection_form(PROTOCOLS["gita"], {"arm": "choice"}, where="x", language=language)
    assert [(one.id, one.options) for one in form.questions] == [("choice", ALL_OPTIONS[CHOICE])]
    assert form.lines == ("one", "other")
    assert not form.numbered


def test_the_arm_names_the_settings_it_needs(tmp_path: Path) -> None:
    study = pb.init("gita", tmp_path)
    file = tmp_path / "study.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('arm = ""', 'arm = "choice"'), encoding="utf-8")
    needs = r'arm = "choice" needs \[label\] only_if = "" and \[report\] question = "choice"\.'
    with pytest.raises(StudyError, match=needs):
        study.run()


def test_a_study_reports_how_often_people_are_right(tmp_path: Path) -> None:
    written(tmp_path, 4, cloze=[WRITTEN])
    (tmp_path / "study.toml").write_text(
        '[study]\nname = "x"\nprotocol = "gita"\n'
        '[build]\nstories = "stories.jsonl"\nchoice = true\n'
        '[form]\narm = "choice"\n[ratings]\nsource = "answers.csv"\n[label]\nonly_if = ""\n'
        '[report]\nquestion = "choice"\n',
        encoding="utf-8",
    )
    items = pb.build_gita(tmp_path / "stories.jsonl", choice=True).items
    answers = items.select("item", answer="expected").join(
        pl.DataFrame({"annotator": ["anna", "bea", "carlo"]}), how="cross"
    )
    wrong = (pl.col("annotator") == "carlo") & (pl.col("item") == items["item"][0])
    other = pl.when(pl.col("answer") == "first").then(pl.lit("second")).otherwise(pl.lit("first"))
    answers = answers.with_columns(
        question=pl.lit("choice"), answer=pl.when(wrong).then(other).otherwise("answer")
    )
    answers.write_csv(tmp_path / "answers.csv")
    assert run(["run", str(tmp_path)]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    table = page.partition('id="table-gita-choice"')[2].partition("</table>")[0]
    cells = re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", table)
    assert cells[-6:] == ["all", "4", "12", "0.917", "0.646", "0.985"]
    assert "In 2 of 4 pairs that story comes first" in page
