"""Two models on the same items."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np
import polars as pl
import pytest
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, TableError
from plausibly.evaluation.answers import check_predictions
from plausibly.evaluation.classes import classify, score_classes
from plausibly.evaluation.comparison import Chance, as_table, compare_all
from plausibly.evaluation.events import judge
from plausibly.evaluation.pairings import classes_of, events_of, pairs_of
from plausibly.measures.mid_p import EXACT_MCNEMAR, EXACT_PERMUTATION, MCNEMAR, PERMUTATION

CHANCE = Chance(resamples=100, permutations=500, seed=1)
TWO = LabelScheme("two", labels=("0", "1"))


def predictions(rows: Mapping[str, Mapping[str, object]], column: str) -> pl.DataFrame:
    frame = pl.DataFrame(
        [
            {"item": item, "question": "q", "model": model, column: value}
            for model, values in rows.items()
            for item, value in values.items()
        ]
    )
    return check_predictions(frame)


def pairs(heads: int = 80) -> pl.DataFrame:
    generator = np.random.default_rng(2)
    return pl.DataFrame(
        [
            {"relation": "r", "head": f"{h}", "dependent": f"{d}", "score": generator.uniform()}
            for h in range(heads)
            for d in range(4)
        ]
    )


def test_a_good_model_beats_a_bad_one_on_pairs() -> None:
    truth = pairs()
    generator = np.random.default_rng(3)
    items = [f"r|{row['head']}|{row['dependent']}" for row in truth.iter_rows(named=True)]
    good = truth["score"].to_numpy() + generator.normal(0, 0.1, truth.height)
    models = {
        "good": dict(zip(items, good.tolist(), strict=True)),
        "bad": dict(zip(items, generator.uniform(size=truth.height).tolist(), strict=True)),
    }
    rows = pairs_of(predictions(models, "score"), truth, ("good", "bad"), CHANCE)
    assert [row.metric for row in rows] == ["spearman_within_head", "spearman_pooled"]
    for row in rows:
        assert row.p is not None
        assert row.p < 0.01
        assert row.difference.low is not None
        assert row.difference.low > 0
        assert row.test == PERMUTATION
        assert row.difference.n == 320


def test_exchanging_two_models_changes_the_sign_only() -> None:
    truth = pairs(20)
    generator = np.random.default_rng(4)
    items = [f"r|{row['head']}|{row['dependent']}" for row in truth.iter_rows(named=True)]
    models = {
        name: dict(zip(items, generator.uniform(size=truth.height).tolist(), strict=True))
        for name in "ab"
    }
    table = predictions(models, "score")
    one = pairs_of(table, truth, ("a", "b"), CHANCE)
    other = pairs_of(table, truth, ("b", "a"), CHANCE)
    for first, second in zip(one, other, strict=True):
        assert first.p == second.p
        assert first.difference.value == pytest.approx(-(second.difference.value or 0))


def test_classes_are_compared_by_mcnemar_and_permutation() -> None:
    labels = ["0", "1"] * 40
    truth = pl.DataFrame({"item": [str(n) for n in range(80)], "label": labels, "cluster": None})
    truth = truth.with_columns(pl.col("cluster").cast(pl.String))
    models = {
        "right": {str(n): label for n, label in enumerate(labels)},
        "one": {str(n): "1" for n in range(70)},
    }
    table = predictions(models, "label")
    classified = {name: classify(table, truth, TWO, model=name) for name in models}
    rows = classes_of(classified, TWO, ("right", "one"), CHANCE)
    assert [(row.metric, row.test) for row in rows] == [
        ("accuracy", MCNEMAR),
        ("macro_f1", PERMUTATION),
    ]
    assert rows[0].difference.value == 0.5
    assert rows[0].difference.n == 70
    assert all(row.p is not None and row.p < 0.01 for row in rows)


def test_events_are_compared_by_area_and_accuracy() -> None:
    generator = np.random.default_rng(5)
    truth = pl.DataFrame(
        {"item": [str(n) for n in range(120)], "label": generator.choice(["0", "1"], 120)}
    )
    good = (truth["label"] == "1").cast(pl.Float64).to_numpy() + generator.normal(0, 0.3, 120)
    frame = pl.concat(
        [
            predictions(
                {name: {str(n): float(v) for n, v in enumerate(values)}}, "score"
            ).with_columns(label=pl.Series(["1" if v > 0.5 else "0" for v in values]))
            for name, values in {"good": good, "bad": generator.uniform(size=120)}.items()
        ]
    )
    judged = {name: judge(frame, truth, model=name) for name in ("good", "bad")}
    area, accuracy = events_of(judged, ("good", "bad"), CHANCE)
    assert (area.metric, area.test, accuracy.test) == ("auc", PERMUTATION, MCNEMAR)
    assert all(row.p is not None and row.p < 0.01 for row in (area, accuracy))


def test_the_test_of_areas_is_that_of_exchanging_the_models_scores() -> None:
    generator = np.random.default_rng(17)
    labels = np.array([1, 0, 1, 0, 0, 1, 0, 1, 0, 0])
    scores = [generator.permutation(10) + 4.0 * better * labels for better in (1, 0)]
    ranks = [rankdata(column) for column in scores]
    gaps = [
        roc_auc_score(labels, np.where(swap, ranks[1], ranks[0]))
        - roc_auc_score(labels, np.where(swap, ranks[0], ranks[1]))
        for swap in product((False, True), repeat=10)
    ]
    exact = np.mean(np.abs(gaps) >= abs(gaps[0]) - 1e-9)
    truth = pl.DataFrame({"item": [str(n) for n in range(10)], "label": labels.astype(str)})
    rows = {
        name: {str(n): float(v) for n, v in enumerate(column)}
        for name, column in zip("ab", scores, strict=True)
    }
    judged = {name: judge(predictions(rows, "score"), truth, model=name) for name in "ab"}
    area, _ = events_of(judged, ("a", "b"), Chance(0, 20_000, seed=1, exact=True))
    assert area.p == pytest.approx(exact, abs=0.015)


def test_every_two_models_are_compared_and_corrected_within_a_metric() -> None:
    truth = pl.DataFrame({"item": [str(n) for n in range(30)], "label": ["0", "1", "1"] * 10})
    generator = np.random.default_rng(6)
    rows = {
        name: {str(n): float(v) for n, v in enumerate(generator.uniform(size=30))} for name in "abc"
    }
    table = predictions(rows, "score")
    judged = {name: judge(table, truth, model=name) for name in "abc"}
    found = compare_all(["a", "b", "c"], lambda a, b: events_of(judged, (a, b), CHANCE))
    areas = [row for row in found if row.metric == "auc"]
    assert [(row.a, row.b) for row in areas] == [("a", "b"), ("a", "c"), ("b", "c")]
    smallest = min(areas, key=lambda row: row.p or 0)
    assert smallest.p_holm == pytest.approx(min(1.0, 3 * (smallest.p or 0)))
    labels = [row for row in found if row.metric == "accuracy"]
    assert all(row.p is None and row.p_holm is None for row in labels)
    assert labels[0].as_json()["reason"] == "the predictions carry no labels"
    assert as_table(found).height == 6


def test_one_model_has_nothing_to_be_compared_with() -> None:
    with pytest.raises(StudyError, match="two models; got 1"):
        compare_all(["a"], lambda *_: [])


def test_models_that_share_no_item_cannot_be_compared() -> None:
    truth = pl.DataFrame({"item": ["0", "1"], "label": ["0", "1"]})
    table = predictions({"a": {"0": 0.5}, "b": {"1": 0.5}}, "score")
    judged = {name: judge(table, truth, model=name) for name in "ab"}
    with pytest.raises(TableError, match="share no judged item"):
        events_of(judged, ("a", "b"), CHANCE)


@pytest.mark.parametrize("labels", [("110", "110"), ("110", "001"), ("110", "010")])
def test_a_difference_on_few_items_is_never_certain_and_stays_in_its_range(
    labels: tuple[str, str],
) -> None:
    truth = pl.DataFrame({"item": ["e1", "e2", "e3"], "label": ["1", "1", "0"]})
    models = {
        name: dict(zip(truth["item"].to_list(), own, strict=True))
        for name, own in zip("ab", labels, strict=True)
    }
    table = predictions(models, "label")
    judged = {name: judge(table, truth, model=name) for name in "ab"}
    classified = {name: classify(table, truth, TWO, model=name) for name in "ab"}
    rows = [
        *events_of(judged, ("a", "b"), CHANCE)[1:],
        *classes_of(classified, TWO, ("a", "b"), CHANCE),
    ]
    for row in rows:
        gap = row.difference
        assert gap.value is not None
        assert gap.low is not None
        assert gap.high is not None
        assert -1 <= gap.low <= gap.value <= gap.high <= 1
        assert gap.low < gap.high


def test_units_of_an_interval_are_clusters_not_rows() -> None:
    """Twenty pairs of two nouns, all right, say as little about new nouns as two pairs."""
    items = [f"p{number}" for number in range(20)]
    table = predictions({"a": dict.fromkeys(items, "1")}, "label")
    truth = pl.DataFrame({"item": items, "label": ["1"] * 20, "cluster": ["x", "y"] * 10})
    classified = classify(table, truth, TWO, model="a")
    few = score_classes(classified, TWO, model="a", resamples=100, seed=1)
    accuracy = few.slices["all"]["accuracy"]
    assert accuracy.n == 20
    assert accuracy.low == pytest.approx(0.025**0.5)


@pytest.mark.parametrize("cluster", [None, "c"], ids=["items", "clusters"])
def test_the_exact_test_is_named_and_its_p_is_larger(cluster: str | None) -> None:
    truth = pl.DataFrame(
        {
            "item": [str(n) for n in range(24)],
            "label": ["1"] * 24,
            "cluster": [cluster and f"{cluster}{n // 2}" for n in range(24)],
        },
        schema_overrides={"cluster": pl.String},
    )
    said = {"a": ["1"] * 24, "b": ["0"] * 5 + ["1"] * 19}
    models = {name: {str(n): own for n, own in enumerate(row)} for name, row in said.items()}
    table = predictions(models, "label")
    judged = {name: judge(table, truth, model=name) for name in "ab"}
    mid, exact = (
        events_of(judged, ("a", "b"), Chance(0, 500, seed=1, exact=whole))[1]
        for whole in (False, True)
    )
    assert (mid.test, exact.test) == (
        (PERMUTATION, EXACT_PERMUTATION) if cluster else (MCNEMAR, EXACT_MCNEMAR)
    )
    assert (mid.p or 1) < (exact.p or 0)
