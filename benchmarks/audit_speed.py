"""How long `audit` takes and how much memory it needs, page included.

    python benchmarks/audit_speed.py [RATINGS]

Asked for are 4 s for 20,000 ratings, and 60 s and 2.5 GB for 1,000,000, of one core.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

import plausibly as pb

EACH = 20
PEOPLE = {20_000: 100}
MANY_PEOPLE = 2000


def ratings_file(ratings: int, folder: Path) -> Path:
    """Write so many ratings of items on a scale from 1 to 5, each item by 20 people."""
    generator = np.random.default_rng(1)
    items, people = ratings // EACH, PEOPLE.get(ratings, MANY_PEOPLE)
    item = np.repeat(np.arange(items), EACH)
    start = generator.integers(people, size=items)
    person = (start[:, None] + np.arange(EACH) * (people // EACH)).ravel() % people
    felt = 3 + generator.normal(0, 1, items)[item] + generator.normal(0, 1, ratings)
    answer = np.clip(np.round(felt), 1, 5).astype(np.int64)
    frame = pl.DataFrame({"item": item, "annotator": person, "answer": answer})
    names = (pl.format("item {}", "item"), pl.format("person {}", "annotator"))
    path = folder / "ratings.csv"
    frame.with_columns(names[0].alias("item"), names[1].alias("annotator")).write_csv(path)
    return path


def main(ratings: int) -> None:
    """Audit a file and report time and memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = ratings_file(ratings, Path(folder))
        begin = time.process_time()
        result = pb.audit(path)
        middle = time.process_time()
        page = result.page
        end = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{ratings:,} ratings: {end - begin:.1f} CPU s (page {end - middle:.1f}, "
        f"{len(page) / 1e6:.1f} MB), {memory:.2f} GB"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
