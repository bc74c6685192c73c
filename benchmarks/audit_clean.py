"""How often `audit` reports a serious finding for ratings with nothing wrong with them.

    python benchmarks/audit_clean.py [FILES]

People differ in level, in care and in speed, items in how much people disagree over them; nobody
is a bot and nothing is broken. Of 200 files, at most 5 % may have a serious finding.
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import polars as pl

import plausibly as pb

FILES = 200
FIRST = 5000  # seeds other than those the rules about people were chosen with (0 to 199)
MOST = 0.05
SCALES = ((1, 2), (1, 4), (1, 5), (1, 7), (0, 10), (0, 100))
ITEMS = (30, 60, 120, 300)
PEOPLE = (5, 8, 12, 20, 40, 80)


def clean_file(seed: int) -> pl.DataFrame:
    """Return ratings of items by people who all do what they were asked to do.

    Args:
        seed: Decides scale, sizes and design too.
    """
    generator = np.random.default_rng(seed)
    low, high = SCALES[generator.integers(len(SCALES))]
    items, people = (int(generator.choice(sizes)) for sizes in (ITEMS, PEOPLE))
    crossed = generator.random() < 0.5
    each = people if crossed else min(people, int(generator.integers(4, 16)))
    chosen = np.array([generator.permutation(people)[:each] for _ in range(items)])
    person, item = chosen.ravel(), np.repeat(np.arange(items), each)
    place = generator.normal(0, 1, items)
    level = generator.normal(0, 0.35, people)
    care = generator.lognormal(0, 0.25, people)
    divided = generator.lognormal(0, 0.2, items)
    noise = generator.normal(0, 0.9, len(item)) * care[person] * divided[item]
    felt = place[item] + level[person] + noise
    share = 1 / (1 + np.exp(-1.3 * felt))
    answer = low + np.round(share * (high - low)).astype(np.int64)
    pace = generator.lognormal(1.6, 0.3, people)
    seconds = pace[person] * generator.lognormal(0, 0.5, len(item))
    when = np.zeros(len(item), dtype=np.int64)
    for one in range(people):
        mine = person == one
        when[mine] = generator.permutation(int(mine.sum()))
    return pl.DataFrame(
        {
            "item": [f"item {number:03d}" for number in item],
            "annotator": [f"person {number:02d}" for number in person],
            "answer": answer,
            "seconds": seconds,
            "position": when,
        }
    )


def serious(seed: int) -> list[str]:
    """Return the kinds of serious findings about one clean file."""
    findings = pb.audit(clean_file(seed)).audit.findings
    return [one.kind for one in findings if one.severity == "serious"]


def main(files: int) -> int:
    """Audit the files, and report how many have a serious finding and which."""
    kinds: Counter[str] = Counter()
    wrong = 0
    for seed in range(FIRST, FIRST + files):
        found = serious(seed)
        wrong += bool(found)
        kinds.update(set(found))
    share = wrong / files
    print(f"{wrong} of {files} clean files ({share:.1%}) have a serious finding: {dict(kinds)}")
    return int(wrong > MOST * files)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else FILES))
