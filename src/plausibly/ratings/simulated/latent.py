"""Where items are on the latent scale of people: effects drawn for many at once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.special import ndtr, ndtri

from plausibly.errors import StudyError, UnknownName
from plausibly.ratings.simulated.model import CONDITION, Effects, PeopleModel

Floats = npt.NDArray[np.float64]

GROUP = "item_group"
_UNIT = 2.0**-64


def keyed_normals(seed: int, about: str, names: Sequence[str]) -> Floats:
    """Return a standard normal number for each name, which depends on seed, topic and name alone.

    So nothing changes for an item when another is added, and everything can be drawn at once or
    one by one, in any order and by any number of workers.

    >>> float(keyed_normals(1, "item", ["a", "b"])[1]) == float(keyed_normals(1, "item", ["b"])[0])
    True
    """
    prefix = f"{seed}|{about}|"
    digests = [hashlib.sha256(f"{prefix}{name}".encode()).digest()[:8] for name in names]
    whole = np.array([int.from_bytes(one) for one in digests], dtype=np.float64)
    return np.asarray(ndtri((whole + 0.5) * _UNIT * (1 - 2e-12) + 1e-12), dtype=np.float64)


def cohering(shared: Floats, own: Floats, coherence: float) -> Floats:
    """Return effects on one question that correlate with those on another by `coherence`."""
    return sqrt(coherence) * shared + sqrt(1 - coherence) * own


@dataclass(frozen=True, slots=True)
class Drawer:
    """Draws the effects of one model on questions."""

    model: PeopleModel
    seed: int

    def effects(self, about: str, names: Sequence[str], question: str) -> Floats:
        """Return standard normal effects of whatever has these names on a question."""
        shared = keyed_normals(self.seed, about, names)
        own = keyed_normals(self.seed, f"{about}|{question}", names)
        return cohering(shared, own, self.model.coherence)

    def people(self, names: Sequence[str], question: str) -> Floats:
        """Return the severity of people on a question."""
        return self.model.severity * self.effects("severity", names, question)

    def slopes(self, pairs: Sequence[str], question: str) -> Floats:
        """Return by how much people differ from others in a condition: `person|condition`."""
        return self.model.slopes / sqrt(2) * self.effects("slope", pairs, question)

    def noise(self, pairs: Sequence[str], question: str) -> Floats:
        """Return the noise of single answers: `person|item`."""
        return self.effects("noise", pairs, question)

    def items(self, items: pl.DataFrame, question: str) -> Floats:
        """Return where items are for everyone: fixed effects, group, slope of the group, item.

        Args:
            items: Columns item and, where there are any, condition, item_group and those that
                effects name.
            question: The question.
        """
        names, model = items["item"].to_list(), self.model
        conditions = _texts(items, CONDITION)
        groups = _texts(items, GROUP)
        alone = [group or f"item {name}" for group, name in zip(groups, names, strict=True)]
        cells = [f"{group}|{one}" for group, one in zip(alone, conditions, strict=True)]
        levels = sorted({one for one in conditions if one})
        place = fixed_effects(items, model.effects_on(question, levels))
        place = place + model.groups * self.effects("group", alone, question)
        place = place + model.group_slopes / sqrt(2) * self.effects("cell", cells, question)
        return place + model.items * self.effects("item", names, question)


def fixed_effects(items: pl.DataFrame, effects: Effects) -> Floats:
    """Return the sum of the shifts of every item; a level that is not named has none."""
    place = np.zeros(items.height)
    for column, levels in effects.items():
        parts = column.split(":")
        missing = [one for one in parts if one not in items.columns]
        if missing:
            unknown = UnknownName("column of the items", missing[0], items.columns)
            raise StudyError(f"[people] effects: {unknown}")
        keys = zip(*(_texts(items, one) for one in parts), strict=True)
        place = place + np.array([levels.get(":".join(key), 0.0) for key in keys])
    return place


def _texts(items: pl.DataFrame, column: str) -> list[str]:
    if column not in items.columns:
        return [""] * items.height
    return items[column].cast(pl.String).fill_null("").to_list()


@dataclass(frozen=True, eq=False, slots=True)
class ItemPlaces:
    """Where the items of a study are for everyone, on one question.

    Args:
        places: From an item to its place on the latent scale.
        scale: Standard deviation of the latent scale over all items and people.
    """

    places: Mapping[str, float]
    scale: float


def item_places(
    items: pl.DataFrame, questions: Sequence[str], drawer: Drawer
) -> dict[str, ItemPlaces]:
    """Return where the items of a study are for everyone, by question."""
    names = items["item"].to_list()
    levels = sorted({one for one in _texts(items, CONDITION) if one})
    found: dict[str, ItemPlaces] = {}
    for question in questions:
        places = drawer.items(items, question).tolist()
        fixed = fixed_effects(items, drawer.model.effects_on(question, levels))
        scale = float(np.hypot(drawer.model.total, fixed.std() if fixed.size else 0.0))
        found[question] = ItemPlaces(dict(zip(names, places, strict=True)), scale)
    return found


def positions(latent: Floats, scale: float) -> Floats:
    """Return positions on the scale of a question, from 0 to 1."""
    return np.asarray(ndtr(latent / scale), dtype=np.float64)
