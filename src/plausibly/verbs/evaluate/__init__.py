"""How well predictions go with what people say: with labels by a scheme, or with their ratings."""

from plausibly.verbs.evaluate._labels import Evaluated
from plausibly.verbs.evaluate._ratings import EvaluatedWithPeople
from plausibly.verbs.evaluate._verb import RATINGS_STEP, STEP, evaluate

__all__ = ["RATINGS_STEP", "STEP", "Evaluated", "EvaluatedWithPeople", "evaluate"]
