"""The first lines of a card: labels that are numbers, candidates, and their shares."""

from __future__ import annotations

import polars as pl

from plausibly.releasing.about import About
from plausibly.releasing.content import ReleaseContent
from plausibly.releasing.glance import at_a_glance
from plausibly.releasing.licences import licence_of


def lines(items: pl.DataFrame, labels: pl.DataFrame) -> list[str]:
    tables = {"items": items, "labels": labels}
    return at_a_glance(ReleaseContent("otters", "custom", tables, About(), licence_of("CC0-1.0")))


def test_labels_that_are_numbers_have_a_mean_and_no_shares() -> None:
    items = pl.DataFrame({"item": ["a", "b"]})
    label = ["1.3333333333333333", "2.5"]
    labels = pl.DataFrame({"item": ["a", "b"], "question": "fit", "method": "mean", "label": label})
    assert lines(items, labels) == ["2 items", "Labels of 2 items: mean 1.92, from 1.33 to 2.50"]


def test_candidates_are_not_counted_as_items_and_have_shares() -> None:
    items = pl.DataFrame({"item": ["p", "p#i", "p#ii"], "candidate": [None, "i", "ii"]})
    labels = pl.DataFrame(
        {
            "item": ["p"],
            "question": ["best"],
            "method": ["shares"],
            "label": pl.Series([None], dtype=pl.String),
            "distribution": ['{"i": 0.25, "ii": 0.75}'],
        }
    )
    assert lines(items, labels) == [
        "1 item with 2 candidates",
        "Shares of the candidates of 1 item: i (25.0 %), ii (75.0 %)",
    ]


def test_ratings_that_cleaning_set_aside_are_counted_apart() -> None:
    rows = {"item": ["a", "a", "b"], "annotator": ["p1", "p2", "p1"], "question": "fit"}
    ratings = pl.DataFrame(rows | {"answer": ["1", "2", "2"]})
    tables = {"items": pl.DataFrame({"item": ["a", "b"]}), "ratings": ratings}
    about = About(), licence_of("CC0-1.0")
    assert at_a_glance(ReleaseContent("otters", "custom", tables, *about)) == [
        "2 items",
        "3 ratings by 2 annotators",
    ]
    tables["exclusions"] = ratings[1:2].select("item", "annotator", "question")
    assert at_a_glance(ReleaseContent("otters", "custom", tables, *about)) == [
        "2 items",
        "3 ratings by 2 annotators; after cleaning, 2 by 1",
    ]
