"""What simulated people bring to a study: the model, and where its items are on their scale."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from plausibly.errors import StudyError
from plausibly.ratings.forms import Form
from plausibly.ratings.simulated.latent import Drawer, ItemPlaces, item_places, keyed_normals
from plausibly.ratings.simulated.model import PeopleModel

Leanings = Mapping[str, Mapping[str, str]]
"""From an item, or `item#candidate`, and a question to the answer careful people tend to."""
LEANING = "leans_to"  # column of the items: JSON from question to the answer careful people tend to


@dataclass(frozen=True, eq=False, slots=True)
class Outlook:
    """What simulated people bring to a study.

    Args:
        model: How they answer.
        seed: Of the places of items.
        items: Where items are for everyone, by question.
        leanings: Answers careful people tend to, where they are known: these come first.
    """

    model: PeopleModel = field(default_factory=PeopleModel)
    seed: int = 1
    items: Mapping[str, ItemPlaces] = field(default_factory=dict)
    leanings: Leanings = field(default_factory=dict)

    def place(self, question: str, item: str) -> float:
        """Return where an item, or `item#candidate`, is for everyone."""
        known = self.items.get(question)
        if known is not None and item in known.places:
            return known.places[item]
        drawn = Drawer(self.model, self.seed).effects("item", [item], question)
        return self.model.items * float(drawn[0])

    def scale(self, question: str) -> float:
        """Return the standard deviation of the latent scale of a question."""
        known = self.items.get(question)
        return self.model.total if known is None else known.scale

    def appeals(self, question: str, item: str, group: str, options: Sequence[str]) -> list[float]:
        """Return how much each of some unordered options suits an item, for everyone.

        Args:
            question: The question.
            item: The item.
            group: What else it depends on, such as the condition.
            options: The options.
        """
        own = [f"{item}|{option}" for option in options]
        theirs = [f"{group}|{option}" for option in options]
        spread = np.hypot(self.model.items, self.model.groups)
        suits = spread * keyed_normals(self.seed, f"suits|{question}", own)
        suits = suits + self.model.effect * keyed_normals(self.seed, f"fits|{question}", theirs)
        return [float(one) for one in suits]


def outlook_of(items: pl.DataFrame, form: Form, model: PeopleModel, *, seed: int) -> Outlook:
    """Return what simulated people bring to a study."""
    questions = [one.id for one in form.questions if one.type != "text"]
    places = item_places(items, questions, Drawer(model, seed))
    return Outlook(model, seed, places, read_leanings(items))


def read_leanings(items: pl.DataFrame) -> dict[str, dict[str, str]]:
    """Return what careful people tend to answer, from the column `leans_to` where there is one."""
    if LEANING not in items.columns:
        return {}
    declared = items.drop_nulls(LEANING).select("item", LEANING)
    leanings: dict[str, dict[str, str]] = {}
    for item, text in declared.iter_rows():
        try:
            leanings[item] = {str(key): str(one) for key, one in json.loads(text).items()}
        except (ValueError, AttributeError) as error:
            raise StudyError(
                f"items: {LEANING} of item {item!r} must be JSON that maps questions to answers; "
                f"got {text!r}."
            ) from error
    return leanings
