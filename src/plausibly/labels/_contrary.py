"""Whether annotators agree less than by chance, which independent errors cannot explain."""

from __future__ import annotations

import numpy as np

from plausibly.measures.coded import Coded, Floats

STANDARD_ERRORS = 3.0
# Ratings that the answers of the whole crowd are worth next to an annotator's.
CROWD_RATINGS = 2.0


def contrary(coded: Coded) -> bool:
    """Return whether ratings of an item are equal less often than by chance, by 3 standard errors.

    Errors that are independent given the label make ratings of an item more alike than chance.
    They are less alike if items were chosen by their answers (only those that annotators disagree
    about), or if annotators oppose each other. A method then takes the majority for wrong. By
    chance, two annotators are as often equal as their answers to other items make them.

    >>> from plausibly.measures.coded import code
    >>> import polars as pl
    >>> disputed = pl.DataFrame({"item": [f"t{n // 3}" for n in range(120)],
    ...                          "annotator": [f"a{n}" for n in range(120)],
    ...                          "answer": ["x", "y", "y", "x", "x", "y"] * 20})
    >>> contrary(code(disputed)), contrary(code(disputed.with_columns(answer=pl.lit("x"))))
    (True, False)
    """
    n = np.bincount(coded.item, minlength=coded.n_items).astype(np.float64)
    pairs = n * (n - 1)
    if pairs.sum() == 0:
        return False
    cell = coded.item.astype(np.int64) * coded.n_answers + coded.answer
    votes = np.unique(cell, return_counts=True)[1].astype(np.float64)
    equal = float((votes * (votes - 1)).sum())
    shares = np.bincount(coded.answer, (n - 1)[coded.item], coded.n_answers) / pairs.sum()
    two, three = float((shares**2).sum()), float((shares**3).sum())
    variance = 2 * two * (1 - two) * pairs.sum()
    variance += 4 * (three - two**2) * float((pairs * (n - 2)).sum())
    below = _by_chance(coded, shares) - equal
    return below > STANDARD_ERRORS * float(np.sqrt(max(variance, 0.0))) and below > 1e-9


def _by_chance(coded: Coded, shares: Floats) -> float:
    """Return how many ordered pairs of ratings of one item would be equal by chance."""
    people, labels = coded.n_annotators, coded.n_answers
    cell = coded.annotator.astype(np.int64) * labels + coded.answer
    counts = np.bincount(cell, minlength=people * labels).reshape(people, labels)
    rated = (counts.sum(axis=1) - 1 + CROWD_RATINGS)[coded.annotator]
    equal = 0.0
    for label, share in enumerate(shares):
        others = counts[coded.annotator, label] - (coded.answer == label) + CROWD_RATINGS * share
        others = others / rated
        of_items = np.bincount(coded.item, others, coded.n_items)
        equal += float(np.square(of_items).sum() - np.square(others).sum())
    return equal
