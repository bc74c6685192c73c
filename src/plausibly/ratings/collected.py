"""What the annotation server collected, as tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import TableError
from plausibly.io.imported import Imported, no_names
from plausibly.tables import ANNOTATORS, RATINGS

# The latest answer of each person to each question; an answer about a candidate is filed under
# the candidate, as in every table of ours. What is void is left out, or told apart by `state`.
COLUMNS = """
SELECT answers.item, answers.candidate, answers.annotator, answers.question, answers.answer,
       answers.value, slots.batch, slots.position, submissions.shown, submissions.submitted,
       submissions.comment, answers.revision, submissions.form, slots.state, items.kind
FROM answers
JOIN items ON items.item = answers.item
JOIN slots ON slots.annotator = answers.annotator AND slots.item = answers.item
          AND slots.revision = answers.revision
JOIN submissions ON submissions.annotator = answers.annotator
          AND submissions.item = answers.item AND submissions.revision = answers.revision
"""
VALID = f"{COLUMNS} WHERE slots.state IN ('answered', 'accepted') ORDER BY 1, 2, 3, 4"
ALL = f"{COLUMNS} ORDER BY 1, 2, 3, 4"

_OWN = {"position": pl.Int64(), "state": pl.String(), "kind": pl.String()}


def rating_rows(rows: Iterable[Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Yield each row of `VALID` or `ALL` as a row of the ratings table."""
    for row in rows:
        item, candidate, annotator, question, answer, value, batch, position = row[:8]
        shown, submitted, comment, revision, form, state, kind = row[8:]
        yield {
            "item": f"{item}#{candidate}" if candidate else item,
            "annotator": annotator,
            "question": question,
            "answer": answer,
            "value": value,
            "batch": f"{annotator}-{batch}",
            "started": iso(shown),
            "submitted": iso(submitted),
            "seconds": round(submitted - shown, 3),
            "comment": comment,
            "revision": revision,
            "form": form,
            "position": position,
            "state": state,
            "kind": kind,
        }


def iso(moment: float) -> str:
    """Return a time as text.

    >>> iso(0)
    '1970-01-01T00:00:00.000+00:00'
    """
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")


def read_answers(path: Path, *, names: Mapping[str, str]) -> Imported:
    """Return valid ratings and the people behind them from a server's answers.sqlite."""
    no_names(names, form="answers")
    if not path.is_file():
        raise TableError(f"{path}: no such file.")
    try:
        address = f"{path.resolve().as_uri()}?mode=ro"  # quoted: a folder may be called st?x=1
        with closing(sqlite3.connect(address, uri=True)) as connection:
            rows = list(rating_rows(connection.execute(VALID)))
            told = connection.execute("SELECT annotator, source, joined FROM people ORDER BY 1")
            people = [
                {"annotator": one, "source": source, "joined": iso(joined)}
                for one, source, joined in told
            ]
    except sqlite3.DatabaseError as error:
        raise TableError(f"{path}: not a server's answers ({error}).") from error
    schema = {**RATINGS.schema, **RATINGS.optional, **_OWN}
    ratings = RATINGS.sort(RATINGS.check(pl.DataFrame(rows, schema=schema)))
    seen = dict.fromkeys(("annotator", "source", "joined"), pl.String())
    return Imported(ratings, annotators=ANNOTATORS.check(pl.DataFrame(people, schema=seen)))
