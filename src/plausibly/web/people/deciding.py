"""Exclude, restore and withdraw people: one by name, or many by a condition, previewed first."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import Connection, update

from plausibly.errors import StudyError, option
from plausibly.ratings.consent import may_withdraw
from plausibly.ratings.store.desk import EXCLUDED, RESTORED, log_verdicts
from plausibly.ratings.store.doors import release
from plausibly.ratings.store.objections import BY_US
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.schema import people as table
from plausibly.ratings.store.verdicts import Verdict, exclude, leave, restore
from plausibly.study.arguments import checked
from plausibly.web.people.derived import remove_people
from plausibly.web.people.opening import OpenPeople, chosen, opened_people

COMMAND = "command"
WITHDRAWN = "withdrawn at their request"
Judge = Callable[[Connection, str, float], Verdict | Denied]


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of people, or would.

    Args:
        people: The people concerned, as `people list` showed them before.
        done: Whether it was done; if not, this is a preview.
        voided: How many answers and places are void now.
        restored: How many answers count again.
        surplus: How many answers wait for a place.
        denied: By person, why it was not possible.
        removed: Files of the study that were derived from answers; `run` makes them again.
    """

    people: pl.DataFrame
    done: bool
    voided: int = 0
    restored: int = 0
    surplus: int = 0
    denied: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return whom it is about and what became of them."""
        counts = {"voided": self.voided, "restored": self.restored, "surplus": self.surplus}
        names = self.people["annotator"].to_list()
        done = {"done": self.done, "people": names, **counts, "denied": dict(self.denied)}
        return {**done, "removed": list(self.removed)}


@checked
def people_exclude(
    study: str | Path,
    person: Sequence[str] = (),
    *,
    where: str | None = None,
    reason: str = BY_US,
    ask_return: bool = False,
    yes: bool = False,
    database: str | None = None,
) -> Decided:
    """Exclude people: their answers are void, and their places open at once.

    Whoever has worked is still paid, unless you ask them to return their submission.

    Args:
        study: The study folder.
        person: Names of the ratings table, or participant numbers.
        where: Exclude everybody for whom this holds, written as in SQL over the columns of
            `people list`; without `yes` they are only listed.
        reason: Reason, for the record and for a request to return.
        ask_return: Do not pay them: `people pay` asks them to return their submission.
        yes: Do it, where `where` chooses the people.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people exclude my-study p1a2b3
        plausibly people exclude my-study --where "channel = 'api' and items < 3" --yes

    >>> people_exclude("my-study")
    Traceback (most recent call last):
    plausibly.errors.StudyError: people: name someone, or pass where=.
    """
    _one_way(person, where)
    with opened_people(study, database) as people:
        judge = excluding(reason, ask_return=ask_return)
        return _decide(people, (person, where), judge, yes=yes, what=EXCLUDED)


def excluding(reason: str, *, ask_return: bool) -> Judge:
    """Return what excludes a person, and asks them to return their submission if wanted."""

    def judge(connection: Connection, annotator: str, now: float) -> Verdict | Denied:
        verdict = exclude(connection, annotator, check=None, reason=reason, now=now)
        if ask_return and isinstance(verdict, Verdict):
            mine = table.c.annotator == annotator
            connection.execute(update(table).where(mine).values(unpaid=reason))
        return verdict

    return judge


@checked
def people_restore(
    study: str | Path,
    person: Sequence[str] = (),
    *,
    where: str | None = None,
    yes: bool = False,
    database: str | None = None,
) -> Decided:
    """Undo exclusions, screening and quarantine; answers come back where there is room.

    Args:
        study: The study folder.
        person: Names of the ratings table, or participant numbers.
        where: Restore everybody for whom this holds, written as in SQL over the columns of
            `people list`; without `yes` they are only listed.
        yes: Do it, where `where` chooses the people.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people restore my-study p1a2b3
        plausibly people restore my-study --where "data = 'held'" --yes

    >>> people_restore("my-study", ["p1"], where="items > 2")
    Traceback (most recent call last):
    plausibly.errors.StudyError: people: name someone, or pass where=, not both.
    """
    _one_way(person, where)
    with opened_people(study, database) as people:
        return _decide(people, (person, where), restoring, yes=yes, what=RESTORED)


def restoring(connection: Connection, annotator: str, now: float) -> Verdict | Denied:
    """Undo every verdict on a person, and pay them again."""
    mine = table.c.annotator == annotator
    connection.execute(update(table).where(mine).values(unpaid=None))
    release(connection, annotator)
    return restore(connection, annotator, now=now)


@checked
def people_withdraw(
    study: str | Path, person: Sequence[str], *, database: str | None = None
) -> Decided:
    """Withdraw people who asked for it: no table has their answers, and their places open.

    They can undo it for 7 days with their personal link; `people erase` deletes their rows. What
    the study folder derived from answers is removed, and the next `run` makes it again.

    Args:
        study: The study folder.
        person: Names of the ratings table, or participant numbers.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people withdraw my-study p1a2b3
        plausibly people withdraw my-study p1a2b3 p4c5d6

    >>> people_withdraw("my-study", [])
    Traceback (most recent call last):
    plausibly.errors.StudyError: people: name someone.
    """
    if not person:
        raise StudyError("people: name someone.")

    def judge(connection: Connection, annotator: str, now: float) -> Verdict | Denied:
        return leave(connection, annotator, now=now)

    with opened_people(study, database) as people:
        server = people.desk.served.server
        if not may_withdraw(server, now=time.time()):
            raise StudyError(
                f"[server] withdraw_until = {server['withdraw_until']!r} has passed, so people can "
                "no longer withdraw. If you must remove someone: plausibly people erase."
            )
        decided = _decide(people, (person, None), judge, yes=True, what=WITHDRAWN)
        names = decided.people["annotator"].to_list()
        gone = remove_people(people.desk.served.folder, people.path, names)
        return replace(decided, removed=gone)


def _one_way(person: Sequence[str], where: str | None) -> None:
    """Raise unless people are named or chosen by a condition."""
    if not person and where is None:
        raise StudyError(f"people: name someone, or pass {option('where')}.")
    if person and where is not None:
        raise StudyError(f"people: name someone, or pass {option('where')}, not both.")


def _decide(
    people: OpenPeople,
    which: tuple[Sequence[str], str | None],
    judge: Judge,
    *,
    yes: bool,
    what: str,
) -> Decided:
    """Pass a verdict on people in one transaction; by a condition only with `yes`."""
    names, where = which
    rows = people.roster()
    with people.engine.begin() as connection:
        if where is None:
            wanted = people.named(connection, names)
            about = rows.filter(pl.col("annotator").is_in(wanted))
        else:
            about = chosen(rows, where)
            wanted = about["annotator"].to_list()
        if where is not None and not yes:
            return Decided(about, done=False)
        now = time.time()
        verdicts = {one: judge(connection, one, now) for one in wanted}
        log_verdicts(connection, verdicts.values(), by=COMMAND, what=what, now=now)
    passed = [one for one in verdicts.values() if isinstance(one, Verdict)]
    return Decided(
        about,
        done=True,
        voided=sum(one.voided for one in passed),
        restored=sum(one.restored for one in passed),
        surplus=sum(one.surplus for one in passed),
        denied=tuple((n, v.reason) for n, v in verdicts.items() if isinstance(v, Denied)),
    )
