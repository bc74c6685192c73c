"""Walks of random events through the store, with the naive model of `histories` at its side."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from random import Random

from sqlalchemy import Connection, select

from plausibly.ratings.retests import AGAIN
from plausibly.ratings.served import Served
from plausibly.ratings.store.allocation import Done, Shown, expire, join, next_item
from plausibly.ratings.store.answering import Saved, Sent, answer
from plausibly.ratings.store.checking import people_who_failed, still_counted
from plausibly.ratings.store.doors import Person
from plausibly.ratings.store.erasing import erase
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.rounds import Reopening, Round, reopen
from plausibly.ratings.store.schema import exclusions, items, people, slots
from plausibly.ratings.store.verdicts import (
    LEFT,
    exclude,
    give_back,
    leave,
    restore,
    stay,
    withdraw,
)
from worlds.histories import LEASE, Model, Place
from worlds.served import NOW


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
    short: dict[str, int] = field(default_factory=dict)

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
            self.stay: 1,
            self.withdraw: 1,
            self.give_back: 1,
            self.reopen: 1,
            self.erase: 1,
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
        failed = still_counted(self.connection, people_who_failed(self.connection, self.served))
        assert failed == len(self.model.failed()), self.log

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
            if not served.surveys:  # a list is handed out whole
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
        announced = self.draw.choice((0, None))
        person = Person(who, "link", short=announced)
        outcome = join(self.connection, person, served=self.served, now=self.now)
        self.model.expire(self.now)
        open_now = self.rounds_size(self.open_to(who, self.model.round))
        if isinstance(outcome, Denied) and outcome.reason in {"full", "taken"}:
            self.may_wait(who, open_now)
        elif isinstance(outcome, Denied) and outcome.reason == "short":
            assert announced == 0, self.log
            assert outcome.places == open_now, self.log
            assert 0 < open_now < self.least(), self.log
        elif who not in self.model.joined and not isinstance(outcome, Denied):
            self.model.joined[who] = self.model.round
            short = self.is_short(open_now)
            self.short[who] = open_now if short else 0
            assert not short or announced is None, self.log
        self.handed_out(who)

    def least(self) -> int:
        """Return below how many items a round is a short one."""
        whole = self.served.whole_round
        return self.served.plan.least or (whole + 1) // 2

    def is_short(self, open_now: int) -> bool:
        whole = not self.served.plan.exact and not self.served.surveys
        return not whole and bool(self.served.server["short_code"]) and open_now < self.least()

    def rounds_size(self, names: Collection[str]) -> int:
        """Return how many of these items one person could get: one of each group, or of a list."""
        groups = {self.served.contents[item].group or item for item in names}
        if not self.served.surveys:
            return min(len(groups), self.served.whole_round)
        lists = [part for part in self.served.surveys.values() if set(part) & set(names)]
        judged = [[one for one in part if one in self.model.targets] for part in lists]
        free = [[one for one in part if self.is_free(one, names)] for part in judged]
        return max((len(part) for part in free), default=0)

    def is_free(self, item: str, names: Collection[str]) -> bool:
        there = item not in self.model.withdrawn
        return there and (not self.served.plan.exact or item in names or self.model.has_room(item))

    def may_wait(self, who: str, open_now: int) -> None:
        """Nobody is sent away from a place, unless what others hold may make a whole round."""
        if not open_now:
            return
        assert not self.served.server["short_code"], self.log
        assert open_now < self.least(), self.log
        held = {
            item
            for item in self.model.targets
            if self.model.rounds[item] == self.model.round and item not in self.model.withdrawn
            if self.model.of(item, "reserved")
        }
        possible = {*self.open_to(who, self.model.round), *held}
        if not self.served.surveys:
            assert self.rounds_size(possible) >= self.least(), self.log
        assert held, self.log

    def shown(self, who: str) -> Shown | None:
        found = next_item(self.connection, who, served=self.served, now=self.now)
        if who in self.model.joined:
            self.model.expire(self.now)
        if who not in self.model.joined or self.model.is_barred(who):
            assert isinstance(found, Denied), self.log
            return None
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
        quota = self.short.get(who) or quota
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
            self.model.exclude(who, LEFT)

    def stay(self, who: str) -> None:
        outcome = stay(self.connection, who, now=self.now)
        assert isinstance(outcome, Denied) == (who not in self.model.left), self.log
        if who in self.model.left:
            self.model.left.remove(who)
            self.model.excluded[who].discard(LEFT)
            if not self.model.is_out(who):
                self.model.readmit(who)

    def erase(self, who: str) -> None:
        outcome = erase(self.connection, who, person=f"hash of {who}", now=self.now)
        assert isinstance(outcome, Denied) == (who not in self.model.joined), self.log
        if who in self.model.joined:
            self.model.erase(who)
            self.short.pop(who)

    def withdraw(self, _: str) -> None:
        item = self.some_item(self.served.contents.keys() - self.model.withdrawn)
        if item is not None:
            withdraw(self.connection, item, served=self.served, now=self.now)
            self.model.withdraw(item)

    def give_back(self, _: str) -> None:
        item = self.some_item(self.model.withdrawn)
        if item is not None:
            give_back(self.connection, item, served=self.served, now=self.now)
            self.model.give_back(item)

    def some_item(self, names: Collection[str]) -> str | None:
        known = sorted(name for name in names if not name.endswith(AGAIN))
        return self.draw.choice(known) if known else None

    def reopen(self, _: str) -> None:
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
