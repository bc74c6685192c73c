"""CPU seconds of one fit: 10,000 ratings, 300 people, slopes by annotator and group.

Run: PYTHONPATH=src python benchmarks/mixed_speed.py
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from plausibly.measures.mixed.model import AnswerColumns, MixedOptions, fit_mixed

CUTS = (-1.5, -0.4, 0.6, 1.8)


def simulated(family: str, people: int, groups: int, ratings: int, seed: int) -> AnswerColumns:
    """Return ratings of groups in two conditions by people, each with a slope."""
    random = np.random.default_rng(seed)
    shown = ratings // people
    person = np.repeat(np.arange(people), shown)
    group = np.concatenate([random.permutation(groups)[:shown] for _ in range(people)])
    condition = (person + group) % 2
    c = condition - 0.5
    by_person, by_group = random.normal(size=(people, 2)), random.normal(size=(groups, 2))
    line = 0.8 * c + by_person[person, 0] * 0.7 + by_person[person, 1] * 0.8 * c
    line += by_group[group, 0] * 0.9 + by_group[group, 1] * c * 0.7
    if family == "linear":
        answers = 50 + 10 * line + 15 * random.normal(size=len(c))
    else:
        latent = line + random.logistic(size=len(c))
        answers = (latent[:, None] > np.array(CUTS if family == "ordinal" else (0.3,))).sum(axis=1)
    return AnswerColumns(
        answers.astype(np.float64).tolist(),
        [f"g{g}c{k}" for g, k in zip(group, condition, strict=True)],
        [f"p{p}" for p in person],
        [f"g{g}" for g in group],
        {"condition": ["ab"[k] for k in condition]},
    )


def main() -> None:
    """Print family, groups, CPU seconds and the estimate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ratings", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--groups", type=int, nargs="*", default=[100, 500, 1000])
    parser.add_argument("--families", nargs="*", default=["linear", "logistic", "ordinal"])
    args = parser.parse_args()
    for groups in args.groups:
        for family in args.families:
            columns = simulated(family, args.people, groups, args.ratings, 1)
            start = time.process_time()
            model = fit_mixed(columns, "condition", MixedOptions(family=family))
            seconds = time.process_time() - start
            found = model.terms["condition"]
            figures = f"{found.value:.4f} ({found.se:.4f}) df {found.df:.1f}"
            print(f"{family:9} {groups:5} groups {seconds:6.2f} s {figures} {model.warnings}")


if __name__ == "__main__":
    main()
