"""A model beside people: the test, the raters it is worth, and agreement, against plain loops."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.errors import StudyError
from plausibly.measures.alternative_annotator import (
    alternative_annotator,
    benjamini_yekutieli,
    genuine_people,
)
from plausibly.measures.model_agreement import model_agreement, model_correlation
from plausibly.measures.raters_worth import raters_worth

Table = dict[str, dict[str, float]]


def frame(table: Table) -> pl.DataFrame:
    rows = [(item, who, said) for item, people in table.items() for who, said in people.items()]
    return pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")


def said(model: dict[str, float]) -> pl.DataFrame:
    return pl.DataFrame({"item": list(model), "answer": list(model.values())})


def drawn(seed: int, *, items: int = 40, people: int = 4) -> tuple[Table, dict[str, float]]:
    generator = np.random.default_rng(seed)
    truth = generator.integers(1, 6, items)
    table = {
        f"i{n:02}": {
            f"p{p}": float(np.clip(truth[n] + generator.integers(-1, 2), 1, 5))
            for p in range(people)
            if generator.random() < 0.9
        }
        for n in range(items)
    }
    model = {f"i{n:02}": float(truth[n]) for n in range(items)}
    return table, model


def nearness(value: float, others: list[float], *, graded: bool) -> float:
    if graded:
        return -sqrt(sum((value - other) ** 2 for other in others) / len(others))
    return sum(value == other for other in others) / len(others)


@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_test_is_the_paper_s(seed: int, graded: bool) -> None:
    from scipy.stats import ttest_1samp

    table, model = drawn(seed)
    epsilon = 0.15
    result = alternative_annotator(
        frame(table), said(model), graded=graded, epsilon=epsilon, fewest=20
    )
    ps = []
    for row in result.people.iter_rows(named=True):
        wins, losses = [], []
        for item, people in table.items():
            others = [value for who, value in people.items() if who != row["annotator"]]
            if row["annotator"] not in people or not others:
                continue
            own = nearness(people[row["annotator"]], others, graded=graded)
            machine = nearness(model[item], others, graded=graded)
            wins.append(machine >= own - 1e-9)
            losses.append(own >= machine - 1e-9)
        assert row["items"] == len(wins)
        assert row["model_as_near"] == pytest.approx(np.mean(wins))
        assert row["person_as_near"] == pytest.approx(np.mean(losses))
        gaps = np.asarray(losses, float) - np.asarray(wins, float)
        if gaps.std():
            p = float(ttest_1samp(gaps, epsilon, alternative="less").pvalue)
            assert row["p"] == pytest.approx(p)
        ps.append(row["p"])
    assert result.people["p_adjusted"].to_list() == pytest.approx(benjamini_yekutieli(ps))
    assert result.winning_rate == np.mean([p <= 0.05 for p in benjamini_yekutieli(ps)])
    assert result.passed == ((result.winning_rate or 0.0) >= 0.5)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_adjusted_ps_are_those_of_statsmodels(values: list[float]) -> None:
    from statsmodels.stats.multitest import multipletests

    expected = multipletests(values, method="fdr_by")[1]
    assert benjamini_yekutieli(values) == pytest.approx(list(expected), abs=1e-12)


def test_a_person_with_few_items_is_left_out_and_epsilon_has_a_range() -> None:
    table, model = drawn(4, items=10)
    result = alternative_annotator(frame(table), said(model))
    assert result.winning_rate is None
    assert result.passed is None
    assert result.left_out == 4
    with pytest.raises(StudyError, match="epsilon"):
        alternative_annotator(frame(table), said(model), epsilon=1.0)


def test_a_model_that_says_what_all_say_is_an_alternative_and_one_that_never_does_is_not() -> None:
    table = {f"i{n}": dict.fromkeys("abc", 1.0) for n in range(40)}
    same = alternative_annotator(frame(table), said(dict.fromkeys(table, 1.0)))
    never = alternative_annotator(frame(table), said(dict.fromkeys(table, 2.0)))
    assert (same.winning_rate, same.advantage) == (1.0, 1.0)
    assert (never.winning_rate, never.advantage) == (0.0, 0.0)


@given(st.integers(0, 10_000))
def test_means_of_people_are_as_far_away_as_all_draws_of_them(seed: int) -> None:
    generator = np.random.default_rng(seed)
    table = {
        f"i{n}": {f"p{p}": float(generator.integers(1, 6)) for p in range(4)} for n in range(3)
    }
    model = {item: float(generator.integers(1, 6)) for item in table}
    result = raters_worth(frame(table), said(model), resamples=20)
    for k in (1, 2, 3):
        away = [
            np.mean(
                [
                    (np.mean(chosen) - people[who]) ** 2
                    for who in people
                    for chosen in combinations([v for w, v in people.items() if w != who], k)
                ]
            )
            for people in table.values()
        ]
        assert result.means[k - 1] == pytest.approx(np.mean(away))
    apart = [np.mean([(model[i] - v) ** 2 for v in people.values()]) for i, people in table.items()]
    assert result.model == pytest.approx(np.mean(apart))
    nearer = [k for k in (1, 2, 3) if result.means[k - 1] <= (result.model or 0) + 1e-12]
    worse = result.means[0] < (result.model or 0) - 1e-12
    assert result.raters == (0 if worse else nearer[0] if nearer else None)


def test_agreement_does_not_depend_on_the_order_of_rows() -> None:
    table, model = drawn(5)
    people, own = frame(table), said(model)
    for measure in (model_agreement, model_correlation):
        turned = measure(people.reverse(), own.sample(fraction=1.0, shuffle=True, seed=1))
        assert turned == measure(people, own)
    pairs = [a == b for one in table.values() for a, b in combinations(one.values(), 2)]
    assert model_agreement(people, own)["among_people"] == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("graded", [False, True])
def test_a_genuine_person_is_tested_as_a_model_would_be(graded: bool) -> None:
    table, _ = drawn(4, people=5)
    people = frame(table)
    rates = []
    for who in sorted(people["annotator"].unique()):
        own = people.filter(annotator=who)
        others = people.filter(pl.col("annotator") != who)
        test = alternative_annotator(others, own.drop("annotator"), graded=graded, fewest=20)
        rates.append(test.winning_rate)
    person = genuine_people(people, graded=graded, fewest=20)
    assert person.tested == 5
    assert person.winning_rate == pytest.approx(np.mean([rate or 0.0 for rate in rates]))
    assert person.passed == sum((rate or 0.0) >= 0.5 for rate in rates)
    assert genuine_people(people, graded=graded, fewest=20, most=2).tested == 2


def test_people_with_too_few_items_are_not_tested_as_models() -> None:
    table, _ = drawn(5, items=10)
    person = genuine_people(frame(table), fewest=20)
    assert (person.tested, person.winning_rate) == (0, None)
    assert person.reason
