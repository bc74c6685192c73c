"""Coverage of 95 % intervals of means, shares and contrasts, by simulation.

Run: PYTHONPATH=src nice -n 10 python benchmarks/coverage_means.py [--reps 2000] [--only TEXT]
Each design is simulated `reps` times from its own seed; the table has one row per design and one
column per method. The last column is what `plausibly.measures.crossed` does.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import expit, logit, stdtrit
from scipy.stats import norm

from plausibly.measures._two_way import of_ratings
from plausibly.measures.contrasts import paired_contrast
from plausibly.measures.crossed import Rated, crossed_mean, weights

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Limits = tuple[float, float]
NODES, MASS = np.polynomial.hermite_e.hermegauss(80)
MASS = MASS / MASS.sum()
Z = 1.959963984540054
SALT = 2  # seeds other than those the method was chosen with


@dataclass(frozen=True)
class Design:
    """One population and one way of assigning items to people.

    `each` items per person (0: unequal numbers from `fewest` to `most`, items unequally popular).
    `kind`: plain (no ends), slider (0 to 100, clipped) or share (logit). `pull`: how far popular
    items have higher means.
    """

    name: str
    kind: str
    people: int
    items: int
    each: int
    centre: float  # plain, slider: latent mean; share: the share itself
    item_sd: float
    person_sd: float
    noise: float = 15.0
    groups: int = 0
    group_sd: float = 0.0
    fewest: int = 2
    most: int = 40
    pull: float = 0.0
    weigh: str = "items"

    @property
    def bounds(self) -> Limits | None:
        """Return the least and greatest value of the scale."""
        return {"plain": None, "slider": (0.0, 100.0), "share": (0.0, 1.0)}[self.kind]


def marginal(centre: float, sd: float) -> float:
    """Return the share of yes over a normal spread of logits."""
    return float(np.sum(MASS * expit(centre + sd * NODES)))


def clipped(centre: float, sd: float) -> float:
    """Return the mean of a normal variable clipped at 0 and 100."""
    low, high = -centre / sd, (100 - centre) / sd
    inside = norm.cdf(high) - norm.cdf(low)
    ends = 100 * norm.sf(high) + sd * (norm.pdf(low) - norm.pdf(high))
    return float(centre * inside + ends)


def latent(design: Design) -> float:
    """Return the latent mean of a design."""
    if design.kind != "share":
        return design.centre
    sd = float(np.sqrt(design.item_sd**2 + design.person_sd**2 + design.group_sd**2))
    return float(brentq(lambda c: marginal(c, sd) - design.centre, -30, 30))


def truth(design: Design, people: Floats | None = None) -> float:
    """Return the true mean, over all people or for these people only."""
    shift = np.zeros(1) if people is None else people
    spread = design.person_sd if people is None else 0.0
    if design.kind == "plain":
        return float(design.centre + shift.mean())
    noise, mean = (0.0, marginal) if design.kind == "share" else (design.noise, clipped)
    sd = float(np.sqrt(design.item_sd**2 + design.group_sd**2 + spread**2 + noise**2))
    return float(np.mean([mean(latent(design) + one, sd) for one in shift]))


def assigned(rng: np.random.Generator, design: Design) -> tuple[Ints, Ints, Floats]:
    """Return item and person of each rating, and how popular items are."""
    shape = design.people, design.items
    if design.each:
        order = np.argsort(rng.random(shape), axis=1)[:, : design.each]
        person = np.repeat(np.arange(design.people), design.each)
        return order.ravel(), person, np.zeros(design.items)
    span = np.log(design.fewest), np.log(design.most + 1)
    counts = np.exp(rng.uniform(*span, design.people)).astype(int)
    popularity = 1.2 * rng.normal(size=design.items)
    order = np.argsort(-np.log(rng.random(shape)) / np.exp(popularity), axis=1)
    item = order[np.arange(design.items) < counts[:, None]]
    return item, np.repeat(np.arange(design.people), counts), popularity


def drawn(rng: np.random.Generator, design: Design, centre: float) -> tuple[Rated, Floats]:
    """Return one dataset and the effects of its people."""
    item, person, popularity = assigned(rng, design)
    effect = design.item_sd * rng.normal(size=design.items) + design.pull * popularity
    group = np.arange(design.items) % (design.groups or design.items)
    effect = effect + (design.group_sd * rng.normal(size=group.max() + 1))[group]
    people = design.person_sd * rng.normal(size=design.people)
    value = centre + effect[item] + people[person]
    if design.kind == "share":
        value = (rng.random(len(item)) < expit(value)).astype(np.float64)
    else:
        value = value + design.noise * rng.normal(size=len(item))
        value = np.clip(value, 0, 100) if design.kind == "slider" else value
    codes = [np.unique(column, return_inverse=True)[1] for column in (item, person, group[item])]
    return Rated(value, *codes), people


def others(ratings: Rated, weigh: str, bounds: Limits | None) -> dict[str, Limits]:
    """Return the intervals of the methods we compare with."""
    weight = weights(ratings, weigh)
    mean = float(np.sum(weight * ratings.value))
    pull = weight * (ratings.value - mean)
    parts = []
    for cluster in (ratings.annotator, ratings.group):
        n = int(cluster.max()) + 1
        parts.append((n / (n - 1) * float(np.sum(np.bincount(cluster, pull) ** 2)), n - 1))
    (people, p_df), (items, i_df) = parts
    both = max(people + items - of_ratings(pull, ratings.group, ratings.annotator), people, items)
    doubt = people**2 / p_df + items**2 / i_df
    welch = both**2 / doubt if doubt > 0 else 1.0
    rows = {
        "ratings": (float(np.sum(pull**2)), np.inf),
        "items t": (items, i_df),
        "2-way z": (both, np.inf),
        "2-way t": (both, welch),
    }
    limits: dict[str, Limits] = {}
    for name, (variance, df) in rows.items():
        half = (Z if np.isinf(df) else float(stdtrit(df, 0.975))) * float(np.sqrt(variance))
        limits[name] = mean - half, mean + half
    if bounds is not None:
        limits["2-way t logit"] = on_logit(mean, both, welch, bounds)
    return limits


def on_logit(mean: float, variance: float, df: float, bounds: Limits) -> Limits:
    """Return the limits on the logit scale, turned back."""
    low, width = bounds[0], bounds[1] - bounds[0]
    place = (mean - low) / width
    if not 1e-12 < place < 1 - 1e-12:
        return mean, mean
    half = float(stdtrit(df, 0.975)) * float(np.sqrt(variance)) / width / (place * (1 - place))
    ends = low + width * expit(logit(place) + np.array([-half, half]))
    return float(ends[0]), float(ends[1])


METHODS = ("ratings", "items t", "2-way z", "2-way t", "2-way t logit", "used")


def covered(design: Design, reps: int) -> str:
    """Return the row of a design: coverage per method, and how the used one misses."""
    rng = np.random.default_rng([SALT, zlib.crc32(design.name.encode())])
    centre, right = latent(design), truth(design)
    hits = dict.fromkeys(METHODS, 0)
    above = below = flagged = 0
    widths = []
    for _ in range(reps):
        ratings, people = drawn(rng, design, centre)
        target = right if design.people >= 5 else truth(design, people)
        limits = others(ratings, design.weigh, design.bounds)
        mean = crossed_mean(ratings, weigh=design.weigh, bounds=design.bounds)
        if mean.low is None or mean.high is None:
            continue
        limits["used"] = mean.low, mean.high
        for name, (low, high) in limits.items():
            hits[name] += low <= target <= high
        above += target > mean.high
        below += target < mean.low
        flagged += mean.warning is not None
        widths.append(mean.high - mean.low)
    shown = [
        f"{hits[name] / reps:.3f}" if name != "2-way t logit" or design.bounds else "-"
        for name in METHODS
    ]
    misses = f"{below / reps:.3f}/{above / reps:.3f}", f"{np.median(widths):.3g}"
    last = f"{flagged / reps:.2f}", verdict(hits["used"] / reps)
    return " | ".join([f"{design.name:34s}", *shown, *misses, *last])


def verdict(coverage: float) -> str:
    """Return what to say of a coverage outside .92 to .98."""
    return "" if 0.92 <= coverage <= 0.98 else ("wide" if coverage > 0.98 else "NARROW")


PLAIN = Design("", "plain", 80, 60, 15, 50.0, 12.0, 8.0)
SLIDER = Design("", "slider", 80, 60, 15, 10.0, 15.0, 10.0)
SHARE = Design("", "share", 80, 60, 15, 0.33, 1.0, 0.8)


def designs() -> Iterator[Design]:
    """Yield every design: those of the facts, then those that were not tried."""
    yield replace(PLAIN, name="A 12 items, 200 people x 6", people=200, items=12, each=6)
    yield replace(PLAIN, name="B 200 items, 12 people x 60", people=12, items=200, each=60)
    yield replace(SLIDER, name="C slider at 0, 60 items, 80 x 15")
    yield replace(SHARE, name="D share .33")
    yield replace(SHARE, name="E share .049", centre=0.049)
    yield replace(SLIDER, name="F as C, 16 items", items=16)
    yield replace(PLAIN, name="T 100 items, 300 people x 12", people=300, items=100, each=12)
    yield from unbalanced()
    yield from grouped()
    yield from rare()
    yield from few_people()
    yield from few_items()


def unbalanced() -> Iterator[Design]:
    """Yield designs with unequal numbers of ratings."""
    for weigh in ("items", "ratings"):
        for base in (PLAIN, SLIDER, SHARE, replace(SHARE, centre=0.05)):
            label = f"{base.kind} {base.centre:g}" if base.kind == "share" else base.kind
            yield replace(base, name=f"unbalanced {label}, {weigh}", each=0, weigh=weigh)
        for people in (8, 12):
            few = replace(PLAIN, people=people, each=0, fewest=10, most=60, weigh=weigh)
            yield replace(few, name=f"unbalanced {people} people, {weigh}")
    yield replace(PLAIN, name="unbalanced, popular items higher", each=0, pull=5.0)


def grouped() -> Iterator[Design]:
    """Yield designs whose items come in groups."""
    for groups, size in ((30, 3), (16, 4), (8, 6), (5, 6)):
        base = replace(PLAIN, items=groups * size, groups=groups, group_sd=8.0)
        yield replace(base, name=f"groups {groups} x {size} plain")
    yield replace(SLIDER, name="groups 16 x 4 slider", items=64, groups=16, group_sd=10.0)
    yield replace(SHARE, name="groups 20 x 3 share .33", groups=20, group_sd=0.8)
    yield replace(SHARE, name="groups 20 x 3 share .05", groups=20, group_sd=0.8, centre=0.05)


def rare() -> Iterator[Design]:
    """Yield designs with shares near 0 and 1."""
    sizes = ((80, 60, 15), (300, 100, 12), (200, 12, 6), (80, 16, 15), (12, 200, 60))
    low, all_shares = (0.01, 0.02, 0.05), (0.01, 0.02, 0.05, 0.98, 0.99)
    for sds, shares in (((1.0, 0.8), all_shares), ((2.0, 1.0), low), ((1.0, 2.0), low)):
        for share in shares:
            for people, items, each in sizes:
                name = f"share {share:g} sd {sds[0]:g},{sds[1]:g} {people}x{each} of {items}"
                base = replace(SHARE, name=name, centre=share, item_sd=sds[0], person_sd=sds[1])
                yield replace(base, people=people, items=items, each=each)
    for share in (0.01, 0.02, 0.98, 0.99):
        yield replace(SHARE, name=f"unbalanced share {share:g}", centre=share, each=0)


def few_people() -> Iterator[Design]:
    """Yield designs with 3 to 11 people."""
    for people in (3, 4, 5, 6, 8, 11):
        who = f"{people} people"
        yield replace(PLAIN, name=f"{who} plain", people=people, each=60)
        yield replace(PLAIN, name=f"{who} plain, 20 of 60 items", people=people, each=20)
        yield replace(
            PLAIN, name=f"{who} plain, person sd 20", people=people, each=60, person_sd=20.0
        )
        yield replace(SLIDER, name=f"{who} slider", people=people, each=60)
        for share in (0.02, 0.05, 0.33, 0.98):
            base = replace(SHARE, people=people, each=60, centre=share)
            yield replace(base, name=f"{who} share {share:g}")
            yield replace(base, name=f"{who} share {share:g} person sd 2", person_sd=2.0)


def few_items() -> Iterator[Design]:
    """Yield designs with 2 to 8 items."""
    for items in (2, 3, 5, 8):
        yield replace(PLAIN, name=f"{items} items, 80 people", items=items, each=items)
        yield replace(SHARE, name=f"{items} items, 80 people, share .33", items=items, each=items)


@dataclass(frozen=True)
class Pairing:
    """A contrast of two conditions: who sees what, and how far the difference varies."""

    name: str
    people: int = 60
    groups: int = 16
    each: int = 16
    both: bool = False
    missing: float = 0.0
    group_slope: float = 6.0
    person_slope: float = 5.0
    effect: float = 0.0
    share: bool = False


def pairings() -> Iterator[Pairing]:
    """Yield every design of a contrast."""
    for groups in (16, 40):
        for slopes in ((6.0, 5.0), (6.0, 0.0), (0.0, 5.0), (0.0, 0.0)):
            base = Pairing(
                "", groups=groups, each=groups, group_slope=slopes[0], person_slope=slopes[1]
            )
            label = f"{groups} groups, slopes {slopes[0]:g},{slopes[1]:g}"
            yield replace(base, name=f"{label}, Latin square")
            yield replace(base, name=f"{label}, Latin, half the groups", each=groups // 2)
            yield replace(base, name=f"{label}, everybody sees both", both=True)
            yield replace(base, name=f"{label}, Latin, ratings missing", missing=0.4)
    for people in (3, 5, 6, 8, 11):
        yield Pairing(f"{people} people, Latin square", people=people)
        yield Pairing(f"{people} people, both", people=people, both=True)
    yield Pairing("5 groups, Latin square", groups=5, each=5)
    yield Pairing("8 groups, effect 10", groups=8, each=8, effect=10.0)
    yield Pairing("shares near .5, Latin square", share=True, group_slope=0.6, person_slope=0.6)


def compared(pairing: Pairing, reps: int) -> str:
    """Return coverage of the paired contrast, which is 1 minus its type I error where it is 0."""
    rng = np.random.default_rng([SALT, zlib.crc32(pairing.name.encode())])
    hits, widths = 0, []
    for _ in range(reps):
        ratings, condition, target = paired(rng, pairing)
        contrast = paired_contrast(ratings, condition, of=("b", 1), against=("a", 0))
        if contrast.low is None or contrast.high is None:
            continue
        hits += contrast.low <= target <= contrast.high
        widths.append(contrast.high - contrast.low)
    return (
        f"{pairing.name:46s} | {hits / reps:.3f} | {np.median(widths):.3g} | {verdict(hits / reps)}"
    )


def paired(rng: np.random.Generator, pairing: Pairing) -> tuple[Rated, Ints, float]:
    """Return one dataset in two conditions, its conditions and the true difference."""
    scale = 0.08 if pairing.share else 1.0
    people = rng.normal(size=(pairing.people, 2)) * [8.0 * scale, pairing.person_slope]
    groups = rng.normal(size=(pairing.groups, 2)) * [10.0 * scale, pairing.group_slope]
    person = np.repeat(np.arange(pairing.people), pairing.each)
    group = (5 * person + np.tile(np.arange(pairing.each), pairing.people)) % pairing.groups
    side = (person + group) % 2
    if pairing.both:
        person, group, side = np.tile(person, 2), np.tile(group, 2), np.r_[side, 1 - side]
    if pairing.missing:
        kept = rng.random(len(person)) > 2 * pairing.missing * rng.random(pairing.people)[person]
        person, group, side = person[kept], group[kept], side[kept]
    half = side - 0.5
    value = (
        people[person, 0]
        + groups[group, 0]
        + (people[person, 1] + groups[group, 1] + pairing.effect) * half
    )
    if pairing.share:
        value = (rng.random(len(value)) < expit(value)).astype(np.float64)
    else:
        value = value + 15 * rng.normal(size=len(value))
    target = pairing.effect + (people[:, 1].mean() if pairing.people < 5 else 0.0)
    codes = [np.unique(c, return_inverse=True)[1] for c in (2 * group + side, person, group)]
    return Rated(value, *codes), side, float(target)


def main() -> None:
    """Print the table of means and shares, then that of contrasts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--reps", type=int, default=2000)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    out: Callable[[str], int] = sys.stdout.write
    out("design | " + " | ".join(METHODS) + " | true below/above | median width | flagged | \n")
    chosen = (one for one in designs() if options.only in one.name)
    rows = (covered(design, options.reps) for design in chosen)
    contrasts = (one for one in pairings() if options.only in one.name)
    title = ["\ncontrast | coverage | median width | "]
    for row in chain(rows, title, (compared(one, options.reps) for one in contrasts)):
        out(row + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
