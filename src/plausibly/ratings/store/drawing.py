"""What a person gets next: the items furthest from their target, chance deciding among equals."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, bindparam, func, literal_column, select, text, update

from plausibly.ratings.collection import Plan
from plausibly.ratings.lists import spaced
from plausibly.ratings.retests import AGAIN
from plausibly.ratings.served import Served
from plausibly.ratings.store.moving import hand_out, move
from plausibly.ratings.store.offers import least_items
from plausibly.ratings.store.places import Slot
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import items, people, slots
from plausibly.ratings.store.surveys import Met, draw_survey

# Written as the index on open items says it, so that drawing reads a level and not every item.
_WANTED = items.c.target - items.c.taken
_OPEN = (
    items.c.kind == literal_column("'item'"),
    items.c.withdrawn == literal_column("0"),
    items.c.round == bindparam("number"),
)
_MOST = select(func.max(_WANTED)).where(*_OPEN)
_HIGHEST = Prepared(_MOST)
_BELOW = Prepared(_MOST.where(bindparam("level") > _WANTED))
_LEVEL = Prepared(
    select(func.group_concat(literal_column("items.rowid"))).where(
        *_OPEN, bindparam("level") == _WANTED
    )
)
_NAMES = """SELECT items.rowid AS number, item, item_group FROM items
    WHERE items.rowid IN (SELECT value FROM json_each(:numbers))"""
_NAMED = Prepared(text(_NAMES))
_HIT = Prepared(
    text(
        f"""{_NAMES} AND kind = 'item' AND withdrawn = 0 AND round = :number
        AND target - taken = :level"""
    )
)
_SIZE = Prepared(text("SELECT max(rowid) FROM items"))
_MINE = Prepared(
    select(slots, items.c.kind, items.c.item_group)
    .join(items)
    .where(slots.c.annotator == bindparam("who"))
)
_SPEAKS = Prepared(
    update(people)
    .where(people.c.annotator == bindparam("who"))
    .values(language=bindparam("spoken"))
)
_CHECKS = Prepared(
    select(items.c.item)
    .where(
        literal_column("kind NOT IN ('item', 'retest', 'filler')")
    )  # as the index on checks says it
    .where(items.c.withdrawn == literal_column("0"))
    .order_by(items.c.item)
)
_FILLERS = Prepared(
    select(items.c.item)
    .where(items.c.kind == literal_column("'filler'"), items.c.withdrawn == literal_column("0"))
    .order_by(items.c.item)
)
TRIED = 3  # items tried at random for each that is wanted


def reserve(connection: Connection, person: Row[Any], *, served: Served, now: float) -> bool:
    """Reserve what a person does next; False if there is nothing for them.

    Nobody gets an item twice, nor two items of one group.

    What is left of a batch that ran out is taken up again as far as it is still free; else a new
    batch is drawn, the items furthest from their target first and chance deciding among equals.
    """
    plan = served.plan
    mine = _MINE.all(connection, {"who": person.annotator})
    if _resume(connection, mine, number=person.round, plan=plan, now=now):
        return True
    counted = [row for row in mine if row.state != "void" or row.cause == "surplus"]
    rated = sum(row.kind == "item" for row in counted)
    most = person.short or plan.quota
    room = min(plan.batch, most - rated) if most else plan.batch
    if room <= 0:
        return False
    batch = max((row.batch for row in mine), default=0) + 1
    lot = _lot(f"{plan.seed}|{person.annotator}|{batch}")
    again = {row.item for row in mine if _ran_out(row)}
    used = {row.item for row in mine} - again
    groups = {row.item_group for row in mine if row.item in used and row.item_group}
    seen = _Seen(set(used), groups)
    speech = _Speech(served.languages, person.language or "")
    survey: str | None = None
    drawn: list[str] = []
    if served.surveys:
        met, least = Met(used, groups), person.short or least_items(served)
        survey, drawn = draw_survey(connection, person.round, met, lot, speech.fits, least=least)
        drawn = drawn[:room] if person.short else _fitting(drawn, served, rated=rated, most=most)
    else:
        seen.speech = speech
        drawn = _draw_items(connection, person, seen, _Draw(room, plan.exact, lot))
    for item in drawn:
        speech.hear(item)
    if drawn and (plan.lists or not served.surveys):
        foreign = {item for item in served.languages if not speech.fits(item)}
        drawn += _draw_others(connection, used | foreign, plan.checks_per_batch, lot)
    if not drawn:
        return False
    if speech.spoken and not person.language:
        _SPEAKS.run(connection, {"who": person.annotator, "spoken": speech.spoken})
    shown = _with_repeats(_ordered(drawn, served, lot), served, used, lot)
    rows = [
        {
            "annotator": person.annotator,
            "item": item,
            "reservation": ticket,
            "batch": batch,
            "position": position,
            "survey": survey,
            "state": "reserved",
            "expires": now + plan.lease,
        }
        for position, (item, ticket) in enumerate(zip(shown, _tickets(len(shown)), strict=True), 1)
    ]
    hand_out(connection, [row for row in rows if row["item"] not in again])
    _take_again(connection, [row for row in rows if row["item"] in again])
    return True


def _fitting(drawn: list[str], served: Served, *, rated: int, most: int) -> list[str]:
    """Return a list, or nothing if it is a further one that goes beyond the quota.

    A list is not cut, and the first may be longer than the quota.
    """
    judged = sum(served.contents[item].kind == "item" for item in drawn)
    return [] if rated and most and rated + judged > most else drawn


def _tickets(number: int) -> list[str]:
    """Return names of places that nobody can guess; asking the system once for all is cheaper."""
    letters = urlsafe_b64encode(secrets.token_bytes(15 * number)).decode()
    return [letters[20 * place : 20 * (place + 1)] for place in range(number)]


def _ordered(drawn: Sequence[str], served: Served, lot: np.random.Generator) -> list[str]:
    """Return what was drawn in order: by chance, in lists with conditions kept apart."""
    if not served.plan.lists:
        return [drawn[int(place)] for place in lot.permutation(len(drawn))]
    conditions = [served.contents[item].condition for item in drawn]
    return [drawn[place] for place in spaced(conditions, lot)]


def _with_repeats(
    order: Sequence[str], served: Served, used: set[str], lot: np.random.Generator
) -> list[str]:
    """Return an order in which some of the first items come again near the end.

    Repeats are drawn from the first third and are in the last: half a batch lies between.
    """
    plan, third = served.plan, max(1, len(order) // 3)
    if not plan.retest:
        return list(order)
    whole = [item for item in order if served.contents[item].kind == "item"]
    early = [item for item in order[:third] if item in whole and f"{item}{AGAIN}" not in used]
    chosen = [early[n] for n in lot.permutation(len(early))[: plan.repeats(len(whole))]]
    late = [f"{item}{AGAIN}" for item in chosen]
    tail = [*order[-third:], *late]
    return [*order[:-third], *(tail[n] for n in lot.permutation(len(tail)))]


def _lot(seed: str) -> np.random.Generator:
    """Return chance that can be repeated: the same seed, person and batch give the same draw."""
    digest = hashlib.sha256(seed.encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16]))


def _ran_out(row: Slot) -> bool:
    """Return whether a slot ran out unanswered, so that its item may be given again."""
    return bool(row.state == "void" and row.cause == "lapsed" and row.revision == 0)


def _resume(
    connection: Connection, mine: Sequence[Slot], *, number: int, plan: Plan, now: float
) -> bool:
    """Reserve again what ran out and is still free, unless checks alone would make a batch."""
    last = max((row.batch for row in mine), default=0)
    batch = [row for row in mine if row.batch == last]
    late = [row for row in batch if _ran_out(row)]
    free = _with_room(connection, [row.item for row in late], number) if late else set()
    if not any(row.kind == "item" and (row.state != "void" or row.item in free) for row in batch):
        return False
    values = [
        {
            "annotator": row.annotator,
            "item": row.item,
            "batch": row.batch,
            "position": row.position,
            "survey": row.survey,
            "expires": now + plan.lease,
        }
        for row in late
        if row.item in free
    ]
    _take_again(connection, values)
    return bool(values)


def _with_room(connection: Connection, names: Iterable[str], number: int) -> set[str]:
    """Return which checks, and which items of a round, have a place left."""
    rows = connection.execute(select(items).where(items.c.item.in_(list(names))))
    return {
        row.item
        for row in rows
        if not row.withdrawn
        and (row.target is None or (row.round == number and row.taken < row.target))
    }


def _take_again(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Reserve again what had run out; the reservation keeps its name."""
    names = ("annotator", "item", "batch", "position", "survey", "expires")
    fresh = {"state": "reserved", "was": None, "cause": None, "shown": None}
    move(connection, [{**{name: row[name] for name in names}, **fresh} for row in rows])


@dataclass
class _Speech:
    """The language of what a person is given: named when they come, or that of their first item."""

    languages: Mapping[str, str]
    spoken: str

    def fits(self, item: str) -> bool:
        """Return whether an item is in the language, or in none."""
        return not self.spoken or self.languages.get(item, self.spoken) == self.spoken

    def hear(self, item: str) -> None:
        """Keep to the language of an item if none is known yet."""
        self.spoken = self.spoken or self.languages.get(item, "")


@dataclass
class _Seen:
    """What a person may not get any more: items, and groups one of whose items they had."""

    items: set[str]
    groups: set[str] = field(default_factory=set)
    speech: _Speech = field(default_factory=lambda: _Speech({}, ""))

    def takes(self, item: str, group: str | None) -> bool:
        """Return whether an item may be given, and count it as given if so."""
        if not self.speech.fits(item):
            return False
        if item in self.items or (group is not None and group in self.groups):
            return False
        self.speech.hear(item)
        self.items.add(item)
        if group is not None:
            self.groups.add(group)
        return True


@dataclass(frozen=True)
class _Draw:
    """How many items are drawn, whether none may get more than its target, and chance."""

    room: int
    exact: bool
    lot: np.random.Generator


def _draw_items(connection: Connection, person: Row[Any], seen: _Seen, draw: _Draw) -> list[str]:
    """Return what a person gets, most wanted first.

    Where the target is a least, a batch is filled up with items that have reached it, as long
    as some item has not.
    """
    room = draw.room
    drawn: list[str] = []
    for which in _levels(connection, person.round):
        if which["level"] <= 0 and (draw.exact or not drawn):
            break
        for item, group in _by_chance(connection, which, draw):
            if seen.takes(item, group):
                drawn.append(item)
            if len(drawn) == room:
                return drawn
    return drawn


def _levels(connection: Connection, number: int) -> Iterator[dict[str, int]]:
    """Yield how many ratings are wanted, most first, and of which round."""
    level = _HIGHEST.scalar(connection, {"number": number})
    while level is not None:
        which = {"number": number, "level": level}
        yield which
        level = _BELOW.scalar(connection, which)


def _by_chance(
    connection: Connection, which: dict[str, int], draw: _Draw
) -> Iterator[tuple[str, str | None]]:
    """Yield the items of a level in an order of chance.

    While most items are of one level a few tried at random hold enough of them; only where they
    do not is the whole level read. What was tried before comes again, and is passed over.
    """
    size = int(_SIZE.scalar(connection, {}) or 0)
    tried = draw.lot.choice(size, size=min(TRIED * draw.room, size), replace=False) + 1
    fields = {**which, "numbers": json.dumps(tried.tolist())}
    hits = {row.number: (row.item, row.item_group) for row in _HIT.all(connection, fields)}
    yield from (hits[number] for number in tried.tolist() if number in hits)
    numbers = np.fromstring(str(_LEVEL.scalar(connection, which)), dtype=np.int64, sep=",")
    yield from _names(connection, draw.lot.permutation(numbers), draw.room)


def _names(
    connection: Connection, numbers: np.ndarray[Any, Any], room: int
) -> Iterator[tuple[str, str | None]]:
    """Yield items and their groups in the order of their numbers, a few at a time."""
    few = 2 * room
    for start in range(0, len(numbers), few):
        part = numbers[start : start + few].tolist()
        rows = _NAMED.all(connection, {"numbers": json.dumps(part)})
        names = {row.number: (row.item, row.item_group) for row in rows}
        yield from (names[number] for number in part)


def _draw_others(
    connection: Connection, used: set[str], room: int, lot: np.random.Generator
) -> list[str]:
    """Return all fillers that a person has not seen, and as many checks as there is room for."""
    fillers = [one for one in _FILLERS.scalars(connection, {}) if one not in used]
    free = [one for one in _CHECKS.scalars(connection, {}) if one not in used]
    return fillers + [free[n] for n in lot.permutation(len(free))[:room]]
