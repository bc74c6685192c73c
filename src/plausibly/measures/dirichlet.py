"""How answers of n people scatter around what all people would say.

The Dirichlet-multinomial shows how the true distributions of items are spread (its parameters)
and how a handful of answers scatter around each. A perfect model knows the true distribution; how
near that is to the answers of n people is the best any model can reach.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import digamma, gammaln

from plausibly.errors import StudyError
from plausibly.measures._grouping import Floats

ROUNDS = 2000
SMALL_CHANGE = 1e-9
SMALLEST = 1e-4


def fit_dirichlet_multinomial(counts: Floats) -> Floats:
    """Return the parameters that make the counts of all items most probable (Minka 2000).

    Args:
        counts: How often each answer (column) was given to each item (row).

    People who agree on every item, but not on the same answer, make the parameters small:

    >>> agreed = fit_dirichlet_multinomial(np.array([[9.0, 0.0], [0.0, 9.0]] * 10))
    >>> divided = fit_dirichlet_multinomial(np.array([[4.0, 5.0], [5.0, 4.0]] * 10))
    >>> bool(agreed.max() < 0.1 and divided.min() > 10)
    True
    """
    rows = counts[counts.sum(axis=1) > 0]
    if len(rows) < 2:
        raise StudyError(
            "at least two items with ratings are needed to estimate how much answers vary."
        )
    totals = rows.sum(axis=1)
    alpha = np.maximum(rows.mean(axis=0) / totals.mean() * rows.shape[1], SMALLEST)
    before = _log_likelihood(rows, alpha)
    for _ in range(ROUNDS):
        up = (digamma(rows + alpha) - digamma(alpha)).sum(axis=0)
        down = (digamma(totals + alpha.sum()) - digamma(alpha.sum())).sum()
        alpha = np.maximum(alpha * up / down, SMALLEST)
        now = _log_likelihood(rows, alpha)
        if now - before < SMALL_CHANGE * abs(before):
            break
        before = now
    fitted: Floats = alpha
    return fitted


def _log_likelihood(counts: Floats, alpha: Floats) -> float:
    whole = gammaln(alpha.sum()) - gammaln(counts.sum(axis=1) + alpha.sum())
    return float(whole.sum() + (gammaln(counts + alpha) - gammaln(alpha)).sum())


def perfect_models(
    counts: Floats, *, draws: int = 200, seed: int = 0
) -> Iterator[tuple[Floats, Floats]]:
    """Yield answers as n people might give them, and the true distributions they come from.

    Each draw takes the truth of every item from what its own answers and those of all items
    leave possible, and lets as many people answer as answered it.

    >>> answers, truth = next(perfect_models(np.array([[3.0, 1.0], [1.0, 3.0]]), draws=1))
    >>> bool(np.allclose(truth.sum(axis=1), 1)) and bool(np.all(answers * 4 % 1 == 0))
    True
    """
    alpha = fit_dirichlet_multinomial(counts)
    generator = np.random.default_rng(seed)
    totals = counts.sum(axis=1).astype(np.int64)
    for _ in range(draws):
        gammas = generator.standard_gamma(counts + alpha)
        truth = gammas / gammas.sum(axis=1, keepdims=True)
        answers = generator.multinomial(totals, truth) / totals[:, None]
        yield answers, truth
