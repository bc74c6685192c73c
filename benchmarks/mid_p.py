"""How often mid-p and the exact test find a difference between two equal systems of few units.

    python benchmarks/mid_p.py [--runs 20000] [--seed 1]

Every unit (story, noun, verb) has one to six items. A system is right on an item with a chance that
is drawn per unit: the same beta distribution for both systems, or .9 for one of them and .1 for the
other (apart). No permutation is drawn: p is computed from all arrangements. Each cell is the share
of runs with p at most .05, exact / mid-p. The last line has n units that all differ by one item.
"""

from __future__ import annotations

import argparse
from functools import cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
LEVEL = 0.05 + 1e-12
ITEMS, UNITS = (1, 2, 3, 6), (5, 6, 8, 10, 15, 20, 30, 60)
SKILLS = {"skilled": (2.0, 1.0), "torn": (0.3, 0.3), "nearly right": (8.0, 1.0), "apart": None}


@cache
def values_of_p(sizes: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return the exact p and the mid-p of every absolute sum of differences of these sizes."""
    total = sum(sizes)
    chance = np.zeros(2 * total + 1)
    chance[total] = 1.0
    for size in sizes:
        chance = (np.roll(chance, size) + np.roll(chance, -size)) / 2
    folded = chance[total:] * np.where(np.arange(total + 1) > 0, 2.0, 1.0)
    exact = np.cumsum(folded[::-1])[::-1]
    return exact, exact - folded / 2


def found(differences: npt.NDArray[np.int64]) -> tuple[bool, bool]:
    """Return whether p is at most .05: exact, mid-p."""
    sizes = tuple(sorted(np.abs(differences[differences != 0]).tolist()))
    if not sizes:
        return False, False
    exact, mid = values_of_p(sizes)
    at = abs(int(differences.sum()))
    return bool(exact[at] <= LEVEL), bool(mid[at] <= LEVEL)


def chances(
    skill: tuple[float, float] | None, units: int, generator: np.random.Generator
) -> Floats:
    """Return the chance of both systems (rows) to be right on the items of each unit."""
    if skill is not None:
        return generator.beta(*skill, (2, units))
    first = np.where(generator.random(units) < 0.5, 0.9, 0.1)
    return np.stack([first, 1 - first])


def main() -> None:
    """Print the share of false differences by design."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    generator = np.random.default_rng(options.seed)
    for items in ITEMS:
        for name, skill in SKILLS.items():
            cells = []
            for units in UNITS:
                drawn = (chances(skill, units, generator) for _ in range(options.runs))
                gaps = (generator.binomial(items, one) for one in drawn)
                shares = np.mean([found(right[0] - right[1]) for right in gaps], axis=0)
                cells.append(f"{units}: {shares[0]:.3f} / {shares[1]:.3f}")
            print(f"{items} items, {name}:", *cells, sep="  ", flush=True)
    cells = []
    for units in range(5, 21):
        exact, mid = values_of_p((1,) * units)
        own = np.append(-np.diff(exact), exact[-1])
        shares = [own[p <= LEVEL].sum() for p in (exact, mid)]
        cells.append(f"{units}: {shares[0]:.3f} / {shares[1]:.3f}")
    print("all differ:", *cells, sep="  ")


if __name__ == "__main__":
    main()
