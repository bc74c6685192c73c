"""Columns of a survey that ask several questions about one item: matrices and loops.

A matrix has one column per row. Two matrices with the same rows ask two questions about the same
items; so do two questions in a loop. Everything else is one item per column.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from plausibly.io.imported import QUESTION

_BRACKETS = re.compile(r"^(?P<stem>.*\S)\s*\[(?P<row>.+)\]$", re.DOTALL)
_LOOP = re.compile(r"^(?P<row>\d+)_(?P<stem>[A-Za-z].*)$")
_TAGGED = re.compile(r"^(?P<stem>.+)_(?P<row>\d+)$")
_QUOTED = re.compile(
    r"^(\d+[.)]\s*)?(?P<before>[^«“„\"]*)[«“„\"]\s*(?P<row>[^«»“”„\"]+?)\s*[»”“\"](?P<after>[^«“„\"]*)$"
)
_CODE = re.compile(r"^[A-Z]{1,3}_?\d{1,4}$")  # the code of a LimeSurvey subquestion, not its text
DASH = " - "


@dataclass(frozen=True, slots=True)
class GridCell:
    """What one column asks."""

    item: str
    question: str
    text: str


def asked_in(columns: Sequence[str], labels: Mapping[str, str]) -> dict[str, GridCell]:
    """Return for each column which question it asks about which item.

    Args:
        columns: The columns of items.
        labels: From a column to the text of its question, where the file has one.

    >>> asked_in(["Plausible? [A dog barks.]", "Plausible? [A stone barks.]"], {})[
    ...     "Plausible? [A dog barks.]"
    ... ]
    GridCell(item='Plausible? [A dog barks.]', question='rating', text='A dog barks.')
    >>> asked_in(["1_Q3", "2_Q3", "1_Q4", "2_Q4"], {})["2_Q4"]
    GridCell(item='2', question='Q4', text='2')
    >>> asked_in(["Q1[SQ1]", "Q1[SQ2]", "Q2[SQ1]", "Q2[SQ2]"], {})["Q2[SQ1]"]
    GridCell(item='SQ1', question='Q2', text='SQ1')
    """
    places = places_in(columns, labels)
    shared = _shared(_rows_of(places))
    cells = {}
    for column in columns:
        stem, row = places.get(column, ("", ""))
        label = labels.get(column) or column
        of_loop = _LOOP.match(column) is not None
        text = row if row and not of_loop and not _CODE.match(row) else label
        if stem in shared:
            cells[column] = GridCell(row, stem, row)
        else:
            cells[column] = GridCell(column, QUESTION, text)
    return cells


def places_in(columns: Sequence[str], labels: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Return matrix and row, or question and turn of the loop, of each column that has them."""
    return {
        **_quoted(columns),
        **_rows_of_labels(columns, labels),
        **_by(_LOOP, columns),
        **_by(_BRACKETS, columns),
    }


def _quoted(columns: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return question and sentence of each column whose header quotes one.

    >>> _quoted(['1. «A dog barks.» Is it likely?'])
    {'1. «A dog barks.» Is it likely?': ('Is it likely?', 'A dog barks.')}
    """
    matches = {column: _QUOTED.match(column) for column in columns}
    return {
        column: (" ".join(f"{match['before']} {match['after']}".split()), match["row"])
        for column, match in matches.items()
        if match and (match["before"] + match["after"]).strip()
    }


def whole_grids(
    columns: Sequence[str], kept: Collection[str], labels: Mapping[str, str]
) -> list[str]:
    """Return the columns that are kept, and the other rows of their matrices.

    A matrix is kept where most of its rows are, or where another one with the same rows is.

    Args:
        columns: All columns that may be items.
        kept: Those taken for items one by one.
        labels: From a column to the text of its question, where the file has one.

    >>> whole_grids(["A [x]", "A [y]", "A [z]", "age"], ["A [x]", "A [y]"], {})
    ['A [x]', 'A [y]', 'A [z]']
    """
    places = places_in(columns, labels)
    rows = _rows_of(places)
    shares = {
        stem: [column in kept for column, (own, _) in places.items() if own == stem]
        for stem in rows
    }
    whole = {s for s, share in shares.items() if len(share) > 1 and 2 * sum(share) >= len(share)}
    whole |= {s for s in _shared(rows) if any(rows[s] == rows[other] for other in whole)}
    return [c for c in columns if c in kept or places.get(c, ("", ""))[0] in whole]


def in_grids(columns: Sequence[str], labels: Mapping[str, str], *, fewest: int) -> list[str]:
    """Return the columns that are rows of a matrix or turns of a loop with several of them.

    Args:
        columns: The columns of items.
        labels: From a column to the text of its question, where the file has one.
        fewest: How many rows a matrix must have.

    >>> in_grids(["A [x]", "A [y]", "B [x]", "age"], {}, fewest=2)
    ['A [x]', 'A [y]']
    """
    places = places_in(columns, labels)
    rows = _rows_of(places)
    return [c for c in columns if c in places and len(rows[places[c][0]]) >= fewest]


def _rows_of(places: Mapping[str, tuple[str, str]]) -> dict[str, set[str]]:
    """Return the rows of each matrix."""
    rows: dict[str, set[str]] = {}
    for stem, row in places.values():
        rows.setdefault(stem, set()).add(row)
    return rows


def _shared(rows: Mapping[str, set[str]]) -> set[str]:
    """Return the matrices whose rows another one has too."""
    return {
        stem
        for stem, own in rows.items()
        if len(own) > 1 and any(own == other for name, other in rows.items() if name != stem)
    }


def _by(pattern: re.Pattern[str], columns: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return stem and row of each column whose header shows them."""
    matches = {column: pattern.match(column) for column in columns}
    return {
        column: (" ".join(match["stem"].split()), " ".join(match["row"].split()))
        for column, match in matches.items()
        if match
    }


def _rows_of_labels(
    columns: Sequence[str], labels: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Return tag and row of each matrix column, whose label is the question, a dash and the row."""
    groups: dict[str, list[str]] = {}
    for column in columns:
        if (match := _TAGGED.match(column)) and DASH in labels.get(column, ""):
            groups.setdefault(match["stem"], []).append(column)
    places = {}
    for tag, members in groups.items():
        stems = {_stem([labels[column] for column in members])} - {""}
        for column in members if len(members) > 1 else ():
            for stem in stems:
                places[column] = (tag, labels[column].removeprefix(stem).strip())
    return places


def _stem(labels: Sequence[str]) -> str:
    """Return what all labels begin with, up to and with a dash; "" where they share no question."""
    first = labels[0]
    ends = [match.end() for match in re.finditer(re.escape(DASH), first)]
    shared = [first[:end] for end in ends if all(one.startswith(first[:end]) for one in labels)]
    return shared[-1] if shared else ""
