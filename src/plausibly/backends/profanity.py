"""The optional classifier of profane texts: alt-profanity-check."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from plausibly.errors import MissingExtra


def profanity_probabilities(texts: Sequence[str]) -> list[float]:
    """Return how probable it is that each text is profane, by a linear model over words.

    It was trained on comments and rates words for groups of people too high; look at what it
    removes.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from profanity_check import predict_prob

            return [float(p) for p in predict_prob(list(texts))] if texts else []
    except ImportError as error:
        raise MissingExtra("classifying profane texts", "stimuli") from error
