"""How tests count ties with what was observed: half (mid-p) or in full (exact), and their names.

Where few values of a difference are possible, an exact test finds too few differences: p is below
.05 in less than 5 % of the cases in which there is none. A mid-p counts only half of the
probability of what was observed.
"""

from __future__ import annotations

from collections.abc import Set

PERMUTATION, EXACT_PERMUTATION = "paired permutation, mid-p", "paired permutation, exact"
MCNEMAR, EXACT_MCNEMAR = "mid-p McNemar", "exact McNemar"
CITED = (
    "Fagerland, M. W., Lydersen, S., & Laake, P. (2013). The McNemar test for binary matched-pairs "
    "data: mid-p and asymptotic are better than exact conditional. BMC Medical Research "
    "Methodology, 13."
)


def ties_in_words(tests: Set[str]) -> str:
    """Return how ties count in the tests of these names.

    >>> ties_in_words({EXACT_MCNEMAR})
    'Tests are exact: ties with the observed difference count in full.'
    """
    if tests <= {EXACT_PERMUTATION, EXACT_MCNEMAR}:
        return "Tests are exact: ties with the observed difference count in full."
    return (
        "p is a mid-p: ties with the observed difference count half (Fagerland, Lydersen and Laake "
        "2013)."
    )
