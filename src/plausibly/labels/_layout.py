"""Ratings laid out for the latent-label models: sorted by item and label, one cell per answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from plausibly.measures.coded import Coded, Floats

Ints = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]

BLOCK = 1 << 18


@dataclass(frozen=True, eq=False)
class Layout:
    """Ratings as runs: all ratings that give one item one label are together.

    A cell is an annotator and a label (`annotator * labels + label`), the place of a parameter.

    Args:
        cell: Cell of each rating.
        start: First rating of each run, and the end.
        first: First run of each item that has ratings, and the end.
        run_label: Label of each run.
        item: Code of each item that has ratings.
        rest: Weight of the labels of each item that nobody chose.
        used: How often each annotator (row) gave each label (column).
        prior: Weight of each label; 1 when all are equally likely.
        weight: Weight of each run's label, 0 if a control forbids it; None when all are 1.
        known: Known label of each item that has ratings, -1 without; None when there is none.
    """

    cell: Ints
    start: Places
    first: Places
    run_label: Ints
    item: Ints
    rest: Floats
    used: Floats
    prior: Floats
    weight: Floats | None = None
    known: Ints | None = None

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return int(self.used.shape[1])

    @property
    def n_cells(self) -> int:
        """How many cells there are."""
        return int(self.used.size)

    def blocks(self, ratings: int) -> Iterator[slice]:
        """Yield items in slices of about so many ratings each."""
        ends = self.start[self.first]
        at = 0
        while at < len(self.item):
            stop = int(np.searchsorted(ends, ends[at] + ratings, side="right")) - 1
            stop = min(max(stop, at + 1), len(self.item))
            yield slice(at, stop)
            at = stop


def lay_out(coded: Coded, *, prior: Floats | None = None, control: Ints | None = None) -> Layout:
    """Return the layout of the ratings of one question.

    Args:
        coded: The ratings.
        prior: Probability of each label; uniform without.
        control: Known label of each item, -1 if it is not known.
    """
    labels, annotators = coded.n_answers, coded.n_annotators
    packed = coded.item.astype(np.int64)
    packed *= labels
    packed += coded.answer
    packed *= annotators
    packed += coded.annotator
    packed.sort()
    cell, begins = _unpacked(packed, labels, annotators)
    opens = np.flatnonzero(begins)
    run = packed[opens]
    del packed, begins
    run //= annotators
    run_item, run_label = np.divmod(run, labels)
    first = np.flatnonzero(np.diff(run_item, prepend=-1))
    item = run_item[first]
    used = np.bincount(cell, minlength=annotators * labels).reshape(annotators, labels)
    layout = Layout(
        cell=cell,
        start=np.append(opens, len(cell)),
        first=np.append(first, len(opens)),
        run_label=run_label.astype(np.int32),
        item=item.astype(np.int32),
        rest=labels - np.diff(first, append=len(opens)).astype(np.float64),
        used=used.astype(np.float64),
        prior=np.ones(labels),
    )
    if prior is None and control is None:
        return layout
    known = np.full(coded.n_items, -1, np.int32) if control is None else control
    return _weighted(layout, np.ones(labels) if prior is None else prior * labels, known[item])


def _unpacked(packed: Places, labels: int, annotators: int) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return the cell of each sorted rating, and where a run begins, in blocks to save memory."""
    cell = np.empty(len(packed), dtype=np.int32)
    begins = np.empty(len(packed), dtype=np.bool_)
    before = -1
    for low in range(0, len(packed), BLOCK):
        block = slice(low, low + BLOCK)
        run, annotator = np.divmod(packed[block], annotators)
        cell[block] = annotator * labels + run % labels
        begins[block] = np.diff(run, prepend=before) != 0
        before = run[-1]
    return cell, begins


def _weighted(layout: Layout, prior: Floats, known: Ints) -> Layout:
    """Return the layout with the labels weighted, and all but the known one struck out."""
    weight = prior[layout.run_label]
    opens = layout.first[:-1]
    rest = np.maximum(layout.n_labels - np.add.reduceat(weight, opens), 0.0)
    wanted = np.repeat(known, np.diff(layout.first))
    right = layout.run_label == wanted
    missing = 1.0 - np.add.reduceat(right.astype(np.float64), opens)
    return replace(
        layout,
        prior=prior,
        known=known,
        weight=np.where((wanted < 0) | right, weight, 0.0),
        rest=np.where(known < 0, rest, prior[known] * missing),
    )
