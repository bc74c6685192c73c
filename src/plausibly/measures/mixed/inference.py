"""Estimates, joint tests, cell means and contrasts from fixed effects and their covariance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import expit, fdtrc, logit, stdtr, stdtrit

from plausibly.measures.holm import holm
from plausibly.measures.mixed.crossed import Floats
from plausibly.measures.mixed.design import INTERCEPT, FixedDesign, Term
from plausibly.measures.mixed.results import CellMean, Coefficient, JointTest, LevelContrast

Freedom = Callable[[Term | None, Floats], float]
Answer = Callable[[Floats, float], Coefficient]


@dataclass(frozen=True, eq=False)
class Inference:
    """Fixed effects as estimated, the intercept first.

    Args:
        design: Their columns.
        effects: One value for each kept column.
        covariance: Of these values.
        freedom: Degrees of freedom of contrasts (rows) that belong to a term or to none.
        answer: A cell's answer from its contrast and degrees of freedom; null if it is the
            mean itself.
    """

    design: FixedDesign
    effects: Floats
    covariance: Floats
    freedom: Freedom
    answer: Answer | None = None

    def terms(self) -> dict[str, Coefficient]:
        """Return every estimate that the ratings determine, the intercept first."""
        first = np.zeros(len(self.design.names))
        first[0] = 1.0
        estimates = {INTERCEPT: self._estimate(INTERCEPT, first, None, tested=False)}
        for term in self.design.terms:
            for label, row in zip(term.labels, self._contrasts(term), strict=True):
                if self.design.estimable(row):
                    estimates[label] = self._estimate(label, row, term)
        return estimates

    def tests(self) -> tuple[JointTest, ...]:
        """Return one joint test for each term with more than one estimated column."""
        kept = set(self.design.kept.tolist())
        tests = []
        for term in self.design.terms:
            places = [place for place in term.places.tolist() if place in kept]
            if len(places) > 1:
                rows = np.eye(len(self.design.names))[places][:, self.design.kept]
                tests.append(self._joint(term, rows))
        return tuple(tests)

    def means(self) -> tuple[CellMean, ...]:
        """Return the mean of every cell that the ratings determine."""
        means = []
        for levels, row in self.design.cells():
            if levels and self.design.estimable(row):
                name = ", ".join(f"{column}={level}" for column, level in levels.items())
                mean = self._estimate(name, row, None, tested=False)
                answer = self.answer(row[self.design.kept], mean.df) if self.answer else mean
                means.append(CellMean(levels, mean, answer))
        return tuple(means)

    def contrasts(self) -> tuple[LevelContrast, ...]:
        """Return differences of all pairs of levels, for terms with more than two."""
        return tuple(
            contrast
            for term in self.design.terms
            if len(term.variables) == 1 and len(term.labels) > 2
            for contrast in self._pairs(term)
        )

    def _pairs(self, term: Term) -> list[LevelContrast]:
        levels = self.design.variables[term.name].levels
        rows = self._contrasts(term)
        estimates = []
        for one, two in combinations(range(len(levels)), 2):
            row = rows[two] - rows[one]
            if self.design.estimable(row):
                name = f"{levels[two]} - {levels[one]}"
                estimates.append((levels[two], levels[one], self._estimate(name, row, term)))
        corrected = holm([estimate.p or 0.0 for _, _, estimate in estimates])
        return [
            LevelContrast(term.name, of, against, estimate, p)
            for (of, against, estimate), p in zip(estimates, corrected, strict=True)
        ]

    def _contrasts(self, term: Term) -> Floats:
        rows = np.zeros((len(term.labels), len(self.design.names)))
        rows[:, term.places] = term.reported
        return rows

    def _estimate(
        self, name: str, full: Floats, term: Term | None, *, tested: bool = True
    ) -> Coefficient:
        row = full[self.design.kept]
        value = float(row @ self.effects)
        se = float(np.sqrt(max(float(row @ self.covariance @ row), 0.0)))
        return estimate(name, value, se, self.freedom(term, row[None, :]), tested=tested)

    def _joint(self, term: Term, rows: Floats) -> JointTest:
        values = rows @ self.effects
        inner = rows @ self.covariance @ rows.T
        statistic = float(values @ np.linalg.solve(inner, values)) / len(rows)
        df = self.freedom(term, rows)
        p = float(fdtrc(len(rows), min(df, 1e8), statistic))
        return JointTest(term.name, statistic, len(rows), df, p)


def estimate(name: str, value: float, se: float, df: float, *, tested: bool = True) -> Coefficient:
    """Return an estimate with its 95 % limits and p by t."""
    df = min(max(df, 1.0), 1e8)
    half = float(stdtrit(df, 0.975)) * se
    p = float(2 * stdtr(df, -abs(value) / se)) if tested and se > 0 else None
    return Coefficient(name, value, se, value - half, value + half, p, df)


def between(
    name: str, value: float, se: float, df: float, ends: tuple[float, float]
) -> Coefficient:
    """Return an estimate whose limits stay between two ends, by the logit of its place."""
    low, high = ends
    place = (value - low) / (high - low)
    if not 0 < place < 1:
        return Coefficient(name, value, se, low, high, None, df)
    middle = float(logit(place))
    half = float(stdtrit(df, 0.975)) * se / ((high - low) * place * (1 - place))
    limits = [low + (high - low) * float(expit(middle + side)) for side in (-half, half)]
    return Coefficient(name, value, se, limits[0], limits[1], None, df)
