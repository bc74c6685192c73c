"""Means and models as steps of a study: the same documents from command, Python and study."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run


def crowd(people: int = 16, groups: int = 8) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return ratings on a slider, a yes/no question and comments, and items in two languages."""
    draw = np.random.default_rng(5)
    languages, conditions = ("en", "it"), ("odd", "plain")
    items = [
        {
            "item": f"{language}{group}{condition}",
            "text": f"an event {language} {group} {condition}",
            "condition": condition,
            "item_group": f"{language}{group}",
            "language": language,
        }
        for language in languages
        for group in range(groups)
        for condition in conditions
    ]
    level = {one["item_group"]: draw.normal(0, 8) for one in items}
    rows: list[dict[str, Any]] = []
    for one in items:
        for person in range(people):
            if (person + int(one["item_group"][2:])) % 2 != conditions.index(one["condition"]):
                continue
            effect = 12.0 if one["language"] == "en" else 4.0
            plain = (one["condition"] == "plain") - 0.5
            value = 50 + 2 * effect * plain + level[one["item_group"]] + draw.normal(0, 14)
            base = {"item": one["item"], "annotator": f"{one['language']}-p{person}"}
            rated = int(np.clip(round(value), 0, 100))
            happens = "yes" if value + draw.normal(0, 15) > 50 else "no"
            rows.append({**base, "question": "fit", "answer": str(rated)})
            rows.append({**base, "question": "happens", "answer": happens})
            note = f"{one['text']}, seen by {person}"
            rows.append({**base, "question": "note", "answer": note})
    return pl.DataFrame(rows), pl.DataFrame(items)


def study_of(folder: Path, ratings: pl.DataFrame, items: pl.DataFrame, settings: str = "") -> Path:
    """Return a custom study with these ratings and items that sets only what is written."""
    folder.mkdir()
    ratings.write_csv(folder / "answers.csv")
    items.with_columns(kind=pl.lit("item")).write_parquet(folder / "items.parquet")
    (folder / "study.toml").write_text(
        '[study]\nname = "events"\nprotocol = "custom"\n\n'
        f'[ratings]\nsource = "answers.csv"\n\n{settings}\n'
    )
    return folder


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
