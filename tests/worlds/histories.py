"""Random histories of a collection, followed by a naive model that derives everything each time.

The model knows the rules and nothing of the store: after every event it goes through all items
anew. What is handed out it reads from the store, and checks that it was allowed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from plausibly.ratings.lists import latin_square
from plausibly.ratings.retests import AGAIN, with_retests
from plausibly.ratings.served import Content, Served
from plausibly.ratings.store.verdicts import LEFT
from worlds.served import served_of

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
        "batch": (batch := draw.choice((1, 2, 4))),
        "quota": draw.choice((0, 0, batch if lists else 3)),
        "checks_per_batch": draw.choice((0, 1)),
        "failed_check": draw.choice(("keep", "exclude")),
        "lists": "latin-square" if lists else "",
        "retest": 0.4 if not lists and draw.random() < 0.3 else 0.0,
        "lease_minutes": LEASE / 60,
        "least": draw.choice((0, 1)),
    }
    served = served_of(draw.choice((4, 6)), checks=2, **ratings)
    code = draw.choice(("", "SHORT"))
    served = replace(served, server={**served.server, "short_code": code})
    contents = dict(served.contents)
    if lists or draw.random() < 0.4:
        named = [item for item, one in contents.items() if one.kind == "item"]
        for n, item in enumerate(named):
            group, condition = f"g{n // 2}", f"c{n % 2}"
            contents[item] = replace(contents[item], group=group, condition=condition)
    seed = draw.randrange(1000)
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

    def is_barred(self, who: str) -> bool:
        """Whether a person sees nothing more, not even what is left of a batch."""
        return bool({None, LEFT} & self.excluded.get(who, set()))

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
            if self.fails(item, place) and self.served.plan.failed_check == "exclude":
                self.exclude(who, item)

    def fails(self, item: str, place: Place) -> bool:
        """Whether an item is a check that was answered wrongly."""
        expected = self.served.contents[item].expected
        checks = expected is not None and item not in self.withdrawn and place.answer
        return bool(checks and place.answer not in RIGHT[str(expected)])

    def failed(self) -> set[str]:
        """Return who failed a check and still takes part."""
        failed = {who for (who, item), place in self.places.items() if self.fails(item, place)}
        return {who for who in failed - self.left if not self.is_out(who)}

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

    def erase(self, who: str) -> None:
        self.places = {key: place for key, place in self.places.items() if key[0] != who}
        self.joined.pop(who)
        self.left.discard(who)
        self.excluded.pop(who, None)
        self.derive()

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
