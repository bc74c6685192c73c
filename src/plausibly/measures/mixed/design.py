"""From a formula of terms and columns to the fixed design.

Two-level terms are coded -1/2 and +1/2 in sorted order, so that a value is the difference; more
levels sum to zero; numbers are centred.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import chain, combinations, product

import numpy as np

from plausibly.errors import StudyError, UnknownName
from plausibly.measures.mixed.crossed import Floats, Integers

INTERCEPT = "intercept"
ALIASED = 1e-7
Columns = Mapping[str, Sequence[object]]


@dataclass(frozen=True, eq=False)
class Variable:
    """One column of the table, coded.

    Args:
        name: Of the column.
        levels: Its values in sorted order; empty for numbers.
        coding: The coded columns of each level (levels by columns); for numbers [[1]].
        columns: The coded columns of each row.
        labels: What is reported: the name itself, or NAME[level] for each of three or more.
        reported: How these follow from the coded columns (labels by columns).
    """

    name: str
    levels: tuple[str, ...]
    coding: Floats
    columns: Floats
    labels: tuple[str, ...]
    reported: Floats

    @property
    def turn(self) -> Floats:
        """What the coded columns are of orthonormal ones; 1 for a single column."""
        if self.coding.shape[1] == 1:
            return np.ones((1, 1))
        return np.asarray(np.linalg.qr(self.coding)[1], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Term:
    """A variable or an interaction, and the columns of the design it has.

    Args:
        name: For example condition or condition:language.
        variables: Names of its variables.
        places: Its columns in the full design.
        labels: Names of what is reported.
        reported: How these follow from its columns.
    """

    name: str
    variables: tuple[str, ...]
    places: Integers
    labels: tuple[str, ...]
    reported: Floats


@dataclass(frozen=True, eq=False)
class FixedDesign:
    """The fixed effects of a model.

    Args:
        full: All columns, the intercept first.
        names: Their names.
        kept: Columns that do not follow from those before them.
        terms: What the columns stand for.
        variables: The coded columns by name.
    """

    full: Floats
    names: tuple[str, ...]
    kept: Integers
    terms: tuple[Term, ...]
    variables: Mapping[str, Variable]

    @property
    def matrix(self) -> Floats:
        """The columns that are estimated."""
        return self.full[:, self.kept]

    @property
    def aliased(self) -> tuple[str, ...]:
        """Names of the columns that follow from others."""
        return tuple(name for n, name in enumerate(self.names) if n not in set(self.kept))

    @cached_property
    def _null(self) -> Floats:
        _, values, vectors = np.linalg.svd(self.full.T @ self.full)
        null: Floats = vectors[values < values.max() * ALIASED**2 * 1e4].T
        return null

    def estimable(self, contrast: Floats) -> bool:
        """Return whether the rows determine a contrast of the full columns."""
        return bool(np.abs(contrast @ self._null).max(initial=0.0) < 1e-6)

    def columns_of(self, term: Term) -> Floats:
        """Return the columns of one term."""
        return self.full[:, term.places]

    def orthonormal(self, term: Term) -> Floats:
        """Return the columns of one term in a coding that treats all levels alike."""
        turns = [self.variables[name].turn for name in term.variables]
        turned: Floats = self.columns_of(term) @ np.linalg.inv(reduce(_kronecker, turns))
        return turned

    def cells(self) -> list[tuple[dict[str, str], Floats]]:
        """Return every combination of levels with its row of the full design, numbers at 0."""
        named = [v for v in self.variables.values() if v.levels]
        cells = []
        for chosen in product(*(range(len(v.levels)) for v in named)):
            place = {v.name: number for v, number in zip(named, chosen, strict=True)}
            levels = {v.name: v.levels[place[v.name]] for v in named}
            cells.append((levels, self._row(place)))
        return cells

    def _row(self, place: Mapping[str, int]) -> Floats:
        row = np.zeros(self.full.shape[1])
        row[0] = 1.0
        for term in self.terms:
            parts = [self._coded(name, place) for name in term.variables]
            row[term.places] = reduce(_kronecker, parts)
        return row

    def _coded(self, name: str, place: Mapping[str, int]) -> Floats:
        variable = self.variables[name]
        return variable.coding[place[name]] if variable.levels else np.zeros(1)


def parse_terms(terms: str) -> tuple[tuple[str, ...], ...]:
    """Return the terms of a formula, main effects first.

    >>> parse_terms("condition * language + length")
    (('condition',), ('language',), ('length',), ('condition', 'language'))
    """
    chosen: dict[tuple[str, ...], None] = {}
    for part in terms.split("+"):
        factors = [tuple(_names(factor.split(":"), terms)) for factor in part.split("*")]
        subsets = (combinations(factors, size) for size in range(1, len(factors) + 1))
        for subset in chain.from_iterable(subsets):
            names = tuple(dict.fromkeys(chain.from_iterable(subset)))
            if not any(set(names) == set(other) for other in chosen):
                chosen[names] = None
    return tuple(sorted(chosen, key=len))


def _names(parts: Sequence[str], terms: str) -> list[str]:
    names = [part.strip() for part in parts]
    if not all(names):
        raise StudyError(
            f'terms "{terms}": a name is missing. Write column names joined by +, * or :, for '
            'example "condition * language".'
        )
    return names


def fixed_design(terms: str, columns: Columns) -> FixedDesign:
    """Return the fixed design of a formula.

    Args:
        terms: Column names joined by + (and), * (and, with interaction) or : (interaction).
        columns: The values of each column; text is a category, numbers are numbers.

    Raises:
        UnknownName: for a term that is not a column.
        StudyError: for a term with one value only or with missing values.
    """
    parsed = parse_terms(terms)
    variables = {name: _variable(name, columns) for names in parsed for name in names}
    parts = [np.ones((len(next(iter(variables.values())).columns), 1))]
    names, built, start = [INTERCEPT], [], 1
    for chosen in parsed:
        coded = reduce(_crossed, (variables[name].columns for name in chosen))
        places = np.arange(start, start + coded.shape[1])
        built.append(_term(chosen, variables, places))
        names += _joined([_column_names(variables[name]) for name in chosen])
        parts.append(coded)
        start += coded.shape[1]
    full = np.hstack(parts)
    return FixedDesign(full, tuple(names), _independent(full), tuple(built), variables)


def _variable(name: str, columns: Columns) -> Variable:
    if name not in columns:
        raise UnknownName("column", name, columns)
    values = columns[name]
    missing = sum(value is None for value in values)
    if missing:
        raise StudyError(
            f"term {name}: {missing} of {len(values)} ratings have no value. "
            "Fill the column or drop these ratings."
        )
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return _number(name, np.array(values, dtype=np.float64))
    return _category(name, [str(value) for value in values])


def _several(name: str, distinct: int, example: object) -> None:
    if distinct < 2:
        raise StudyError(
            f"term {name}: all ratings have the value {example!r}, so it has no effect to "
            "estimate. Drop it from the terms."
        )


def _number(name: str, values: Floats) -> Variable:
    _several(name, len(np.unique(values)), float(values[0]))
    one = np.ones((1, 1))
    return Variable(name, (), one, (values - values.mean())[:, None], (name,), one)


def _category(name: str, values: Sequence[str]) -> Variable:
    levels, numbers = np.unique(np.array(values), return_inverse=True)
    _several(name, len(levels), values[0])
    named = tuple(map(str, levels))
    if len(named) == 2:
        coding = np.array([[-0.5], [0.5]])
        return Variable(name, named, coding, coding[numbers], (name,), np.ones((1, 1)))
    coding = np.vstack([np.eye(len(named) - 1), -np.ones(len(named) - 1)])
    labels = tuple(f"{name}[{level}]" for level in named)
    return Variable(name, named, coding, coding[numbers], labels, coding)


def _column_names(variable: Variable) -> tuple[str, ...]:
    return variable.labels[: variable.columns.shape[1]]


def _joined(names: Sequence[Sequence[str]]) -> list[str]:
    return [":".join(chosen) for chosen in product(*names)]


def _kronecker(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.kron(left, right), dtype=np.float64)


def _crossed(left: Floats, right: Floats) -> Floats:
    return (left[:, :, None] * right[:, None, :]).reshape(len(left), -1)


def _term(chosen: tuple[str, ...], variables: Mapping[str, Variable], places: Integers) -> Term:
    labels = tuple(_joined([variables[name].labels for name in chosen]))
    reported = reduce(_kronecker, (variables[name].reported for name in chosen))
    return Term(":".join(chosen), chosen, places, labels, reported)


def _independent(full: Floats) -> Integers:
    """Return the columns that do not follow from those before them."""
    kept: list[int] = []
    basis = np.zeros((len(full), 0))
    for number in range(full.shape[1]):
        column = full[:, number]
        rest = column - basis @ (basis.T @ column)
        rest -= basis @ (basis.T @ rest)
        size = float(np.linalg.norm(rest))
        if size > ALIASED * max(float(np.linalg.norm(column)), 1e-300):
            kept.append(number)
            basis = np.column_stack([basis, rest / size])
    return np.array(kept, dtype=np.int64)
