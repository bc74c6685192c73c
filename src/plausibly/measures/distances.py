"""How far one distribution over answers lies from another, row by row.

The first argument is people's distribution, the second the model's. Logarithms are natural
except in the Jensen-Shannon divergence, whose base 2 keeps it between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from plausibly.measures._grouping import Floats

# A model that rules an answer out is as wrong as one that gives it this probability.
LEAST = 1e-6

Distance = Callable[[Floats, Floats], Floats]


def cross_entropy(people: Floats, model: Floats) -> Floats:
    """Return minus the mean log probability the model gives to people's answers.

    >>> people, model = np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])
    >>> cross_entropy(people, model).round(3).tolist()
    [0.837]
    """
    bits: Floats = -(people * np.log(np.maximum(model, LEAST))).sum(axis=1)
    return bits


def kl_people_model(people: Floats, model: Floats) -> Floats:
    """Return the Kullback-Leibler divergence of the model from people, KL(people || model).

    >>> people, model = np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])
    >>> kl_people_model(people, model).round(3).tolist()
    [0.144]
    """
    return cross_entropy(people, model) - entropy(people)


def jensen_shannon(people: Floats, model: Floats) -> Floats:
    """Return the Jensen-Shannon divergence in bits (Lin 1991).

    >>> people, model = np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])
    >>> jensen_shannon(people, model).round(3).tolist()
    [0.049]
    """
    middle = (people + model) / 2
    gaps = entropy(middle) - (entropy(people) + entropy(model)) / 2
    bits: Floats = np.maximum(gaps, 0.0) / np.log(2)
    return bits


def manhattan(people: Floats, model: Floats) -> Floats:
    """Return the sum of absolute differences of the probabilities.

    >>> people, model = np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])
    >>> manhattan(people, model).round(3).tolist()
    [0.5]
    """
    gaps: Floats = np.abs(people - model).sum(axis=1)
    return gaps


def soft_accuracy(people: Floats, model: Floats) -> Floats:
    """Return the probability both share, the sum of the smaller of the two.

    >>> people, model = np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])
    >>> soft_accuracy(people, model).round(3).tolist()
    [0.75]
    """
    shared: Floats = np.minimum(people, model).sum(axis=1)
    return shared


def wasserstein(positions: Floats) -> Distance:
    """Return the 1-Wasserstein distance of answers that lie at these positions of a scale.

    >>> wasserstein(np.array([1.0, 2.0, 4.0]))(np.eye(3)[:1], np.eye(3)[2:]).tolist()
    [3.0]
    """
    steps = np.diff(positions)

    def distance(people: Floats, model: Floats) -> Floats:
        gaps = np.abs(np.cumsum(people - model, axis=1))[:, :-1]
        moved: Floats = gaps @ steps
        return moved

    return distance


def entropy(distribution: Floats) -> Floats:
    """Return the entropy of every row in nats.

    >>> entropy(np.array([[0.5, 0.5]])).round(3).tolist()
    [0.693]
    """
    logs = np.log(np.where(distribution > 0, distribution, 1.0))
    nats: Floats = -(distribution * logs).sum(axis=1)
    return nats


DISTANCES: dict[str, Distance] = {
    "cross_entropy": cross_entropy,
    "kl_people_model": kl_people_model,
    "jsd": jensen_shannon,
    "manhattan": manhattan,
    "soft_accuracy": soft_accuracy,
}
