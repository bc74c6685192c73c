"""Ratings of one question as integer codes, the form every kernel works on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import as_number, label_order

Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Coded:
    """One answer per position: `items[item[i]]` was answered `answers[answer[i]]` by `annotator[i]`.

    Args:
        item: Code of the item of each rating.
        annotator: Code of the annotator of each rating.
        answer: Code of the answer of each rating.
        items: Item names by code, sorted.
        annotators: Annotator names by code, sorted.
        answers: Answers by code, smallest first (see `label_order`).
    """

    item: Codes
    annotator: Codes
    answer: Codes
    items: pl.Series
    annotators: pl.Series
    answers: tuple[str, ...]

    @property
    def n_ratings(self) -> int:
        """How many ratings there are."""
        return len(self.item)

    @property
    def n_items(self) -> int:
        """How many items there are."""
        return len(self.items)

    @property
    def n_annotators(self) -> int:
        """How many annotators there are."""
        return len(self.annotators)

    @property
    def n_answers(self) -> int:
        """How many different answers there are."""
        return len(self.answers)

    @cached_property
    def values(self) -> Floats | None:
        """The number each answer stands for, or None when one of them is not a number."""
        numbers = [as_number(answer) for answer in self.answers]
        known = [number for number in numbers if number is not None]
        return np.asarray(known, dtype=np.float64) if len(known) == len(numbers) else None

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each item (row) got each answer (column)."""
        cells = self.item.astype(np.int64) * self.n_answers + self.answer
        flat = np.bincount(cells, minlength=self.n_items * self.n_answers)
        return flat.reshape(self.n_items, self.n_answers)


def code(ratings: pl.DataFrame) -> Coded:
    """Return the ratings of one question as codes; names are sorted, so row order is forgotten.

    >>> coded = code(pl.DataFrame({"item": ["t2", "t1"], "annotator": ["b", "a"],
    ...                            "answer": ["10", "9"]}))
    >>> coded.items.to_list(), coded.answers, coded.answer.tolist()
    (['t1', 't2'], ('9', '10'), [1, 0])
    """
    item, items = _codes(ratings["item"])
    annotator, annotators = _codes(ratings["annotator"])
    answers = tuple(label_order(ratings["answer"].unique().to_list()))
    answer = ratings["answer"].replace_strict(answers, range(len(answers)), return_dtype=pl.Int32)
    return Coded(item, annotator, answer.to_numpy(), items, annotators, answers)


def _codes(names: pl.Series) -> tuple[Codes, pl.Series]:
    known = names.unique().sort()
    codes = names.to_frame("name").join(
        pl.DataFrame({"name": known, "code": pl.int_range(len(known), dtype=pl.Int32, eager=True)}),
        on="name",
        how="left",
        maintain_order="left",
    )
    return codes["code"].to_numpy(), known
