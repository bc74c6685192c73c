"""Dawid-Skene and one-coin with their prior: shrinkage, calibration, controls."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from labels.crowds import crowd
from plausibly.errors import StudyError
from plausibly.labels import Fitted
from plausibly.labels._pooled import CrowdTable, shrunk
from plausibly.labels.dawid_skene import dawid_skene
from plausibly.labels.one_coin import one_coin
from worlds.stranger_crowds import on_a_scale
from worlds.tables import ratings_of

Method = Callable[..., Fitted]
METHODS = pytest.mark.parametrize("method", [dawid_skene, one_coin])


def posterior(fitted: Fitted, item: str) -> dict[str, float]:
    text = fitted.labels.filter(pl.col("item") == item)["distribution"].item()
    shares: dict[str, float] = json.loads(text)
    return shares


@METHODS
def test_with_three_ratings_per_item_the_prior_is_right_more_often(method: Method) -> None:
    skills = tuple(np.random.default_rng(0).uniform(0.4, 0.9, 100))
    known = crowd(items=300, knowing=skills, each=3, seed=1)
    pooled, published = method(known.ratings), method(known.ratings, prior="none")
    assert known.right(pooled.labels) > known.right(published.labels)


@METHODS
def test_a_posterior_above_99_percent_is_right_97_percent_of_the_time(method: Method) -> None:
    right = total = 0
    for seed in range(3):
        skills = tuple(np.random.default_rng(seed).uniform(0.4, 0.9, 100))
        known = crowd(items=300, knowing=skills, each=3, seed=seed)
        sure = method(known.ratings).labels.filter(pl.col("support") > 0.99)
        right += sum(known.truth[item] == label for item, label in sure["item", "label"].rows())
        total += sure.height
    assert total > 0
    assert right >= 0.97 * total


@METHODS
def test_two_votes_against_one_are_no_certainty_when_everybody_rated_once(method: Method) -> None:
    answers = {
        f"t{n}": "-" * 3 * n + ("aab" if n % 2 else "bba") + "-" * 3 * (39 - n) for n in range(40)
    }
    fitted = method(ratings_of(answers))
    assert fitted.labels["support"].is_null().all()
    assert any("120 of 120 annotators have one rating" in one for one in fitted.warnings)


@METHODS
def test_a_control_is_certain_and_teaches_who_is_right(method: Method) -> None:
    answers = {f"t{n}": "ab" if n % 2 else "ba" for n in range(20)}
    controls = {f"t{n}": "a" if n % 2 else "b" for n in range(16)}
    fitted = method(ratings_of(answers), controls=controls)
    labels = dict(fitted.labels["item", "label"].iter_rows())
    assert posterior(fitted, "t0") == {"a": 0.0, "b": 1.0}
    assert [labels["t17"], labels["t18"]] == ["a", "b"]
    competence = dict(fitted.competence["annotator", "competence"].iter_rows())
    assert competence["a0"] > 0.8
    assert competence["a1"] < 0.2


@METHODS
def test_a_control_nobody_rated_is_refused(method: Method) -> None:
    with pytest.raises(StudyError, match="1 of 1 items are not in the ratings"):
        method(ratings_of({"t1": "ab"}), controls={"t9": "a"})


@METHODS
def test_an_unknown_prior_is_refused(method: Method) -> None:
    with pytest.raises(StudyError, match="prior must be 'pooled' or 'none'; got 'flat'"):
        method(ratings_of({"t1": "ab"}), prior="flat")


def test_alike_annotators_weigh_the_crowd_more_than_different_ones() -> None:
    prior = np.full((2, 2), 1.0)
    alike = np.tile(np.array([[8.0, 2.0], [2.0, 8.0]]), (30, 1, 1))
    different = alike.copy()
    different[::2] = different[::2, ::-1]
    weights = []
    for counts in (alike, different):
        state = CrowdTable(np.full((2, 2), 0.5), 4.0)
        for _ in range(50):
            state = shrunk(counts, state, prior)
        weights.append(state.weight)
    assert weights[0] > 5 * weights[1]


@METHODS
def test_few_items_do_not_make_a_posterior_timid(method: Method) -> None:
    """Thirty items cannot show that ratings err together, so they do not count as if they did."""
    sure, right = [], []
    for seed in range(12):
        own = crowd(items=30, knowing=[0.5, 0.6, 0.7, 0.8, 0.6, 0.7, 0.5, 0.8], each=5, seed=seed)
        labels = method(own.ratings).labels
        sure.append(labels["support"].to_numpy().mean())
        right.append(own.right(labels))
    assert abs(np.mean(sure) - np.mean(right)) < 0.08


def test_one_coin_is_less_sure_of_two_labels_taken_for_each_other() -> None:
    """The first two of four labels are exchanged by a fifth of the ratings."""
    generator = np.random.default_rng(3)
    truth = generator.integers(0, 4, 300)
    given = np.repeat(truth[:, None], 3, axis=1)
    given = np.where((given < 2) & (generator.random(given.shape) < 0.2), 1 - given, given)
    slips = generator.random(given.shape) < 0.05
    given = np.where(slips, generator.integers(0, 4, given.shape), given)
    answers = {
        f"t{n:03}": "-" * (n % 28) + "".join("abcd"[one] for one in row) + "-" * (27 - n % 28)
        for n, row in enumerate(given)
    }
    support = one_coin(ratings_of(answers)).labels.sort("item")["support"].to_numpy()
    pairs = np.sort(given, axis=1)
    split = (np.diff(pairs, axis=1) > 0).sum(axis=1) == 1
    mixed_up = split & (pairs.max(axis=1) == 1)
    assert support[mixed_up].mean() < support[split & ~mixed_up].mean() - 0.05


def test_on_a_scale_one_coin_is_right_as_often_as_plurality() -> None:
    """Learnt shares of labels and errors reinforce themselves between two points of a scale."""
    gains = []
    for seed in range(4):
        known = on_a_scale(seed, items=300, people=40, each=8, points=5)
        votes = np.zeros((300, 5))
        np.add.at(votes, (known.item, known.answer), 1)
        rows = {
            "item": [f"t{item:03}" for item in known.item],
            "annotator": [f"a{annotator}" for annotator in known.annotator],
            "question": "q",
            "answer": known.answer.astype(str),
        }
        labels = one_coin(pl.DataFrame(rows)).labels.sort("item")["label"].cast(pl.Int64)
        right = float(np.mean(labels.to_numpy() == known.truth))
        gains.append(right - float(np.mean(votes.argmax(axis=1) == known.truth)))
    assert np.mean(gains) > 0


def test_noise_between_annotators_is_not_taken_for_skill() -> None:
    """Where people are right little more often than by chance, one-coin lost 3 to 4 points."""
    right, votes = [], []
    for seed in range(4):
        generator = np.random.default_rng([400, seed])
        skills = generator.uniform(0.52, 0.68, 60)
        truth = generator.integers(0, 2, 400)
        who = np.argsort(generator.random((400, 60)), axis=1)[:, :6]
        said = np.where(
            generator.random((400, 6)) < skills[who], truth[:, None], 1 - truth[:, None]
        )
        rows = {
            "item": [f"t{number:03}" for number in range(400) for _ in range(6)],
            "annotator": [f"a{number}" for number in who.ravel()],
            "question": "q",
            "answer": said.ravel().astype(str),
        }
        labels = one_coin(pl.DataFrame(rows)).labels.sort("item")["label"].cast(pl.Int64)
        right.append(float(np.mean(labels.to_numpy() == truth)))
        votes.append(float(np.mean((said.mean(axis=1) > 0.5) == truth)))
    assert np.mean(right) > np.mean(votes) - 0.01
