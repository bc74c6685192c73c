"""The batch CSV of Mechanical Turk: one row per assignment, `Input.*` and `Answer.*` columns.

By default each `Answer.x` column is a question `x`, and the item is what `Input.item`, `Input.id`
or another id says, else the sentence, else the only `Input.*` column, else the HIT. Where inputs
and answers have the same numbers (`Input.s1`, `Answer.rating1`), a HIT has several items;
`--columns item=Input.id{n} --columns answer=Answer.rating{n}` names other columns. Buttons
exported as `Answer.x.yes`, `Answer.x.no` holding true and false are one question `x`; so is what
the crowd elements put as JSON into `Answer.taskAnswers`. `Answer.comment` becomes the comment.

`seconds` is the time of the assignment shared out evenly among its items. Rejected assignments
are counted, and read with their status, so that a rule, not the reader, sets them aside.

What the platform says about people becomes annotator columns: `approval` (0-100, with this
requester), `approved_tasks` and `tasks` from `LifetimeApprovalRate`. Requirements checked by the
platform itself (approval > 98 %, at least 1,000 tasks, Masters) are in no batch file; where you
have them, map their columns: `--columns approval=… --columns tasks=… --columns masters=…`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import TableError
from plausibly.io import Rows, read_rows, text_rows
from plausibly.io.choices import dropping
from plausibly.io.imported import Imported, check_names
from plausibly.io.layout import HIDDEN, Role, note_columns
from plausibly.io.missing import MISSING, Missing
from plausibly.ratings.expanding import Expansion, annotators_table
from plausibly.ratings.headers import word_in
from plausibly.ratings.mturk_columns import (
    ANSWER,
    COMMENTS,
    ITEM_FACTS,
    NUMBERED,
    TYPE,
    Record,
    SheetPlace,
    answers_of,
    kind_of_type,
    places_of,
)

PEOPLE = ("approval", "tasks", "approved_tasks", "masters")
MAPPED = ("item", "annotator", "answer", "comment", "seconds", *ITEM_FACTS, *PEOPLE)
STATUS, REJECTED = "AssignmentStatus", "Rejected"
EMPTY = "{}"  # what Mechanical Turk writes for a field that was left empty
STATUSES = ("Approved", "Submitted", REJECTED)

_RATE = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*%?\s*(?:\((\d+)/(\d+)\))?\s*$")


def read_mturk(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings, items and annotators from a batch file."""
    check_names(names, form="mturk", known=MAPPED)
    rows = text_rows(read_rows(path))
    blank = pl.when(pl.all().str.strip_chars() != EMPTY).then(pl.all())
    rows = replace(rows, frame=rows.frame.with_columns(blank.name.keep()))
    columns = rows.frame.columns
    _require(path, columns, names)
    places = places_of(columns, names)
    roles, tables = _roles(columns, places, names), _tables(places, names)
    worker = pl.col(names.get("annotator", "WorkerId"))
    shown = rows.frame.with_columns(
        pl.when(worker.is_not_null()).then(pl.lit(HIDDEN)).alias(worker.meta.output_name())
    )
    note_columns(shown, roles, unstored=_unstored(columns, places, names), tables=tables)
    found = Expansion(path, broken=list(rows.broken))
    people: dict[str, dict[str, Any]] = {}
    lines = rows.locate(range(rows.frame.height))
    for line, record in zip(lines, rows.frame.iter_rows(named=True), strict=True):
        worker = record[names.get("annotator", "WorkerId")]
        if worker is None:
            found.problem(line, "no WorkerId")
            continue
        _know(people.setdefault(worker, {}), record, names, found, line)
        _ratings(found, line, record, places, names)
    imported = found.imported(missing)
    schema = {
        "approval": pl.Float64(),
        "tasks": pl.Int64(),
        "approved_tasks": pl.Int64(),
        "masters": pl.Int64(),
    }
    annotators = annotators_table(people, schema)
    empty = [c for c in PEOPLE[1:] if annotators[c].null_count() == annotators.height]
    notes = (*imported.notes, *_rejected(rows))
    return replace(imported, annotators=annotators.drop(empty), notes=notes)


def _rejected(rows: Rows) -> list[str]:
    """Return how many assignments were rejected, if any, and how to set them aside."""
    if STATUS not in rows.frame.columns:
        return []
    count = int((rows.frame[STATUS] == REJECTED).sum())
    what = "1 assignment was" if count == 1 else f"{count} assignments were"
    rule = f"refused_by_platform with statuses = ['{REJECTED}']"
    listing = f"{rows.path}: {what} rejected. Their ratings are read with status {REJECTED}"
    return [f"{listing}; the rule {rule} sets them aside."] if count else []


def _roles(
    columns: list[str], places: list[SheetPlace], names: Mapping[str, str]
) -> dict[str, Role]:
    """Return the role of each column of a batch."""
    comments = {names.get("comment", ""), *COMMENTS}
    known: dict[str, Role] = {
        **dict.fromkeys(("AcceptTime", "SubmitTime", "WorkTimeInSeconds"), "time"),
        **{names[fact]: "person" for fact in PEOPLE if fact in names},
        "LifetimeApprovalRate": "person",
        names.get("annotator", "WorkerId"): "annotator",
    }
    for place in places:
        known |= dict.fromkeys((place.item, *place.facts.values()), "item")
        known |= {place.facts["kind"]: "check"} if "kind" in place.facts else {}
        known |= dict.fromkeys((c for own in place.questions.values() for c in own), "answer")
    roles: dict[str, Role] = {}
    for name in columns:
        if name in comments:
            roles[name] = "comment"
        elif name in known:
            roles[name] = known[name]
        elif name.startswith(ANSWER) and (word := word_in(name.removeprefix(ANSWER))):
            roles[name] = word.role
    return roles


def _tables(places: list[SheetPlace], names: Mapping[str, str]) -> dict[str, str]:
    """Return which columns are stored in other tables, or under another name in the ratings."""
    people = [*(names[fact] for fact in PEOPLE if fact in names), "LifetimeApprovalRate"]
    return {
        **dict.fromkeys((STATUS, "HITId"), "ratings"),
        **dict.fromkeys(people, "annotators"),
        **{column: "items" for place in places for column in place.facts.values()},
    }


def _unstored(columns: list[str], places: list[SheetPlace], names: Mapping[str, str]) -> list[str]:
    """Return the columns of answers that are not read, such as those about the person."""
    asked = {column for place in places for own in place.questions.values() for column in own}
    kept = {*asked, *names.values(), *COMMENTS}
    return [name for name in columns if name.startswith(ANSWER) and name not in kept]


def _require(path: Path, columns: list[str], names: Mapping[str, str]) -> None:
    wanted = [names.get("annotator", "WorkerId")]
    wanted += [theirs for theirs in names.values() if NUMBERED not in theirs]
    missing = [column for column in wanted if column not in columns]
    if not missing and not any(column.startswith(ANSWER) for column in columns):
        missing = ["Answer.…"]
    if missing:
        raise TableError(f"{path}: no column {missing[0]!r}. Columns found: {', '.join(columns)}.")


def _ratings(
    found: Expansion, line: int, record: Record, places: list[SheetPlace], names: Mapping[str, str]
) -> None:
    seconds = _number(found, line, record, names.get("seconds", "WorkTimeInSeconds"))
    status = record.get(STATUS)
    if status not in (*STATUSES, None):
        found.problem(line, f"AssignmentStatus {status!r} is not one of {', '.join(STATUSES)}")
    comment = next(
        (record[c] for c in (names.get("comment", ""), *COMMENTS) if record.get(c)), None
    )
    given = 0
    for place in places:
        item = record.get(place.item)
        answers = list(answers_of(place, record, found, line))
        if item is None and answers:
            found.problem(line, f"an answer but no {place.item}")
            continue
        if item is None:
            continue
        facts = {fact: record[column] for fact, column in place.facts.items()}
        if place.facts.get("kind") == TYPE:
            facts["kind"] = kind_of_type(facts["kind"])
        found.item(line, item, **facts)
        for question, answer in answers:
            given += 1
            found.rating(
                line,
                item=item,
                annotator=record[names.get("annotator", "WorkerId")],
                question=question,
                answer=answer,
                batch=record.get("HITId"),
                started=record.get("AcceptTime"),
                submitted=record.get("SubmitTime"),
                seconds=None if seconds is None else seconds / len(places),
                together=len(places) if len(places) > 1 else None,
                comment=comment,
                status=status,
                kind=facts.get("kind"),
            )
    dropping("assignments without an answer", int(not given))


def _know(
    person: dict[str, Any], record: Record, names: Mapping[str, str], found: Expansion, line: int
) -> None:
    """Add what a row says about the person; of several approval rates, that over most tasks."""
    cell = record.get(names.get("approval", "LifetimeApprovalRate"))
    if cell is not None:
        match = _RATE.match(cell)
        if match is None or not 0 <= float(match.group(1)) <= 100:
            found.problem(line, f"approval {cell!r} is not a rate as in '98% (49/50)'")
            return
        tasks = int(match.group(3)) if match.group(3) else None
        if "approval" not in person or (tasks or 0) >= (person.get("tasks") or 0):
            approved = int(match.group(2)) if match.group(2) else None
            person.update(approval=float(match.group(1)), approved_tasks=approved, tasks=tasks)
    for fact in ("tasks", "approved_tasks"):
        if fact in names:
            number = _number(found, line, record, names[fact])
            person[fact] = None if number is None else int(number)
    if "masters" in names:
        word = str(record[names["masters"]] or "").strip().lower()
        person["masters"] = int(word in ("1", "true", "yes", "masters", "x"))


def _number(found: Expansion, line: int, record: Record, column: str) -> float | None:
    cell = record.get(column)
    if cell is None:
        return None
    if not re.fullmatch(r"\d+(\.\d+)?", cell.strip()):
        found.problem(line, f"{column} {cell!r} is not a number")
        return None
    return float(cell)
