"""From ratings to labels, by the method of your choice or the one that suits the scale."""

from plausibly.verbs.label._result import Labelled
from plausibly.verbs.label._verb import RESCALED, SUPPLIED, label, options_of_methods

__all__ = ["RESCALED", "SUPPLIED", "Labelled", "label", "options_of_methods"]
