"""Who comes back after their time ran out: what they get again, and what they do not."""

from __future__ import annotations

from pathlib import Path

from plausibly.ratings.store.allocation import Done, join, next_item
from plausibly.ratings.store.doors import Person
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.rounds import Reopening, reopen
from worlds.served import NOW, answered, joined, served_of, shown, store_of, works_through

LATER = NOW + 120


def test_the_places_of_a_further_round_are_for_new_people_only(tmp_path: Path) -> None:
    served = served_of(3, batch=3, quota=3, target=1, lease_minutes=1.0)
    with store_of(tmp_path, served).begin() as connection:
        joined(connection, "old", served)
        assert answered(connection, "old", served) is not None
        joined(connection, "new", served, now=LATER)  # what "old" did not answer is free again
        reopen(connection, Reopening(fewer_than=1, ratings=1, close=True), now=LATER)
        end = next_item(connection, "old", served=served, now=LATER)
        assert end == Done(finished=True)
        assert len(works_through(connection, "newer", served, now=LATER)) == 2


def test_nobody_gets_a_check_alone_and_a_code_for_it(tmp_path: Path) -> None:
    served = served_of(2, checks=1, batch=2, quota=2, target=1, lease_minutes=1.0)
    with store_of(tmp_path, served).begin() as connection:
        joined(connection, "ann", served)
        assert shown(connection, "ann", served) is not None
        assert len(works_through(connection, "bob", served, now=LATER)) == 3
        end = next_item(connection, "ann", served=served, now=LATER)
        assert end == Done(finished=False)


def test_who_answered_nothing_but_a_check_has_not_finished(tmp_path: Path) -> None:
    served = served_of(1, checks=8, batch=1, checks_per_batch=8, target=1, lease_minutes=1.0)
    with store_of(tmp_path, served).begin() as connection:
        joined(connection, "ann", served)
        assert str(answered(connection, "ann", served)).startswith("c")
        works_through(connection, "bob", served, now=LATER)
        end = next_item(connection, "ann", served=served, now=LATER)
        assert end == Done(finished=False)


def test_who_rated_the_items_of_a_batch_may_still_answer_its_check(tmp_path: Path) -> None:
    served = served_of(2, checks=8, batch=2, checks_per_batch=8, target=1, lease_minutes=1.0)
    with store_of(tmp_path, served).begin() as connection:
        joined(connection, "ann", served)
        done = [str(answered(connection, "ann", served)) for _ in range(9)]
        assert sum(name.startswith("t") for name in done) == 2
        left = shown(connection, "ann", served, now=LATER)
        assert left is not None
        assert left.item.startswith("c")


def test_a_reservation_nobody_needs_keeps_no_one_waiting(tmp_path: Path) -> None:
    served = served_of(3, batch=2, quota=2, target=1, rule="at least")
    late = Person("late", "link")
    with store_of(tmp_path, served).begin() as connection:
        for name in ("ann", "bob"):  # two items for ann, the third and one of hers for bob
            joined(connection, name, served)
            assert shown(connection, name, served) is not None
        hers = works_through(connection, "ann", served)
        waits = join(connection, late, served=served, now=NOW)
        assert waits == Denied("taken", seconds=1800)
        assert answered(connection, "bob", served) not in hers
        assert join(connection, late, served=served, now=NOW) == Denied("full")
        assert answered(connection, "bob", served) in hers
