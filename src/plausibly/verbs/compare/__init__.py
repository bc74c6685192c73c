"""Models on the same items: which is better, by how much, and whether that can be chance."""

from plausibly.verbs.compare._stories import ComparedStories
from plausibly.verbs.compare._tables import Compared
from plausibly.verbs.compare._verb import STEP, compare

__all__ = ["STEP", "Compared", "ComparedStories", "compare"]
