"""Ratings of any format as our table, and what reading them yields."""

from plausibly.verbs.read._result import Original, ReadRatings
from plausibly.verbs.read._verb import ANSWERS, COLLECTED, read

__all__ = ["ANSWERS", "COLLECTED", "Original", "ReadRatings", "read"]
