"""Reads collected answers with what Python itself brings; the server reads with the same words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Protocol

# The latest answer of each person to each question; an answer about a candidate is filed under
# the candidate, as in every table of ours. What is void is left out, or told apart by `state`.
_RATINGS = """
SELECT answers.item AS item, answers.candidate AS candidate, answers.annotator AS annotator,
       answers.question AS question, answers.answer AS answer, answers.value AS value,
       answers.revision AS revision, slots.batch AS batch, slots.position AS position,
       slots.state AS state, submissions.shown AS shown, submissions.submitted AS submitted,
       submissions.comment AS comment, submissions.form AS form, items.kind AS kind,
       {together} AS together, {channel} AS channel
FROM answers
JOIN items ON items.item = answers.item
JOIN slots ON slots.annotator = answers.annotator AND slots.item = answers.item
JOIN submissions ON submissions.annotator = answers.annotator
     AND submissions.item = answers.item AND submissions.revision = answers.revision {same_step}
WHERE answers.revision = (
    SELECT MAX(later.revision) FROM submissions AS later
    WHERE later.annotator = answers.annotator AND later.item = answers.item {later_step}
)
{which}
ORDER BY answers.item, answers.candidate, answers.annotator, answers.question
"""
_VALID = "AND slots.state IN ('answered', 'accepted')"
_GIVEN = """
AND answers.annotator NOT IN (SELECT annotator FROM people WHERE withdrew IS NOT NULL)
"""
_CONFIRMED = """
AND answers.annotator NOT IN (SELECT annotator FROM people WHERE confirmed IS NULL)
"""
_RELEASED = """
AND answers.annotator NOT IN (SELECT annotator FROM people WHERE held IS NOT NULL)
"""
_CHANNEL = "(SELECT channel FROM people WHERE people.annotator = answers.annotator)"
_PEOPLE = "SELECT annotator, source, joined FROM people {which} ORDER BY annotator"


RATING_COLUMNS = (
    *("item", "annotator", "question", "answer", "value", "batch", "started", "submitted"),
    *("seconds", "comment", "revision", "form", "position", "state", "kind"),
    "channel",
)


def version_of(connection: sqlite3.Connection) -> int | None:
    """Return the version of the schema, None if there is none yet."""
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts'").fetchone()
    if there is None:
        return None
    (version,) = connection.execute("SELECT value FROM facts WHERE name = 'schema'").fetchone()
    return int(version)


def ratings_statement(version: int, *, everything: bool = False) -> str:
    """Return the statement that reads ratings; void ones as well if everything is asked.

    What people took back with their consent is never read; answers of people whom no platform has
    confirmed, or who wait for the researcher's decision, are not valid.
    """
    stepped, doors = version > 1, version > 3
    valid = _VALID + (_CONFIRMED if doors else "") + (_RELEASED if version > 4 else "")
    return _RATINGS.format(
        same_step="AND submissions.step = answers.step" if stepped else "",
        later_step="AND later.step = answers.step" if stepped else "",
        which=("" if everything else valid) + (_GIVEN if stepped else ""),
        together="submissions.together" if version > 2 else "1",
        channel=_CHANNEL if doors else "NULL",
    )


def people_statement(version: int) -> str:
    """Return the statement that reads who took part."""
    return _PEOPLE.format(which="WHERE withdrew IS NULL" if version > 1 else "")


class _Row(Protocol):
    """A row whose values have names: those of Python's SQLite and of SQLAlchemy do."""

    def __getitem__(self, name: str, /) -> Any:
        """Return the value of a name."""


def rating_rows(rows: Iterable[_Row]) -> Iterator[dict[str, Any]]:
    """Yield each row as a row of the ratings table.

    Items that stood on one page share the time it took.
    """
    for row in rows:
        candidate, shown, submitted = row["candidate"], row["shown"], row["submitted"]
        yield {
            "item": f"{row['item']}#{candidate}" if candidate else row["item"],
            "annotator": row["annotator"],
            "question": row["question"],
            "answer": row["answer"],
            "value": row["value"],
            "batch": f"{row['annotator']}-{row['batch']}",
            "started": iso(shown),
            "submitted": iso(submitted),
            "seconds": round(max(submitted - shown, 0.0) / row["together"], 3),
            **({"together": row["together"]} if row["together"] > 1 else {}),
            "comment": row["comment"],
            "revision": row["revision"],
            "form": row["form"],
            "position": row["position"],
            "state": row["state"],
            "kind": row["kind"],
            "channel": row["channel"],
        }


def iso(moment: float) -> str:
    """Return a time as text.

    >>> iso(0)
    '1970-01-01T00:00:00.000+00:00'
    """
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")
