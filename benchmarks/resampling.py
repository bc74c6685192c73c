"""10,000 bootstrap resamples of heads over 10,000 pairs, Spearman of five models at once.

python benchmarks/resampling.py [--resamples 10000]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from plausibly.measures.ranking import sorted_column, spearman_draws, unit_draws

PAIRS, PER_HEAD, MODELS = 10_000, 4, 5


def main() -> None:
    """Time all resamples and print what they took."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--resamples", type=int, default=10_000)
    options = arguments.parse_args()
    generator = np.random.default_rng(1)
    truth = generator.normal(size=PAIRS)
    models = [truth + generator.normal(size=PAIRS) for _ in range(MODELS)]
    heads = np.arange(PAIRS) // PER_HEAD
    start, wall = time.process_time(), time.perf_counter()
    columns, true_column = [sorted_column(one) for one in models], sorted_column(truth)
    drawn = [
        spearman_draws(columns, true_column, weights)
        for weights in unit_draws(heads, resamples=options.resamples, seed=1)
    ]
    took, waited = time.process_time() - start, time.perf_counter() - wall
    shape = np.concatenate(drawn).shape
    print(f"{shape[0]} resamples, {shape[1]} models: {took:.1f} CPU s ({waited:.1f} s waited)")


if __name__ == "__main__":
    main()
