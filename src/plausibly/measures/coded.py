"""Ratings of one question as integer codes, the form every kernel works on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.domain import as_number, label_order
from plausibly.measures._coincidences import coincidences

Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Coded:
    """One answer per position: `annotator[i]` answered `answers[answer[i]]` to `items[item[i]]`.

    Args:
        item: Code of the item of each rating.
        annotator: Code of the annotator of each rating.
        answer: Code of the answer of each rating.
        items: Item names by code, sorted.
        annotators: Annotator names by code, sorted.
        answers: Answers by code, smallest first (see `label_order`).
        numbers: Where each answer lies on its scale, when that is not the number it is written as.
    """

    item: Codes
    annotator: Codes
    answer: Codes
    items: pl.Series
    annotators: pl.Series
    answers: tuple[str, ...]
    numbers: Floats | None = None

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
        if self.numbers is not None:
            return self.numbers
        return numbers_of(pl.Series(self.answers, dtype=pl.String))

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each item (row) got each answer (column)."""
        return self.frequencies.astype(np.int64)

    @cached_property
    def frequencies(self) -> Floats:
        """The same as floats, counted in blocks to save memory."""
        table = np.zeros((self.n_items, self.n_answers))
        for start in range(0, self.n_ratings, BLOCK):
            item, answer = self.item[start : start + BLOCK], self.answer[start : start + BLOCK]
            low, high = int(item.min()), int(item.max()) + 1
            cells = np.subtract(item, low, dtype=np.int64)
            cells *= self.n_answers
            cells += answer
            counted = np.bincount(cells, minlength=(high - low) * self.n_answers)
            table[low:high] += counted.reshape(high - low, self.n_answers)
        return table

    @cached_property
    def coincidences(self) -> Floats:
        """How often two answers (row, column) meet on an item; made once for all measures."""
        return coincidences(self.frequencies)


def code(ratings: pl.DataFrame) -> Coded:
    """Return the ratings of one question as codes; names are sorted, so row order is forgotten.

    >>> coded = code(pl.DataFrame({"item": ["t2", "t1"], "annotator": ["b", "a"],
    ...                            "answer": ["10", "9"]}))
    >>> coded.items.to_list(), coded.answers, coded.answer.tolist()
    (['t1', 't2'], ('9', '10'), [1, 0])
    """
    item, items = codes_of(ratings["item"])
    annotator, annotators = codes_of(ratings["annotator"])
    answer, answers = codes_of_answers(ratings["answer"])
    return Coded(item, annotator, answer, items, annotators, answers)


SAMPLE = 10_000


def codes_of(names: pl.Series) -> tuple[Codes, pl.Series]:
    """Return the place of each name among the distinct names, and those in order.

    Names that come in runs, as items do in most files, are looked up once a run. A categorical
    of its own is the quickest way from millions of names to numbers.

    >>> codes, names = codes_of(pl.Series(["b", "b", "a"]))
    >>> codes.tolist(), names.to_list()
    ([1, 1, 0], ['a', 'b'])
    """
    begins = _begins(names) if _in_runs(names.head(SAMPLE)) else None
    if begins is not None and 2 * int(begins.sum()) < len(begins):
        codes, known = codes_of(names.filter(begins))
        return codes[np.cumsum(begins.to_numpy(), dtype=np.int32) - 1], known
    categories = names.cast(pl.Categorical(pl.Categories.random()))
    physical = categories.to_physical().to_numpy()
    distinct = categories.unique()
    numbers = distinct.to_physical().to_numpy()
    known = distinct.cast(pl.String)
    order = known.arg_sort().to_numpy()
    place = np.zeros(int(numbers.max(initial=0)) + 1, dtype=np.int32)
    place[numbers[order]] = np.arange(len(order), dtype=np.int32)
    return place[physical], known.gather(order)


def _begins(names: pl.Series) -> pl.Series:
    return names.ne_missing(names.shift(1)) | (pl.int_range(len(names), eager=True) == 0)


def _in_runs(names: pl.Series) -> bool:
    return 2 * int(_begins(names).sum()) < len(names)


def codes_of_answers(answers: pl.Series) -> tuple[Codes, tuple[str, ...]]:
    """Return the place of each answer among the distinct answers, and those smallest first."""
    codes, known = codes_of(answers)
    numbers = numbers_of(known)
    if numbers is None:
        return codes, tuple(known)
    order = np.argsort(numbers, kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[codes], tuple(known.gather(order))


_PLAIN = r"^[+-]?[0-9]+(\.[0-9]*)?$"


def numbers_of(answers: pl.Series) -> Floats | None:
    """Return the number each answer stands for, or None when one of them is not a number.

    >>> numbers_of(pl.Series(["4", " 4.5"])), numbers_of(pl.Series(["4", "so"]))
    (array([4. , 4.5]), None)
    """
    plain = answers.str.contains(_PLAIN)
    numbers = np.asarray(answers.cast(pl.Float64, strict=False).fill_null(np.nan), dtype=np.float64)
    numbers = np.where(plain.to_numpy(), numbers, np.nan)
    for place in np.flatnonzero(~np.isfinite(numbers)).tolist():
        number = as_number(answers[place])
        if number is None:
            return None
        numbers[place] = number
    return numbers


def code_on_scale(ratings: pl.DataFrame) -> Coded:
    """Return the ratings of one question as codes, answers in the order of their `value`.

    The column `value` counts when every answer has one value and no two answers share it;
    otherwise answers stand for the numbers they are written as, and spellings of one number
    ("4", "4.0") are one answer.

    >>> coded = code_on_scale(pl.DataFrame({"item": ["t1", "t1"], "annotator": ["a", "b"],
    ...                                     "answer": ["no", "maybe"], "value": [1.0, 2.0]}))
    >>> coded.answers, coded.values
    (('no', 'maybe'), array([1., 2.]))
    """
    coded = code(ratings.with_columns(_one_spelling(ratings["answer"])))
    numbers = _scale(coded, ratings["value"].to_numpy()) if "value" in ratings.columns else None
    if numbers is None or (coded.values is not None and np.array_equal(numbers, coded.values)):
        return coded
    order = np.argsort(numbers)
    place = np.argsort(order).astype(np.int32)
    answers = tuple(coded.answers[old] for old in order.tolist())
    return replace(coded, answer=place[coded.answer], answers=answers, numbers=numbers[order])


def _one_spelling(answers: pl.Series) -> pl.Series:
    """Return the answers with every number in the first of its spellings."""
    different = answers.unique()
    numbers = numbers_of(different)
    if numbers is None or len(np.unique(numbers)) == len(numbers):
        return answers
    spelled = spellings(different.to_list())
    return answers.replace_strict(list(spelled), list(spelled.values())) if spelled else answers


def spellings(answers: Iterable[str], *, known: Iterable[str] = ()) -> dict[str, str]:
    """Return how each answer is to be spelt; empty unless some number has two spellings.

    Numbers are as `known` has them, else as the first spelling has them; unless all answers are
    numbers, "1" and "1.0" may be names and stay two.

    >>> spellings(["4", "4.0", "5.0"]), spellings(["4", "4.0", "so"])
    ({'4': '4', '4.0': '4', '5.0': '5.0'}, {})
    >>> spellings(["5.0"], known=["5"])
    {'5.0': '5'}
    """
    given = label_order(answers)
    if any(as_number(answer) is None for answer in given):
        return {}
    first: dict[float, str] = {}
    for answer in (*known, *given):
        number = as_number(answer)
        if number is not None:
            first.setdefault(number, answer)
    spelled = {answer: first[float(answer)] for answer in given}
    return {} if all(old == new for old, new in spelled.items()) else spelled


def _scale(coded: Coded, value: Floats) -> Floats | None:
    """Return the value of each answer, or None unless each has one and all differ."""
    if np.isnan(value).any():
        return None
    low = np.full(coded.n_answers, np.inf)
    high = np.full(coded.n_answers, -np.inf)
    np.minimum.at(low, coded.answer, value)
    np.maximum.at(high, coded.answer, value)
    one_each = np.array_equal(low, high) and len(np.unique(low)) == len(low)
    return low if one_each else None


def numeric_labels(labels: pl.Series) -> pl.Series | None:
    """Return labels that are numbers, such as means; None for words and codes.

    >>> numeric_labels(pl.Series(["2.5", None, "3"])).to_list()
    [2.5, None, 3.0]
    >>> numeric_labels(pl.Series(["1", "2"]))
    """
    if not labels.drop_nulls().str.contains(".", literal=True).any():
        return None
    numbers = labels.cast(pl.Float64, strict=False)
    return numbers if numbers.null_count() == labels.null_count() else None
