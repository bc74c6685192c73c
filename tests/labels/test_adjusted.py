"""Scores adjusted for who rated: what they recover, and what the verb reports about them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import plausibly as pb


def severe_crowd(seed: int) -> tuple[pl.DataFrame, list[float]]:
    """Return 60 items with 3 of 20 annotators each, who differ much in severity."""
    random = np.random.default_rng(seed)
    places, severity = random.normal(size=60), 2 * random.normal(size=20)
    rows = [
        (f"t{i:02d}", f"a{p}", float(places[i] + severity[p] + 0.5 * random.normal()))
        for i in range(60)
        for p in random.choice(20, 3, replace=False)
    ]
    table = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    return table, places.tolist()


def test_adjusted_scores_are_closer_to_the_truth_than_means() -> None:
    ratings, places = severe_crowd(1)
    close = {
        method: np.corrcoef(
            pb.label(ratings, method=method).labels["label"].cast(pl.Float64), places
        )[0, 1]
        for method in ("mean", "adjusted")
    }
    assert close["adjusted"] > 0.85 > close["mean"] + 0.1


def test_the_verb_reports_errors_and_reliability() -> None:
    ratings, places = severe_crowd(2)
    document = pb.label(ratings, method="adjusted").as_json()
    assert 0.5 < document["reliability"] < 1
    assert document["competence"] is None
    scores = document["positions"]
    level = np.mean([one["position"] for one in scores.values()]) - np.mean(places)
    within = [
        one["low"] <= place + level <= one["high"]
        for one, place in zip(scores.values(), places, strict=True)
    ]
    assert np.mean(within) > 0.9


def test_without_repeated_ratings_scores_are_means_and_that_is_said() -> None:
    ratings = pl.DataFrame({"item": ["t1", "t2"], "annotator": ["a", "b"], "answer": [1, 4]})
    labelled = pb.label(ratings, method="adjusted")
    assert labelled.labels["label"].to_list() == [1.0, 4.0]
    assert "plain means" in labelled.as_json()["warnings"][0]
    assert labelled.warnings == tuple(labelled.as_json()["warnings"])
    with pytest.raises(pb.PlausiblyError, match="rescale= is for mean and median"):
        pb.label(ratings, method="adjusted", rescale="1,5|0,10")
