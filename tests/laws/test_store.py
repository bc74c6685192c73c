"""Laws of the store: whatever people and researchers do, in whatever order, nothing is lost."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlalchemy import Connection, func, select

from plausibly.ratings.store.allocation import Shown, expire, next_item
from plausibly.ratings.store.answering import Refused, Saved, Sent, answer
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.reading import rating_rows, ratings_statement
from plausibly.ratings.store.rounds import Reopening, Round, reopen, undo_round
from plausibly.ratings.store.schema import VERSION, exclusions, items, slots
from plausibly.ratings.store.verdicts import exclude, restore, withdraw
from worlds.served import NOW, joined, served_of, store_of

PEOPLE = [f"p{n}" for n in range(6)]
CHECKS = ["c000", "c001"]
ITEMS = [f"t{n:03}" for n in range(7)]
LEASE = 60.0


class Collecting(RuleBasedStateMachine):
    """People join, ask, answer, repeat themselves, forge and dawdle; researchers intervene."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.now = NOW
        self.ledger: dict[tuple[str, str], dict[int, str]] = {}
        self.keys: dict[tuple[str, str], tuple[str, int, str]] = {}
        self.held: dict[str, list[Shown]] = {}
        self.rounds = 1

    @initialize(
        exact=st.booleans(),
        batch=st.integers(1, 4),
        quota=st.sampled_from([0, 3, 5]),
        checks=st.integers(0, 2),
        policy=st.sampled_from(["keep", "exclude"]),
    )
    def begin(self, exact: bool, batch: int, quota: int, checks: int, policy: str) -> None:
        self.served = served_of(
            7,
            checks=2,
            target=2,
            rule="exactly" if exact else "at least",
            batch=batch,
            quota=quota,
            checks_per_batch=checks,
            failed_check=policy,
            lease_minutes=LEASE / 60,
        )
        self.engine = store_of(Path(self.folder.name), self.served)

    def run(self, job: Any) -> Any:
        with self.engine.begin() as connection:
            return job(connection)

    @rule(person=st.sampled_from(PEOPLE))
    def asks(self, person: str) -> None:
        def job(connection: Connection) -> object:
            joined(connection, person, self.served, now=self.now)
            return next_item(connection, person, served=self.served, now=self.now)

        found = self.run(job)
        if isinstance(found, Shown):
            assert found.item not in {item for who, item in self.ledger if who == person}
            assert 1 <= found.position <= found.of
            self.held.setdefault(person, []).append(found)

    @precondition(lambda self: self.held)
    @rule(
        data=st.data(),
        given=st.sampled_from(["1", "2", "3", "4", "5", "", None, "x"]),
        key=st.sampled_from(["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"]),
    )
    def answers(self, data: st.DataObject, given: str | None, key: str) -> None:
        owner = data.draw(st.sampled_from(sorted(self.held)))
        slot = data.draw(st.sampled_from(self.held[owner]))
        person = data.draw(st.sampled_from([owner, owner, owner, *self.held]))
        sent = Sent(slot.reservation, {"plausible": given}, key)
        found = self.run(
            lambda connection: answer(connection, person, sent, served=self.served, now=self.now)
        )
        if person != owner:
            assert found == Denied("forged")
        elif (person, key) in self.keys:
            item, revision, said_before = self.keys[person, key]
            if item != slot.item:
                assert found == Denied("key")
            elif given == said_before:
                assert found == Saved(revision, new=False)
            else:
                assert isinstance(found, Refused) or found == Denied("other-answer")
        elif isinstance(found, Saved):
            assert found.new
            assert given in {"1", "2", "4", "5"}
            said = self.ledger.setdefault((person, slot.item), {})
            assert found.revision == len(said) + 1
            said[found.revision] = str(given)
            self.keys[person, key] = (slot.item, found.revision, str(given))
        else:
            assert isinstance(found, Refused | Denied)
            assert isinstance(found, Denied) or given not in {"1", "2", "4", "5"}

    @rule(seconds=st.sampled_from([1.0, LEASE / 2, LEASE + 1]))
    def waits(self, seconds: float) -> None:
        self.now += seconds
        self.run(lambda connection: expire(connection, served=self.served, now=self.now))

    @rule(person=st.sampled_from(PEOPLE))
    def excludes(self, person: str) -> None:
        self.run(lambda c: exclude(c, person, check=None, reason="", now=self.now))

    @rule(person=st.sampled_from(PEOPLE))
    def restores(self, person: str) -> None:
        self.run(lambda connection: restore(connection, person, now=self.now))

    @rule(item=st.sampled_from([*ITEMS[:2], *CHECKS]))
    def withdraws(self, item: str) -> None:
        self.run(lambda c: withdraw(c, item, served=self.served, now=self.now))

    @precondition(lambda self: self.rounds < 3)
    @rule(ratings=st.integers(1, 2), close=st.booleans())
    def reopens(self, ratings: int, close: bool) -> None:
        before = self.targets()
        opening = Reopening(fewer_than=2, ratings=ratings, close=close)
        outcome = self.run(lambda c: reopen(c, opening, now=self.now))
        if isinstance(outcome, Round):
            self.rounds = outcome.number
        assert all(self.targets()[item] >= target for item, target in before.items())

    @precondition(lambda self: self.rounds > 1)
    @rule()
    def undoes(self) -> None:
        self.run(lambda c: undo_round(c, self.rounds, now=self.now))

    def targets(self) -> dict[str, int]:
        wanted = select(items.c.item, items.c.target).where(items.c.kind == "item")
        targets: dict[str, int] = self.run(lambda c: dict(c.execute(wanted).all()))
        return targets

    def rows(self, connection: Connection, *, everything: bool) -> Iterator[dict[str, Any]]:
        statement = ratings_statement(VERSION, everything=everything)
        return rating_rows(connection.exec_driver_sql(statement).mappings())

    @invariant()
    def every_acknowledged_answer_is_there_and_unchanged(self) -> None:
        if not hasattr(self, "engine"):
            return
        with self.engine.begin() as connection:
            rows = list(self.rows(connection, everything=True))
        latest = {(row["annotator"], row["item"]): (row["revision"], row["answer"]) for row in rows}
        assert len(latest) == len(rows)
        told = {key: max(said.items()) for key, said in self.ledger.items()}
        assert latest == told

    @invariant()
    def counters_are_what_they_count_and_nothing_is_over_target(self) -> None:
        if not hasattr(self, "engine"):
            return
        with self.engine.begin() as connection:
            counted = select(slots.c.item, func.count()).where(slots.c.state != "void")
            held: dict[str, int] = dict(connection.execute(counted.group_by(slots.c.item)).all())
            for row in connection.execute(select(items)):
                assert row.taken == held.get(row.item, 0)
                assert not row.exact or row.taken <= row.target
                assert not row.withdrawn or row.taken == 0

    @invariant()
    def only_valid_answers_are_handed_out(self) -> None:
        if not hasattr(self, "engine"):
            return
        with self.engine.begin() as connection:
            valid = list(self.rows(connection, everything=False))
            active = select(exclusions.c.annotator).where(exclusions.c.undone.is_(None))
            out = set(connection.scalars(active))
            quota = self.served.plan.quota
        assert not out & {row["annotator"] for row in valid}
        assert {row["state"] for row in valid} <= {"answered", "accepted"}
        rated = Counter(row["annotator"] for row in valid if row["item"].startswith("t"))
        assert not quota or all(count <= quota for count in rated.values())

    def teardown(self) -> None:
        if hasattr(self, "engine"):
            self.engine.dispose()
        self.folder.cleanup()


TestCollecting = Collecting.TestCase
TestCollecting.settings = settings(
    max_examples=30,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
