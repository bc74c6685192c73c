"""Places on a scale, seen by annotators with a shift and a spread."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError
from plausibly.labels import Effort
from plausibly.labels._layout import lay_out
from plausibly.labels._ordered import fit
from plausibly.labels.averages import mean
from plausibly.labels.ordinal import ordinal
from plausibly.measures.coded import code
from plausibly.tables import RATINGS
from worlds.tables import ratings_of


def crowd(
    seed: int, *, items: int = 200, people: int = 15, each: int = 5
) -> tuple[np.ndarray, np.ndarray, np.ndarray, pl.DataFrame]:
    """Return true places, shifts and spreads, and ratings from 1 to 5."""
    generator = np.random.default_rng(seed)
    place = generator.normal(size=items)
    shift = generator.normal(0, 0.7, people)
    spread = 0.7 * np.exp(generator.normal(0, 0.5, people))
    rows = []
    for item in range(items):
        for person in generator.choice(people, each, replace=False):
            seen = place[item] + shift[person] + spread[person] * generator.normal()
            answer = int(np.searchsorted([-1.2, -0.4, 0.4, 1.2], seen)) + 1
            rows.append((f"t{item:03}", f"a{person:02}", "rating", str(answer)))
    columns = ["item", "annotator", "question", "answer"]
    return place, shift, spread, RATINGS.check(pl.DataFrame(rows, schema=columns, orient="row"))


def test_places_are_recovered_better_than_by_means() -> None:
    place, _, spread, ratings = crowd(1)
    fitted = ordinal(ratings)
    assert fitted.positions is not None
    own = float(np.corrcoef(fitted.positions["position"], place)[0, 1])
    means = mean(ratings)["label"].cast(pl.Float64)
    assert own > float(np.corrcoef(means, place)[0, 1]) + 0.03
    closeness = float(np.corrcoef(fitted.competence["competence"], -np.log(spread))[0, 1])
    assert closeness > 0.7


def test_evidence_counts_parameters_as_far_as_answers_determine_them() -> None:
    learnt = []
    for people in (15, 150):
        ratings = crowd(3, people=people)[-1]
        found = fit(lay_out(code(ratings)), Effort())
        parameters = found.log_likelihood - found.evidence() - len(found.crowd.thresholds)
        learnt.append(parameters / people)
    assert 2.2 > learnt[0] > 1.5 * learnt[1] > 0


def test_intervals_of_places_hold_about_as_often_as_they_say() -> None:
    place, _, _, ratings = crowd(2)
    positions = ordinal(ratings).positions
    assert positions is not None
    low, high = positions["low"].to_numpy(), positions["high"].to_numpy()
    assert (low < high).all()
    assert 0.88 < np.mean((low <= place) & (place <= high)) < 0.99


def test_the_likelihood_is_that_of_a_place_integrated_out() -> None:
    fitted = ordinal(ratings_of({"t1": "12", "t2": "21"}), effort=Effort(iterations=1))
    value = fitted.log_likelihood["rating"]
    generator = np.random.default_rng(0)
    place = generator.normal(size=400_000)
    seen = place[:, None] + 0.8 * generator.normal(size=(400_000, 2))
    chance = np.mean((seen[:, 0] < 0) & (seen[:, 1] > 0))
    assert value == pytest.approx(2 * np.log(chance), abs=0.02)


def test_a_shift_that_all_answers_share_moves_no_item() -> None:
    fitted = ordinal(ratings_of({"t1": "24", "t2": "13", "t3": "24", "t4": "35", "t5": "13"}))
    positions = fitted.positions
    assert positions is not None
    assert positions["position"][0] == pytest.approx(positions["position"][2])
    assert positions["position"][1] < positions["position"][0] < positions["position"][3]


def test_words_need_the_order_of_a_scheme() -> None:
    ratings = ratings_of({"t1": ["bad", "bad"], "t2": ["good", "fair"], "t3": ["good", "good"]})
    with pytest.raises(StudyError, match=r"ordinal needs an ordered scale: .* \(first: 'bad'\)"):
        ordinal(ratings)
    order = ("bad", "fair", "good")
    scheme = LabelScheme("quality", order, dict(zip(order, order, strict=True)))
    fitted = ordinal(ratings, scheme=scheme)
    assert fitted.labels["label"].to_list()[::2] == ["bad", "good"]
    assert list(json.loads(fitted.labels["distribution"][0])) == list(order)


def test_a_slider_is_taken_in_groups_of_neighbours() -> None:
    generator = np.random.default_rng(3)
    place = generator.uniform(0, 100, 80)
    answers = np.clip(place[:, None] + generator.normal(0, 8, (80, 4)), 0, 100).round(1)
    rows = {f"t{n:02}": [str(one) for one in row] for n, row in enumerate(answers.tolist())}
    fitted = ordinal(ratings_of(rows))
    assert len(json.loads(fitted.labels["distribution"][0])) <= 25
    labels = fitted.labels["label"].cast(pl.Float64).to_numpy()
    assert float(np.corrcoef(labels, place)[0, 1]) > 0.95
