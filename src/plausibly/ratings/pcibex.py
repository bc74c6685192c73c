"""The results of PCIbex and Ibex: lines of cells below comments that name the columns.

Each block of comments ("# 1. Results reception time.") names the columns of the lines below it. A
rating is what was chosen on a Scale, DropDown or Selector, or a key where there is none of these;
the question is the name of the element. Of several choices in one trial the last counts, as it does
for the participant. The item is a logged column `item` (or `sentence`, …), else the sentence of an
Ibex controller; `--columns item=COLUMN` names another. The person is a logged `PROLIFIC_PID`, `ID`
or the like, else the hash of the address, with the time of the results where one hash sent several.

`seconds` is the time from the start of the trial to the choice, `order` the place of the trial, and
what was typed into a TextInput is the comment. Practice trials and trials without an item are
counted and left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from plausibly.errors import TableError
from plausibly.io import Flaw, read_bytes
from plausibly.io.cells import records
from plausibly.io.choices import dropping, noting
from plausibly.io.decoding import as_utf8
from plausibly.io.dialect import spelling
from plausibly.io.imported import QUESTION, Imported, check_names
from plausibly.io.layout import Role
from plausibly.io.missing import MISSING, Missing
from plausibly.ratings.expanding import Expansion
from plausibly.ratings.trials import (
    check_columns,
    field_roles,
    is_check,
    is_practice,
    item_column,
    named,
    no_item,
    person_column,
    text_column,
)

MAPPED = ("item", "annotator", "text", "condition")
_COLUMN = re.compile(r"^#\s*(\d+)\.\s*(.*?)\.?\s*$")
TIME, HASH, PLACE, LABEL = "results_reception_time", "md5_hash", "order_number_of_item", "label"
TYPE, NAME, PARAMETER, VALUE = "pennelementtype", "pennelementname", "parameter", "value"
EVENT, RECEIVED, NUMBER = "eventtime", "time_results_were_received", "item_number"  # as Ibex has it
ALWAYS = (TYPE, PARAMETER, LABEL, "type", "group", "element_number", "inner_element_number")
ROLES: Mapping[str, Role] = {
    TIME: "time",
    RECEIVED: "time",
    NUMBER: "order",
    EVENT: "time",
    "time_taken_to_answer": "time",
    PLACE: "order",
    NAME: "question",
    "question_(null_if_none)": "question",
    VALUE: "answer",
    "answer": "answer",
    "md5_hash_of_participant's_ip_address": "annotator",
    "comments": "ignored",
}
CHOSEN = ("Scale", "DropDown", "Selector")
KEY, TYPED = "Key", "TextInput"

Row = dict[str, str]


def read_pcibex(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings and items from a file of results."""
    check_names(names, form="pcibex", known=MAPPED)
    lines, rows = _rows(path)
    columns = [*dict.fromkeys(name for row in rows for name in row)]
    logged = [name for name in columns if spelling(name) not in {*ROLES, *ALWAYS}]
    who = named(names, "annotator", columns, path) or person_column(logged)
    what = named(names, "item", columns, path) or item_column(logged)
    found = Expansion(path, roles=field_roles(columns, ROLES))
    found.roles |= dict.fromkeys(check_columns(rows), "check")
    found.roles.update({what: "item"} if what else {})
    found.roles.update({who: "annotator"} if who else {})
    text = named(names, "text", columns, path)
    text = text or text_column([name for name in logged if what not in (None, name)])
    facts = {"text": text or "text", "condition": names.get("condition", "condition")}
    _note(found, columns, facts, {what, who})
    for row in rows:
        found.seen(row)
    people = _people(rows, who)
    trials: dict[tuple[str, str], list[int]] = {}
    for number, row in enumerate(rows):
        trials.setdefault((people[number], _place(row)), []).append(number)
    types = {_get(row, TYPE) for row in rows}
    chosen = CHOSEN if types & {*CHOSEN} else (KEY,)
    for (person, _), numbers in trials.items():
        trial = [rows[number] for number in numbers]
        _trial(found, (lines[numbers[0]], person), trial, {**facts, "item": what or ""}, chosen)
    if not (found.ratings or found.broken) and what is None:
        raise no_item(path, logged)
    return found.imported(missing)


def _note(
    found: Expansion,
    columns: Sequence[str],
    facts: Mapping[str, str],
    named: Collection[str | None],
) -> None:
    """Keep which columns describe items, and which others are in no table."""
    spelled = {spelling(name): name for name in columns if name not in named}
    of_items = {spelled[one] for one in map(spelling, facts.values()) if one in spelled}
    found.tables = dict.fromkeys(of_items, "items")
    found.roles.update(dict.fromkeys(of_items, "item"))
    stored = {name for one, name in spelled.items() if one in ROLES and one != "comments"}
    if len({*named} - {None}) == 2:  # people have a name, and their address is not needed
        stored -= {name for one, name in spelled.items() if one.startswith(HASH)}
    found.unstored = {*columns} - {*stored, *of_items, *named}


def _rows(path: Path) -> tuple[list[int], list[Row]]:
    """Return the lines of cells by column, and the number of each line."""
    content = as_utf8(path, read_bytes(path))
    columns: list[str] = []
    lines, rows, first = [], [], 0
    for line, cells in records(content, ","):
        if isinstance(cells, Flaw):
            raise TableError(f"{path}:{line}: {cells.message}. Nothing was written.")
        if not cells:
            continue
        if cells[0].lstrip().startswith("#"):
            match = _COLUMN.match(",".join(cells).strip())
            if match:
                first = first or line
                columns = [*columns[: int(match[1]) - 1], match[2]]
            continue
        if len(cells) > len(columns):
            what = f"{len(cells)} cells, but the comments above name {len(columns)} columns"
            raise TableError(f"{path}:{line}: {what}. Nothing was written.")
        lines.append(line)
        decoded = (cell.replace("%2C", ",").replace("%2c", ",") for cell in cells)
        rows.append(dict(zip(columns, decoded, strict=False)))
    noting(delimiter=",", header_lines=(first,) if first else ())
    if not rows:
        raise TableError(f"{path}: no results, only comments.")
    return lines, rows


def _get(row: Row, spelled: str) -> str:
    """Return the cell of a column by its spelling, "" where there is none."""
    return next((cell for name, cell in row.items() if spelling(name).startswith(spelled)), "")


def _place(row: Row) -> str:
    return _get(row, PLACE) or _get(row, NUMBER)


def _people(rows: Sequence[Row], who: str | None) -> list[str]:
    """Return the person of each row."""
    sent: dict[str, set[str]] = {}
    for row in rows:
        sent.setdefault(_get(row, HASH), set()).add(_get(row, TIME) or _get(row, RECEIVED))
    runs = [(_get(row, HASH), _get(row, TIME) or _get(row, RECEIVED)) for row in rows]
    known: dict[tuple[str, str], str] = {}
    for run, row in zip(runs, rows, strict=True):
        if who and row.get(who, "").strip():
            known.setdefault(run, row[who].strip())
    usual = {run: run[0] if len(sent[run[0]]) == 1 else "-".join(run) for run in set(runs)}
    return [known.get(run, usual[run]) for run in runs]


def _trial(
    found: Expansion,
    place: tuple[int, str],
    trial: Sequence[Row],
    names: Mapping[str, str],
    chosen: Sequence[str],
) -> None:
    """Add the ratings of one trial of one person."""
    line, person = place
    answers = _answers(trial, chosen)
    if not answers:
        return
    first = trial[0]
    item = next((row[names["item"]] for row in trial if row.get(names["item"], "").strip()), None)
    item = item or next((cell for row in trial if (cell := _get(row, "sentence"))), None)
    parts = {**first, "label": _get(first, LABEL) or _get(first, "type")}
    if is_practice(parts):
        dropping("practice trials", 1)
        return
    if item is None:
        dropping("trials without an item", 1)
        return
    kind = "check" if is_check(parts) else "item"
    facts = {fact: _fact(trial, names[fact]) for fact in ("text", "condition")}
    found.item(line, item.strip(), **facts, kind=kind)
    said = [_get(row, VALUE) for row in trial if _get(row, TYPE) == TYPED]
    start = next((_get(row, EVENT) for row in trial if _get(row, VALUE) == "Start"), "")
    found.examples.extend(answers.values())
    for question, row in answers.items():
        found.rating(
            line,
            item=item.strip(),
            annotator=person,
            question=question,
            answer=_get(row, VALUE) or _get(row, "answer"),
            seconds=_seconds(row, start),
            submitted=_get(row, TIME) or _get(row, RECEIVED) or None,
            order=_place(row) or None,
            kind=kind,
            comment="\n".join(one for one in said if one.strip()) or None,
        )


def _answers(trial: Sequence[Row], chosen: Sequence[str]) -> dict[str, Row]:
    """Return for each question the row of the last choice; earlier ones are counted."""
    answers: dict[str, Row] = {}
    for row in trial:
        penn = _get(row, TYPE) in chosen and _get(row, VALUE).strip()
        ibex = not _get(row, TYPE) and _get(row, "answer").strip()
        if not (penn or ibex):
            continue
        asked = _get(row, NAME) if penn else _get(row, "question_(null_if_none)")
        question = asked if asked and asked != "NULL" else QUESTION
        dropping("earlier choices in the same trial", int(question in answers))
        answers[question] = row
    return answers


def _fact(trial: Sequence[Row], column: str) -> str | None:
    values = (
        cell for row in trial for name, cell in row.items() if spelling(name) == spelling(column)
    )
    return next((value for value in values if value.strip()), None)


def _seconds(row: Row, start: str) -> float | None:
    taken: Any = _get(row, "time_taken_to_answer")
    if re.fullmatch(r"\d+(\.\d+)?", taken):
        return float(taken) / 1000
    end = _get(row, EVENT)
    if not (re.fullmatch(r"\d+", start) and re.fullmatch(r"\d+", end)):
        return None
    return (int(end) - int(start)) / 1000
