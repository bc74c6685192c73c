"""Build, annotate, clean, aggregate, analyse and evaluate plausibility datasets."""

__version__ = "0.1.0"
