"""Clean, agree, label and report on many ratings: seconds of each step and the memory it took.

    python benchmarks/journey.py [--ratings 1000000] [--each 10] [--people 2500] [--seed 1]

The ratings are invented: items of two conditions, most people careful, one in ten a spammer. One
study folder of the protocol `custom` is run step by step, as a user would.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from plausibly.study import Study
from plausibly.verbs.init import init


def invented(ratings: int, each: int, people: int, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return items and ratings: every item gets `each` answers from different people."""
    generator = np.random.default_rng(seed)
    items = ratings // each
    quality = generator.normal(3.2, 1.2, items)
    first = generator.integers(0, people, items)
    # An item's people stand at equal distances from the first, so that nobody rates it twice.
    who = (first[:, None] + np.arange(each)[None, :] * (people // each)) % people
    careful = generator.random(people) > 0.1
    noise = generator.normal(0, 0.9, (items, each))
    seen = np.clip(np.rint(quality[:, None] + noise), 1, 5)
    guessed = generator.integers(1, 6, (items, each))
    answers = np.where(careful[who], seen, guessed).astype(int)
    names = np.array([f"item-{n:07}" for n in range(items)])
    table = pl.DataFrame(
        {
            "item": np.repeat(names, each),
            "annotator": [f"p{n:05}" for n in who.ravel()],
            "question": "rating",
            "answer": [str(n) for n in answers.ravel()],
            "value": answers.ravel().astype(float),
            "seconds": generator.gamma(4, 2, items * each),
        }
    )
    conditions = np.where(np.arange(items) % 2, "perturbed", "attested")
    return pl.DataFrame({"item": names, "text": names, "condition": conditions}), table


def main() -> None:
    """Run the journey and print what each step took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ratings", type=int, default=1_000_000)
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--people", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    items, ratings = invented(asked.ratings, asked.each, asked.people, asked.seed)
    with tempfile.TemporaryDirectory() as place:
        folder = init("custom", Path(place) / "study", seed=asked.seed).folder
        items.write_parquet(folder / "items.parquet")
        ratings.write_parquet(folder / "answers.parquet")
        settings = folder / "study.toml"
        text = settings.read_text(encoding="utf-8")
        settings.write_text(text.replace('source = "serve"', 'source = "answers.parquet"'))
        del items, ratings
        begun = time.perf_counter()
        for step in ("ratings", "clean", "label", "agree", "report"):
            wall, cpu = time.perf_counter(), time.process_time()
            Study(folder).run(to=step)
            took = time.perf_counter() - wall
            print(f"{step:8} {took:7.1f} s wall {time.process_time() - cpu:7.1f} s CPU")
        page = (folder / "report.html").stat().st_size
        print(f"all      {time.perf_counter() - begun:7.1f} s wall")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"peak memory {peak:.2f} GiB, report.html {page / 1e6:.1f} MB, seed {asked.seed}")


if __name__ == "__main__":
    main()
