"""Many random histories of a collection against the naive model of the tests.

    PYTHONPATH=tests python -m benchmarks.histories [--histories 2000] [--steps 80] [--first 0]

Prints how many histories and steps agreed; the first that does not raises with its log.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from random import Random

from worlds.histories import random_study
from worlds.served import store_of
from worlds.walks import Walk, expire_all


def agree(seed: int, steps: int) -> None:
    """Walk one history; raise where store and model differ."""
    draw = Random(seed)  # noqa: S311 - a history, not a secret
    served = random_study(draw)
    with tempfile.TemporaryDirectory() as folder:
        engine = store_of(Path(folder), served)
        with engine.begin() as connection:
            walk = Walk(connection, served, draw)
            walk.run(steps)
            expire_all(walk)
        engine.dispose()


def main() -> None:
    """Walk as many histories as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    for seed in range(options.first, options.first + options.histories):
        agree(seed, options.steps)
    print(f"{options.histories} histories of {options.steps} steps: no difference.")


if __name__ == "__main__":
    main()
