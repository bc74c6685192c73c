"""Dawid-Skene, one-coin, GLAD and Wawa against their formulas and against crowd-kit."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from crowdkit.aggregation import GLAD, DawidSkene, OneCoinDawidSkene

from labels.crowds import crowd
from plausibly.errors import StudyError
from plausibly.labels import METHODS, Effort, Fitted, Silent
from plausibly.labels._abilities import highest, surface_of
from plausibly.labels._climb import normalised
from plausibly.labels._fitted import entropies, keep_up_to
from plausibly.labels._layout import lay_out
from plausibly.labels.dawid_skene import dawid_skene
from plausibly.labels.glad import EFFORT, glad
from plausibly.labels.one_coin import one_coin
from plausibly.labels.wawa import wawa
from plausibly.measures.coded import Coded, Floats, code
from worlds.tables import ratings_of

KNOWING = (0.95, 0.9, 0.8, 0.7, 0.6, 0.3, 0.1, 0.0)


def distributions(labels: pl.DataFrame) -> dict[str, dict[str, float]]:
    return {item: json.loads(text) for item, text in labels["item", "distribution"].iter_rows()}


def for_crowdkit(ratings: pl.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "task": ratings["item"].to_list(),
            "worker": ratings["annotator"].to_list(),
            "label": ratings["answer"].to_list(),
        }
    )


def dawid_skene_by_hand(coded: Coded, iterations: int) -> tuple[Floats, float]:
    """Return posterior and likelihood after so many iterations, one rating at a time."""
    labels = coded.n_answers
    posterior = coded.counts / coded.counts.sum(axis=1, keepdims=True)
    likelihood = -math.inf
    for _ in range(iterations):
        errors = np.zeros((coded.n_annotators, labels, labels))
        for item, annotator, answer in zip(coded.item, coded.annotator, coded.answer, strict=True):
            errors[annotator, :, answer] += posterior[item]
        errors = np.maximum(errors, 1e-10)
        errors /= errors.sum(axis=2, keepdims=True)
        joint = np.tile(np.log(posterior.mean(axis=0)), (coded.n_items, 1))
        for item, annotator, answer in zip(coded.item, coded.annotator, coded.answer, strict=True):
            joint[item] += np.log(errors[annotator, :, answer])
        likelihood = float(np.log(np.exp(joint).sum(axis=1)).sum())
        posterior = np.exp(joint)
        posterior /= posterior.sum(axis=1, keepdims=True)
    return posterior, likelihood


@pytest.mark.parametrize("iterations", [1, 2, 7])
def test_dawid_skene_is_the_textbook_iteration(iterations: int) -> None:
    ratings = crowd(items=25, knowing=KNOWING, each=4, labels=3, seed=1).ratings
    coded = code(ratings)
    posterior, likelihood = dawid_skene_by_hand(coded, iterations)
    fitted = dawid_skene(ratings, prior="none", effort=Effort(iterations=iterations, tolerance=0))
    assert fitted.log_likelihood["rating"] == pytest.approx(likelihood, abs=1e-6)
    found = distributions(fitted.labels)
    for row, item in enumerate(coded.items):
        expected = dict(zip(coded.answers, posterior[row], strict=True))
        assert found[item] == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_dawid_skene_labels_like_crowdkit(seed: int) -> None:
    ratings = crowd(items=300, knowing=KNOWING, each=5, seed=seed).ratings
    peer = DawidSkene(n_iter=50).fit_predict(for_crowdkit(ratings))
    ours = dawid_skene(ratings, prior="none", effort=Effort(iterations=50)).labels
    same = [peer[item] == label for item, label in ours["item", "label"].iter_rows()]
    assert np.mean(same) > 0.98


@pytest.mark.parametrize("seed", range(3))
def test_one_coin_gives_the_posterior_of_crowdkit(seed: int) -> None:
    ratings = crowd(items=120, knowing=KNOWING, each=5, seed=seed).ratings
    peer = OneCoinDawidSkene(n_iter=100, tol=-1).fit(for_crowdkit(ratings))
    fitted = one_coin(ratings, prior="none", effort=Effort(iterations=100, tolerance=-1))
    skill = dict(fitted.competence["annotator", "competence"].iter_rows())
    assert skill == pytest.approx(peer.skills_.to_dict(), abs=1e-3)
    ours = distributions(fitted.labels)
    assert peer.probas_ is not None
    for item, row in peer.probas_.iterrows():
        assert ours[str(item)] == pytest.approx(row.to_dict(), abs=1e-2)


def test_one_coin_is_dawid_skene_with_equal_errors_by_hand() -> None:
    ratings = ratings_of({"t1": "aab", "t2": "bba", "t3": "aaa"})
    fitted = one_coin(ratings, prior="none", effort=Effort(iterations=1))
    share = np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3], [1.0, 0.0]])
    given = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0]])
    right = np.array([np.mean([share[t, given[t, a]] for t in range(3)]) for a in range(3)])
    joint = np.tile(share.mean(axis=0), (3, 1))
    for item in range(3):
        for annotator in range(3):
            for label in range(2):
                hit = given[item, annotator] == label
                joint[item, label] *= right[annotator] if hit else 1 - right[annotator]
    assert fitted.competence["competence"].to_list() == pytest.approx(right.tolist(), abs=1e-8)
    assert fitted.log_likelihood["rating"] == pytest.approx(
        np.log(joint.sum(axis=1)).sum(), abs=1e-8
    )


def test_glad_ends_where_nothing_gains_any_more() -> None:
    """Compare with the penalised likelihood around the end, reckoned rating by rating."""
    coded = code(crowd(items=12, knowing=KNOWING, each=4, labels=3, seed=2).ratings)
    surface = surface_of(lay_out(coded))
    people, items = coded.n_annotators, coded.n_items
    best = highest(surface, EFFORT)
    ability, ease = best.at[surface.annotators], best.at[surface.items]

    def height(ability: Floats, ease: Floats) -> float:
        joint = np.full((coded.n_items, 3), 1 / 3)
        for item, annotator, answer in zip(coded.item, coded.annotator, coded.answer, strict=True):
            right = 1 / (1 + math.exp(-ability[annotator] * math.exp(ease[item])))
            joint[item] *= np.where(np.arange(3) == answer, right, (1 - right) / 2)
        away = ((ability - 1) ** 2).sum() + ((ease - 1) ** 2).sum()
        return float(np.log(joint.sum(axis=1)).sum() - away / 2)

    top = height(ability, ease)
    assert top == pytest.approx(best.height, abs=1e-9)
    for place in range(people + items):
        for step in (-0.01, 0.01):
            moved = np.concatenate([ability, ease])
            moved[place] += step
            assert height(moved[:people], moved[people:]) < top


def test_glad_finds_the_able_and_labels_like_crowdkit() -> None:
    known = crowd(items=80, knowing=KNOWING, each=5, seed=4)
    fitted = glad(known.ratings)
    peer = GLAD(n_iter=10).fit_predict(for_crowdkit(known.ratings))
    same = [peer[item] == label for item, label in fitted.labels["item", "label"].iter_rows()]
    assert np.mean(same) > 0.97
    ability = dict(fitted.competence["annotator", "competence"].iter_rows())
    assert min(ability["a000"], ability["a001"]) > max(ability["a006"], ability["a007"])


def test_wawa_weighs_by_agreement_with_the_most_frequent() -> None:
    fitted = wawa(ratings_of({"t1": "aab", "t2": "aac", "t3": "ab-", "t4": "--c"}))
    skill = dict(fitted.competence["annotator", "competence"].iter_rows())
    assert skill == pytest.approx({"a0": 2.5 / 3, "a1": 2.5 / 3, "a2": 1 / 3})
    assert distributions(fitted.labels)["t1"] == pytest.approx({"a": 5 / 6, "b": 1 / 6, "c": 0.0})
    assert fitted.log_likelihood == {"rating": None}


def test_wawa_keeps_the_shares_where_nobody_has_weight() -> None:
    fitted = wawa(
        ratings_of({"t1": "aab", "t2": "aab", "t3": "--b"}).filter(
            ~((pl.col("item") == "t3") & (pl.col("annotator") != "a2"))
        )
    )
    assert distributions(fitted.labels)["t3"] == {"a": 0.0, "b": 1.0}


@pytest.mark.parametrize("method", [dawid_skene, one_coin, glad, wawa])
def test_a_good_crowd_is_labelled_right_by_every_model(method: object) -> None:
    assert callable(method)
    known = crowd(items=150, knowing=(0.9, 0.85, 0.8, 0.8, 0.75, 0.1), each=5, seed=6)
    assert known.right(method(known.ratings).labels) > 0.95


@pytest.mark.parametrize("method", [dawid_skene, one_coin, glad, wawa])
def test_the_silent_keep_their_place_in_every_model(method: object) -> None:
    assert callable(method)
    fitted = method(ratings_of({"t1": "11"}), silent=Silent(("t0",), ("z",)))
    assert fitted.labels.select("item", "label", "ratings").rows() == [
        ("t0", None, 0),
        ("t1", "1", 2),
    ]
    assert dict(fitted.competence["annotator", "competence"].iter_rows())["z"] is None
    empty = method(ratings_of({}), silent=Silent(("t0",), ("z",)))
    assert empty.labels["label"].to_list() == [None]


@pytest.mark.parametrize("method", [dawid_skene, one_coin, glad])
def test_no_iteration_is_refused(method: object) -> None:
    assert callable(method)
    with pytest.raises(StudyError, match="iterations must be 1 or more; got 0"):
        method(ratings_of({"t1": "11"}), effort=Effort(iterations=0))


@pytest.mark.parametrize("method", [dawid_skene, one_coin, glad])
def test_a_thousand_annotators_do_not_underflow_any_model(method: object) -> None:
    assert callable(method)
    answers = {f"t{n}": "ab"[n % 2] * 700 + "ba"[n % 2] * 300 for n in range(4)}
    fitted = method(ratings_of(answers), effort=Effort(iterations=20))
    assert fitted.labels["label"].to_list() == ["a", "b", "a", "b"]
    assert math.isfinite(fitted.log_likelihood["rating"])


def test_entropy_is_in_nats_and_missing_without_a_vote() -> None:
    rows = np.array([[0.5, 0.5], [1.0, 0.0], [np.nan, np.nan]])
    assert entropies(rows).tolist() == pytest.approx([math.log(2), 0.0, np.nan], nan_ok=True)


def test_the_entropy_of_a_sure_row_is_zero_without_a_sign() -> None:
    assert not np.signbit(entropies(np.array([[1.0, 0.0], [0.0, 1.0]]))).any()


def test_ties_in_entropy_are_kept() -> None:
    entropy = np.array([0.1, 0.2, 0.2, 0.3, np.nan])
    assert keep_up_to(entropy, 0.5) == 0.2
    assert keep_up_to(entropy, 0.1) == -np.inf
    assert keep_up_to(entropy, 1.0) == 0.3


@pytest.mark.parametrize("name", ["mace", "dawid-skene", "one-coin", "glad", "wawa"])
def test_a_scale_of_many_numbers_is_not_taken_for_classes(name: str) -> None:
    ratings = ratings_of({f"t{n}": [str(n), str(n + 1)] for n in range(60)})
    with pytest.raises(StudyError, match="a scale of 61 different numbers"):
        METHODS[name](ratings)
    words = ratings_of({f"t{n}": [f"w{n}", f"w{n + 1}"] for n in range(60)})
    assert isinstance(METHODS[name](words), Fitted)


@pytest.mark.parametrize("name", ["mace", "dawid-skene", "one-coin", "glad", "wawa"])
def test_an_annotator_nobody_can_be_compared_with_is_named(name: str) -> None:
    met = METHODS[name](ratings_of({"t1": "11-", "t2": "22-"}))
    alone = METHODS[name](ratings_of({"t1": "11-", "t2": "22-", "t3": "--1"}))
    assert isinstance(met, Fitted)
    assert isinstance(alone, Fitted)
    assert not any("share no item" in warning for warning in met.warnings)
    assert "1 of 3 annotators share no item with anybody (first: 'a2')" in alone.warnings[0]


@pytest.mark.parametrize("labels", [1, 2, 5, 7, 8, 12])
def test_rows_are_normalised_however_many_labels_there_are(labels: int) -> None:
    logs = np.random.default_rng(labels).normal(scale=300, size=(40, labels))
    weight, total = normalised(logs)
    assert weight.sum(axis=1) == pytest.approx(np.ones(40))
    assert total == pytest.approx(float(np.logaddexp.reduce(logs, axis=1).sum()))
    assert weight == pytest.approx(np.exp(logs - np.logaddexp.reduce(logs, axis=1)[:, None]))
