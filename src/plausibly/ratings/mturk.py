"""The batch CSV of Mechanical Turk: one row per assignment, `Input.*` and `Answer.*` columns.

By default each `Answer.x` column is a question `x`, and the item is what `Input.item` or
`Input.id` says, else the only `Input.*` column, else the HIT. With several items in one HIT, name
the columns by their number: `--map item=Input.id{n} --map answer=Answer.rating{n}`. Buttons
exported as `Answer.x.yes`, `Answer.x.no` holding true and false are one question `x`; so is what
the crowd elements put as JSON into `Answer.taskAnswers`. `Answer.comment` becomes the comment.

`seconds` is the time of the assignment shared out evenly among its items. Rejected assignments
are read too and carry their status, so that a rule, not the reader, sets them aside.

What the platform says about people becomes annotator columns: `approval` (0-100, with this
requester), `approved_tasks` and `tasks` from `LifetimeApprovalRate`. Requirements checked by the
platform itself (approval > 98 %, at least 1,000 tasks, Masters) are in no batch file; where you
have them, map their columns: `--map approval=… --map tasks=… --map masters=…`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import StudyError, TableError
from plausibly.io import read_rows
from plausibly.ratings.expanding import Expansion, annotators_table, text_of
from plausibly.ratings.formats import Imported

INPUT, ANSWER = "Input.", "Answer."
TASK_ANSWERS = "Answer.taskAnswers"
NUMBERED = "{n}"
COMMENTS = ("Answer.comment", "Answer.comments", "Answer.feedback")
ITEM_COLUMNS = ("Input.item", "Input.id", "Input.item_id")
ITEM_FACTS = ("text", "condition", "kind", "expected", "start")
PEOPLE = ("approval", "tasks", "approved_tasks", "masters")
MAPPED = ("item", "annotator", "answer", "comment", "seconds", *ITEM_FACTS, *PEOPLE)
STATUSES = ("Approved", "Submitted", "Rejected")

_RATE = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*%?\s*(?:\((\d+)/(\d+)\))?\s*$")
_TRUTH = {"true": True, "on": True, "false": False, "off": False}

Record = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a row the parts of one item stand."""

    item: str
    facts: Mapping[str, str]
    questions: Mapping[str, tuple[str, ...]]


def read_mturk(path: Path, *, names: Mapping[str, str]) -> Imported:
    """Return ratings, items and annotators from a batch file."""
    unknown = [ours for ours in names if ours not in MAPPED]
    if unknown:
        raise StudyError(
            f"the mturk form has no {unknown[0]!r} to map. Known: {', '.join(MAPPED)}."
        )
    rows = read_rows(path)
    columns = rows.frame.columns
    _require(path, columns, names)
    places = _places(columns, names)
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
    ratings = found.ratings_table()
    schema = {
        "approval": pl.Float64(),
        "tasks": pl.Int64(),
        "approved_tasks": pl.Int64(),
        "masters": pl.Int64(),
    }
    annotators = annotators_table(people, schema)
    empty = [c for c in PEOPLE[1:] if annotators[c].null_count() == annotators.height]
    return Imported(ratings, items=found.items_table(), annotators=annotators.drop(empty))


def _require(path: Path, columns: list[str], names: Mapping[str, str]) -> None:
    wanted = [names.get("annotator", "WorkerId")]
    wanted += [theirs for theirs in names.values() if NUMBERED not in theirs]
    missing = [column for column in wanted if column not in columns]
    if not missing and not any(column.startswith(ANSWER) for column in columns):
        missing = ["Answer.…"]
    if missing:
        raise TableError(f"{path}: no column {missing[0]!r}. Columns found: {', '.join(columns)}.")


def _places(columns: list[str], names: Mapping[str, str]) -> list[Place]:
    """Return one place, or one per number where columns are numbered."""
    if NUMBERED not in names.get("answer", ""):
        item = names.get("item") or _item_column(columns)
        facts = {f: names.get(f, INPUT + f) for f in ITEM_FACTS}
        known = {f: column for f, column in facts.items() if column in columns}
        return [Place(item, known, _questions(columns, names))]
    pattern = re.escape(names["answer"]).replace(re.escape(NUMBERED), r"(\d+)")
    numbers = [m.group(1) for c in columns if (m := re.fullmatch(pattern, c))]
    if not numbers or NUMBERED not in names.get("item", ""):
        raise StudyError(
            f"--map answer={names['answer']} fits no column, or item has no {{n}}. Number both: "
            "--map item=Input.id{n} --map answer=Answer.rating{n}."
        )
    question = names["answer"].removeprefix(ANSWER).replace(NUMBERED, "").strip("._-") or "rating"
    return [
        Place(
            item=names["item"].replace(NUMBERED, number),
            facts={
                f: column
                for f in ITEM_FACTS
                if (column := names.get(f, "").replace(NUMBERED, number)) in columns
            },
            questions={question: (names["answer"].replace(NUMBERED, number),)},
        )
        for number in sorted(numbers, key=int)
    ]


def _item_column(columns: list[str]) -> str:
    inputs = [column for column in columns if column.startswith(INPUT)]
    named = [column for column in inputs if column in ITEM_COLUMNS]
    if named:
        return named[0]
    return inputs[0] if len(inputs) == 1 else "HITId"


def _questions(columns: list[str], names: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the columns of each question; several columns are the buttons of one."""
    if "answer" in names:
        return {names["answer"].removeprefix(ANSWER) or "rating": (names["answer"],)}
    comment = names.get("comment")
    found: dict[str, tuple[str, ...]] = {}
    for column in columns:
        if not column.startswith(ANSWER) or column == comment or column in COMMENTS:
            continue
        question = column.removeprefix(ANSWER).split(".")[0]
        found[question] = (*found.get(question, ()), column)
    return found


def _ratings(
    found: Expansion, line: int, record: Record, places: list[Place], names: Mapping[str, str]
) -> None:
    seconds = _number(found, line, record, names.get("seconds", "WorkTimeInSeconds"))
    status = record.get("AssignmentStatus")
    if status not in (*STATUSES, None):
        found.problem(line, f"AssignmentStatus {status!r} is none of {', '.join(STATUSES)}")
    comment = next(
        (record[c] for c in (names.get("comment", ""), *COMMENTS) if record.get(c)), None
    )
    given = 0
    for place in places:
        item = record.get(place.item)
        answers = list(_answers(place, record, found, line))
        if item is None and answers:
            found.problem(line, f"an answer but no {place.item}")
            continue
        if item is None:
            continue
        found.item(line, item, **{fact: record[column] for fact, column in place.facts.items()})
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
                comment=comment,
                status=status,
            )
    if not given:
        found.problem(line, "no answer in any Answer column")


def _answers(
    place: Place, record: Record, found: Expansion, line: int
) -> Iterator[tuple[str, str]]:
    for question, columns in place.questions.items():
        if columns == (TASK_ANSWERS,):
            yield from _task_answers(record[TASK_ANSWERS], found, line)
            continue
        cells = {column: record[column] for column in columns if record[column] is not None}
        buttons = [column for column in cells if column.count(".") > 1]
        if buttons and all(str(cells[column]).lower() in _TRUTH for column in cells):
            pressed = [c.split(".", 2)[2] for c in cells if _TRUTH[str(cells[c]).lower()]]
            if pressed:
                yield question, ";".join(pressed)
        elif len(cells) > 1:
            found.problem(line, f"{question} has {len(cells)} answers: {', '.join(cells)}")
        else:
            yield from ((question, str(cell)) for cell in cells.values())


def _task_answers(cell: str | None, found: Expansion, line: int) -> Iterator[tuple[str, str]]:
    """Yield what the crowd elements wrote: a list with one object, from question to answer."""
    if cell is None:
        return
    try:
        written = json.loads(cell)
    except json.JSONDecodeError as error:
        found.problem(line, f"{TASK_ANSWERS} is not JSON ({error.msg})")
        return
    answers = written[0] if isinstance(written, list) and len(written) == 1 else written
    if not isinstance(answers, dict):
        found.problem(line, f"{TASK_ANSWERS} is not a list with one object")
        return
    for question, value in answers.items():
        answer = _chosen(value)
        if answer:
            yield question, answer


def _chosen(value: object) -> str:
    """Return the buttons pressed, the label of a classifier, or the value itself."""
    if not isinstance(value, dict):
        return "" if value is None else text_of(value)
    flags = {name: pressed for name, pressed in value.items() if isinstance(pressed, bool)}
    if flags:
        return ";".join(name for name, pressed in flags.items() if pressed)
    return ";".join(text_of(one) for one in value.values())


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
