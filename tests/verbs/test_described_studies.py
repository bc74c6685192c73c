"""Means and models as steps of a study: the same documents from command, Python and study."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from worlds.events import crowd, study_of


def read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = study_of(tmp_path_factory.mktemp("two") / "study", *crowd())
    pb.run(folder)
    return folder


def test_command_python_and_study_describe_alike(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, items = finished / "clean" / "ratings.parquet", finished / "items.parquet"
    document = read(finished / "describe.json")
    assert document["by"] == ["condition", "language"]
    capsys.readouterr()
    arguments = ["describe", str(kept), "--items", str(items), "--by", "condition,language"]
    assert run([*arguments, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["questions"]
    described = pb.describe(kept, items=items, by=["condition", "language"]).as_json()["questions"]
    assert document["questions"] == printed == described
    assert document["questions"]["note"]["scale"] == "text"


def test_command_python_and_study_model_alike(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = read(finished / "analyse.json")["questions"]
    assert list(documents) == ["fit", "happens"]
    capsys.readouterr()
    for name, document in documents.items():
        assert run(["analyse", str(finished), "--question", name, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == document
        assert document == pb.analyse(finished, question=name).as_json()
        assert document["formula"] == "condition * language"


def test_contrasts_are_paired_within_each_language(finished: Path) -> None:
    contrasts = read(finished / "describe.json")["questions"]["fit"]["contrasts"]
    assert [one["by"] for one in contrasts] == [{"language": "en"}, {"language": "it"}]
    ratings, items = crowd()
    english = items.filter(language="en")
    alone = pb.describe(
        ratings.join(english, on="item", how="semi"),
        items=english,
        by="condition",
        question="fit",
    ).as_json()["questions"]["fit"]["contrasts"]
    assert {name: contrasts[0][name] for name in alone[0]} == alone[0]


def test_items_behind_the_means_average_to_them(finished: Path) -> None:
    values = pl.read_parquet(finished / "describe" / "items.parquet")
    rows = read(finished / "describe.json")["questions"]["fit"]["rows"]
    for row in rows:
        cell = values.filter(question="fit", **row["by"]).filter(pl.col("answer").is_null())
        assert cell.height == row["items"]
        assert cell["value"].mean() == pytest.approx(row["value"])


def test_keys_of_the_sections_are_used_as_written(tmp_path: Path) -> None:
    ratings, items = crowd(people=8, groups=6)
    folder = study_of(
        tmp_path / "study",
        ratings,
        items,
        '[describe]\nby = ""\nweigh = "ratings"\n\n'
        '[analyse]\nquestion = "fit"\nterms = "language"\nslopes = ""',
    )
    pb.run(folder)
    document = read(folder / "describe.json")
    assert (document["weigh"], document["by"]) == ("ratings", [])
    assert [row["by"] for row in document["questions"]["fit"]["rows"]] == [{}]
    models = read(folder / "analyse.json")["questions"]
    assert list(models) == ["fit"]
    assert models["fit"]["formula"] == "language"


@pytest.mark.parametrize(
    "settings",
    ['[analyse]\nscale = "fit=interval"', '[questions.fit]\nscale = "interval"'],
    ids=["analyse", "questions"],
)
def test_a_study_models_the_scale_that_it_sets(tmp_path: Path, settings: str) -> None:
    ratings, items = crowd(people=8, groups=6)
    coarse = pl.when(question="fit").then(
        (pl.col("answer").str.to_integer(strict=False) // 20).cast(pl.String)
    )
    ratings = ratings.with_columns(answer=coarse.otherwise(pl.col("answer")))
    folder = study_of(tmp_path / "study", ratings, items, settings)
    pb.run(folder)
    models = read(folder / "analyse.json")["questions"]
    assert models["fit"]["family"] == "linear"
    assert models["fit"]["reason"] == "set by the user"
    assert models["happens"]["family"] == "logistic"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"condition": pl.lit(None, pl.String)}, "the items have no conditions"),
        ({"condition": pl.lit("plain")}, "all items rated have the condition plain"),
        ({"condition": pl.col("item")}, "the items have 32 different conditions"),
    ],
)
def test_a_study_that_cannot_be_split_reports_why(
    change: dict[str, pl.Expr], reason: str, tmp_path: Path
) -> None:
    ratings, items = crowd(people=6)
    folder = study_of(tmp_path / "study", ratings, items.with_columns(**change).drop("language"))
    pb.run(folder)
    document = read(folder / "describe.json")
    assert (document["by"], document["unsplit"]) == ([], reason)
    assert read(folder / "analyse.json")["questions"]["fit"]["failed"].startswith(reason)


def test_answers_without_annotators_have_no_model_and_the_study_reports_why(
    tmp_path: Path,
) -> None:
    ratings, items = crowd(people=6)
    alone = ratings.filter(question="fit").with_row_index("n")
    alone = alone.with_columns(annotator=pl.format("r{}", "n")).drop("n")
    folder = study_of(tmp_path / "study", alone, items)
    pb.run(folder)
    failed = read(folder / "analyse.json")["questions"]["fit"]["failed"]
    assert "do not show who gave them" in failed
    assert "[analyse] without_annotators" in failed


def test_norms_of_a_release_are_the_adjusted_scores_of_the_ratings_kept(
    finished: Path, tmp_path: Path
) -> None:
    written = tmp_path / "release"
    assert run(["release", str(finished), "-o", str(written)]) == 0
    norms = pl.read_csv(written / "norms.csv")
    assert norms.columns == ["item", "question", "score", "se", "n"]
    assert norms["question"].unique().to_list() == ["fit"]
    kept = pl.read_parquet(finished / "clean" / "ratings.parquet").filter(question="fit")
    adjusted = pb.label(kept, method="adjusted", items=finished / "items.parquet")
    scores = adjusted.as_json()["positions"]
    assert len(scores) == norms.height == 32
    for item, _, score, se, n in norms.iter_rows():
        assert score == pytest.approx(scores[item]["position"])
        assert se == pytest.approx(scores[item]["se"])
        assert n == kept.filter(item=item).height
    card = (written / "README.md").read_text(encoding="utf-8")
    assert "### norms (32 rows)" in card
    assert "| `se` | standard error of the score" in card
    again = pb.Study(finished).release().write(tmp_path / "again")
    assert (again / "norms.csv").read_bytes() == (written / "norms.csv").read_bytes()


def test_a_release_without_norms_reports_why(tmp_path: Path) -> None:
    ratings, items = crowd(people=4, groups=4)
    folder = study_of(tmp_path / "words", ratings.filter(question="happens"), items)
    pb.run(folder)
    [note] = pb.release(folder).as_json()["notes"]
    assert note == "norms.csv is left out: no question is on an ordinal or interval scale."
    (folder / "describe.json").unlink()
    assert "Run the study first" in pb.release(folder).as_json()["notes"][0]


def test_sets_of_a_file_are_stored_as_the_server_does_and_described_by_option(
    tmp_path: Path,
) -> None:
    table = pl.DataFrame(
        {
            "item": ["t1", "t1", "t2", "t2"],
            "annotator": ["a", "b"] * 2,
            "answer": ["new, odd", "odd", "odd", "new"],
            "question": "why",
            "submitted": ["2.11.2026", "10.11.2026"] * 2,
        }
    )
    table.write_csv(tmp_path / "answers.csv")
    (tmp_path / "study.toml").write_text(
        '[study]\nname = "s"\nprotocol = "custom"\nseed = 1\n[ratings]\nsource = "answers.csv"\n'
        '[[form.questions]]\nid = "why"\ntype = "set"\noptions = ["odd", "new"]\n',
        encoding="utf-8",
    )
    pb.run(tmp_path)
    stored = pl.read_parquet(tmp_path / "ratings.parquet")
    assert stored["answer"].to_list() == ["odd;new", "odd", "odd", "new"]
    rows = read(tmp_path / "describe.json")["questions"]["why"]["rows"]
    assert {row["answer"]: row["value"] for row in rows} == {"new": 0.5, "odd": 0.75}
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "between" not in page.split("annotators gave")[1].split(".")[0]
    assert "several options can be chosen at once" in page
