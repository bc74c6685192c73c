from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from plausibly.ratings.store.allocation import Done, Joined, join, next_item
from plausibly.ratings.store.answering import Refused, Saved, Sent, answer
from plausibly.ratings.store.doors import Person
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.schema import answers, items, people, slots, submissions
from plausibly.ratings.store.verdicts import Verdict, exclude, restore, withdraw
from worlds.served import (
    NOW,
    answered,
    joined,
    served_of,
    shown,
    store_of,
    works_through,
)


def states(connection: Connection, name: str) -> Counter[str]:
    mine = select(slots.c.state).where(slots.c.annotator == name)
    return Counter(connection.scalars(mine))


def taken(connection: Connection) -> dict[str, int]:
    query = select(items.c.item, items.c.taken).where(items.c.kind == "item")
    return dict(connection.execute(query).all())


class TestBatches:
    def test_a_batch_is_so_many_items_and_checks(self, tmp_path: Path) -> None:
        served = served_of(60, checks=5, batch=24, quota=24)
        with store_of(tmp_path, served).begin() as connection:
            seen = works_through(connection, "ann", served)
        assert len(seen) == len(set(seen)) == 25
        assert sum(name.startswith("c") for name in seen) == 1

    def test_two_people_get_their_items_in_different_orders(self, tmp_path: Path) -> None:
        served = served_of(10, batch=10, quota=10)
        with store_of(tmp_path, served).begin() as connection:
            one = works_through(connection, "ann", served)
            other = works_through(connection, "bob", served)
        assert sorted(one) == sorted(other)
        assert one != other

    def test_the_same_seed_gives_the_same_order(self, tmp_path: Path) -> None:
        served = served_of(30, checks=4, batch=12, quota=12)
        orders = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            with store_of(tmp_path / name, served).begin() as connection:
                orders.append(works_through(connection, "ann", served))
        assert orders[0] == orders[1]

    def test_what_is_asked_again_before_the_answer_is_the_same(self, tmp_path: Path) -> None:
        served = served_of(5, batch=5)
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "ann", served)
            assert shown(connection, "ann", served) == shown(connection, "ann", served)

    def test_nobody_exceeds_the_quota(self, tmp_path: Path) -> None:
        served = served_of(40, checks=9, batch=4, quota=10)
        with store_of(tmp_path, served).begin() as connection:
            seen = works_through(connection, "ann", served)
        assert sum(name.startswith("t") for name in seen) == 10

    def test_without_a_quota_a_person_may_rate_everything(self, tmp_path: Path) -> None:
        served = served_of(40, batch=4, quota=0)
        with store_of(tmp_path, served).begin() as connection:
            assert len(works_through(connection, "ann", served)) == 40

    def test_items_furthest_from_their_target_come_first(self, tmp_path: Path) -> None:
        served = served_of(6, batch=2, quota=2, target=4)
        with store_of(tmp_path, served).begin() as connection:
            for name in ("ann", "bob", "cyd"):
                works_through(connection, name, served)
            assert set(taken(connection).values()) == {1}


class TestTargets:
    @pytest.mark.parametrize("target", [1, 3])
    def test_every_item_gets_exactly_as_many_ratings_as_wanted(
        self, tmp_path: Path, target: int
    ) -> None:
        served = served_of(7, batch=3, quota=3, target=target)
        with store_of(tmp_path, served).begin() as connection:
            for n in range(40):
                works_through(connection, f"p{n}", served)
            assert set(taken(connection).values()) == {target}

    def test_who_is_new_when_all_is_done_is_told_that_it_is_full(self, tmp_path: Path) -> None:
        served = served_of(2, batch=2, target=1)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served)
            assert not joined(connection, "bob", served)
            late = Person("bob", "link")
            assert join(connection, late, served=served, now=NOW) == Denied("full")
            assert joined(connection, "ann", served)

    def test_who_joined_too_late_for_an_item_is_done_without_having_finished(
        self, tmp_path: Path
    ) -> None:
        served = served_of(2, batch=2, target=1)
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "bob", served)
            late = NOW + served.plan.lease + 1  # nothing was answered in time
            works_through(connection, "ann", served, now=late)
            assert next_item(connection, "bob", served=served, now=late) == Done(finished=False)

    def test_joining_keeps_places_for_the_lease(self, tmp_path: Path) -> None:
        served = served_of(3, checks=1, batch=2, quota=2, target=1, lease_minutes=1.0)
        with store_of(tmp_path, served).begin() as connection:
            one, two, three = (
                join(connection, Person(name, "link"), served=served, now=NOW)
                for name in ("ann", "bob", "cyd")
            )
            assert (one, two) == (Joined("ann", 3), Joined("bob", 2))
            assert three == Denied("taken", seconds=60)
            assert len(works_through(connection, "bob", served)) == 2
            assert len(works_through(connection, "ann", served)) == 3

    def test_nobody_admitted_finds_nothing(self, tmp_path: Path) -> None:
        served = served_of(4, batch=4, quota=4, target=3)
        with store_of(tmp_path, served).begin() as connection:
            admitted = [name for name in "abcdefghijkl" if joined(connection, name, served)]
            assert len(admitted) == 3
            assert all(len(works_through(connection, name, served)) == 4 for name in admitted)

    def test_at_least_fills_a_batch_with_items_that_have_enough(self, tmp_path: Path) -> None:
        served = served_of(5, batch=3, quota=3, target=1, rule="at least")
        with store_of(tmp_path, served).begin() as connection:
            assert len(works_through(connection, "ann", served)) == 3
            assert len(works_through(connection, "bob", served)) == 3
            assert sum(taken(connection).values()) == 6
            assert not joined(connection, "cyd", served)

    def test_the_database_itself_refuses_one_rating_too_many(self, tmp_path: Path) -> None:
        served = served_of(1, batch=1, target=1)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served)
            row = {"annotator": "bob", "source": "link", "round": 1, "joined": NOW}
            connection.execute(people.insert().values(row))
            slot = {"annotator": "bob", "item": "t000", "reservation": "r", "batch": 1}
            slot |= {"position": 1, "state": "reserved", "expires": NOW}
            with pytest.raises(IntegrityError, match="never_over_target"):
                connection.execute(slots.insert().values(slot))

    @pytest.mark.parametrize("table", [answers, submissions])
    def test_the_database_itself_refuses_to_change_an_answer(
        self, tmp_path: Path, table: type
    ) -> None:
        served = served_of(1, batch=1, target=1)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served)
            with pytest.raises(IntegrityError, match="only appended"):
                connection.execute(table.update().values(item="t000"))  # type: ignore[attr-defined]
            with pytest.raises(IntegrityError, match="never deleted"):
                connection.execute(table.delete())  # type: ignore[attr-defined]

    def test_the_database_itself_refuses_to_unanswer(self, tmp_path: Path) -> None:
        served = served_of(1, batch=1, target=1)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served)
            with pytest.raises(IntegrityError, match="state"):
                connection.execute(slots.update().values(state="reserved"))


class TestLeases:
    def test_what_is_not_answered_in_time_is_free_for_others(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3, target=1, lease_minutes=1.0)
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "ann", served)
            first = shown(connection, "ann", served)
            assert first is not None
            assert not joined(connection, "bob", served)
            later = NOW + 61
            assert len(works_through(connection, "bob", served, now=later)) == 3
            sent = Sent(first.reservation, {"plausible": 5}, "k")
            late = answer(connection, "ann", sent, served=served, now=later)
            assert late == Denied("expired")
            assert set(taken(connection).values()) == {1}

    def test_every_answer_renews_the_lease_of_the_rest(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3, target=1, lease_minutes=1.0)
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "ann", served)
            for n in range(3):
                assert answered(connection, "ann", served, now=NOW + 50 * n) is not None

    def test_who_comes_back_late_takes_up_what_is_still_free(self, tmp_path: Path) -> None:
        served = served_of(4, batch=4, quota=4, target=1, lease_minutes=1.0)
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "ann", served)
            done = answered(connection, "ann", served)
            before = shown(connection, "ann", served)
            later = NOW + 500
            after = shown(connection, "ann", served, now=later)
            assert before is not None
            assert after is not None
            assert (after.item, after.position) == (before.item, before.position) == (after.item, 2)
            rest = works_through(connection, "ann", served, now=later)
            assert done is not None
            assert sorted([done, *rest]) == ["t000", "t001", "t002", "t003"]


class TestAnswering:
    def test_the_same_key_again_stores_nothing_again(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3)
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "ann", served)
            slot = shown(connection, "ann", served)
            assert slot is not None
            for new in (True, False, False):
                sent = Sent(slot.reservation, {"plausible": 4}, "k1")
                saved = answer(connection, "ann", sent, served=served, now=NOW)
                assert saved == Saved(1, new=new)
            assert len(connection.execute(select(submissions)).all()) == 1

    def test_another_key_is_a_revision_and_the_old_answer_stays(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3)
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "ann", served)
            slot = shown(connection, "ann", served)
            assert slot is not None
            for revision, given in enumerate(("4", "1"), 1):
                sent = Sent(slot.reservation, {"plausible": given}, f"k{revision}")
                saved = answer(connection, "ann", sent, served=served, now=NOW)
                assert saved == Saved(revision, new=True)
            assert list(connection.scalars(select(answers.c.answer))) == ["4", "1"]
            assert states(connection, "ann") == {"answered": 1, "reserved": 2}

    def test_a_key_of_another_item_is_not_taken_for_this_one(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3)
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "ann", served)
            results = []
            for _ in range(2):
                slot = shown(connection, "ann", served)
                assert slot is not None
                sent = Sent(slot.reservation, {"plausible": 4}, "k")
                results.append(answer(connection, "ann", sent, served=served, now=NOW))
            assert results == [Saved(1, new=True), Denied("key")]

    def test_the_middle_is_refused_counted_and_not_stored(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3)
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "ann", served)
            slot = shown(connection, "ann", served)
            assert slot is not None
            for n in range(3):
                sent = Sent(slot.reservation, {"plausible": 3}, f"k{n}")
                refused = answer(connection, "ann", sent, served=served, now=NOW)
                assert isinstance(refused, Refused)
                assert [r.reason for r in refused.refusals] == ["middle"]
            query = select(items.c.refused).where(items.c.item == slot.item)
            assert connection.scalar(query) == 3
            assert connection.execute(select(submissions)).first() is None

    def test_nobody_answers_for_someone_else(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3)
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "ann", served)
            joined(connection, "bob", served)
            slot = shown(connection, "ann", served)
            assert slot is not None
            sent = Sent(slot.reservation, {"plausible": 4}, "k")
            assert answer(connection, "bob", sent, served=served, now=NOW) == Denied("forged")

    def test_a_batch_that_is_through_takes_no_more_revisions(self, tmp_path: Path) -> None:
        served = served_of(2, batch=2, quota=2)
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "ann", served)
            slot = shown(connection, "ann", served)
            assert slot is not None
            works_through(connection, "ann", served)
            sent = Sent(slot.reservation, {"plausible": 1}, "again")
            assert answer(connection, "ann", sent, served=served, now=NOW) == Denied("closed")


class TestChecks:
    def test_a_batch_with_its_check_passed_is_accepted(self, tmp_path: Path) -> None:
        served = served_of(4, checks=1, batch=4, quota=4)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served, given="4")
            assert states(connection, "ann") == {"accepted": 5}

    def test_a_batch_with_its_check_failed_stays_as_answered(self, tmp_path: Path) -> None:
        served = served_of(4, checks=1, batch=4, quota=4)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served, given="1")
            assert states(connection, "ann") == {"answered": 5}

    def test_a_failed_check_excludes_if_the_study_says_so_and_the_person_is_still_done(
        self, tmp_path: Path
    ) -> None:
        served = served_of(4, checks=1, batch=4, quota=4, failed_check="exclude")
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served, given="1")
            assert states(connection, "ann") == {"void": 5}
            assert set(taken(connection).values()) == {0}
            assert next_item(connection, "ann", served=served, now=NOW) == Done(finished=True)
            assert not joined(connection, "ann", served)

    def test_who_leaves_after_failing_a_check_is_excluded_when_time_runs_out(
        self, tmp_path: Path
    ) -> None:
        served = served_of(4, checks=1, batch=4, quota=4, failed_check="exclude")
        with store_of(tmp_path, served).begin() as connection:
            joined(connection, "ann", served)
            while not str(answered(connection, "ann", served, given="1")).startswith("c"):
                pass
            later = NOW + 1e6
            joined(connection, "bob", served, now=later)
            assert not joined(connection, "ann", served, now=later)

    def test_withdrawing_a_check_undoes_its_exclusions(self, tmp_path: Path) -> None:
        served = served_of(4, checks=1, batch=4, quota=4, failed_check="exclude")
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served, given="1")
            verdict = withdraw(connection, "c000", served=served, now=NOW)
            assert verdict == Verdict(voided=0, restored=4, people=1)
            assert states(connection, "ann") == {"accepted": 4, "void": 1}
            assert joined(connection, "ann", served)

    def test_withdrawing_one_check_leaves_who_failed_another_excluded(self, tmp_path: Path) -> None:
        served = served_of(
            4, checks=3, batch=4, quota=4, checks_per_batch=3, failed_check="exclude"
        )
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served, given="1")
            withdraw(connection, "c000", served=served, now=NOW)
            assert not joined(connection, "ann", served)
            withdraw(connection, "c002", served=served, now=NOW)
            assert joined(connection, "ann", served)
            assert states(connection, "ann")["accepted"] == 5

    def test_withdrawing_a_check_accepts_what_it_alone_held_back(self, tmp_path: Path) -> None:
        served = served_of(4, checks=1, batch=4, quota=4)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served, given="1")
            withdraw(connection, "c000", served=served, now=NOW)
            assert states(connection, "ann") == {"accepted": 4, "void": 1}


class TestExclusion:
    def test_excluding_voids_and_reopens_in_one_step(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3, target=1)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served)
            verdict = exclude(connection, "ann", check=None, reason="bot", now=NOW)
            assert verdict == Verdict(voided=3)
            assert set(taken(connection).values()) == {0}
            assert next_item(connection, "ann", served=served, now=NOW) == Denied("excluded")
            assert len(connection.execute(select(answers)).all()) == 3
            assert len(works_through(connection, "bob", served)) == 3

    def test_restoring_brings_back_what_nobody_has_taken(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3, target=1)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served)
            exclude(connection, "ann", check=None, reason="", now=NOW)
            joined(connection, "bob", served)
            answered(connection, "bob", served)
            exclude(connection, "bob", check=None, reason="", now=NOW)
            assert restore(connection, "ann", now=NOW) == Verdict(restored=3)
            assert restore(connection, "bob", now=NOW) == Verdict(surplus=1)
            assert set(taken(connection).values()) == {1}

    def test_surplus_answers_step_in_when_a_place_opens(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3, target=1)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served)
            exclude(connection, "ann", check=None, reason="", now=NOW)
            works_through(connection, "bob", served)
            assert restore(connection, "ann", now=NOW) == Verdict(surplus=3)
            exclude(connection, "bob", check=None, reason="", now=NOW)
            assert states(connection, "ann") == {"accepted": 3}
            assert set(taken(connection).values()) == {1}

    def test_where_the_target_is_a_least_everything_comes_back(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3, target=1, rule="at least")
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served)
            exclude(connection, "ann", check=None, reason="", now=NOW)
            works_through(connection, "bob", served)
            assert restore(connection, "ann", now=NOW) == Verdict(restored=3)
            assert set(taken(connection).values()) == {2}

    def test_nobody_unknown_is_excluded_or_restored(self, tmp_path: Path) -> None:
        served = served_of(1)
        with store_of(tmp_path, served).begin() as connection:
            nobody = exclude(connection, "nobody", check=None, reason="", now=NOW)
            assert nobody == restore(connection, "nobody", now=NOW) == Denied("no-person")
            gone = withdraw(connection, "nothing", served=served, now=NOW)
            assert gone == Denied("no-item")

    def test_a_withdrawn_item_is_given_to_nobody_and_its_answers_do_not_count(
        self, tmp_path: Path
    ) -> None:
        served = served_of(2, batch=2, quota=2, target=2)
        with store_of(tmp_path, served).begin() as connection:
            works_through(connection, "ann", served)
            verdict = withdraw(connection, "t000", served=served, now=NOW)
            assert verdict == Verdict(voided=1)
            assert works_through(connection, "bob", served) == ["t001"]
