"""Look at every item, person and model on one page."""

from plausibly.verbs.browse._verb import PAGE, Browsed, browse

__all__ = ["PAGE", "Browsed", "browse"]
