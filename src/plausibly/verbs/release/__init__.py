"""From a study to the folder others download."""

from plausibly.verbs.release._verb import ReleaseFolder, release

__all__ = ["ReleaseFolder", "release"]
