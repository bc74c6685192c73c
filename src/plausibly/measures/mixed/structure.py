"""The random structure of a design: the largest one that the ratings can identify.

Intercepts for annotators, items and groups, and slopes by annotator and group for each term that
varies within them. A variance is identified if its part of the covariance matrix of the answers
does not follow from those of the other variances and the residual. With one item for each group
and condition, for example, items say nothing that the slopes of groups do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product

import numpy as np

from plausibly.measures.mixed.crossed import Floats, Integers, Pairs, RandomFactor, summed
from plausibly.measures.mixed.design import INTERCEPT, FixedDesign, Term

IDENTIFIED = 1e-6
Part = tuple[RandomFactor, Pairs]


@dataclass(frozen=True, eq=False)
class Grouping:
    """The levels of a column whose effects are random.

    Args:
        name: annotator, item or group.
        levels: How many levels there are.
        group: The level of each row.
        slopes: Whether terms may have slopes by it.
    """

    name: str
    levels: int
    group: Integers
    slopes: bool = False


@dataclass(frozen=True, eq=False)
class RandomStructure:
    """The random effects of a model.

    Args:
        factors: What is estimated.
        notes: A sentence for each effect that the design cannot identify.
    """

    factors: tuple[RandomFactor, ...]
    notes: tuple[str, ...]


def grouping(name: str, values: Sequence[object], *, slopes: bool = False) -> Grouping:
    """Return the levels of a column in sorted order."""
    levels, numbers = np.unique(np.array([str(value) for value in values]), return_inverse=True)
    return Grouping(name, len(levels), numbers.astype(np.int64), slopes)


def random_structure(design: FixedDesign, groupings: Sequence[Grouping]) -> RandomStructure:
    """Return the largest identified structure.

    Slopes come before their correlations, and both before the intercepts of groupings without
    slopes, so that items are left out where the slopes of groups already describe them.

    Args:
        design: The fixed effects.
        groupings: In the order in which they are reported.
    """
    spans, notes = _Spans(len(design.full)), list[str]()
    sloped = _intercepts([each for each in groupings if each.slopes], spans, notes)
    wide = [_with_slopes(factor, design, (spans, notes)) for factor in sloped]
    factors = [_correlated(*each, design, (spans, notes)) for each in wide]
    factors += _intercepts([each for each in groupings if not each.slopes], spans, notes)
    order = [each.name for each in groupings]
    factors.sort(key=lambda factor: order.index(factor.name))
    return RandomStructure(tuple(factors), tuple(notes))


def carriers(grouping: Grouping, columns: Floats) -> int:
    """Return in how many levels the columns vary."""
    return int((_ranks(grouping.group, grouping.levels, columns) > 0).sum())


def _intercepts(
    groupings: Sequence[Grouping], spans: _Spans, notes: list[str]
) -> list[RandomFactor]:
    factors = []
    for each in groupings:
        ones = np.ones((len(each.group), 1))
        factor = RandomFactor(each.name, each.levels, each.group, ones, (INTERCEPT,))
        if each.levels > 1 and spans.add(factor, [(0, 0)]):
            factors.append(factor)
        else:
            notes.append(_dropped(INTERCEPT, each.name))
    return factors


def _dropped(effect: str, name: str) -> str:
    return f"The design cannot identify a random {effect} by {name}; it is not in the model."


def _with_slopes(
    factor: RandomFactor, design: FixedDesign, state: tuple[_Spans, list[str]]
) -> tuple[RandomFactor, list[Term]]:
    """Return the factor with one variance for each term that varies within it, and the terms."""
    spans, notes = state
    terms = []
    for term in design.terms:
        if not _varies(factor, design.columns_of(term)):
            continue
        wider = _widened(factor, term, design)
        fresh = [(place, place) for place in range(factor.size, wider.size)]
        if factor.levels > wider.parameters and spans.add(wider, fresh):
            factor = wider
            terms.append(term)
        else:
            notes.append(_dropped(f"slope of {term.name}", factor.name))
    return factor, terms


def _varies(factor: RandomFactor, columns: Floats) -> bool:
    """Return whether columns vary within levels, beyond the slopes already there."""
    before = _ranks(factor.group, factor.levels, factor.columns[:, 1:])
    after = _ranks(factor.group, factor.levels, np.hstack([factor.columns[:, 1:], columns]))
    return bool((after > before).sum() > columns.shape[1])


def _ranks(group: Integers, levels: int, columns: Floats) -> Integers:
    """Return the rank of the columns within each level, centred there."""
    width = columns.shape[1]
    if not width:
        return np.zeros(levels, dtype=np.int64)
    counts = np.bincount(group, minlength=levels)
    sums = np.stack([np.bincount(group, column, minlength=levels) for column in columns.T], 1)
    centred = columns - (sums / np.maximum(counts, 1)[:, None])[group]
    table = np.zeros((levels, width, width))
    for a in range(width):
        for b in range(width):
            table[:, a, b] = np.bincount(group, centred[:, a] * centred[:, b], minlength=levels)
    scale = max(float(np.abs(table).max()), 1e-300)
    ranks: Integers = (np.linalg.eigvalsh(table) > 1e-9 * scale).sum(axis=1).astype(np.int64)
    return ranks


def _widened(factor: RandomFactor, term: Term, design: FixedDesign) -> RandomFactor:
    """Return the factor with slopes of one term, the same variance for all its columns."""
    columns = design.orthonormal(term)
    width = columns.shape[1]
    shared = (factor.shared or (0,)) + (factor.parameters,) * width
    names = factor.names + (term.name,) * width
    both = np.hstack([factor.columns, columns])
    return replace(factor, columns=both, names=names, correlated=False, shared=shared)


def _correlated(
    factor: RandomFactor,
    terms: Sequence[Term],
    design: FixedDesign,
    state: tuple[_Spans, list[str]],
) -> RandomFactor:
    """Return the factor with all variances and correlations, where they are identified."""
    spans, notes = state
    size = factor.size
    needed = size * (size + 1) // 2
    if size == 1 or (factor.levels > needed and spans.add_every(factor)):
        columns = [factor.columns[:, :1], *(design.columns_of(term) for term in terms)]
        names = [design.names[place] for term in terms for place in term.places]
        group, levels = factor.group, factor.levels
        return RandomFactor(factor.name, levels, group, np.hstack(columns), (INTERCEPT, *names))
    notes.append(
        f"Random effects by {factor.name} are uncorrelated, with one variance per term: its "
        f"{factor.levels} levels cannot identify {needed} variances and correlations."
    )
    return factor


class _Spans:
    """Parts of the covariance matrix of the answers that do not follow from each other."""

    def __init__(self, rows: int) -> None:
        ones = np.ones((rows, 1))
        residual = RandomFactor("residual", rows, np.arange(rows), ones, (INTERCEPT,))
        self.parts: list[Part] = [(residual, [(0, 0)])]
        self.table = np.array([[float(rows)]])

    def add_every(self, factor: RandomFactor) -> bool:
        """Put every variance and covariance of a factor in place of its parts, all or none."""
        before = (self.parts, self.table)
        kept = [n for n, part in enumerate(self.parts) if part[0].name != factor.name]
        self.parts = [self.parts[n] for n in kept]
        self.table = self.table[np.ix_(kept, kept)]
        pairs = combinations_with_replacement(range(factor.size), 2)
        if all(self.add(factor, [pair]) for pair in pairs):
            return True
        self.parts, self.table = before
        return False

    def add(self, factor: RandomFactor, pairs: Pairs) -> bool:
        """Add one variance or covariance, and return whether it is identified."""
        part = (factor, pairs)
        across = np.array([_inner(part, other) for other in self.parts])
        size = _inner(part, part)
        scale = np.sqrt(np.diagonal(self.table))
        scaled = across / scale / np.sqrt(size) if size > 0 else across
        weights = np.linalg.solve(self.table / np.outer(scale, scale), scaled)
        if size <= 0 or 1 - float(scaled @ weights) < IDENTIFIED:
            return False
        self.table = np.block([[self.table, across[:, None]], [across[None, :], size]])
        self.parts = [*self.parts, part]
        return True


def _inner(one: Part, two: Part) -> float:
    """Return the sum of products of two parts' entries, each made symmetric."""
    (left, pairs), (right, others) = one, two
    _, cells = np.unique(left.group * right.levels + right.group, return_inverse=True)

    def crossing(first: int, second: int) -> Floats:
        products = left.columns[:, first] * right.columns[:, second]
        return summed(cells, products, 0)

    total = 0.0
    for (a, b), (c, d) in product(pairs, others):
        straight = float(crossing(a, c) @ crossing(b, d))
        turned = float(crossing(a, d) @ crossing(b, c))
        total += (straight + turned) / 2
    return total
