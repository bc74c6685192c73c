"""From a position on the latent scale to an answer: thresholds, sliders, options, sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plausibly.ratings.forms import Question
from plausibly.ratings.simulated.model import PeopleModel, QuestionModel

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

MOST_STEPS = 11  # answers up to which a slider is a scale with steps, not rounded by habit
AFFIRMATIVE = frozenset({"yes", "true", "sì", "si", "ja", "oui", "sí", "plausible", "agree"})
NEGATIVE = frozenset({"no", "false", "falso", "nein", "non", "implausible", "disagree"})


def direction_of(question: Question, declared: QuestionModel) -> int:
    """Return 1 if the answers of a question rise with the latent scale, else -1.

    >>> direction_of(Question(id="q", type="choice", options=("yes", "no")), QuestionModel())
    -1
    """
    if declared.direction:
        return declared.direction
    scale = [one.strip().lower() for one in question.options if one not in question.unsure]
    falls = bool(scale) and scale[0] in AFFIRMATIVE and scale[-1] in NEGATIVE
    return -1 if falls else 1


def is_ordered(question: Question, scale: Sequence[str]) -> bool:
    """Return whether the answers of a question are in order, so that a position chooses one."""
    if question.type in ("slider", "likert") or len(scale) <= 2:
        return True
    declared = str(getattr(question, "scale", "") or "")
    if declared:
        return declared != "nominal"
    return all(one.lstrip("+-").replace(".", "", 1).isdigit() for one in scale)


def ordinal(position: Floats, answers: int, declared: QuestionModel) -> Whole:
    """Return the place of an ordered answer: thresholds are the cumulated shares of answers.

    >>> ordinal(np.array([0.1, 0.5, 0.99]), 5, QuestionModel()).tolist()
    [0, 2, 4]
    """
    shares = declared.shares if len(declared.shares) == answers else (1 / answers,) * answers
    thresholds = np.cumsum(shares)[:-1]
    return np.searchsorted(thresholds, position, side="right").astype(np.int64)


def slid(position: Floats, grid: Floats, ends: tuple[float, float], model: PeopleModel) -> Floats:
    """Return the answers on a slider: near an end people go to the end, and they round.

    Args:
        position: From 0 to 1.
        grid: What each person rounds to, in percent of the scale.
        ends: The slider's least and greatest answer.
        model: Determines where the ends begin.

    >>> slid(np.array([0.01, 0.43, 0.999]), np.array([10.0, 5.0, 1.0]), (0, 100), PeopleModel())
    array([  0.,  45., 100.])
    """
    low, high = ends
    share = np.where(position < model.ends, 0.0, np.where(position > 1 - model.ends, 1.0, position))
    return low + (high - low) * np.clip(np.round(share * 100 / grid) * grid / 100, 0.0, 1.0)


def stretched(position: Floats, ends: tuple[float, float], declared: QuestionModel) -> Floats:
    """Return positions moved so that a slider's answers have the declared quantiles."""
    if not declared.quantiles:
        return position
    low, high = ends
    steps = np.linspace(0, 1, len(declared.quantiles))
    values = np.interp(position, steps, np.array(declared.quantiles))
    return np.asarray(np.clip((values - low) / (high - low), 0.0, 1.0), dtype=np.float64)


def habit(uniform: float, model: PeopleModel) -> float:
    """Return what a person rounds to on every slider, in percent of the scale.

    >>> habit(0.0, PeopleModel()), habit(0.99, PeopleModel())
    (1.0, 10.0)
    """
    grids = sorted(model.rounding, key=int)
    if not grids:
        return 1.0
    edges = np.cumsum([model.rounding[grid] for grid in grids])
    return float(grids[min(int(np.searchsorted(edges, uniform, side="right")), len(grids) - 1)])


def nearest(value: float, choices: Sequence[float], *, up: bool) -> int:
    """Return the place of the choice nearest to a value; of two, the upper one if asked for."""
    gaps = np.abs(np.array(choices) - value)
    best = np.flatnonzero(gaps <= gaps.min() + 1e-9)
    return int(best[-1] if up else best[0])
