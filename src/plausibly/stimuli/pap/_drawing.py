"""Draws PAP's items from their cells, limiting each word to its share of a set."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from plausibly.io.ranks import ranks
from plausibly.stimuli.ledger import Sieve
from plausibly.stimuli.pap._shares import Shares, Unit, Word
from plausibly.stimuli.pap.cells import PapPlan
from plausibly.stimuli.pap.perturb import ROLES


@dataclass(slots=True)
class _Cell:
    """Candidates of one cell during drawing: waiting (in order), taken, and deferred."""

    waiting: deque[int]
    taken: list[int] = field(default_factory=list)
    back: list[int] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Drawn:
    """The triples drawn for each condition, and the words that exceed their share of it."""

    sieves: dict[str, Sieve]
    crowded: list[dict[str, Any]]


def drawn(placed: Mapping[str, Sieve], *, plan: PapPlan) -> Drawn:
    """Return the sieves with at most `per_cell` triples per cell, in seeded order.

    Cells are filled in turn, one triple each. A triple whose word already has its share of the
    condition's items is deferred: it is taken only if its cell would be short without it. Then
    triples with a word above its share are swapped for others of their cell while that helps.
    """
    if plan.match:
        return _together(placed, plan=plan)
    alone = [_alone(one, name, plan=plan) for name, one in placed.items()]
    return Drawn(
        {name: sieve for one in alone for name, sieve in one.sieves.items()},
        [word for one in alone for word in one.crowded],
    )


def ordered(sieve: Sieve, condition: str, *, plan: PapPlan) -> Sieve:
    """Return the sieve with its candidates by cell, in seeded order within each."""
    key = pl.concat_str(
        pl.lit(f"sample|{condition}"), "combination", *(f"{r}_key" for r in ROLES), separator="|"
    )
    keys = sieve.kept.select(key.alias("key"))["key"]
    rows = sieve.kept.with_columns(ranks(keys, seed=plan.seed).alias("__rank"), keys.alias("__key"))
    return sieve.with_columns(rows.sort("combination", "__rank", "__key").drop("__rank", "__key"))


def _alone(sieve: Sieve, condition: str, *, plan: PapPlan) -> Drawn:
    left = ordered(sieve, condition, plan=plan)
    units = [
        [(condition, role, word) for role, word in zip(ROLES, row, strict=True)]
        for row in left.kept.select(f"{role}_key" for role in ROLES).iter_rows()
    ]
    filled = _filled(left.kept["combination"].to_list(), units, plan=plan)
    return Drawn({condition: _sampled(left, filled, plan=plan)}, filled.crowded)


def _together(placed: Mapping[str, Sieve], *, plan: PapPlan) -> Drawn:
    """Return the sieves with pairs of one attested and one perturbed triple, drawn as pairs."""
    left = {name: one.with_columns(one.kept.sort("match")) for name, one in placed.items()}
    words = {
        name: one.kept.select(f"{role}_key" for role in ROLES).rows() for name, one in left.items()
    }
    first = next(iter(left.values()))
    units: list[list[Word]] = [
        [
            (name, role, word)
            for name, rows in words.items()
            for role, word in zip(ROLES, rows[place], strict=True)
        ]
        for place in range(first.kept.height)
    ]
    filled = _filled(first.kept["combination"].to_list(), units, plan=plan)
    sieves = {name: _sampled(one, filled, plan=plan) for name, one in left.items()}
    return Drawn(sieves, filled.crowded)


@dataclass(frozen=True, eq=False)
class _Filled:
    """Each taken unit's place in its cell, why others were cut, and words above their share."""

    places: dict[int, int]
    cut: dict[int, str]
    crowded: list[dict[str, Any]]


def _filled(cells: Sequence[str], units: Sequence[Unit], *, plan: PapPlan) -> _Filled:
    queues: dict[str, _Cell] = {}
    held: dict[str, list[Unit]] = {}
    for number, cell in enumerate(cells):
        queues.setdefault(cell, _Cell(deque())).waiting.append(number)
        held.setdefault(cell, []).append(units[number])
    total = sum(min(len(queue.waiting), plan.per_cell) for queue in queues.values())
    most = max(1, int(plan.per_word * total)) if plan.per_word else total
    shares = Shares(most, total)
    in_order = [queue for _, queue in sorted(queues.items())]
    for _ in range(plan.per_cell):
        for queue in in_order:
            _take_next(queue, units, shares)
    for queue in in_order:
        _fill_up(queue, units, shares, plan.per_cell)
    _exchange(in_order, units, shares)
    return _Filled(
        {one: place for queue in in_order for place, one in enumerate(queue.taken)},
        {
            one: shares.reason(units[one])
            for queue in in_order
            for one in queue.back
            if not shares.fits(units[one])
        },
        shares.crowded(held, plan.per_cell),
    )


def _take_next(queue: _Cell, units: Sequence[Unit], shares: Shares) -> None:
    """Take the next unit of a cell whose words are below their share; defer those before it."""
    while queue.waiting:
        number = queue.waiting.popleft()
        if shares.fits(units[number]):
            queue.taken.append(number)
            shares.take(units[number])
            return
        queue.back.append(number)


def _fill_up(queue: _Cell, units: Sequence[Unit], shares: Shares, wanted: int) -> None:
    """Take the missing units from the deferred ones, rarest words first."""
    while queue.back and len(queue.taken) < wanted:
        number = min(queue.back, key=lambda one: shares.used[shares.fullest(units[one])])
        queue.back.remove(number)
        queue.taken.append(number)
        shares.take(units[number])


def _exchange(queues: Iterable[_Cell], units: Sequence[Unit], shares: Shares) -> None:
    """Swap units with a word above its share for others of their cell while that helps."""
    cells = list(queues)
    helped = True
    while helped:
        helped = False
        for queue in cells:
            for place, number in enumerate(queue.taken):
                if shares.over(units[number]):
                    helped |= _exchange_one(queue, place, units, shares)


def _exchange_one(queue: _Cell, place: int, units: Sequence[Unit], shares: Shares) -> bool:
    out = queue.taken[place]
    others = [*queue.back, *queue.waiting]
    if not others:
        return False
    best = min(others, key=lambda one: shares.change(units[out], units[one]))
    if shares.change(units[out], units[best]) >= 0:
        return False
    (queue.back if best in queue.back else queue.waiting).remove(best)
    queue.taken[place] = best
    queue.back.append(out)
    shares.give_back(units[out])
    shares.take(units[best])
    return True


def _sampled(left: Sieve, filled: _Filled, *, plan: PapPlan) -> Sieve:
    rows = range(left.kept.height)
    marked = left.with_columns(
        left.kept.with_columns(
            pl.Series("place", [filled.places.get(row) for row in rows], dtype=pl.Int64),
            pl.Series("__cut", [filled.cut.get(row) for row in rows], dtype=pl.String),
            held=pl.len().over("combination"),
        )
    )
    found = marked.drop("per_word", where=pl.col("__cut").is_not_null(), reason=pl.col("__cut"))
    reason = pl.format("one of {} in cell {}, {} were drawn", "held", "combination", plan.per_cell)
    found = found.drop("not_sampled", where=pl.col("place").is_null(), reason=reason)
    return found.with_columns(found.kept.drop("__cut"))
