"""Rounds raise targets, wait for each other, and can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from plausibly.ratings.served import Served
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.progress import progress
from plausibly.ratings.store.rounds import Reopening, Round, reopen, rounds_so_far, undo_round
from plausibly.ratings.store.schema import items
from plausibly.ratings.store.verdicts import exclude
from worlds.served import NOW, answered, joined, served_of, store_of, works_through


def column(connection: Connection, name: str) -> dict[str, int]:
    query = select(items.c.item, items.c[name]).where(items.c.kind == "item")
    return dict(connection.execute(query).all())


def half_collected(connection: Connection, served: Served) -> None:
    """Let three people rate everything."""
    for name in ("ann", "bob", "cyd"):
        works_through(connection, name, served)


def test_no_round_is_opened_while_one_still_wants_ratings(tmp_path: Path) -> None:
    served = served_of(4, batch=4, quota=0, target=10)
    with store_of(tmp_path, served).begin() as connection:
        half_collected(connection, served)
        outcome = reopen(connection, Reopening(fewer_than=8, ratings=5), now=NOW)
        assert outcome == Denied("round-open", places=28)
        assert set(column(connection, "target").values()) == {10}
        assert len(rounds_so_far(connection)) == 1


def test_places_that_are_only_handed_out_keep_a_round_open(tmp_path: Path) -> None:
    served = served_of(2, batch=2, target=1)
    with store_of(tmp_path, served).begin() as connection:
        joined(connection, "ann", served)
        answered(connection, "ann", served)
        outcome = reopen(connection, Reopening(fewer_than=8, ratings=5), now=NOW)
        assert outcome == Denied("round-open", places=1)


@pytest.mark.parametrize(("ratings", "target"), [(2, 10), (7, 10), (9, 12)])
def test_a_target_is_raised_and_never_lowered(tmp_path: Path, ratings: int, target: int) -> None:
    served = served_of(4, batch=4, quota=0, target=10)
    with store_of(tmp_path, served).begin() as connection:
        half_collected(connection, served)
        opening = Reopening(fewer_than=8, ratings=ratings, close=True)
        assert reopen(connection, opening, now=NOW) == Round(2, 4, 4 * (target - 3))
        assert set(column(connection, "target").values()) == {target}
        assert progress(connection, served)["items"]["complete"] == 0


def test_a_round_that_is_undone_leaves_everything_as_it_was(tmp_path: Path) -> None:
    served = served_of(4, batch=4, quota=0, target=3)
    with store_of(tmp_path, served).begin() as connection:
        half_collected(connection, served)
        exclude(connection, "bob", check=None, reason="", now=NOW)
        before = {name: column(connection, name) for name in ("target", "round", "taken")}
        reopen(connection, Reopening(fewer_than=3, ratings=5, close=True), now=NOW)
        assert undo_round(connection, 2, now=NOW) == Round(1, 4, 4)
        assert {name: column(connection, name) for name in before} == before
        reopen(connection, Reopening(fewer_than=3, ratings=5, close=True), now=NOW)
        assert joined(connection, "new", served)
        undo_round(connection, 3, now=NOW)
        assert len(works_through(connection, "new", served)) == 4
        assert [one["undone"] for one in rounds_so_far(connection)] == [False, True, True]
        opened = reopen(connection, Reopening(fewer_than=9, ratings=1), now=NOW)
        assert opened == Round(4, 4, 4)


def test_undoing_a_round_loses_no_rating_it_has_brought(tmp_path: Path) -> None:
    served = served_of(2, batch=2, quota=0, target=1)
    with store_of(tmp_path, served).begin() as connection:
        works_through(connection, "ann", served)
        reopen(connection, Reopening(fewer_than=2, ratings=4), now=NOW)
        for name in ("bob", "cyd"):
            works_through(connection, name, served)
        assert undo_round(connection, 2, now=NOW) == Round(1, 2, 0)
        assert set(column(connection, "taken").values()) == {3}
        assert set(column(connection, "target").values()) == {3}


@pytest.mark.parametrize("number", [0, 1, 3])
def test_only_the_latest_round_can_be_undone_and_not_the_first(tmp_path: Path, number: int) -> None:
    served = served_of(2, batch=2, quota=0, target=1)
    with store_of(tmp_path, served).begin() as connection:
        works_through(connection, "ann", served)
        reopen(connection, Reopening(fewer_than=2, ratings=4), now=NOW)
        assert undo_round(connection, number, now=NOW) == Denied("no-such-round")


def test_a_round_reopens_short_items_for_new_people_only(tmp_path: Path) -> None:
    served = served_of(4, batch=4, quota=0, target=2)
    with store_of(tmp_path, served).begin() as connection:
        for name in ("ann", "bob"):
            works_through(connection, name, served)
        exclude(connection, "bob", check=None, reason="", now=NOW)
        joined(connection, "old", served)
        late = NOW + served.plan.lease + 1  # what "old" got is free again
        joined(connection, "ann", served, now=late)
        opening = Reopening(fewer_than=2, ratings=3, only=["t000", "t001"], close=True)
        assert reopen(connection, opening, now=late) == Round(2, 2, 6)
        assert set(works_through(connection, "ann", served, now=late)) == set()
        assert set(works_through(connection, "old", served, now=late)) == {"t002", "t003"}
        for name in ("new1", "new2", "new3", "new4"):
            works_through(connection, name, served, now=late)
        assert column(connection, "taken") == {"t000": 4, "t001": 4, "t002": 2, "t003": 2}
        assert not joined(connection, "new5", served)


def test_a_round_without_short_items_is_not_opened(tmp_path: Path) -> None:
    served = served_of(2, batch=2, target=1)
    with store_of(tmp_path, served).begin() as connection:
        works_through(connection, "ann", served)
        opening = Reopening(fewer_than=1, ratings=5)
        assert reopen(connection, opening, now=NOW) == Denied("no-round")
