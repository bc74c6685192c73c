"""Models on the same items: which is better, by how much, and whether that can be chance."""

from plausibly.verbs.compare._stories import ComparedStories
from plausibly.verbs.compare._tables import Compared, compare_step
from plausibly.verbs.compare._verb import check_scheme, compare

__all__ = ["Compared", "ComparedStories", "check_scheme", "compare", "compare_step"]
