"""How far conclusions about rules depend on what a rehearsal assumes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from plausibly.ratings.served import Served
from plausibly.ratings.simulated.model import PeopleModel
from plausibly.ratings.simulated.outlook import outlook_of
from plausibly.web.rehearsal.losses import ALL, Cleaning, Coming, point

KNOWS_CHECKS = (0.9, 0.95, 0.99)
TIMES = (0.7, 1.0, 1.4)  # as fast as declared, and by so much faster and slower
Range = tuple[float, float] | None


def band(
    served: Served, cleaning: Cleaning, model: PeopleModel, *, mix: Mapping[str, float], people: int
) -> dict[str, Any]:
    """Return between which values the rules remove people, over a grid of assumptions.

    How often who reads passes a check, and how long an answer takes, are guesses: every
    combination of them is tried without the server.

    Args:
        served: The study.
        cleaning: How it cleans.
        model: How people answer, but for these two.
        mix: Share of each kind.
        people: At least so many for each combination.
    """
    points = []
    for knows, slower in product(KNOWS_CHECKS, TIMES):
        assumed = replace(
            model,
            knows_checks=knows,
            seconds=model.seconds * slower,
            seconds_per_word=model.seconds_per_word * slower,
        )
        outlook = outlook_of(cleaning.items, served.form, assumed, seed=cleaning.seed)
        points.append(point(served, cleaning, outlook, Coming(mix, people)))
    kinds = sorted({kind for one in points for kind in one["removed"][ALL]})
    return {
        "knows_checks": (KNOWS_CHECKS[0], KNOWS_CHECKS[-1]),
        "times": (TIMES[0], TIMES[-1]),
        "people": min(one["people"] for one in points),
        "removed": {
            kind: _range(one["removed"][ALL].get(kind) for one in points) for kind in kinds
        },
        "precision": _range(one["precision"][ALL] for one in points),
    }


def _range(values: Iterable[float | None]) -> Range:
    known = [value for value in values if value is not None]
    return (min(known), max(known)) if known else None
