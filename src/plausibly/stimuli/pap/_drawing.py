"""Drawing PAP's items from their cells, so that no word fills more of a set than its share."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from plausibly.io.ranks import ranks
from plausibly.stimuli.ledger import Sieve
from plausibly.stimuli.pap.cells import PapPlan
from plausibly.stimuli.pap.perturb import ROLES

Word = tuple[str, str, str]
"""Condition, function and word."""


@dataclass(slots=True)
class _Cell:
    """Candidates of one cell on their way: those waiting in order, those taken, those set back."""

    waiting: deque[int]
    taken: list[int] = field(default_factory=list)
    back: list[int] = field(default_factory=list)


def drawn(placed: Mapping[str, Sieve], *, plan: PapPlan) -> dict[str, Sieve]:
    """Return the sieves with at most `per_cell` triples of each cell, in the order of the seed.

    Cells are filled in turn, one triple each, and a triple whose word already has its share of
    the condition's items is set back: it is taken only if its cell is short without it.
    """
    if plan.match:
        return _together(placed, plan=plan)
    return {name: _alone(one, name, plan=plan) for name, one in placed.items()}


def ordered(sieve: Sieve, condition: str, *, plan: PapPlan) -> Sieve:
    """Return the sieve with its candidates by cell, in the order of the seed within each."""
    key = pl.concat_str(
        pl.lit(f"sample|{condition}"), "combination", *(f"{r}_key" for r in ROLES), separator="|"
    )
    keys = sieve.kept.select(key.alias("key"))["key"]
    rows = sieve.kept.with_columns(ranks(keys, seed=plan.seed).alias("__rank"), keys.alias("__key"))
    return sieve.with_columns(rows.sort("combination", "__rank", "__key").drop("__rank", "__key"))


def _alone(sieve: Sieve, condition: str, *, plan: PapPlan) -> Sieve:
    left = ordered(sieve, condition, plan=plan)
    units = [
        [(condition, role, word) for role, word in zip(ROLES, row, strict=True)]
        for row in left.kept.select(f"{role}_key" for role in ROLES).iter_rows()
    ]
    places, cut = _filled(left.kept["combination"].to_list(), units, plan=plan)
    return _sampled(left, places, cut, plan=plan)


def _together(placed: Mapping[str, Sieve], *, plan: PapPlan) -> dict[str, Sieve]:
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
    places, cut = _filled(first.kept["combination"].to_list(), units, plan=plan)
    return {name: _sampled(one, places, cut, plan=plan) for name, one in left.items()}


def _filled(
    cells: Sequence[str], units: Sequence[Sequence[Word]], *, plan: PapPlan
) -> tuple[dict[int, int], dict[int, str]]:
    """Return the place in its cell of every unit taken, and why others were cut for a word."""
    queues: dict[str, _Cell] = {}
    for number, cell in enumerate(cells):
        queues.setdefault(cell, _Cell(deque())).waiting.append(number)
    total = sum(min(len(queue.waiting), plan.per_cell) for queue in queues.values())
    most = max(1, int(plan.per_word * total)) if plan.per_word else total
    used: Counter[Word] = Counter()
    for _ in range(plan.per_cell):
        for _, queue in sorted(queues.items()):
            while queue.waiting:
                number = queue.waiting.popleft()
                if all(used[word] < most for word in units[number]):
                    queue.taken.append(number)
                    used.update(units[number])
                    break
                queue.back.append(number)
    for _, queue in sorted(queues.items()):
        while queue.back and len(queue.taken) < plan.per_cell:
            number = min(queue.back, key=lambda one: max(used[word] for word in units[one]))
            queue.back.remove(number)
            queue.taken.append(number)
            used.update(units[number])
    places = {one: place for queue in queues.values() for place, one in enumerate(queue.taken)}
    cut = {one: _full(units[one], used, most, total) for q in queues.values() for one in q.back}
    return places, cut


def _full(unit: Sequence[Word], used: Mapping[Word, int], most: int, total: int) -> str:
    condition, role, word = max(unit, key=lambda one: used[one])
    return (
        f"the {role} '{word}' fills {used[condition, role, word]} of {total} items, at most {most}"
    )


def _sampled(
    left: Sieve, places: Mapping[int, int], cut: Mapping[int, str], *, plan: PapPlan
) -> Sieve:
    rows = range(left.kept.height)
    marked = left.with_columns(
        left.kept.with_columns(
            pl.Series("place", [places.get(row) for row in rows], dtype=pl.Int64),
            pl.Series("__cut", [cut.get(row) for row in rows], dtype=pl.String),
            held=pl.len().over("combination"),
        )
    )
    found = marked.drop("per_word", where=pl.col("__cut").is_not_null(), reason=pl.col("__cut"))
    reason = pl.format("one of {} in cell {}, {} were drawn", "held", "combination", plan.per_cell)
    found = found.drop("not_sampled", where=pl.col("place").is_null(), reason=reason)
    return found.with_columns(found.kept.drop("__cut"))
