"""The highest point of GLAD's likelihood with its priors: many starts, and the best of each.

Each start is climbed by L-BFGS (Liu and Nocedal 1989) on the likelihood summed over labels.
Optima of sparse crowds differ in some annotators and the items they share; so the best start takes
over from every other the neighbourhoods that raise it, and then busy annotators are turned round,
each in turn. How many climbs there are depends on the number of ratings only.

Names do not matter: annotators and items are put in the order of their colours (see `_starts`),
those of one colour share one parameter, and starts are drawn from colours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, log_expit, ndtri

from plausibly.labels._climb import Summit
from plausibly.labels._layout import Layout, Places
from plausibly.labels._starts import colours, owners, uniform
from plausibly.labels.results import Effort
from plausibly.measures._grouping import sums
from plausibly.measures.coded import Floats
from plausibly.measures.threads import one_thread

MEAN = 1.0
STEEPEST = 30.0
STARTS, FEWEST, TURNS, MOST = 80, 2, 20, 300
STARTING = 0.4  # of the climbs; the others go to what starts can take from each other
PARAMETERS_PER_START = 6
AFFORDABLE = 240_000
APART = (0.02, 0.15, 0.4, 0.8)
DIGITS = 5
MOST_EXCHANGED = 20
HOPEFUL = 0.5
STRONG = 1.5
SLOPE = 1e-6
GAIN = 1e-9


@dataclass(frozen=True, eq=False)
class Surface:
    """The likelihood of the ratings with its priors, over abilities and then log eases.

    Args:
        annotators: Parameter of each annotator.
        items: Parameter of each item that has ratings, after those of annotators.
        order: Items in the order of their colours.
        person: Parameter of the annotator of each rating.
        item: Parameter of the item of each rating.
        row: Item of each rating, in the order of colours.
        place: Item and label of each rating.
        weight: How many annotators or items each parameter is of.
        labels: How many labels there are.
        colour: Of each parameter.
    """

    annotators: Places
    items: Places
    order: Places
    person: Places
    item: Places
    row: Places
    place: Places
    weight: Floats
    labels: int
    colour: np.ndarray[tuple[int], np.dtype[np.uint64]]

    def height(self, at: Floats) -> tuple[float, Floats, Floats]:
        """Return the height, its slope, and the posterior of items in the order of colours."""
        ability, ease = at[self.person], np.exp(np.minimum(at[self.item], STEEPEST))
        strength = ability * ease
        others, items = np.log(max(self.labels - 1, 1)), len(self.order)
        gain = np.bincount(self.place, strength + others, items * self.labels)
        gain = gain.reshape(items, self.labels)
        most = gain.max(axis=1, keepdims=True)
        weights = np.exp(gain - most)
        whole = np.sort(weights, axis=1).sum(axis=1, keepdims=True)
        wrong = np.bincount(self.row, log_expit(-strength) - others, items) - np.log(self.labels)
        away = at - MEAN
        height = float((np.log(whole) + most).sum() + wrong.sum())
        height -= float((self.weight * np.square(away)).sum()) / 2
        posterior = weights / whole
        surprise = (posterior.ravel()[self.place] - expit(strength)) * ease
        slope: Floats = sums(surprise, self.person, n_groups=len(at)) - self.weight * away
        slope += sums(surprise * ability, self.item, n_groups=len(at))
        return height, slope, posterior

    def climbed(self, start: Floats, effort: Effort) -> Point:
        """Return the point where a climb ends."""

        def downhill(at: Floats) -> tuple[float, Floats]:
            height, slope, _ = self.height(at)
            return -height, -slope

        relative = max(effort.tolerance, 0.0) * len(self.row) / max(1.0, abs(downhill(start)[0]))
        end = minimize(
            downhill,
            start,
            jac=True,
            method="L-BFGS-B",
            options={
                "maxiter": effort.iterations,
                "maxfun": 2 * effort.iterations + 20,
                "ftol": relative,
                "gtol": SLOPE,
            },
        )
        return Point(np.asarray(end.x, dtype=np.float64), -float(end.fun), int(end.nit))

    def neighbourhoods(self, moved: Floats, by: float) -> list[Places]:
        """Return the parameters that moved so far, those that meet in a rating together."""
        apart = np.abs(moved) > by
        meets = apart[self.person] & apart[self.item]
        ones = np.ones(int(meets.sum()))
        shape = (len(moved), len(moved))
        graph = csr_array((ones, (self.person[meets], self.item[meets])), shape=shape)
        _, part = connected_components(graph, directed=False)
        _, number, size = np.unique(part[apart], return_inverse=True, return_counts=True)
        together = np.flatnonzero(apart)[np.argsort(number, kind="stable")]
        members = np.split(together, np.cumsum(size))
        return sorted(members[:-1], key=len, reverse=True)[:MOST_EXCHANGED]


@dataclass(frozen=True, eq=False)
class Point:
    """Where a climb ended.

    Args:
        at: The parameters.
        height: The likelihood with its priors there.
        iterations: Steps made.
    """

    at: Floats
    height: float
    iterations: int


def surface_of(layout: Layout) -> Surface:
    """Return the surface of ratings, all in the order of colours."""
    labels = layout.n_labels
    cells = colours(layout)
    annotators, items = owners(layout, cells)
    own, person, of_person = np.unique(annotators, return_inverse=True, return_counts=True)
    shared, item, of_item = np.unique(items, return_inverse=True, return_counts=True)
    order = np.argsort(item, kind="stable")
    rank = np.argsort(order)
    row = np.repeat(np.arange(len(items)), np.diff(layout.start[layout.first]))
    annotator, label = np.divmod(layout.cell, labels)
    sequence = np.lexsort((cells.ravel()[layout.cell], person[annotator], rank[row]))
    row, annotator, label = rank[row][sequence], annotator[sequence], label[sequence]
    return Surface(
        person,
        len(own) + item,
        order,
        person[annotator],
        len(own) + item[order][row],
        row,
        row * labels + label,
        np.concatenate([of_person, of_item]).astype(np.float64),
        labels,
        np.concatenate([own, shared]),
    )


def fit(layout: Layout, effort: Effort) -> Summit:
    """Return the labels at the highest point."""
    surface = surface_of(layout)
    with one_thread():
        best = highest(surface, effort)
    _, _, posterior = surface.height(best.at)
    rows = np.empty_like(posterior)
    rows[surface.order] = posterior
    away = float((surface.weight * np.square(best.at - MEAN)).sum())
    return Summit(rows, best.at[surface.annotators], best.height + away / 2, best.iterations)


def highest(surface: Surface, effort: Effort) -> Point:
    """Return the highest point over all starts and what they can take from each other."""
    climbs = min(MOST, max(FEWEST, AFFORDABLE // max(len(surface.row), 1)))
    search = Search(surface, effort, climbs)
    points = [search.climbed(start) for start in _starts(surface, search.left)]
    optima = {round(point.height, DIGITS): point for point in reversed(points)}
    order = sorted(optima, reverse=True)
    best = search.turned(optima[order[0]])
    for by in APART:
        for height in order[1:]:
            best = search.exchanged(best, optima[height], by)
    return best


def _starts(surface: Surface, most: int) -> Iterator[Floats]:
    """Yield the mean of the priors, then draws from the priors."""
    size = len(surface.weight)
    number = max(FEWEST, min(STARTS, int(STARTING * most), size // PARAMETERS_PER_START))
    yield np.full(size, MEAN)
    drawn = uniform(surface.colour, seed=0, restarts=number - 1, stream=14)
    yield from MEAN + ndtri(np.clip(drawn, 1e-6, 1 - 1e-6)).T


@dataclass(eq=False)
class Search:
    """Climbs on a surface, as many as are left."""

    surface: Surface
    effort: Effort
    left: int

    def climbed(self, start: Floats) -> Point:
        """Return where one climb ends."""
        self.left -= 1
        return self.surface.climbed(start, self.effort)

    def better(self, best: Point, start: Floats) -> Point:
        """Return the best point, or where a climb from another start ends above it."""
        if self.left <= 0:
            return best
        point = self.climbed(start)
        return point if point.height > best.height + GAIN else best

    def exchanged(self, best: Point, other: Point, by: float) -> Point:
        """Return the best point with the neighbourhoods that another one has better."""
        parts = self.surface.neighbourhoods(other.at - best.at, by) if self.left > 0 else []
        for members in parts:
            tried = best.at.copy()
            tried[members] = other.at[members]
            if self.surface.height(tried)[0] > best.height - HOPEFUL:
                best = self.better(best, tried)
        return best

    def turned(self, best: Point) -> Point:
        """Return the best point after trying the opposite ability of each busy annotator."""
        busy = np.bincount(self.surface.person)
        for person in np.argsort(-busy, kind="stable")[:TURNS].tolist():
            tried = best.at.copy()
            own = float(tried[person])
            tried[person] = -own if abs(own) > HOPEFUL else -np.copysign(STRONG, own)
            best = self.better(best, tried)
        return best
