"""Cumulative-link mixed models: ordered answers, fixed effects and crossed random intercepts.

The likelihood is integrated over the random effects by the Laplace approximation, with one sparse
factorisation a step, as R's `ordinal` does it (Christensen 2019; Tutz and Hennevogl 1996). Answers
of one kind of row are counted, so that a table without people is as small as its items.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize
from scipy.sparse.linalg import splu
from scipy.special import expit, ndtr

from plausibly.errors import StudyError, UnknownName

Floats = npt.NDArray[np.float64]
SMALLEST = 1e-300
FARTHEST = 35.0
LEAST_SD = 1e-4
COLLAPSED = 1e-2
STEPS = 60
SMALL_STEP = 1e-9

LINKS: Mapping[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "logit": (expit, lambda x: expit(x) * expit(-x)),
    "probit": (ndtr, lambda x: np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)),
}


@dataclass(frozen=True, eq=False)
class OrdinalTable:
    """Answers counted by row, and what describes a row.

    Args:
        counts: How often each answer (column, in order) was given in each row.
        fixed: One column for each fixed effect; no intercept, the thresholds are it.
        names: Names of these columns.
        groups: From the name of a random effect to the group each row is in.
    """

    counts: Floats
    fixed: Floats
    names: tuple[str, ...]
    groups: Mapping[str, npt.NDArray[np.int64]] = field(default_factory=dict)


@dataclass(frozen=True)
class Coefficient:
    """One estimate with standard error and 95 % limits; z and p where nought is a hypothesis."""

    name: str
    value: float
    error: float
    low: float
    high: float
    z: float | None
    p: float | None


@dataclass(frozen=True, eq=False)
class OrdinalModel:
    """A fitted cumulative-link mixed model.

    Args:
        link: logit or probit.
        thresholds: Between neighbouring answers.
        effects: Of the fixed columns, on the scale of the link.
        deviations: Standard deviation of each random effect.
        log_likelihood: By the Laplace approximation.
        rows: Rows of the table.
        answers: Answers counted in it.
        converged: Whether the optimiser ended at a maximum.
    """

    link: str
    thresholds: tuple[Coefficient, ...]
    effects: tuple[Coefficient, ...]
    deviations: Mapping[str, float]
    log_likelihood: float
    rows: int
    answers: int
    converged: bool


def fit_ordinal(table: OrdinalTable, *, link: str = "logit") -> OrdinalModel:
    """Return the model with the largest likelihood.

    Args:
        table: Counted answers with fixed and random effects.
        link: logit (odds) or probit (a normal trait behind the answers).

    Raises:
        UnknownName: for another link.
        StudyError: for fewer than two answers that were given, or columns that say the same.
    """
    if link not in LINKS:
        raise UnknownName("link", link, LINKS)
    _check(table)
    likelihood = _Likelihood(table, link)
    best: Any = _best(likelihood.negative, likelihood.start())
    raw = likelihood.raw(best.x)
    slope = _gradient(likelihood.negative, best.x)
    errors = _errors(likelihood.negative_raw, raw, raw[: likelihood.cuts + len(table.names)].size)
    cuts, count = likelihood.cuts, len(table.names)
    named = [f"{place + 1}|{place + 2}" for place in range(cuts)]
    thresholds = [_of(n, v, e, None) for n, v, e in zip(named, raw, errors, strict=False)]
    effects = [
        _of(name, raw[cuts + place], errors[cuts + place], 0.0)
        for place, name in enumerate(table.names)
    ]
    deviations = np.exp(raw[cuts + count :])
    return OrdinalModel(
        link,
        tuple(thresholds),
        tuple(effects),
        dict(zip(table.groups, map(float, deviations), strict=True)),
        -float(best.fun),
        len(table.counts),
        int(table.counts.sum()),
        bool(np.abs(slope).max() < 1e-2),
    )


def _check(table: OrdinalTable) -> None:
    empty = np.flatnonzero(table.counts.sum(axis=0) == 0)
    if table.counts.shape[1] < 2 or len(empty):
        raise StudyError(
            "an ordinal model needs two or more answers that were all given; "
            f"{table.counts.shape[1]} answers, of which {len(empty)} were never given."
        )
    full = np.column_stack([np.ones(len(table.fixed)), table.fixed])
    if np.linalg.matrix_rank(full) < full.shape[1]:
        raise StudyError(
            "the fixed effects cannot be told apart: a column is constant or follows from the "
            f"others. Leave out one of: {', '.join(table.names)}."
        )


def _of(name: str, value: float, error: float, null: float | None) -> Coefficient:
    z = None if null is None or not error > 0 else float((value - null) / error)
    p = None if z is None else float(2 * ndtr(-abs(z)))
    half = 1.959964 * error
    low, high = float(value - half), float(value + half)
    return Coefficient(name, float(value), float(error), low, high, z, p)


class _Likelihood:
    """The Laplace likelihood of a table as a function of its parameters.

    Parameters are thresholds (as first one and logarithms of the gaps when optimised, plain in
    `negative_raw`), effects, and logarithms of standard deviations.
    """

    def __init__(self, table: OrdinalTable, link: str) -> None:
        self.table = table
        self.cuts = table.counts.shape[1] - 1
        self.cumulated, self.density = LINKS[link]
        self.link = link
        sizes = [int(group.max()) + 1 for group in table.groups.values()]
        rows = np.arange(len(table.counts))
        parts = [
            sparse.csr_array((np.ones(len(rows)), (rows, group)), shape=(len(rows), size))
            for group, size in zip(table.groups.values(), sizes, strict=True)
        ]
        self.incidence = sparse.csr_array(sparse.hstack(parts)) if parts else None
        self.sizes = sizes
        self.mode = np.zeros(sum(sizes))

    def start(self) -> Floats:
        """Return where the search begins: the thresholds of the shares, no effects."""
        shares = np.cumsum(self.table.counts.sum(axis=0))[:-1] / self.table.counts.sum()
        cuts = np.log(shares / (1 - shares))
        gaps = np.log(np.maximum(np.diff(cuts), 1e-3))
        zeros = np.zeros(len(self.table.names))
        return np.concatenate([cuts[:1], gaps, zeros, np.full(len(self.sizes), np.log(0.7))])

    def raw(self, parameters: Floats) -> Floats:
        """Return the parameters with plain thresholds."""
        cuts = np.cumsum(np.concatenate([parameters[:1], np.exp(parameters[1 : self.cuts])]))
        return np.concatenate([cuts, parameters[self.cuts :]])

    def negative(self, parameters: Floats) -> float:
        """Return minus the log-likelihood; gaps of thresholds as logarithms."""
        return self.negative_raw(self.raw(parameters))

    def negative_raw(self, raw: Floats) -> float:
        """Return minus the log-likelihood; the random effects are set to their mode."""
        cuts, effects = raw[: self.cuts], raw[self.cuts : self.cuts + len(self.table.names)]
        if (np.diff(cuts) <= 0).any():
            return 1e10
        line = self.table.fixed @ effects
        if self.incidence is None:
            return -float(self._logs(cuts, line).sum())
        deviation = np.exp(raw[self.cuts + len(self.table.names) :])
        scaled = sparse.csr_array(
            self.incidence * np.repeat(np.maximum(deviation, LEAST_SD), self.sizes)[None, :]
        )
        return self._laplace(cuts, line, scaled)

    def _laplace(self, cuts: Floats, line: Floats, scaled: sparse.csr_array) -> float:
        effects = self.mode.copy()
        value = self._penalised(cuts, line, scaled, effects)
        for _ in range(STEPS):
            slope, curve = self._slopes(cuts, line + scaled @ effects)
            factor = _factor(scaled, curve)
            step = factor.solve(scaled.T @ slope - effects)
            size = 1.0
            while size > 1e-8:
                tried = effects + size * step
                better = self._penalised(cuts, line, scaled, tried)
                if better <= value + 1e-12 * abs(value):
                    break
                size /= 2
            effects, value = tried, better
            if np.abs(step).max() < SMALL_STEP:
                break
        self.mode = effects
        return float(value + np.log(np.abs(factor.U.diagonal())).sum() / 2)

    def _penalised(
        self, cuts: Floats, line: Floats, scaled: sparse.csr_array, effects: Floats
    ) -> float:
        own = float(effects @ effects) / 2
        return own - float(self._logs(cuts, line + scaled @ effects).sum())

    def _edges(self, cuts: Floats, line: Floats) -> tuple[Floats, Floats]:
        ends = np.concatenate([[-FARTHEST * 100], cuts, [FARTHEST * 100]])
        table = ends[None, :] - line[:, None]
        return table[:, 1:], table[:, :-1]

    def _shares(self, upper: Floats, lower: Floats) -> Floats:
        turned = lower > 0  # the upper tail is the finer one there
        low = np.where(turned, -upper, lower)
        high = np.where(turned, -lower, upper)
        return np.maximum(self.cumulated(high) - self.cumulated(low), SMALLEST)

    def _logs(self, cuts: Floats, line: Floats) -> Floats:
        shares = self._shares(*self._edges(cuts, line))
        total: Floats = (self.table.counts * np.log(shares)).sum(axis=1)
        return total

    def _slopes(self, cuts: Floats, line: Floats) -> tuple[Floats, Floats]:
        """Return first and minus second derivatives of each row's log-likelihood by its line."""
        upper, lower = self._edges(cuts, line)
        shares = self._shares(upper, lower)
        high, low = self.density(upper), self.density(lower)
        first = -(high - low) / shares
        bends = (self._bend(upper, high) - self._bend(lower, low)) / shares
        counts = self.table.counts
        slope: Floats = (counts * first).sum(axis=1)
        curve: Floats = (counts * (first**2 - bends)).sum(axis=1)
        return slope, np.maximum(curve, 1e-10)

    def _bend(self, edge: Floats, density: Floats) -> Floats:
        if self.link == "probit":
            return -edge * density
        return density * (1 - 2 * expit(edge))


def _factor(scaled: sparse.csr_array, curve: Floats) -> Any:
    weighted = sparse.csr_array(scaled * curve[:, None])
    inner = scaled.T @ weighted + sparse.eye_array(scaled.shape[1])
    options = {"SymmetricMode": True}
    return splu(
        sparse.csc_array(inner), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options
    )


def _best(function: Callable[[Floats], float], start: Floats) -> Any:
    def slopes(place: Floats) -> Floats:
        return _gradient(function, place)

    options: Any = {"gtol": 1e-4, "maxiter": 300}
    return minimize(function, start, jac=slopes, method="BFGS", options=options)


def _gradient(function: Callable[[Floats], float], place: Floats, step: float = 1e-5) -> Floats:
    sides = np.eye(len(place)) * step
    return np.array([(function(place + s) - function(place - s)) / (2 * step) for s in sides])


def _errors(function: Callable[[Floats], float], place: Floats, plain: int) -> Floats:
    """Return standard errors from the curvature; NaN where there is none.

    Logarithms of deviations (behind the `plain` parameters) that have gone to nought are held.
    """
    kept = [n for n in range(len(place)) if n < plain or place[n] > np.log(COLLAPSED)]
    errors = np.full(len(place), np.nan)

    def on_kept(part: Floats) -> float:
        whole = place.copy()
        whole[kept] = part
        return function(whole)

    errors[kept] = _curvature_errors(on_kept, place[kept])
    return errors


def _curvature_errors(function: Callable[[Floats], float], place: Floats) -> Floats:
    count = len(place)
    step = 1e-3 * np.maximum(1.0, np.abs(place) / 4)
    sides = np.diag(step)
    middle = function(place)
    table = np.zeros((count, count))
    for i in range(count):
        for j in range(i + 1):
            if i == j:
                value = function(place + sides[i]) - 2 * middle + function(place - sides[i])
                table[i, i] = value / step[i] ** 2
                continue
            both = (
                function(place + sides[i] + sides[j])
                - function(place + sides[i] - sides[j])
                - function(place - sides[i] + sides[j])
                + function(place - sides[i] - sides[j])
            )
            table[i, j] = table[j, i] = both / (4 * step[i] * step[j])
    try:
        variance = np.diag(np.linalg.inv(table))
    except np.linalg.LinAlgError:
        return np.full(count, np.nan)
    return np.sqrt(np.where(variance > 0, variance, np.nan))


def grouped(rows: Sequence[object]) -> npt.NDArray[np.int64]:
    """Return the number of each row's group, groups numbered in sorted order."""
    names = sorted({str(row) for row in rows})
    place = {name: number for number, name in enumerate(names)}
    return np.array([place[str(row)] for row in rows], dtype=np.int64)
