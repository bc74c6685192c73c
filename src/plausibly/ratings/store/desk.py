"""The desk's links and its log, which counts what was done and names nobody."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select

from plausibly.ratings.store.dialect import upsert
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.prepared import Prepared
from plausibly.ratings.store.schema import desk_log, facts
from plausibly.ratings.store.verdicts import Verdict

ROLES = ("owner", "viewer")
PROGRAM = "api"  # who decided through the researcher's API
EXCLUDED, RESTORED = "excluded", "restored"
BYTES = 16
_NUMBER = Prepared(select(facts.c.value).where(facts.c.name == bindparam("which")))


@dataclass(frozen=True, slots=True)
class DeskAction:
    """Something that was done at the desk, by a command or by a program.

    Args:
        made: When.
        by: owner, viewer, command or api.
        what: What was done.
        people: How many people it was about; None if it was about nobody.
        answers: How many answers it was about, or had been stored by then.
    """

    made: float
    by: str
    what: str
    people: int | None = None
    answers: int | None = None


def link_number(connection: Connection, role: str) -> str:
    """Return the number that a link of the desk is made from; empty before there is one."""
    return str(_NUMBER.scalar(connection, {"which": f"desk {role}"}) or "")


def new_link_numbers(connection: Connection, *, replace: bool) -> None:
    """Draw the numbers that both links are made from.

    Args:
        connection: The answers.
        replace: Whether numbers that are there are replaced, which revokes their links.
    """
    for role in ROLES:
        if replace or not link_number(connection, role):
            drawn = {"name": f"desk {role}", "value": secrets.token_hex(BYTES)}
            put = upsert(facts).values(drawn)
            connection.execute(
                put.on_conflict_do_update(
                    index_elements=["name"], set_={"value": put.excluded.value}
                )
            )


def log_action(connection: Connection, action: DeskAction) -> None:
    """Append something to the log."""
    row = {name: getattr(action, name) for name in DeskAction.__dataclass_fields__}
    connection.execute(insert(desk_log).values(row))


def log_look(connection: Connection, look: DeskAction) -> bool:
    """Append a look at results to the log, and return whether it was a new one.

    Whoever looks again before there are other answers sees nothing new.
    """
    same = (desk_log.c.by == look.by, desk_log.c.what == look.what)
    last = select(desk_log.c.answers).where(*same).order_by(desk_log.c.number.desc()).limit(1)
    new = connection.scalar(last) != look.answers
    if new:
        log_action(connection, look)
    return new


def actions_so_far(connection: Connection) -> list[DeskAction]:
    """Return the log, from the first action to the last."""
    rows = connection.execute(select(desk_log).order_by(desk_log.c.number))
    return [DeskAction(row.made, row.by, row.what, row.people, row.answers) for row in rows]


def log_verdicts(
    connection: Connection, verdicts: Iterable[Verdict | Denied], *, by: str, what: str, now: float
) -> None:
    """Append to the log how many people a verdict was passed on, and on how many answers."""
    passed = [one for one in verdicts if isinstance(one, Verdict)]
    if passed:
        answers = sum(one.voided + one.restored + one.surplus for one in passed)
        log_action(connection, DeskAction(now, by, what, len(passed), answers))
