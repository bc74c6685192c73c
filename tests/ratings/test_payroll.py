"""Who is paid how, from what they did and how they stand on the platform."""

from __future__ import annotations

import polars as pl
import pytest

from plausibly.ratings.payroll import Payroll, payroll
from plausibly.ratings.store.ids import PlatformId
from plausibly.ratings.store.roster import COLUMNS


def paid(pay: str, status: str | None, *, flags: str = "") -> Payroll:
    """Return the payroll of one person whose work is worth 1.50."""
    row = {"annotator": "a", "pay": pay, "amount": 1.5, "flags": flags, "reason": "why"}
    people = pl.DataFrame([dict.fromkeys(COLUMNS) | row], schema=COLUMNS)
    return payroll(people, {"a": PlatformId("person", "sub", status)})


@pytest.mark.parametrize(
    ("pay", "status", "flags", "lists"),
    [
        ("pay", "AWAITING REVIEW", "", (1, 0, 0)),
        ("pay", None, "", (1, 0, 0)),
        ("pay", "TIMED-OUT", "", (1, 0, 0)),  # late, and done
        ("pay", "RETURNED", "", (0, 0, 1)),  # cannot be approved any more
        ("pay", "AWAITING REVIEW", "short round", (0, 1, 1)),
        ("pay", "TIMED-OUT", "short round", (0, 0, 1)),
        ("pay", "APPROVED", "", (0, 0, 0)),
        ("pay", "APPROVED", "short round", (0, 0, 0)),
        ("part", "RETURNED", "", (0, 0, 1)),
        ("part", "TIMED-OUT", "", (0, 0, 1)),
        ("part", "APPROVED", "", (0, 0, 0)),  # approved by hand: paid in full
        ("return", "AWAITING REVIEW", "", (0, 1, 0)),
        ("none", "ACTIVE", "", (0, 0, 0)),
    ],
)
def test_work_is_paid_once_and_in_one_way(
    pay: str, status: str | None, flags: str, lists: tuple[int, int, int]
) -> None:
    due = paid(pay, status, flags=flags)
    assert (len(due.approve), len(due.returns), len(due.bonuses)) == lists
    assert due.cents == 150 * lists[2]
    done = sum(lists) > 0
    assert due.settled + due.unpaid == int(not done)


def test_people_without_an_id_are_counted() -> None:
    people = pl.DataFrame(
        [dict.fromkeys(COLUMNS) | {"annotator": "a", "pay": "pay", "flags": ""}], schema=COLUMNS
    )
    assert payroll(people, {}).missing == 1
