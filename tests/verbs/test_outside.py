"""Methods, measures and rules of somebody else: as functions, and by where they stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run

MODULE = '''
import polars as pl
from plausibly.cleaning import Context, Rule

def loudest(ratings: pl.DataFrame, *, least: int = 1) -> pl.DataFrame:
    """Label an item with its greatest answer.

    Args:
        least: Ratings an item needs.
    """
    top = ratings.group_by("item", "question").agg(label=pl.col("answer").max(), n=pl.len())
    return top.with_columns(label=pl.when(pl.col("n") >= least).then("label")).drop("n")

def spread(ratings: pl.DataFrame) -> float:
    """Return the range of the answers."""
    return float(ratings["value"].max() - ratings["value"].min())

def too_loud(*, above: int) -> Rule:
    """Flag ratings above a number."""
    def find(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        loud = ratings.filter(pl.col("value") > above)
        return loud.select("item", "annotator", "question", reason=pl.lit("too loud"))
    return Rule("too_loud", find)
'''
RATINGS = pl.DataFrame(
    {
        "item": ["t1"] * 3 + ["t2"] * 3 + ["t3"] * 3,
        "annotator": ["a", "b", "c"] * 3,
        "answer": [1, 2, 3, 2, 2, 5, 1, 1, 2],
    }
)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "ourlab.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    import importlib

    return importlib.import_module("ourlab")


def test_a_label_method_is_a_function_or_a_place(
    module: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    passed = pb.label(RATINGS, method=module.loudest, least=2)
    theirs: dict[str, Any] = {"least": 2}  # no registry of ours knows this option
    named = pb.label(RATINGS, method="ourlab:loudest", **theirs)
    assert passed.labels.equals(named.labels)
    assert dict(passed.labels.select("item", "label").iter_rows()) == {
        "t1": "3",
        "t2": "5",
        "t3": "2",
    }
    assert passed.labels["method"].unique().to_list() == ["loudest"]
    assert passed.labels["support"].to_list() == pytest.approx([1 / 3] * 3)
    recorded = passed.manifest["parameters"]["method"]
    assert (recorded["module"], recorded["name"]) == ("ourlab", "loudest")
    assert passed.manifest["parameters"]["least"] == 2
    RATINGS.write_csv(tmp_path / "r.csv")
    assert run(["label", "r.csv", "--method", "ourlab:loudest", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["labels"] == {"t1": "3", "t2": "5", "t3": "2"}


def test_a_method_that_loses_an_item_is_refused(module: Any) -> None:
    def first(ratings: pl.DataFrame) -> pl.DataFrame:
        return ratings.head(1).select("item", label="answer")

    with pytest.raises(pb.PlausiblyError, match=r"first lost 2 items \(first: 't2'\)"):
        pb.label(RATINGS, method=first)
    with pytest.raises(pb.PlausiblyError, match="cannot be imported"):
        pb.label(RATINGS, method="ourlab:nobody")
    assert module is not None


def test_a_measure_is_a_function_or_a_place_and_has_an_interval(module: Any) -> None:
    def alike(ratings: pl.DataFrame) -> float:
        return ratings.filter(answer="2").height / max(ratings.height, 1)

    passed = pb.agree(RATINGS, measures=[alike, "gwet_ac1"], resamples=10).scores
    row = passed.row(by_predicate=pl.col("measure") == "alike", named=True)
    assert row["value"] == pytest.approx(4 / 9)
    assert row["low"] < row["value"] < row["high"]
    named = pb.agree(RATINGS, measures="ourlab:spread", resamples=0).scores
    assert named.row(0)[1:3] == ("spread", 4.0)
    assert module is not None


def test_a_rule_is_a_function_or_a_place(module: Any, tmp_path: Path) -> None:
    items = pl.DataFrame({"item": ["t1", "t2", "t3"], "text": ["x", "y", "z"]})
    passed = pb.clean(RATINGS, [module.too_loud(above=4)], items=items, resamples=0)
    rules = '[[rules]]\nrule = "ourlab:too_loud"\nabove = 4\n'
    (tmp_path / "rules.toml").write_text(f'title = "Quiet"\n{rules}', encoding="utf-8")
    named = pb.clean(RATINGS, tmp_path / "rules.toml", items=items, resamples=0)
    for cleaned in (passed, named):
        assert cleaned.exclusions["annotator"].to_list() == ["c"]
        assert cleaned.exclusions["rule"].to_list() == ["too_loud"]


def test_a_study_names_code_from_outside_and_run_says_so(module: Any, tmp_path: Path) -> None:
    study = pb.init("custom", tmp_path / "otters", example=True)
    text = (study.folder / "study.toml").read_text(encoding="utf-8")
    changed = text.replace("# method = (not set)", 'method = "ourlab:loudest"')
    assert changed != text
    changed = changed.replace("# measures = (not set)", 'measures = ["ourlab:spread"]')
    (study.folder / "study.toml").write_text(changed.replace("at_least = 2\n", ""), "utf-8")
    states = {one.step: one for one in study.run()}
    assert "label ran code from outside plausibly: ourlab:loudest." in states["label"].notes
    assert pl.read_parquet(study.folder / "labels.parquet")["method"][0] == "loudest"
    page = (study.folder / "report.html").read_text(encoding="utf-8")
    assert "loudest" in page
    assert "spread" in page
    assert "soft pairwise Jaccard" not in page
    assert module is not None
