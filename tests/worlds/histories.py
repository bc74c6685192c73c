"""Random histories of a collection, followed by a naive model that derives everything each time.

The model knows the rules and nothing of the store: after every event it goes through all items
anew. What is handed out it reads from the store, and checks that it was allowed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from sqlalchemy import Connection, select

from plausibly.ratings.lists import latin_square
from plausibly.ratings.retests import AGAIN, with_retests
from plausibly.ratings.served import Content, Served
from plausibly.ratings.store.allocation import Done, Person, Shown, expire, join, next_item
from plausibly.ratings.store.answering import Saved, Sent, answer
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.rounds import Reopening, Round, reopen
from plausibly.ratings.store.schema import exclusions, items, people, slots
from plausibly.ratings.store.verdicts import exclude, give_back, leave, restore, withdraw
from worlds.served import NOW, served_of

LEASE = 60.0
RIGHT = {"plausible": "45", "implausible": "12"}


@dataclass
class Place:
    """One person's place at one item."""

    batch: int
    expires: float
    state: str = "reserved"  # or valid, or void
    cause: str | None = None
    answer: str = ""
    shown: float = 0.0

    def void(self, cause: str) -> None:
        self.state, self.cause = "void", cause


def random_study(draw: Random) -> Served:
    """Return a small study whose settings are drawn."""
    lists = draw.random() < 0.25
    decided = 2 if not lists and draw.random() < 0.5 else 0
    ratings: dict[str, Any] = {
        "target": 3 if decided else draw.choice((1, 2, 3)),
        "decided": decided,
        "rule": "exactly" if decided or draw.random() < 0.8 else "at least",
        "batch": draw.choice((1, 2, 4)),
        "quota": draw.choice((0, 0, 3)) if not lists else 0,
        "checks_per_batch": draw.choice((0, 1)),
        "failed_check": draw.choice(("keep", "exclude")),
        "lists": "latin-square" if lists else "",
        "retest": 0.4 if not lists and draw.random() < 0.3 else 0.0,
        "lease_minutes": LEASE / 60,
    }
    served = served_of(draw.choice((4, 6)), checks=2, **ratings)
    contents = dict(served.contents)
    if lists or draw.random() < 0.4:
        named = [item for item, one in contents.items() if one.kind == "item"]
        for n, item in enumerate(named):
            group, condition = f"g{n // 2}", f"c{n % 2}"
            contents[item] = replace(contents[item], group=group, condition=condition)
    batch, seed = served.plan.batch, draw.randrange(1000)
    plan = replace(served.plan, seed=seed)
    surveys = latin_square(contents, batch=batch, seed=seed, where="items") if lists else {}
    whole: dict[str, Content] = with_retests(contents, where="items") if plan.retest else contents
    return replace(served, plan=plan, contents=whole, surveys=surveys)


@dataclass
class Model:
    """What the rules say, derived anew from every place after every event."""

    served: Served
    places: dict[tuple[str, str], Place] = field(default_factory=dict)
    targets: dict[str, int] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    joined: dict[str, int] = field(default_factory=dict)  # from a person to their round
    left: set[str] = field(default_factory=set)
    excluded: dict[str, set[str | None]] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    round: int = 1

    def __post_init__(self) -> None:
        plan = self.served.plan
        named = [item for item, one in self.served.contents.items() if one.kind == "item"]
        self.targets = dict.fromkeys(named, plan.decided or plan.target)
        self.rounds = dict.fromkeys(named, 1)

    def of(self, item: str, *states: str) -> list[Place]:
        return [p for (_, what), p in self.places.items() if what == item and p.state in states]

    def taken(self, item: str) -> int:
        return len(self.of(item, "reserved", "valid"))

    def has_room(self, item: str) -> bool:
        exact = self.served.plan.exact and item in self.targets
        return not exact or self.taken(item) < self.targets[item]

    def is_out(self, who: str) -> bool:
        return bool(self.excluded.get(who))

    def derive(self) -> None:
        """Set every target, let one answer step in where there is room, until none does."""
        plan, moved = self.served.plan, True
        while moved:
            moved = False
            for item in self.targets:
                if plan.decided and self.rounds[item] == 1:
                    valid = [place.answer for place in self.of(item, "valid")]
                    top = max(Counter(valid).values(), default=0)
                    needed = len(valid) + max(plan.decided - top, 0)
                    self.targets[item] = max(self.taken(item), min(plan.target, needed))
            for item in self.served.contents:
                waiting = [
                    (place.shown, who)
                    for (who, what), place in self.places.items()
                    if what == item and place.cause == "surplus"
                ]
                if waiting and self.has_room(item):
                    place = self.places[min(waiting)[1], item]
                    place.state, place.cause, moved = "valid", None, True

    def expire(self, now: float) -> None:
        late = [
            (who, place)
            for (who, _), place in self.places.items()
            if place.state == "reserved" and place.expires < now
        ]
        for _, place in late:
            place.void("lapsed")
        self.derive()
        for who, batch in sorted({(who, place.batch) for who, place in late}):
            self.settle(who, batch)

    def settle(self, who: str, batch: int) -> None:
        """Exclude whoever failed a check of a batch that is over, where the plan says so."""
        mine = {w: p for (one, w), p in self.places.items() if one == who and p.batch == batch}
        if any(place.state == "reserved" for place in mine.values()):
            return
        for item, place in mine.items():
            expected = self.served.contents[item].expected
            checks = expected is not None and item not in self.withdrawn and place.answer
            if not checks or place.answer in RIGHT[str(expected)]:
                continue
            if self.served.plan.failed_check == "exclude":
                self.exclude(who, item)

    def exclude(self, who: str, check: str | None) -> None:
        self.excluded.setdefault(who, set()).add(check)
        for (one, _), place in self.places.items():
            if one == who and (place.state != "void" or place.cause == "surplus"):
                place.void("excluded")
        self.derive()

    def readmit(self, who: str) -> None:
        for (one, _), place in self.places.items():
            if one == who and place.cause in {"excluded", "surplus"}:
                place.void("surplus" if place.answer else "lapsed")
        self.derive()

    def restore(self, who: str) -> None:
        self.excluded.pop(who, None)
        self.readmit(who)

    def withdraw(self, item: str) -> None:
        if f"{item}{AGAIN}" in self.served.contents:
            self.withdraw(f"{item}{AGAIN}")
        self.withdrawn.add(item)
        batches = [
            (who, place.batch, place.state)
            for (who, what), place in self.places.items()
            if what == item
        ]
        for place in (p for (_, what), p in self.places.items() if what == item):
            if place.state != "void" or place.cause in {"excluded", "surplus"}:
                place.void("withdrawn")
        self.derive()
        freed = sorted(who for who, causes in self.excluded.items() if item in causes)
        for who in freed:
            self.excluded[who].discard(item)
        back = [who for who in freed if not self.is_out(who)]
        for who in back:
            self.readmit(who)
        for who, batch, state in sorted(batches):
            if state == "valid" or who in back:
                self.settle(who, batch)

    def give_back(self, item: str) -> None:
        if f"{item}{AGAIN}" in self.served.contents:
            self.give_back(f"{item}{AGAIN}")
        self.withdrawn.discard(item)
        rows = [
            (who, place)
            for (who, what), place in self.places.items()
            if what == item and place.cause == "withdrawn"
        ]
        for who, place in rows:
            back = "excluded" if self.is_out(who) else "surplus"
            place.void(back if place.answer else "lapsed")
        self.derive()
        for who, place in sorted(rows, key=lambda row: row[0]):
            self.settle(who, place.batch)


@dataclass
class Walk:
    """One history: the store and the model side by side."""

    connection: Connection
    served: Served
    draw: Random
    now: float = NOW
    model: Model = field(init=False)
    sent: int = 0
    log: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.model = Model(self.served)

    def run(self, steps: int) -> None:
        """Walk so many random steps; the store and the model must agree after each."""
        acts: dict[Callable[[str], None], int] = {
            self.join: 5,
            self.answer: 12,
            self.revise: 3,
            self.exclude: 2,
            self.restore: 2,
            self.leave: 1,
            self.withdraw: 1,
            self.give_back: 1,
            self.reopen: 1,
        }
        for _ in range(steps):
            self.now += self.draw.choice((0.0, 1.0, 1.0, 20.0, LEASE + 10))
            (act,) = self.draw.choices(list(acts), list(acts.values()))
            who = f"p{self.draw.randrange(6)}"
            self.log.append(f"{self.now - NOW:g} {act.__name__} {who}")
            act(who)
            self.compare()

    def compare(self) -> None:
        rows = {(row.annotator, row.item): row for row in self.connection.execute(select(slots))}
        states = {"answered": "valid", "accepted": "valid"}
        store = {key: (states.get(r.state, r.state), r.cause) for key, r in rows.items()}
        model = {key: (place.state, place.cause) for key, place in self.model.places.items()}
        assert store == model, self.log
        for row in self.connection.execute(select(items)):
            assert row.taken == self.model.taken(row.item), (row.item, self.log)
            assert row.target == self.model.targets.get(row.item), (row.item, self.log)
            assert row.withdrawn == (row.item in self.model.withdrawn)
        out = select(exclusions.c.annotator).where(exclusions.c.undone.is_(None))
        excluded = {who for who in self.model.excluded if self.model.is_out(who)}
        assert set(self.connection.scalars(out)) == excluded, self.log

    def handed_out(self, who: str) -> None:
        """Take over what the store has reserved for a person, if it was theirs to get."""
        model, served = self.model, self.served
        held = (slots.c.annotator == who, slots.c.state == "reserved")
        new = [
            row
            for row in self.connection.execute(select(slots).where(*held))
            if (place := model.places.get((who, row.item))) is None or place.state == "void"
        ]
        for row in new:
            place = model.places.get((who, row.item))
            assert place is None or (place.cause == "lapsed" and not place.answer), self.log
            assert not model.is_out(who), self.log
            assert row.item not in model.withdrawn, self.log
            assert model.has_room(row.item), self.log
            assert model.rounds.get(row.item, 0) in {0, model.joined[who]}, self.log
            group = served.contents[row.item].group
            if not row.item.endswith(AGAIN):
                assert group is None or group not in self.groups(who, without=row.item), self.log
            model.places[who, row.item] = Place(row.batch, row.expires)
        if new and served.plan.quota:
            assert self.rated(who) <= served.plan.quota, self.log

    def groups(self, who: str, *, without: str) -> set[str | None]:
        return {
            self.served.contents[item].group
            for (one, item), place in self.model.places.items()
            if one == who and item != without and (place.cause != "lapsed" or place.answer)
            if not item.endswith(AGAIN)
        }

    def rated(self, who: str) -> int:
        return sum(
            one == who and item in self.model.targets and self._counts(place)
            for (one, item), place in self.model.places.items()
        )

    def _counts(self, place: Place) -> bool:
        return place.state != "void" or place.cause == "surplus"

    def open_to(self, who: str, number: int) -> list[str]:
        """Return the items a person could be given."""
        model = self.model
        met = {
            item
            for (one, item), place in model.places.items()
            if one == who and (place.cause != "lapsed" or place.answer)
        }
        groups = self.groups(who, without="")
        return [
            item
            for item in model.targets
            if item not in model.withdrawn and item not in met and model.rounds[item] == number
            if model.taken(item) < model.targets[item]
            if self.served.contents[item].group is None
            or self.served.contents[item].group not in groups
        ]

    def join(self, who: str) -> None:
        outcome = join(self.connection, Person(who, "link"), served=self.served, now=self.now)
        self.model.expire(self.now)
        if who not in self.model.joined and not isinstance(outcome, Denied):
            self.model.joined[who] = self.model.round
        if isinstance(outcome, Denied) and outcome.reason in {"full", "taken"}:
            assert not self.open_to(who, self.model.round), self.log
        self.handed_out(who)

    def shown(self, who: str) -> Shown | None:
        found = next_item(self.connection, who, served=self.served, now=self.now)
        if who not in self.model.joined or None in self.model.excluded.get(who, ()):
            assert isinstance(found, Denied), self.log
            return None
        self.model.expire(self.now)
        self.handed_out(who)
        if isinstance(found, Done):
            self.nothing_stranded(who)
        if not isinstance(found, Shown):
            return None
        place = self.model.places[who, found.item]
        place.shown = place.shown or self.now
        return found

    def nothing_stranded(self, who: str) -> None:
        """Whoever is sent away could not have been given anything."""
        quota = self.served.plan.quota
        if self.model.is_out(who) or self.served.surveys or (quota and self.rated(who) >= quota):
            return
        assert not self.open_to(who, self.model.joined[who]), self.log

    def answer(self, who: str) -> None:
        found = self.shown(who)
        if found is not None:
            self.send(who, found.item, found.reservation)

    def revise(self, who: str) -> None:
        mine = [
            row
            for row in self.connection.execute(select(slots).where(slots.c.annotator == who))
            if row.state in {"answered", "accepted"}
        ]
        if mine:
            row = self.draw.choice(mine)
            self.send(who, row.item, row.reservation)

    def send(self, who: str, item: str, reservation: str) -> None:
        self.sent += 1
        given = self.draw.choice(("1", "5"))
        sent = Sent(reservation, {"plausible": given}, f"key-{self.sent}", corrects=True)
        saved = answer(self.connection, who, sent, served=self.served, now=self.now)
        self.model.expire(self.now)
        if not isinstance(saved, Saved):
            return
        place = self.model.places[who, item]
        before, place.answer = place.state, given
        place.state = "valid"
        mine = [p for (one, _), p in self.model.places.items() if one == who]
        batch = [p for p in mine if p.batch == place.batch and p.state == "reserved"]
        if before == "reserved":
            for one in batch:
                one.expires = self.now + LEASE
        self.model.derive()
        if not batch:
            self.model.settle(who, place.batch)

    def exclude(self, who: str) -> None:
        outcome = exclude(self.connection, who, check=None, reason="drawn", now=self.now)
        assert isinstance(outcome, Denied) == (who not in self.model.joined), self.log
        if who in self.model.joined:
            self.model.exclude(who, None)

    def restore(self, who: str) -> None:
        outcome = restore(self.connection, who, now=self.now)
        gone = who not in self.model.joined or who in self.model.left
        assert isinstance(outcome, Denied) == gone, self.log
        if not gone:
            self.model.restore(who)

    def leave(self, who: str) -> None:
        if who in self.model.joined:
            leave(self.connection, who, now=self.now)
            self.model.left.add(who)
            self.model.exclude(who, None)

    def withdraw(self, who: str) -> None:
        item = self.some_item(self.served.contents.keys() - self.model.withdrawn)
        if item is not None:
            withdraw(self.connection, item, served=self.served, now=self.now)
            self.model.withdraw(item)

    def give_back(self, who: str) -> None:
        item = self.some_item(self.model.withdrawn)
        if item is not None:
            give_back(self.connection, item, served=self.served, now=self.now)
            self.model.give_back(item)

    def some_item(self, names: Collection[str]) -> str | None:
        known = sorted(name for name in names if not name.endswith(AGAIN))
        return self.draw.choice(known) if known else None

    def reopen(self, who: str) -> None:
        opening = Reopening(fewer_than=2, ratings=1, close=True)
        outcome = reopen(self.connection, opening, now=self.now)
        if not isinstance(outcome, Round):
            return
        model = self.model
        model.round = outcome.number
        for item in model.targets:
            if item not in model.withdrawn and len(model.of(item, "valid")) < 2:
                model.targets[item] = max(model.targets[item], model.taken(item) + 1)
                model.rounds[item] = model.round
        model.derive()


def joined_people(connection: Connection) -> int:
    """Return how many people took part in a history."""
    return len(connection.execute(select(people)).all())


def expire_all(walk: Walk) -> None:
    """End a history: every lease runs out."""
    walk.now += 10 * LEASE
    expire(walk.connection, served=walk.served, now=walk.now)
    walk.model.expire(walk.now)
    walk.compare()
