"""How well predictions go with what people say: with labels by a scheme, or with their ratings."""

from plausibly.verbs.evaluate._labels import Evaluated, evaluate_step
from plausibly.verbs.evaluate._ratings import EvaluatedWithPeople, evaluate_ratings_step
from plausibly.verbs.evaluate._verb import check_choice, evaluate

__all__ = [
    "Evaluated",
    "EvaluatedWithPeople",
    "check_choice",
    "evaluate",
    "evaluate_ratings_step",
    "evaluate_step",
]
