"""What a collection comes to, counted by the database: quick with very many answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from sqlalchemy import Connection, exists, func, select, text

from plausibly.ratings.served import Served
from plausibly.ratings.store.pausing import gate_of
from plausibly.ratings.store.rounds import current_round
from plausibly.ratings.store.schema import (
    exclusions,
    items,
    objections,
    people,
    slots,
    submissions,
)

HOUR = 3600.0
DAY = 24 * HOUR
MOST_PLACES = 100_000  # of a batch

# How many ratings count is what is taken and not merely reserved; an index lists what is reserved.
_ITEMS = """
WITH held AS (
    SELECT item, count(*) AS places, sum(expires < :now) AS lapsed
    FROM slots INDEXED BY leases WHERE state = 'reserved' GROUP BY item)
SELECT {by} count(*) AS items,
       sum(max(target, taken)) AS wanted,
       sum(taken - coalesce(places, 0)) AS rated,
       sum(coalesce(places - lapsed, 0)) AS held,
       sum(coalesce(lapsed, 0)) AS lapsed,
       sum(CASE WHEN round = :number THEN max(target - taken, 0) ELSE 0 END)
           + sum(coalesce(lapsed, 0)) AS open,
       sum(taken - coalesce(places, 0) >= target) AS complete
FROM items LEFT JOIN held ON held.item = items.item
WHERE kind = 'item' AND withdrawn = 0 {group}
"""
_ALL = text(_ITEMS.format(by="", group=""))
_BY_CONDITION = text(
    _ITEMS.format(by="condition AS name,", group="GROUP BY condition ORDER BY condition")
)
_BY_ITEM = text(_ITEMS.format(by="items.item AS name,", group="GROUP BY items.item"))
_LISTS = """
SELECT slots.survey AS survey, {condition} AS condition,
       sum(slots.state IN ('answered', 'accepted')) AS rated,
       sum(slots.state = 'reserved' AND slots.expires >= :now) AS held,
       count(DISTINCT slots.annotator) AS people
FROM slots JOIN items ON items.item = slots.item
WHERE items.kind = 'item' AND items.withdrawn = 0 AND slots.survey IS NOT NULL
  AND slots.state <> 'void'
GROUP BY 1, 2 ORDER BY 1, 2
"""
_BY_LIST, _BY_CELL = (
    text(_LISTS.format(condition=one)) for one in ("NULL", "coalesce(items.condition, '')")
)
_PLACES = text(
    """
    SELECT slots.position AS position, count(*) AS given, sum(slots.revision > 0) AS answered
    FROM slots JOIN people ON people.annotator = slots.annotator
    WHERE people.withdrew IS NULL AND (slots.revision > 0
          OR slots.state = 'void' AND slots.cause IN ('lapsed', 'incomplete')
          OR slots.state = 'reserved' AND slots.expires < :now)
    GROUP BY slots.position ORDER BY slots.position
    """
)
# A comment that was revised is what it says now; of people who withdrew, nothing is shown.
_WRITTEN = """submissions.comment IS NOT NULL AND trim(submissions.comment) <> ''
      AND submissions.revision = (
          SELECT max(later.revision) FROM submissions AS later
          WHERE later.annotator = submissions.annotator AND later.item = submissions.item
            AND later.step = submissions.step)"""
_STAYED = "submissions.annotator NOT IN (SELECT annotator FROM people WHERE withdrew IS NOT NULL)"
_RECENT = text(
    f"""
    SELECT count(*) FILTER (WHERE submitted >= :hour AND revision = 1 AND step = 1),
           count(*) FILTER (WHERE revision = 1 AND step = 1), count(*) FILTER (WHERE {_WRITTEN}),
           (SELECT max(submitted) FROM submissions)
    FROM submissions WHERE submitted >= :day AND {_STAYED}
    """  # noqa: S608 - of our words alone
)
_RATED_SINCE = text(
    """
    SELECT count(*) FROM submissions
    JOIN items ON items.item = submissions.item AND items.kind = 'item' AND items.withdrawn = 0
    JOIN slots ON slots.annotator = submissions.annotator AND slots.item = submissions.item
    WHERE submissions.submitted >= :since AND submissions.revision = 1 AND submissions.step = 1
      AND slots.state IN ('answered', 'accepted')
    """
)
_COMMENTS = text(
    f"""
    SELECT submissions.annotator, submissions.item, submissions.submitted, submissions.comment
    FROM submissions WHERE {_WRITTEN} AND {_STAYED}
    ORDER BY submissions.submitted DESC LIMIT :most OFFSET :after
    """  # noqa: S608 - of our words alone
)
# The valid answers to one question with their place, in few columns: reading whole ratings of a
# hundred thousand answers takes seconds.
_PLACED = text(
    """
    SELECT answers.annotator, answers.item, answers.candidate, answers.value, slots.batch,
           slots.position, submissions.submitted - submissions.shown, submissions.together
    FROM answers
    JOIN items ON items.item = answers.item
    JOIN slots ON slots.annotator = answers.annotator AND slots.item = answers.item
    JOIN people ON people.annotator = answers.annotator
    JOIN submissions ON submissions.annotator = answers.annotator
         AND submissions.item = answers.item AND submissions.step = answers.step
         AND submissions.revision = answers.revision
    WHERE answers.question = :question AND items.kind = 'item'
      AND slots.state IN ('answered', 'accepted') AND people.withdrew IS NULL
      AND people.confirmed IS NOT NULL AND people.held IS NULL
      AND NOT EXISTS (
          SELECT 1 FROM submissions AS later
          WHERE later.annotator = answers.annotator AND later.item = answers.item
            AND later.step = answers.step AND later.revision > answers.revision)
    """
)
_COMMENT_COUNT = text(f"SELECT count(*) FROM submissions WHERE {_WRITTEN} AND {_STAYED}")  # noqa: S608


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """How far some items are.

    Args:
        name: Of their condition; empty for all items.
        items: How many there are.
        complete: How many have as many ratings as are wanted.
        wanted: Ratings wanted of them.
        rated: Ratings that count.
        held: Places that are handed out and not answered.
        open: Places nobody has.
        lapsed: How many of these were handed out, and their time is over.
    """

    name: str
    items: int
    complete: int
    wanted: int
    rated: int
    held: int
    open: int
    lapsed: int


@dataclass(frozen=True, slots=True)
class ListCounts:
    """How many ratings a list has, or one condition of it.

    Args:
        name: Of the list.
        condition: Of the items; None for all of the list.
        rated: Ratings that count.
        held: Places that are handed out and not answered.
        people: How many people have it.
    """

    name: str
    condition: str | None
    rated: int
    held: int
    people: int


@dataclass(frozen=True, slots=True)
class PeopleCounts:
    """How many people there are, by where they are."""

    joined: int
    finished: int
    working: int
    excluded: int
    unconfirmed: int
    overdue: int  # unconfirmed for more than a day
    held: int
    withdrawn: int


@dataclass(frozen=True, slots=True)
class RecentAnswers:
    """What people have sent lately.

    Args:
        last_hour: How many items were answered in the last hour.
        last_day: How many in the last day.
        comments: How many comments were written in the last day.
        last: When anything was sent last; None if nothing was.
    """

    last_hour: int
    last_day: int
    comments: int
    last: float | None


@dataclass(frozen=True, slots=True)
class Stamp:
    """What changes whenever what is shown of a collection may change.

    Args:
        answers: How many items and checks people have answered, each once whatever its steps.
        pages: How many pages they have sent, changed answers included.
        last: When the last one was sent.
        decided: What was decided about people and the study.
    """

    answers: int
    pages: int
    last: float | None
    decided: tuple[Any, ...]

    def is_like(self, other: Stamp) -> bool:
        """Return whether only answers lie between two stamps."""
        return self.decided == other.decided


_DECIDED = text(
    """SELECT (SELECT count(*) FROM exclusions), (SELECT count(undone) FROM exclusions),
    (SELECT count(*) FROM objections), (SELECT count(replied) FROM objections),
    (SELECT count(*) FROM erased), count(withdrew), count(held), count(unpaid),
    count(*) FILTER (WHERE confirmed > joined) FROM people"""
)  # whoever is confirmed on joining is an arrival, not a decision


def stamp(connection: Connection) -> Stamp:
    """Return what changes whenever what is shown of a collection may change."""
    first = (submissions.c.revision == 1, submissions.c.step == 1)
    counts = (func.count().filter(*first), func.count(), func.max(submissions.c.submitted))
    answers, pages, last = connection.execute(select(*counts).select_from(submissions)).one()
    decided = tuple(connection.execute(_DECIDED).one())
    return Stamp(int(answers), int(pages), last, (*decided, gate_of(connection)))


def item_counts(
    connection: Connection, *, now: float, by_condition: bool = False
) -> list[ItemCounts]:
    """Return how far the items are, all together or by condition."""
    which = _BY_CONDITION if by_condition else _ALL
    rows = connection.execute(which, {"number": current_round(connection), "now": now})
    return [
        ItemCounts(
            str(getattr(row, "name", "") or ""),
            *(
                int(getattr(row, one) or 0)
                for one in ItemCounts.__dataclass_fields__
                if one != "name"
            ),
        )
        for row in rows
    ]


def open_places(connection: Connection, *, now: float) -> dict[str, int]:
    """Return how many places of each item nobody has."""
    rows = connection.execute(_BY_ITEM, {"number": current_round(connection), "now": now})
    return {row.name: int(row.open or 0) for row in rows}


def list_counts(
    connection: Connection, *, now: float, by_condition: bool = False
) -> list[ListCounts]:
    """Return how many ratings each list has, or each condition of each list."""
    rows = connection.execute(_BY_CELL if by_condition else _BY_LIST, {"now": now})
    return [
        ListCounts(row.survey, row.condition, int(row.rated), int(row.held), int(row.people))
        for row in rows
    ]


def people_counts(connection: Connection, *, now: float) -> PeopleCounts:
    """Return how many people are where."""
    stays = people.c.withdrew.is_(None)
    standing = ~exists().where(
        exclusions.c.annotator == people.c.annotator, exclusions.c.undone.is_(None)
    )
    waits = people.c.confirmed.is_(None) & people.c.held.is_(None) & stays & standing
    held = (slots.c.state == "reserved", slots.c.expires >= now)
    working = select(func.count(slots.c.annotator.distinct())).where(*held)
    out = select(func.count(exclusions.c.annotator.distinct())).where(exclusions.c.undone.is_(None))
    row = connection.execute(
        select(
            func.count().label("joined"),
            func.count(people.c.finished).filter(stays).label("finished"),
            func.count(people.c.withdrew).label("withdrawn"),
            func.count(people.c.held).filter(stays).label("held"),
            func.count().filter(waits).label("unconfirmed"),
            func.count().filter(waits & (people.c.joined < now - DAY)).label("overdue"),
        ).select_from(people)
    ).one()
    return PeopleCounts(
        **{name: int(value) for name, value in row._mapping.items()},
        working=int(connection.scalar(working) or 0),
        excluded=int(connection.scalar(out) or 0),
    )


def recent_answers(connection: Connection, *, now: float) -> RecentAnswers:
    """Return what was sent in the last hour and day, which one reading of the answers shows."""
    row = connection.execute(_RECENT, {"hour": now - HOUR, "day": now - DAY}).one()
    return RecentAnswers(*row)


def rated_since(connection: Connection, since: float) -> int:
    """Return how many items got a rating since then that counts, each once whatever its steps."""
    return int(connection.scalar(_RATED_SINCE, {"since": since}) or 0)


def places_kept(connection: Connection, *, now: float) -> list[tuple[int, int, int]]:
    """Return for each place in a batch how many people were given it and how many answered."""
    rows = connection.execute(_PLACES, {"now": now})
    return [(int(row.position), int(row.given), int(row.answered)) for row in rows]


def placed_answers(connection: Connection, question: str) -> pl.DataFrame:
    """Return the valid answers to a question as numbers, with place and seconds.

    `position` goes on over all batches of a person. Seconds that several items share are missing.
    """
    columns = {
        **dict.fromkeys(("annotator", "item", "candidate"), pl.String()),
        "value": pl.Float64(),
        **dict.fromkeys(("batch", "position"), pl.Int64()),
        "seconds": pl.Float64(),
        "together": pl.Int64(),
    }
    found = connection.execute(_PLACED, {"question": question}).fetchall()
    rows = pl.DataFrame([tuple(row) for row in found], schema=columns, orient="row")
    about = pl.when(pl.col("candidate") != "").then(pl.lit("#") + pl.col("candidate"))
    return rows.select(
        "annotator",
        "value",
        item=pl.col("item") + about.otherwise(pl.lit("")),
        position=pl.col("batch") * MOST_PLACES + pl.col("position"),
        seconds=pl.when(pl.col("together") == 1).then(pl.col("seconds").clip(lower_bound=0.0)),
    )


def comments(connection: Connection, *, most: int, after: int = 0) -> Sequence[Any]:
    """Return comments of people who have not withdrawn, latest first."""
    return connection.execute(_COMMENTS, {"most": most, "after": after}).all()


def comment_count(connection: Connection) -> int:
    """Return how many comments there are, as `comments` lists them."""
    return int(connection.scalar(_COMMENT_COUNT) or 0)


def refused_answers(connection: Connection) -> int:
    """Return how many answers were refused because something was missing or not allowed."""
    return int(connection.scalar(select(func.sum(items.c.refused))) or 0)


def standing_places(connection: Connection, annotator: str) -> int:
    """Return how many ratings of items would be wanted again without a person."""
    mine = (slots.c.annotator == annotator, slots.c.state != "void", items.c.kind == "item")
    count = select(func.count()).select_from(slots).join(items, items.c.item == slots.c.item)
    return int(connection.scalar(count.where(*mine)) or 0)


def open_objections(connection: Connection) -> int:
    """Return how many objections wait for a reply."""
    count = select(func.count()).select_from(objections)
    return int(connection.scalar(count.where(objections.c.replied.is_(None))) or 0)


def stalled_lists(connection: Connection, served: Served, *, since: float) -> tuple[str, ...]:
    """Return lists with open places that nobody is working on and nobody has begun since then.

    None are stalled where the collection is younger, or where nobody has begun any list since then.
    """
    first = connection.scalar(select(func.min(people.c.joined)))
    if not served.surveys or first is None or first >= since:
        return ()
    wanted = (items.c.kind == "item", items.c.withdrawn == 0, items.c.taken < items.c.target)
    still_open = set(connection.scalars(select(items.c.item).where(*wanted)))
    held = select(slots.c.survey).where(slots.c.state == "reserved").distinct()
    begun = (
        select(slots.c.survey)
        .join(people, slots.c.annotator == people.c.annotator)
        .where(people.c.joined >= since)
        .distinct()
    )
    lately = set(connection.scalars(begun))
    busy = lately | set(connection.scalars(held))
    quiet = [name for name in served.surveys if name not in busy]
    return tuple(name for name in quiet if lately and still_open & set(served.surveys[name]))
