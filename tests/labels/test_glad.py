"""GLAD reaches the heights a plain optimiser reaches, whatever things are called."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from plausibly.labels._abilities import AFFORDABLE, highest, surface_of
from plausibly.labels._layout import lay_out
from plausibly.labels.glad import EFFORT, glad
from plausibly.measures.coded import Coded, Floats, code

ITEMS, PEOPLE, EACH = 150, 50, 3


def sparse_crowd(seed: int, each: int = EACH) -> pl.DataFrame:
    generator = np.random.default_rng(seed)
    truth = generator.integers(2, size=(ITEMS, 1))
    ability = generator.choice([-1.5, 0.0, 2.0], size=PEOPLE, p=[0.2, 0.3, 0.5])
    busy = generator.pareto(1, PEOPLE) + 0.05
    who = np.array([generator.choice(PEOPLE, each, False, busy / busy.sum()) for _ in truth])
    ease = np.exp(generator.normal(size=(ITEMS, 1)))
    right = generator.random(who.shape) < expit(ability[who] * ease)
    return pl.DataFrame(
        {
            "item": [f"t{item:03}" for item in range(ITEMS) for _ in range(each)],
            "annotator": [f"a{person:02}" for person in who.ravel()],
            "question": ["rating"] * who.size,
            "answer": [str(answer) for answer in np.where(right, truth, 1 - truth).ravel()],
        }
    )


def heights_of_starts(coded: Coded, starts: int, seed: int) -> list[float]:
    people = coded.n_annotators

    def downhill(at: Floats) -> tuple[float, Floats]:
        ability, ease = at[:people][coded.annotator], np.exp(at[people:])[coded.item]
        strength = ability * ease
        sign = 2.0 * coded.answer - 1
        odds = np.bincount(coded.item, sign * strength)
        even = np.bincount(coded.item, -np.logaddexp(0, -strength) - np.logaddexp(0, strength))
        height = np.sum(even / 2 + np.logaddexp(odds / 2, -odds / 2) - np.log(2))
        one = expit(odds)[coded.item]
        surprise = np.where(coded.answer == 1, one, 1 - one) - expit(strength)
        slope = np.concatenate(
            [
                np.bincount(coded.annotator, surprise * ease),
                np.bincount(coded.item, surprise * strength),
            ]
        )
        return -float(height - ((at - 1) ** 2).sum() / 2), at - 1 - slope

    generator = np.random.default_rng(seed)
    return [
        -float(
            minimize(
                downhill,
                start,
                jac=True,
                method="L-BFGS-B",
                options={"maxiter": 2000, "maxfun": 4000, "ftol": 1e-13, "gtol": 1e-6},
            ).fun
        )
        for start in 1 + generator.normal(size=(starts, people + coded.n_items))
    ]


@pytest.mark.parametrize(("seed", "each"), [(0, 3), (1, 2)])
def test_glad_reaches_the_best_of_ten_starts(seed: int, each: int) -> None:
    coded = code(sparse_crowd(seed, each))
    ours = highest(surface_of(lay_out(coded)), EFFORT).height
    assert ours >= max(heights_of_starts(coded, 10, seed)) - 0.1


def test_other_names_and_another_order_give_the_same_bits() -> None:
    ratings = sparse_crowd(0)
    generator = np.random.default_rng(5)
    names = {
        "item": {f"t{old:03}": new for old, new in enumerate(generator.permutation(ITEMS))},
        "annotator": {f"a{old:02}": new for old, new in enumerate(generator.permutation(PEOPLE))},
    }
    other = ratings.with_columns(
        pl.col(column).replace_strict({old: f"n{new:03}" for old, new in renamed.items()})
        for column, renamed in names.items()
    ).sample(fraction=1, shuffle=True, seed=3)
    one, two = glad(ratings), glad(other)
    assert one.log_likelihood == two.log_likelihood
    labels = dict(two.labels["item", "distribution"].iter_rows())
    for item, distribution in one.labels["item", "distribution"].iter_rows():
        assert labels[f"n{names['item'][item]:03}"] == distribution


def test_very_many_ratings_get_fewer_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    surface = surface_of(lay_out(code(sparse_crowd(1))))
    climbs: list[float] = []
    climbed = type(surface).climbed

    def counted(self: object, start: Floats, effort: object) -> object:
        climbs.append(float(start[0]))
        return climbed(self, start, effort)  # type: ignore[arg-type]

    monkeypatch.setattr(type(surface), "climbed", counted)
    monkeypatch.setattr("plausibly.labels._abilities.AFFORDABLE", 3 * ITEMS * EACH)
    highest(surface, EFFORT)
    assert AFFORDABLE > 3 * ITEMS * EACH
    assert len(climbs) == 3


def test_other_threads_sleep_for_a_block_and_no_longer() -> None:
    code = (
        "from plausibly.measures.threads import libraries, one_thread, threads\n"
        "def most(): return max(map(threads, libraries()), default=1)\n"
        "before = most()\n"
        "with one_thread():\n"
        "    within = most()\n"
        "print(before, within, most())\n"
    )
    plenty = {**os.environ, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, env=plenty, timeout=60, capture_output=True
    )
    before, within, after = (int(number) for number in done.stdout.split())
    assert within == 1
    assert after == before
