"""What the annotation server collected, as tables."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import TableError
from plausibly.io.imported import Imported, check_names
from plausibly.measures.timed import TOGETHER
from plausibly.ratings.retests import RETEST
from plausibly.ratings.stopping import mark_early
from plausibly.ratings.store.reading import (
    iso,
    people_statement,
    rating_rows,
    ratings_statement,
    version_of,
)
from plausibly.tables import ANNOTATORS, RATINGS

DESIGN = "design"  # the fact that says what targets follow from
_OWN = {"position": pl.Int64(), **dict.fromkeys(("state", "kind", "channel"), pl.String())}


def read_answers(path: Path, *, names: Mapping[str, str]) -> Imported:
    """Return valid ratings and the people behind them from a server's answers.sqlite.

    What people said when an item was shown to them a second time is left out: an item and a person
    have one rating.
    """
    check_names(names, form="answers")
    ratings, people = answers_of(path)
    repeats = ratings.filter(pl.col("kind") == RETEST).height
    notes = (f"{repeats} answers to items shown a second time were left out.",) if repeats else ()
    kept = ratings.filter(pl.col("kind") != RETEST)
    return Imported(kept, annotators=people, notes=notes)


def answers_of(path: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return all valid ratings, repeats among them, and the people behind them."""
    if not path.is_file():
        raise TableError(f"{path}: no such file.")
    try:
        address = f"{path.resolve().as_uri()}?mode=ro"  # quoted: a folder may be called st?x=1
        with closing(sqlite3.connect(address, uri=True)) as connection:
            version = version_of(connection)
            if version is None:
                raise TableError(
                    f"{path}: not a file of answers written by the server (no table named facts)."
                )
            decided = _decided(connection)
            connection.row_factory = sqlite3.Row
            rows = list(rating_rows(connection.execute(ratings_statement(version))))
            people = [
                {
                    "annotator": row["annotator"],
                    "source": row["source"],
                    "joined": iso(row["joined"]),
                }
                for row in connection.execute(people_statement(version))
            ]
    except sqlite3.DatabaseError as error:
        raise TableError(
            f"{path}: not a file of answers written by the server ({error})."
        ) from error
    whole = {TOGETHER: pl.Int64()} if any(TOGETHER in row for row in rows) else {}
    schema = {**RATINGS.schema, **RATINGS.optional, **_OWN, **whole}
    ratings = RATINGS.sort(RATINGS.check(pl.DataFrame(rows, schema=schema)))
    if decided:
        ratings = mark_early(ratings, decided=decided)
    seen = dict.fromkeys(("annotator", "source", "joined"), pl.String())
    return ratings, ANNOTATORS.check(pl.DataFrame(people, schema=seen))


def logged_actions(path: Path) -> list[dict[str, Any]]:
    """Return what was done at the desk and by commands while people answered, without people.

    Args:
        path: A server's answers.sqlite.
    """
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        known = "SELECT 1 FROM sqlite_master WHERE name = 'desk_log'"
        if connection.execute(known).fetchone() is None:
            return []  # collected before there was a log
        rows = connection.execute(
            "SELECT made, by, what, people, answers FROM desk_log ORDER BY number"
        )
        return [
            {"made": iso(made), "by": by, "what": what, "people": people, "answers": answers}
            for made, by, what, people, answers in rows
        ]


def _decided(connection: sqlite3.Connection) -> int:
    """Return how many equal answers closed an item; 0 if none did."""
    row = connection.execute("SELECT value FROM facts WHERE name = ?", (DESIGN,)).fetchone()
    return int(json.loads(row[0]).get("decided", 0)) if row else 0
