"""Ratings of any format as our table, and what reading them yields."""

from plausibly.verbs.read._result import Original, ReadRatings
from plausibly.verbs.read._verb import COLLECTED, read

__all__ = ["COLLECTED", "Original", "ReadRatings", "read"]
