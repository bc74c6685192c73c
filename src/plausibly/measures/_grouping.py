"""Codes into groups: distinct codes in order, and every pair of members of a group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int32] | npt.NDArray[np.int64]

_FEW = 1 << 20


@dataclass(frozen=True, eq=False)
class Cells:
    """The distinct combinations of a group (item, pair, annotator) and an answer.

    Args:
        group: Group of each cell, ascending.
        answer: Answer of each cell, ascending within a group.
        place: For each row the cell it belongs to.
    """

    group: Ints
    answer: Ints
    place: Ints

    def __len__(self) -> int:
        return len(self.group)


def cells_of(group: Indices, answer: Indices, *, n_answers: int) -> Cells:
    """Return the distinct combinations of a group and an answer, in order.

    >>> cells = cells_of(np.array([1, 0, 1]), np.array([2, 0, 2]), n_answers=3)
    >>> cells.group.tolist(), cells.answer.tolist(), cells.place.tolist()
    ([0, 1], [0, 2], [1, 0, 1])
    """
    codes = group.astype(np.int64) * n_answers + answer
    n_groups = int(group.max()) + 1 if len(group) else 0
    known, place = distinct(codes, size=n_groups * n_answers)
    return Cells(*np.divmod(known, max(n_answers, 1)), place)


def distinct(codes: Ints, *, size: int) -> tuple[Ints, Ints]:
    """Return the distinct codes below `size`, ascending, and the place of each code among them.

    >>> distinct(np.array([7, 2, 7]), size=10)
    (array([2, 7]), array([1, 0, 1]))
    """
    if size > max(_FEW, 16 * len(codes)):
        return np.unique(codes, return_inverse=True)
    present = np.zeros(size, dtype=np.bool_)
    present[codes] = True
    known = np.flatnonzero(present)
    place = np.empty(size, dtype=np.int32)
    place[known] = np.arange(len(known), dtype=np.int32)
    return known, place[codes].astype(np.int64)


def pairs_within(group: Indices) -> tuple[Ints, Ints]:
    """Return the positions of both members of every pair in a group; `group` is sorted.

    >>> [positions.tolist() for positions in pairs_within(np.array([0, 0, 0, 1, 2, 2]))]
    [[0, 1, 4, 0], [1, 2, 5, 2]]
    """
    if len(group) == 0:
        nobody = np.empty(0, dtype=np.int64)
        return nobody, nobody
    ends = np.append(np.flatnonzero(np.diff(group)) + 1, len(group))
    followers = np.repeat(ends, np.diff(ends, prepend=0)) - np.arange(len(group)) - 1
    first: list[Ints] = []
    second: list[Ints] = []
    alive = np.flatnonzero(followers > 0)
    step = 1
    while len(alive):
        first.append(alive)
        second.append(alive + step)
        step += 1
        alive = alive[followers[alive] >= step]
    if not first:
        return alive, alive
    return np.concatenate(first), np.concatenate(second)


def sums(amount: Floats, group: Indices, *, n_groups: int) -> Floats:
    """Return the sum of an amount over the rows of each group.

    >>> sums(np.array([1.0, 2.0, 4.0]), np.array([0, 2, 0]), n_groups=3)
    array([5., 0., 2.])
    """
    return np.bincount(group, weights=amount, minlength=n_groups).astype(np.float64, copy=False)


def weighted_sum(amount: Floats, weight: Floats) -> float:
    """Return the sum of an amount times its weight.

    Not `@`: on long columns that wakes a pool of threads which spin between our short calls.
    """
    return float(np.sum(amount * weight))


def quotients(part: Floats, whole: Floats) -> Floats:
    """Return part / whole; not a number where the whole is 0 or less."""
    return np.divide(part, np.where(whole > 0, whole, np.nan), dtype=np.float64)


def running_totals(amount: Floats, group: Ints, totals: Floats) -> Floats:
    """Return the running total of an amount, started anew in each group.

    Args:
        amount: What is added up; rows of a group stand together, groups ascend.
        group: Code of the group of each row.
        totals: The whole amount of each group.
    """
    return np.cumsum(amount) - (np.cumsum(totals) - totals)[group]
