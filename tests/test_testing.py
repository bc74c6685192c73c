"""The kit runs our laws on anyone's method, measure or rule, and names the law that is broken."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.cleaning import Context, Rule
from plausibly.cleaning.people import few_ratings
from plausibly.testing import check_label_method, check_measure, check_rule, crowd
from worlds.pages import ROOT

PAGE = ROOT / "docs" / "how-to" / "extend.md"
START = "```python file=mylab.py\n"


@pytest.fixture
def mylab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the page on extending."""
    text = PAGE.read_text(encoding="utf-8").partition(START)[2].partition("```")[0]
    (tmp_path / "mylab.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return importlib.import_module("mylab")


def test_the_functions_of_the_page_obey_the_laws(mylab: Any) -> None:
    check_label_method(mylab.loudest, examples=5, least=2)
    check_label_method("mylab:loudest", examples=5, least=2)
    check_measure(mylab.extremes, examples=5)
    check_measure("mylab:extremes", examples=5)
    check_rule(mylab.too_loud(above=4), examples=5)
    check_rule("mylab:too_loud", examples=5, above=4)


@pytest.mark.parametrize("method", ["plurality", "mean"])
def test_our_methods_obey_the_laws(method: str) -> None:
    check_label_method(method, examples=5)


def test_our_measures_and_rules_obey_the_laws() -> None:
    check_measure("percent_agreement", examples=5)
    check_rule(few_ratings(fewer_than=2), examples=5)
    check_rule("failed_check", examples=5)


def first_row(ratings: pl.DataFrame) -> pl.DataFrame:
    return ratings.group_by("item", "question", maintain_order=True).agg(
        label=pl.col("answer").first()
    )


def always_one(ratings: pl.DataFrame) -> pl.DataFrame:
    return ratings.select("item", "question", label=pl.lit("1")).unique()


def lossy(ratings: pl.DataFrame) -> pl.DataFrame:
    seen = ratings.filter(pl.col("answer") != "1")
    return seen.group_by("item", "question").agg(label=pl.col("answer").max())


def by_name(ratings: pl.DataFrame) -> pl.DataFrame:
    return ratings.filter(pl.col("annotator") == "a0")


@pytest.mark.parametrize(
    ("method", "law"),
    [(first_row, "order of rows"), (always_one, "unanimous answers are kept"), (lossy, "lost")],
)
def test_a_broken_law_of_labels_is_named(method: Any, law: str) -> None:
    with pytest.raises((AssertionError, ValueError), match=law):
        check_label_method(method, examples=10)


def test_a_broken_law_of_measures_is_named() -> None:
    def undefined(ratings: pl.DataFrame) -> float:
        del ratings
        return float("nan")

    def first(ratings: pl.DataFrame) -> float:
        return float(ratings["value"][0])

    with pytest.raises(AssertionError, match="perfect agreement has a finite value"):
        check_measure(undefined)
    with pytest.raises(AssertionError, match="order of rows"):
        check_measure(first)


def test_a_broken_law_of_rules_is_named() -> None:
    def ghosts(ratings: pl.DataFrame, context: Context) -> pl.DataFrame:
        del context
        key = ratings.select("item", "annotator", "question")
        return key.with_columns(annotator=pl.lit("ghost"), reason=pl.lit("unseen"))

    with pytest.raises(AssertionError, match="flags only ratings that exist"):
        check_rule(Rule("ghosts", ghosts))
    with pytest.raises(AssertionError, match="names of annotators do not matter"):
        check_rule(by_name)


def test_a_crowd_has_what_rules_look_at() -> None:
    assert {"value", "seconds", "submitted"} <= set(crowd(["12"]).columns)
