"""What changed about a study after people had begun: reported, and kept next to their answers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from plausibly.ratings.served import Served
from plausibly.ratings.store.dialect import upsert
from plausibly.ratings.store.schema import changes, facts, items, submissions

FORM = "form"
COLUMNS = ("expected", "condition", "item_group")  # that nobody sees, so that they may change


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed at one time: of how many items, and how for the first of them."""

    what: str
    items: int
    first: str | None
    before: str | None
    after: str | None
    made: str

    def __str__(self) -> str:
        """Return the line printed when the server starts."""
        if self.what == FORM:
            return f"the form changed after people had answered ({self.before} to {self.after})"
        number = f"{self.items} item{'' if self.items == 1 else 's'}"
        return (
            f"{self.what} of {number} changed after people had seen it "
            f"(first: {self.first!r}, {self.before!r} to {self.after!r})"
        )


def follow_items(
    connection: Connection, served: Served, seen: Collection[str], *, now: float
) -> None:
    """Bring up to date what nobody is shown of an item; note it where people have seen the item."""
    known = {row.item: row for row in connection.execute(select(items))}
    noted: list[dict[str, Any]] = []
    for item, content in served.contents.items():
        row = known[item]
        values = (content.expected, content.condition, content.group)
        wanted = dict(zip(COLUMNS, values, strict=True))
        changed = {name: after for name, after in wanted.items() if getattr(row, name) != after}
        if not changed:
            continue
        connection.execute(update(items).where(items.c.item == item).values(changed))
        if item in seen:
            noted += [
                {"what": name, "item": item, "before": getattr(row, name), "after": after}
                for name, after in changed.items()
            ]
    if noted:
        connection.execute(insert(changes), [{**one, "made": now} for one in noted])


def follow_form(connection: Connection, served: Served, *, now: float) -> None:
    """Note a form that is not the one people have answered before."""
    present = f"{served.form.id}@{served.form.version}"
    last = select(submissions.c.form).order_by(submissions.c.submitted.desc()).limit(1)
    known = connection.scalar(select(facts.c.value).where(facts.c.name == FORM))
    known = known or connection.scalar(last)
    begun = connection.scalar(last) is not None
    if begun and known is not None and known != present:
        row = {"what": FORM, "item": None, "before": known, "after": present, "made": now}
        connection.execute(insert(changes), row)
    put = upsert(facts).values(name=FORM, value=present)
    connection.execute(put.on_conflict_do_update(index_elements=["name"], set_={"value": present}))


def changes_so_far(connection: Connection) -> list[Change]:
    """Return what changed after people had begun, earliest first."""
    first = select(func.min(changes.c.number)).group_by(changes.c.made, changes.c.what)
    counted: dict[tuple[float, str], int] = {
        (row.made, row.what): row.number
        for row in connection.execute(
            select(changes.c.made, changes.c.what, func.count().label("number")).group_by(
                changes.c.made, changes.c.what
            )
        )
    }
    rows = connection.execute(
        select(changes).where(changes.c.number.in_(first)).order_by(changes.c.number)
    )
    return [
        Change(
            what=row.what,
            items=counted[row.made, row.what] if row.item else 0,
            first=row.item,
            before=row.before,
            after=row.after,
            made=datetime.fromtimestamp(row.made, UTC).isoformat(),
        )
        for row in rows
    ]
