"""Everybody in a study, with where they are and both verdicts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.study.arguments import checked
from plausibly.study.results import text_table
from plausibly.web.people.opening import chosen, opened_people

SHOWN = ("annotator", "state", "items", "checks", "seconds", "list", "flags", "data", "pay")


@dataclass(frozen=True, slots=True)
class PeopleList:
    """Everybody in a study."""

    people: pl.DataFrame

    def as_json(self) -> list[dict[str, Any]]:
        """Return every person as an object."""
        return [
            {**row, "flags": [one for one in row["flags"].split(", ") if one]}
            for row in self.people.iter_rows(named=True)
        ]

    def text(self) -> str:
        """Return a table for people."""
        rows = [
            [
                *(row["annotator"], row["state"], row["items"]),
                f"{row['passed']}/{row['passed'] + row['failed']}",
                *(row["seconds"], row["list"] or "", row["flags"], row["data"], row["pay"]),
            ]
            for row in self.people.iter_rows(named=True)
        ]
        return text_table(SHOWN, rows)

    @property
    def talk(self) -> str:
        """How many people are in each state."""
        states = Counter(self.people["state"].to_list())
        counted = ", ".join(f"{number} {state}" for state, number in sorted(states.items()))
        return f"{self.people.height} people: {counted}." if states else "Nobody yet."


@checked
def people_list(
    study: str | Path, *, where: str | None = None, database: str | None = None
) -> PeopleList:
    """Return everybody in a study: state, items, checks, seconds, list, flags, both verdicts.

    Args:
        study: The study folder.
        where: List only people for whom this holds, written as in SQL.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly people list my-study
        plausibly people list my-study --where "state = 'idle'" --json

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     people_list(Path(place, "otters"))
    Traceback (most recent call last):
    plausibly.errors.StudyError: answers.sqlite: nobody has been invited or has taken part yet.
    """
    with opened_people(study, database) as people:
        rows = people.roster()
    return PeopleList(rows if where is None else chosen(rows, where))
