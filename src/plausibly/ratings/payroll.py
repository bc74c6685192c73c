"""Who is paid what on the platform: approvals, requests to return, bonuses."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import polars as pl

from plausibly.errors import StudyError
from plausibly.io import read_text
from plausibly.ratings.store.ids import PlatformId

PERSON_COLUMNS = ("Participant id", "participant_id", "ParticipantId", "participantId", "person")
SUBMISSION_COLUMNS = ("Submission id", "submission_id", "assignmentId", "id", "submission")
STATUS_COLUMNS = ("Status", "status")
GONE = ("RETURNED", "TIMED-OUT", "REJECTED")  # of these states, the places are free again
SETTLED = ("APPROVED", "PARTIALLY APPROVED", "SCREENED OUT")
SHORT = "The study had only a short round left for you. It is paid in full as a bonus."


@dataclass(frozen=True, slots=True)
class ReturnRequest:
    """A submission whose person is asked to return it, and why."""

    submission: str
    reason: str


@dataclass(frozen=True, slots=True)
class BonusDue:
    """A bonus for work that an approval does not pay; the amount in cents."""

    submission: str
    cents: int


@dataclass(frozen=True, slots=True)
class Payroll:
    """What to do on the platform.

    Args:
        approve: Submissions to approve.
        returns: Submissions to ask for, each with a reason.
        bonuses: What is paid besides.
        settled: How many people the platform has paid already.
        unpaid: How many people have done nothing that is paid, or are still working.
        missing: How many people are to be paid and have no id of the platform.
        strangers: How many submissions of the platform's export belong to nobody here.
    """

    approve: tuple[str, ...] = ()
    returns: tuple[ReturnRequest, ...] = ()
    bonuses: tuple[BonusDue, ...] = ()
    settled: int = 0
    unpaid: int = 0
    missing: int = 0
    strangers: int = 0

    @property
    def cents(self) -> int:
        """What all bonuses come to."""
        return sum(one.cents for one in self.bonuses)

    def files(self) -> dict[str, str]:
        """Return the lists Prolific accepts, by file name; they hold ids, no pseudonyms."""
        asked = StringIO()
        writer = csv.writer(asked, lineterminator="\n")
        writer.writerow(["Submission id", "Reason"])
        writer.writerows([one.submission, one.reason] for one in self.returns)
        return {
            "approve.csv": "".join(f"{one}\n" for one in self.approve),
            "return.csv": asked.getvalue(),
            "bonus.csv": "".join(
                f"{one.submission},{one.cents / 100:.2f}\n" for one in self.bonuses
            ),
        }


def payroll(people: pl.DataFrame, ids: Mapping[str, PlatformId], *, strangers: int = 0) -> Payroll:
    """Return what everybody is paid, and how.

    A whole round is approved, whatever becomes of the answers. A short round, and work that was
    broken off, is paid by the item as a bonus.

    Args:
        people: The roster.
        ids: From a person to what the platform calls them, and how their submission stands.
        strangers: Submissions of the platform's export that belong to nobody here.
    """
    approve: list[str] = []
    returns: list[ReturnRequest] = []
    bonuses: list[BonusDue] = []
    settled = unpaid = missing = 0
    for row in people.iter_rows(named=True):
        known = ids.get(row["annotator"])
        if row["pay"] == "none":
            unpaid += 1
        elif known is None:
            missing += 1
        elif known.status in SETTLED and row["pay"] != "return":
            settled += 1
        elif row["pay"] == "return":
            returns += [ReturnRequest(known.submission, row["reason"] or "")]
        elif row["pay"] == "pay" and "short round" not in row["flags"] and known.status not in GONE:
            approve.append(known.submission)
        elif row["pay"] == "pay" and known.status == "TIMED-OUT" and "short" not in row["flags"]:
            approve.append(known.submission)  # late, and done: it can still be approved
        else:
            if row["pay"] == "pay" and known.status not in GONE:
                returns.append(ReturnRequest(known.submission, SHORT))
            cents = round(100 * row["amount"])
            bonuses += [BonusDue(known.submission, cents)] if cents else []
    return Payroll(
        tuple(sorted(approve)),
        tuple(sorted(returns, key=lambda one: one.submission)),
        tuple(sorted(bonuses, key=lambda one: one.submission)),
        settled=settled,
        unpaid=unpaid,
        missing=missing,
        strangers=strangers,
    )


def read_export(path: Path) -> list[PlatformId]:
    """Return the submissions of a platform's own export (CSV)."""
    lines = read_text(path).splitlines()
    header = next(csv.reader(lines[:1]), [])
    person, submission = (
        _column(header, names, path) for names in (PERSON_COLUMNS, SUBMISSION_COLUMNS)
    )
    status = next((name for name in STATUS_COLUMNS if name in header), None)
    return [
        PlatformId(
            (row[person] or "").strip(),
            (row[submission] or "").strip(),
            (row[status] or "").strip().upper().replace("_", "-") or None if status else None,
        )
        for row in csv.DictReader(lines)
        if (row[person] or "").strip()
    ]


def _column(header: Sequence[str], names: Sequence[str], path: Path) -> str:
    named = [name for name in names if name in header]
    if not named:
        known = ", ".join(names)
        raise StudyError(f"{path}: a column is missing. Expected one of: {known}.")
    return named[0]
