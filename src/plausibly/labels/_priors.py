"""Names of the priors that Dawid-Skene and one-coin can have."""

from __future__ import annotations

from plausibly.errors import StudyError

POOLED, NONE = "pooled", "none"


def check_prior(prior: str) -> bool:
    """Return whether annotators are shrunk towards the crowd; raise at an unknown prior.

    >>> check_prior("pooled"), check_prior("none")
    (True, False)
    """
    if prior not in (POOLED, NONE):
        raise StudyError(
            f"prior must be {POOLED!r} or {NONE!r}; got {prior!r}. {POOLED!r} shrinks annotators "
            f"towards the crowd, {NONE!r} is maximum likelihood as published."
        )
    return prior == POOLED
