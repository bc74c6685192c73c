"""GLAD beside ten L-BFGS starts of SciPy on the same objective, on sparse binary crowds.

    python benchmarks/glad.py [--seeds 5] [--quick]

The height is the log likelihood summed over labels with normal priors (mean 1, variance 1) on
abilities and log eases. Ours is what `label --method glad` reaches; beside it stand the best and
the worst of ten climbs of SciPy's L-BFGS-B from draws of the priors, on an objective written here
with one parameter per annotator and per item. Families: `model` is GLAD's own; `mixed` has people
who answer against the truth, people who guess, and very unequal numbers of answers.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import polars as pl
from scipy.optimize import minimize
from scipy.special import expit, logsumexp

from plausibly.labels._abilities import highest, surface_of
from plausibly.labels._layout import lay_out
from plausibly.labels.glad import EFFORT
from plausibly.measures.coded import Coded, Floats

SIZES = ((200, 60, 3), (300, 80, 3), (400, 150, 2), (800, 160, 5))
STARTS = 10
ENOUGH = 0.1


def crowd(family: str, size: tuple[int, int, int], seed: int) -> Coded:
    """Return the answers of some people to each item."""
    items, people, each = size
    generator = np.random.default_rng([seed, items, people])
    truth = generator.integers(2, size=(items, 1))
    ability = generator.normal(1, 1, people)
    busy = np.ones(people)
    if family == "mixed":
        ability = generator.choice([-1.5, 0.0, 2.0], size=people, p=[0.2, 0.3, 0.5])
        busy = generator.pareto(1, people) + 0.05
    ease = np.exp(generator.normal(0, 1, (items, 1)))
    draws = [generator.choice(people, each, replace=False, p=busy / busy.sum()) for _ in truth]
    who = np.array(draws)
    right = generator.random(who.shape) < expit(ability[who] * ease)
    answer = np.where(right, truth, 1 - truth)
    return Coded(
        np.repeat(np.arange(items, dtype=np.int32), each),
        who.ravel().astype(np.int32),
        answer.ravel().astype(np.int32),
        pl.int_range(items, eager=True).cast(pl.String),
        pl.int_range(people, eager=True).cast(pl.String),
        ("0", "1"),
    )


def peer(coded: Coded, seed: int) -> Floats:
    """Return the heights SciPy reaches from ten draws of the priors."""
    people, items = coded.n_annotators, coded.n_items
    label = 2 * coded.item + coded.answer

    def downhill(at: Floats) -> tuple[float, Floats]:
        ability, ease = (
            at[:people][coded.annotator],
            np.exp(np.minimum(at[people:], 30))[coded.item],
        )
        strength = ability * ease
        right, wrong = -np.logaddexp(0, -strength), -np.logaddexp(0, strength)
        other = 2 * coded.item + 1 - coded.answer
        joint = np.bincount(label, right, 2 * items) + np.bincount(other, wrong, 2 * items)
        joint = joint.reshape(items, 2) - np.log(2)
        whole = logsumexp(joint, axis=1)
        posterior = np.exp(joint - whole[:, None]).ravel()
        surprise = posterior[label] - expit(strength)
        slope = np.concatenate(
            [
                np.bincount(coded.annotator, surprise * ease, people),
                np.bincount(coded.item, surprise * strength, items),
            ]
        )
        away = at - 1
        return -float(whole.sum() - away @ away / 2), away - slope

    generator = np.random.default_rng([seed, 1])
    starts = 1 + generator.normal(size=(STARTS, people + items))
    ends = [
        minimize(
            downhill,
            start,
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 2_000, "maxfun": 4_000, "ftol": 1e-13, "gtol": 1e-6},
        )
        for start in starts
    ]
    return np.array([-end.fun for end in ends])


def main() -> None:
    """Print heights and CPU seconds, one line a crowd."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one seed, the smallest size")
    arguments = parser.parse_args()
    seeds = range(1 if arguments.quick else arguments.seeds)
    short = 0
    print(f"seeds {list(seeds)}; heights: ours, best and worst of {STARTS} starts")
    for family in ("model", "mixed"):
        for size in SIZES[:1] if arguments.quick else SIZES:
            for seed in seeds:
                coded = crowd(family, size, seed)
                start = time.process_time()
                ours = highest(surface_of(lay_out(coded)), EFFORT).height
                seconds = time.process_time() - start
                start = time.process_time()
                theirs = peer(coded, seed)
                slower = time.process_time() - start
                short += ours < theirs.max() - ENOUGH
                print(
                    f"  {family:6} {size[0]:4} items, {size[2]} of {size[1]:3}, seed {seed}: "
                    f"{ours:10.3f} {theirs.max():10.3f} ({ours - theirs.max():+.3f}) "
                    f"{theirs.min():10.3f}  {seconds:.2f} s, {slower:.2f} s",
                    flush=True,
                )
    print(f"more than {ENOUGH} below the best of ten: {short}")


if __name__ == "__main__":
    main()
