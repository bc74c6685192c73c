"""How far disagreement belongs to items: whether two halves of their ratings are alike divided."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plausibly.domain import Measure
from plausibly.measures._grouping import Floats, Ints

SPLITS = 10
LEAST_RATINGS = 4
LEAST_ITEMS = 10
LEVEL = 1.959963984540054
TOO_FEW = f"fewer than {LEAST_ITEMS} items have {LEAST_RATINGS} ratings or more"
ALIKE = "all items are equally divided"


def entropy_reliability(
    item: npt.NDArray[np.integer], answer: npt.NDArray[np.integer], *, seed: int = 0
) -> Measure:
    """Return the reliability of the entropy of an item's answers, from random split halves.

    The ratings of each item are split at random into halves, the entropies of the halves are
    correlated over items, and the correlation (its mean over splits) is stepped up to all ratings
    (Spearman and Brown 1910). The interval is Fisher's, for new items.

    >>> item, answer = np.repeat(np.arange(40), 8), np.arange(320) % 8
    >>> entropy_reliability(item, np.where(item < 20, 0, answer)).value
    1.0
    """
    ratings = np.bincount(item)
    used = ratings >= LEAST_RATINGS
    n = int(used.sum())
    if n < LEAST_ITEMS:
        return Measure(None, n, reason=TOO_FEW)
    mine = used[item]
    codes = (np.cumsum(used) - 1)[item[mine]]
    answers = np.unique(answer[mine], return_inverse=True)[1]
    generator = np.random.default_rng(seed)
    found = [_correlation(*_halves(codes, answers, n, generator)) for _ in range(SPLITS)]
    defined = [one for one in found if one is not None]
    if not defined:
        return Measure(None, n, reason=ALIKE)
    r = float(np.clip(np.mean(defined), -0.99, 1.0))
    if r > 1 - 1e-9:
        return Measure(1.0, n)
    half = LEVEL / np.sqrt(max(n - 3, 1))
    low, high = np.tanh(np.arctanh(r) + np.array([-half, half]))
    return Measure(_stepped(r), n, _stepped(float(low)), _stepped(float(high)), method="Fisher's z")


def _stepped(r: float) -> float:
    return 2 * r / (1 + r) if r > -0.5 else -1.0


def _halves(
    item: Ints, answer: Ints, n: int, generator: np.random.Generator
) -> tuple[Floats, Floats]:
    order = np.lexsort((generator.random(len(item)), item))
    codes = item[order]
    starts = np.searchsorted(codes, np.arange(n))
    place = np.arange(len(codes)) - starts[codes]
    first = place < (np.bincount(codes, minlength=n) // 2)[codes]
    sorted_answers = answer[order]
    return (
        entropies(codes[first], sorted_answers[first], n),
        entropies(codes[~first], sorted_answers[~first], n),
    )


def entropies(item: Ints, answer: Ints, n: int) -> Floats:
    """Return the entropy of the answers of each item, in bits."""
    size = int(answer.max(initial=0)) + 1
    table = np.bincount(item * size + answer, minlength=n * size).reshape(n, size)
    share = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    logs = np.log2(np.where(share > 0, share, 1.0))
    return np.asarray(-(share * logs).sum(axis=1))


def _correlation(one: Floats, other: Floats) -> float | None:
    if np.ptp(one) < 1e-12 or np.ptp(other) < 1e-12:
        return None
    return float(np.corrcoef(one, other)[0, 1])
