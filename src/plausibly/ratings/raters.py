"""Rating sheets: one row per item, one column per annotator.

Such a sheet is recognised if its columns of whole numbers are numbered raters (R1, Rater 2, VP03),
or if a further column holds their mean; columns of other numbers, such as norms, are never taken
for people. `--columns item=Sentence,annotator=Ann,Bob` names the columns of any other sheet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from plausibly.errors import TableError, option
from plausibly.io import Rows
from plausibly.io.dialect import spelling
from plausibly.ratings.headers import exact_word
from plausibly.ratings.tool_columns import SUMMARIES, tool_role
from plausibly.tables import text_column

FEWEST, MOST_VALUES = 2, 11
NUMBERS = ("nr", "no", "id", "n", "number", "nummer", "numero", "numéro", "número", "index")
ROUNDED = 0.0051  # a mean with two decimals
_NUMBERED = re.compile(
    r"(?:rater|annotator|annotatore|coder|judge|juge|juez|person|participant|teilnehmer|subject"
    r"|soggetto|sujet|vp|r|a|p|s)[ _-]?\d{1,3}",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"[+-]?\d{1,3}(?:[.,]0+)?")


def raters_in(
    header: Sequence[str], rows: Sequence[Sequence[str]], names: Mapping[str, str]
) -> dict[str, str] | None:
    """Return the columns of a rating sheet, as `--columns` names them; None if it is not one.

    Args:
        header: The names of its columns.
        rows: Its first rows.
        names: From our column to the table's, as chosen.

    >>> raters_in(["Sentence", "R1", "R2"], [["Otters swim.", "5", "4"], ["It is.", "1", ""]], {})
    {'item': 'Sentence', 'annotator': 'R1,R2'}
    """
    cells = {name: [row[n] for row in rows if n < len(row)] for n, name in enumerate(header)}
    words = {name: exact_word(name) for name in header}
    roles = {word.role for word in words.values() if word is not None}
    items = [name for name, word in words.items() if word is not None and word.role == "item"]
    if names or not rows or len(items) != 1 or "," in items[0] or roles & {"annotator", "answer"}:
        return None
    people = [
        name
        for name in header
        if name and words[name] is None and tool_role(name) is None and "," not in name
        if spelling(name).strip(".") not in (*SUMMARIES, *NUMBERS) and _are_whole(cells[name])
    ]
    numbered = [name for name in people if _NUMBERED.fullmatch(name)]
    chosen = numbered or [name for name in people if not _number_rows(cells[name], cells[items[0]])]
    values = {cell for name in chosen for cell in cells[name] if cell}
    if len(chosen) < FEWEST or len(values) > MOST_VALUES:
        return None
    if not numbered and not any(
        _are_means(cells[name], [cells[one] for one in chosen])
        for name in header
        if spelling(name) in SUMMARIES
    ):
        return None
    return {"item": items[0], "annotator": ",".join(chosen)}


def _are_whole(cells: Sequence[str]) -> bool:
    given = [cell.strip() for cell in cells if cell.strip()]
    return bool(given) and all(_WHOLE.fullmatch(cell) for cell in given)


def _number_rows(cells: Sequence[str], items: Sequence[str]) -> bool:
    """Return whether each item has a number, and more of them than a scale has."""
    return len({*items}) > MOST_VALUES and len({*cells}) == len({*items}) == len(
        {*zip(cells, items, strict=True)}
    )


def _are_means(cells: Sequence[str], people: Sequence[Sequence[str]]) -> bool:
    """Return whether cells hold the mean of what people gave."""
    compared = 0
    for cell, *given in zip(cells, *people, strict=True):
        numbers = [float(one.replace(",", ".")) for one in given if one.strip()]
        try:
            mean = float(cell.replace(",", "."))
        except ValueError:
            continue
        if not numbers or abs(mean - sum(numbers) / len(numbers)) > ROUNDED:
            return False
        compared += 1
    return compared > 1


def one_annotator_each(rows: Rows, names: Mapping[str, str]) -> tuple[Rows, Mapping[str, str]]:
    """Return one row per answer where several columns, named with commas, are annotators.

    >>> import polars as pl
    >>> from pathlib import Path
    >>> rows = Rows(Path("r"), pl.DataFrame({"item": ["t1"], "Ann": [4], "Bob": [5]}), (), list)
    >>> rows, names = one_annotator_each(rows, {"annotator": "Ann,Bob"})
    >>> rows.frame.rows(), names
    ([('t1', 'Ann', '4'), ('t1', 'Bob', '5')], {})
    """
    people = [name.strip() for name in names.get("annotator", "").split(",")]
    frame = rows.frame
    if len(people) < FEWEST or names["annotator"] in frame.columns:
        return rows, names
    strange = [name for name in people if name not in frame.columns]
    if strange:
        raise TableError(f"{rows.path}: no column {strange[0]!r}.")
    others = [name for name in frame.columns if name not in people]
    if "answer" in {*others, *names}:
        raise TableError(
            f"{rows.path}: the columns {names['annotator']} hold answers, so a column 'answer' "
            f"cannot be read as well. Omit {option('columns')} answer."
        )
    height = frame.height
    frame = frame.with_columns(text_column(frame[name]) for name in people)
    long = frame.unpivot(on=people, index=others, variable_name="annotator", value_name="answer")

    def locate(numbers: Sequence[int]) -> list[int]:
        return rows.locate([number % height for number in numbers])

    kept = {ours: theirs for ours, theirs in names.items() if ours != "annotator"}
    return replace(rows, frame=long, locate=locate), kept
