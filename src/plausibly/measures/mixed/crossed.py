"""Crossed random effects: factorisation of I + Λ'Z'WZΛ with one factor eliminated block by block.

The factor with the most columns is eliminated in small blocks; what remains is one dense Cholesky
factorisation (Bates et al. 2015, section 3, without a sparse solver).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Pairs = list[tuple[int, int]]


@dataclass(frozen=True, eq=False)
class RandomFactor:
    """What varies at random: the levels of one column, with an intercept, slopes or both.

    Args:
        name: Of the factor, for example annotator.
        levels: How many levels there are.
        group: The level of each row.
        columns: One column for each effect (rows by effects).
        names: Names of the effects.
        correlated: Whether the effects of one level may correlate.
        shared: Where they do not, the number of each effect's variance, from 0 in order; effects
            with the same number have the same variance. Each has its own where this is empty.
    """

    name: str
    levels: int
    group: Integers
    columns: Floats
    names: tuple[str, ...]
    correlated: bool = True
    shared: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Effects of one level."""
        return int(self.columns.shape[1])

    @cached_property
    def places(self) -> tuple[Integers, Integers]:
        """Row and column, in the Cholesky factor, of each free parameter."""
        pairs = [(a, b) for b in range(self.size) for a in range(b, self.size)]
        chosen = [(a, b) for a, b in pairs if self.correlated or a == b]
        table = np.array(chosen, dtype=np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1]

    @cached_property
    def index(self) -> Integers:
        """The number of the free parameter at each place."""
        count = len(self.places[0])
        chosen = range(count) if self.correlated or not self.shared else self.shared
        return np.array(chosen, dtype=np.int64)

    @property
    def parameters(self) -> int:
        """How many free parameters there are."""
        return int(self.index.max()) + 1

    def cholesky(self, theta: Floats) -> Floats:
        """Return the lower triangle that `theta` fills."""
        lower = np.zeros((self.size, self.size))
        lower[self.places] = theta[self.index]
        return lower

    def theta(self, lower: Floats) -> Floats:
        """Return the free parameters of a lower triangle."""
        theta = np.zeros(self.parameters)
        theta[self.index] = lower[self.places]
        return theta


def summed(places: Integers, values: Floats, size: int) -> Floats:
    """Return the sum of the values at each place, from 0 to `size` - 1."""
    return np.asarray(np.bincount(places, values, minlength=size), dtype=np.float64)


class CrossedEffects:
    """The random effects of one table, as functions of the parameters θ.

    θ has the free entries of each factor's relative Cholesky factor, factor by factor, each by
    columns, as in lme4.
    """

    def __init__(self, factors: Sequence[RandomFactor]) -> None:
        self.given = tuple(factors)
        order = sorted(range(len(factors)), key=lambda n: -factors[n].levels * factors[n].size)
        self.order = order
        self.factors = tuple(factors[n] for n in order)
        sizes = [factor.levels * factor.size for factor in self.factors]
        self.starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.width = int(self.starts[-1])
        self.first = self.factors[0].size
        self.blocks = self.factors[0].levels
        self.head = int(self.starts[1])
        self.rest = self.width - self.head
        self.at = np.hstack(
            [
                start + factor.group[:, None] * factor.size + np.arange(factor.size)
                for start, factor in zip(self.starts, self.factors, strict=False)
            ]
        )
        self.raw = np.hstack([factor.columns for factor in self.factors])
        self.rows, self.across = self.at.shape
        self.ends = np.arange(0, self.rows * self.across + 1, self.across)

    @property
    def parameters(self) -> int:
        """How many parameters θ has."""
        return sum(factor.parameters for factor in self.given)

    @property
    def diagonal(self) -> npt.NDArray[np.bool_]:
        """Which parameters are on a diagonal, and so cannot be negative."""
        parts = [factor.theta(np.eye(factor.size)) > 0 for factor in self.given]
        return np.concatenate(parts)

    def cholesky(self, theta: Floats) -> list[Floats]:
        """Return each factor's Cholesky factor, in the order given."""
        counts = np.cumsum([factor.parameters for factor in self.given])[:-1]
        parts = np.split(theta, counts)
        return [factor.cholesky(part) for factor, part in zip(self.given, parts, strict=True)]

    @cached_property
    def across_places(self) -> tuple[Pairs, Integers]:
        """Pairs of columns of the eliminated and the other factors, and their flat places."""
        pairs = [(a, b) for a in range(self.first) for b in range(self.first, self.across)]
        left, right = zip(*pairs, strict=True)
        return pairs, self.at[:, left] * self.rest + self.at[:, right] - self.head

    @cached_property
    def below_places(self) -> tuple[Pairs, Integers]:
        """Pairs of columns of the other factors, and their flat places in a lower triangle."""
        columns = range(self.first, self.across)
        pairs = [(a, b) for a in columns for b in columns if a >= b]
        left, right = zip(*pairs, strict=True)
        return pairs, (self.at[:, left] - self.head) * self.rest + self.at[:, right] - self.head

    def scaled(self, theta: Floats) -> Floats:
        """Return ZΛ as one row of entries for each row of the table."""
        lowers = self.cholesky(theta)
        parts = [
            factor.columns @ lowers[place]
            for factor, place in zip(self.factors, self.order, strict=True)
        ]
        return np.ascontiguousarray(np.hstack(parts))

    def matrix(self, scaled: Floats) -> sparse.csr_array:
        """Return ZΛ as a sparse matrix."""
        shape = (self.rows, self.width)
        return sparse.csr_array((scaled.ravel(), self.at.ravel(), self.ends), shape=shape)

    def gradient(self, products: Floats) -> Floats:
        """Return, in the order of θ, the sums over rows of raw column times product.

        Args:
            products: For each row, what multiplies the raw columns: one number for each column
                of the Cholesky factors.
        """
        sums = []
        for place, factor in enumerate(self.given):
            within = self.order.index(place)
            start = sum(other.size for other in self.factors[:within])
            part = products[:, start : start + factor.size]
            table = factor.columns.T @ part
            sums.append(summed(factor.index, table[factor.places], factor.parameters))
        return np.concatenate(sums)


class Factor:
    """The factorised matrix H = I + Λ'Z'WZΛ."""

    def __init__(self, crossing: CrossedEffects, scaled: Floats, weights: Floats) -> None:
        self.crossing = crossing
        self.scaled = scaled
        self.weighted = scaled * weights[:, None]
        self._eliminate()
        self._reduce()

    def _sums(self, pairs: Pairs, places: Integers, size: int) -> Floats:
        left = [a for a, _ in pairs]
        right = [b for _, b in pairs]
        products = self.scaled[:, left] * self.weighted[:, right]
        return summed(places.ravel(), products.ravel(), size)

    def _eliminate(self) -> None:
        own = self.crossing
        size, blocks = own.first, own.blocks
        pairs = [(a, b) for a in range(size) for b in range(size)]
        places = own.factors[0].group[:, None] * size**2 + np.arange(size**2)
        table = self._sums(pairs, places, blocks * size**2).reshape(blocks, size, size)
        lower = np.linalg.cholesky(table + np.eye(size))
        self.logarithm = 2 * float(np.log(np.diagonal(lower, axis1=1, axis2=2)).sum())
        self.inverted = np.linalg.inv(lower)

    def _reduce(self) -> None:
        own = self.crossing
        size, rest = own.first, own.rest
        if not rest:
            return
        across = self._sums(*own.across_places, own.head * rest).reshape(own.blocks, size, rest)
        self.half = np.matmul(self.inverted, across).reshape(own.head, rest)
        table = self._sums(*own.below_places, rest * rest).reshape(rest, rest)
        table[np.diag_indices(rest)] += 1.0
        # The upper triangle of the transposed table is its lower triangle in row order.
        reduced = dsyrk(-1.0, self.half.T, beta=1.0, c=table.T, lower=0, overwrite_c=1)
        self.upper, failed = dpotrf(reduced, lower=0, clean=1)
        if failed:
            raise np.linalg.LinAlgError
        self.logarithm += 2 * float(np.log(np.diagonal(self.upper)).sum())

    def _blocks(self, vectors: Floats, *, transposed: bool = False) -> Floats:
        own = self.crossing
        table = self.inverted.transpose(0, 2, 1) if transposed else self.inverted
        shape = (own.blocks, own.first, -1)
        blocks: Floats = np.matmul(table, vectors.reshape(shape))
        return blocks.reshape(own.head, -1)

    def solve(self, vectors: Floats) -> Floats:
        """Return H⁻¹ applied to one or several columns."""
        own = self.crossing
        columns = vectors.reshape(own.width, -1)
        halved = self._blocks(columns[: own.head])
        if not own.rest:
            return self._blocks(halved, transposed=True).reshape(vectors.shape)
        below, _ = dpotrs(self.upper, columns[own.head :] - self.half.T @ halved, lower=0)
        above = self._blocks(halved - self.half @ below, transposed=True)
        return np.vstack([above, below]).reshape(vectors.shape)

    def diagonal(self) -> Floats:
        """Return the diagonal of H⁻¹."""
        own = self.crossing
        head: Floats = (self.inverted**2).sum(axis=1).reshape(own.head)
        if not own.rest:
            return head
        below = self._inverse_below()
        shift = self._blocks(self.half, transposed=True)
        return np.concatenate([head + ((shift @ below) * shift).sum(axis=1), np.diagonal(below)])

    def by_rows(self) -> Floats:
        """Return, for each row z of ZΛ, the entries of H⁻¹z in the row's columns."""
        own = self.crossing
        size = own.first
        group = own.factors[0].group
        inner = np.matmul(self.inverted.transpose(0, 2, 1), self.inverted)
        products = np.zeros_like(self.scaled)
        if own.rest:
            below = self._inverse_below()
            shift = self._blocks(self.half, transposed=True)
            across = -shift @ below
            shape = (own.blocks, size, own.rest)
            inner = inner - np.matmul(
                across.reshape(shape), shift.reshape(shape).transpose(0, 2, 1)
            )
            self._add_below(products, across, below)
        products[:, :size] += np.matmul(inner[group], self.scaled[:, :size, None])[:, :, 0]
        return products

    def _inverse_below(self) -> Floats:
        upper, _ = dpotri(self.upper, lower=0)
        below: Floats = upper + upper.T
        below[np.diag_indices(len(below))] /= 2
        return below

    def _add_below(self, products: Floats, across: Floats, below: Floats) -> None:
        own = self.crossing
        for b in range(own.first, own.across):
            column = own.at[:, b] - own.head
            for a in range(own.first):
                entries = across[own.at[:, a], column]
                products[:, a] += entries * self.scaled[:, b]
                products[:, b] += entries * self.scaled[:, a]
            for c in range(own.first, own.across):
                entries = below[own.at[:, c] - own.head, column]
                products[:, c] += entries * self.scaled[:, b]
