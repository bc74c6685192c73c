"""The exports of Label Studio: JSON, JSON-MIN and CSV.

JSON: one object per task with `data` and `annotations`; each annotation is by one person and holds
results, one per control (`from_name`), which is the question. JSON-MIN and CSV: one flat record
per annotation, in which the fields of the task are before `id` and the answers behind it.

The item is the field `item` of the task's data, or else the task's id; text, condition, kind and
expected answer are fields of the same names. `--columns text=sentence` names other fields,
`--columns answer=plausible` reads one control only. A text box is a comment where other controls
are answered. Cancelled and empty annotations are counted; predictions are not ratings. Of several
annotations of a task by one person, the last one counts. People are known by their number in Label
Studio.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import option
from plausibly.io import json_value, read_records, read_rows, text_rows
from plausibly.io.choices import dropping
from plausibly.io.imported import Imported, check_names
from plausibly.io.layout import Role
from plausibly.io.missing import MISSING, Missing
from plausibly.ratings.expanding import Expansion, text_of
from plausibly.ratings.headers import exact_word, word_in
from plausibly.ratings.wide_columns import is_closed

ITEM_FACTS = ("text", "condition", "kind", "expected", "start")
MAPPED = ("item", "answer", *ITEM_FACTS)
# From the type of a result to the key of its value.
ANSWERS = ("choices", "rating", "number", "text", "taxonomy", "datetime")
AFTER = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")

ROLES: Mapping[str, Role] = {
    "annotator": "annotator",
    "completed_by": "annotator",
    "lead_time": "time",
    "created_at": "time",
    "updated_at": "time",
    "id": "item",
    "kind": "check",
    "comment": "comment",
}
TEXT_BOX = "textarea"
CANCELLED, EMPTY = "cancelled annotations", "empty annotations"

Json = Mapping[str, Any]
CHOOSE = f"Choose one with {option('columns')} (answer=CONTROL)"


def read_labelstudio(
    path: Path, *, names: Mapping[str, str], missing: Missing = MISSING
) -> Imported:
    """Return ratings and items from an export of either form."""
    check_names(names, form="labelstudio", known=MAPPED)
    lines, records = _records(path)
    found = Expansion(path, roles={**ROLES, names.get("item", "item"): "item"})
    boxes = _text_boxes(records, names)
    writing = not _has_other_controls(records)
    for line, record in zip(lines, records, strict=True):
        if "annotations" in record or "completions" in record:
            _task(found, line, record, names, writing=writing)
        else:
            _flat(found, line, record, names, boxes)
    return found.imported(missing)


def _records(path: Path) -> tuple[list[int], list[dict[str, Any]]]:
    """Return the objects of the file, or the rows of a table as objects, and their lines."""
    if path.suffix.lower() in (".json", ".jsonl") or path.suffixes[-2:-1] in (
        [".json"],
        [".jsonl"],
    ):
        return read_records(path)
    rows = text_rows(read_rows(path))
    rows.reject([])
    records = [
        {name: _cell(cell) for name, cell in record.items()}
        for record in rows.frame.iter_rows(named=True)
    ]
    first = records[0] if records else {}
    if "id" in first and "annotator" in first:
        of_task = _task_fields(records)
        records = [_in_order(record, of_task) for record in records]
    return rows.locate(range(len(records))), records


def _task_fields(records: Sequence[Json]) -> set[str]:
    """Return the fields of rows that describe the task, whatever the order of the columns.

    Usually they stand before `id`, and a control that nobody used at first stands last. Where
    `annotator` stands before `id`, columns were sorted: then a field that is the same in all rows
    of a task describes it.
    """
    keys = list(records[0])
    fields = [key for key in keys if key not in (*AFTER, "id")]
    values: dict[tuple[str, str], set[str]] = {}
    rows = Counter(str(record["id"]) for record in records)
    for record in records:
        for field in fields:
            values.setdefault((field, str(record["id"])), set()).add(str(record[field]))
    several = [task for task, count in rows.items() if count > 1]
    constant = {f for f in fields if all(len(values[f, task]) == 1 for task in several)}
    if keys.index("annotator") > keys.index("id"):
        before = {*fields} & {*keys[: keys.index("id")]}
        return before | ({"text"} & constant if several else set())
    described = {f for f in fields if f in ITEM_FACTS}
    return described | constant if several else described


def _in_order(record: dict[str, Any], of_task: Collection[str]) -> dict[str, Any]:
    """Return a record with every control between `id` and `annotator`."""
    controls = [key for key in record if key not in (*of_task, *AFTER, "id")]
    after = [key for key in AFTER if key in record]
    return {
        key: record[key]
        for key in (*(key for key in record if key in of_task), "id", *controls, *after)
    }


def _cell(cell: str | None) -> Any:
    """Return what a cell holds: the value of a JSON text, or the cell."""
    return json_value(cell) if cell is not None and cell[:1] in ("[", "{") else cell


def _text_boxes(records: Sequence[Json], names: Mapping[str, str]) -> set[str]:
    """Return the controls of flat records in which people wrote freely next to other answers."""
    answers: dict[str, list[str]] = {}
    for record in records:
        if "annotator" not in record:
            continue
        for question in _controls(record):
            given = _answers(record.get(question)) if record.get(question) is not None else None
            answers.setdefault(question, []).extend([";".join(given)] if given else [])
    closed = {
        question
        for question, given in answers.items()
        if is_closed(pl.Series(given, dtype=pl.String)) and not _is_comment(question)
    }
    return {*answers} - closed - {names.get("answer", "")} if closed else set()


def _is_comment(question: str) -> bool:
    word = word_in(question)
    return word is not None and word.role == "comment"


def _controls(record: Json) -> list[str]:
    """Return the fields of a flat record that hold answers."""
    keys = list(record)
    first = keys.index("id") + 1 if "id" in keys else 0
    return [key for key in keys[first : keys.index("annotator")] if key not in AFTER]


def _has_other_controls(records: Sequence[Json]) -> bool:
    """Return whether anything but text boxes was answered; if not, what people wrote is asked."""
    tasks = [_objects(record.get("annotations", record.get("completions"))) for record in records]
    whole = [one for annotations in tasks for one in annotations if not one.get("was_cancelled")]
    results = [result for one in whole for result in _objects(one.get("result"))]
    return any(result.get("type") != TEXT_BOX for result in results)


def _objects(value: object) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _task(
    found: Expansion, line: int, task: Json, names: Mapping[str, str], *, writing: bool
) -> None:
    data = task.get("data")
    if not isinstance(data, dict):
        found.problem(line, "a task without data")
        return
    item = _tell(found, line, data, task.get("id"), names)
    annotations = task.get("annotations", task.get("completions")) or []
    if not _are_objects(annotations):
        found.problem(line, "annotations is not a list of objects")
        return
    dropping("tasks without annotations", int(not annotations))
    for annotation in _latest(annotations):
        if _is_cancelled(annotation):
            dropping(CANCELLED, 1)
            continue
        annotator = _person(annotation.get("completed_by"))
        if item is None or annotator is None:
            found.problem(line, "an annotation without completed_by" if item else "no task id")
            continue
        when = {
            "seconds": annotation.get("lead_time"),
            "started": None,
            "submitted": _stamp(annotation) or None,
        }
        results = annotation.get("result") or []
        comment = None if writing else _comment(results, names)
        given = list(_results(found, line, results, names, without_boxes=not writing))
        dropping(EMPTY, int(not given))
        found.roles |= {question: "answer" for question, _ in given}
        _note(found, data, names)
        found.seen(
            {"id": task.get("id"), **data, **dict(given), "completed_by": annotator}
            | {"comment": comment, "lead_time": when["seconds"], "updated_at": when["submitted"]}
        )
        for question, answer in given:
            cells = {"item": item, "annotator": annotator, "question": question, "answer": answer}
            found.rating(line, **cells, **when, comment=comment)


def _comment(results: Sequence[Json], names: Mapping[str, str]) -> str | None:
    """Return what was written into text boxes that are not the control to read."""
    if not _are_objects(results):
        return None
    boxes = [one for one in results if one.get("type") == TEXT_BOX]
    boxes = [one for one in boxes if one.get("from_name") != names.get("answer")]
    texts = [text for one in boxes for text in _answers(one.get("value")) or ()]
    return "\n".join(texts) or None


def _results(
    found: Expansion,
    line: int,
    results: Sequence[Json],
    names: Mapping[str, str],
    *,
    without_boxes: bool,
) -> Iterator[tuple[str, str]]:
    """Yield question and answer of each control; regions in a text or image are no answers."""
    by_question: dict[str, list[str]] = {}
    if not _are_objects(results):
        found.problem(line, "result is not a list of objects")
        return
    for result in results:
        question = result.get("from_name")
        if not isinstance(question, str) or names.get("answer", question) != question:
            continue
        if without_boxes and result.get("type") == TEXT_BOX and "answer" not in names:
            continue
        answers = _answers(result.get("value"))
        if answers is None:
            what = f"{question}: a result of type {result.get('type')!r} does not answer a question"
            found.problem(line, f"{what}. {CHOOSE}")
        else:
            by_question.setdefault(question, []).extend(answers)
    for question, answers in by_question.items():
        if answers:
            yield question, ";".join(answers)


def _are_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _answers(value: object) -> list[str] | None:
    """Return the answers a value holds, or None if its kind is unknown."""
    if isinstance(value, str | int | float):
        return [text_of(value)]
    if isinstance(value, list):
        parts = [_answers(part) for part in value]
        if any(part is None for part in parts):
            return None
        return [answer for part in parts for answer in part or ()]
    if isinstance(value, dict) and not {"start", "x", "points"} & set(value):
        held = next((value[key] for key in ANSWERS if key in value), None)
        if isinstance(held, list) and held and isinstance(held[0], list):
            return ["/".join(map(text_of, path)) for path in held]
        return None if held is None else _answers(held)
    return None


def _flat(
    found: Expansion, line: int, record: Json, names: Mapping[str, str], boxes: set[str]
) -> None:
    annotator = _person(record.get("annotator"))
    if annotator is None:
        found.problem(line, "neither annotations nor an annotator: not an export of Label Studio")
        return
    between = _controls(record)
    questions = [names["answer"]] if "answer" in names else [q for q in between if q not in boxes]
    data = {key: value for key, value in record.items() if key not in (*between, *AFTER, "id")}
    item = _tell(found, line, data, record.get("id"), names)
    if item is None:
        found.problem(line, "no task id")
        return
    given: dict[str, str] = {}
    for question in {*boxes, *questions} & {*record}:
        answers = _answers(record.get(question)) if record.get(question) is not None else []
        if answers is None:
            found.problem(line, f"{question}: not an answer. {CHOOSE}")
        elif answers:
            given[question] = ";".join(answers)
    found.roles |= dict.fromkeys(questions, "answer")
    found.roles |= dict.fromkeys(boxes, "comment")
    _note(found, record, names)
    found.seen({**record, **given})
    comment = "\n".join(given[box] for box in sorted(boxes) if box in given)
    answered = [question for question in questions if question in given]
    dropping(EMPTY, int(not answered))
    for question in answered:
        found.rating(
            line,
            item=item,
            annotator=annotator,
            question=question,
            answer=given[question],
            seconds=record.get("lead_time"),
            submitted=record.get("updated_at") or record.get("created_at"),
            comment=comment or None,
        )


def _text_field(data: Json, names: Mapping[str, str]) -> str:
    """Return the field with the text of the item: as mapped, `text`, or the only one like it."""
    if "text" in names or "text" in data:
        return names.get("text", "text")
    words = {field: exact_word(field) for field in data if field != names.get("item", "item")}
    texts = [field for field, word in words.items() if word is not None and word.role == "item"]
    return texts[0] if len(texts) == 1 and isinstance(data[texts[0]], str) else "text"


def _latest(annotations: Sequence[Json]) -> list[Json]:
    """Return the annotations without earlier ones of the same person, which are counted."""
    whole = [one for one in annotations if one.get("result") and not _is_cancelled(one)]
    whole = [one for one in whole if _stamp(one)]
    last: dict[object, int] = {}
    for one in sorted(whole, key=_stamp):
        last[_person(one.get("completed_by"))] = id(one)
    earlier = {id(one) for one in whole if id(one) not in last.values()}
    dropping("earlier annotations of the same person", len(earlier))
    return [one for one in annotations if id(one) not in earlier]


def _stamp(annotation: Json) -> str:
    return str(annotation.get("updated_at") or annotation.get("created_at") or "")


def _is_cancelled(annotation: Json) -> bool:
    return bool(annotation.get("was_cancelled") or annotation.get("skipped"))


def _note(found: Expansion, record: Json, names: Mapping[str, str]) -> None:
    """Keep which fields describe the item, and which others are in no table."""
    facts = {fact: names.get(fact, fact) for fact in ITEM_FACTS}
    facts["text"] = _text_field(record, names)
    present = {fact: field for fact, field in facts.items() if field in record}
    found.tables |= dict.fromkeys(present.values(), "items")
    found.roles |= {present["text"]: "item"} if "text" in present else {}
    named = names.get("item", "item") in record
    found.unstored = {"created_at"} if record.get("updated_at") else set()
    found.unstored |= {"id"} if named else set()


def _tell(
    found: Expansion, line: int, data: Json, number: object, names: Mapping[str, str]
) -> str | None:
    """Note what the task says about its item and return the item's name."""
    named = data.get(names.get("item", "item"), number)
    if named is None:
        return None
    facts = {fact: data.get(names.get(fact, fact)) for fact in ITEM_FACTS}
    facts["text"] = data.get(_text_field(data, names))
    known_fields = {fact: text_of(value) for fact, value in facts.items() if value is not None}
    found.item(line, text_of(named), **known_fields)
    return text_of(named)


def _person(completed_by: object) -> str | None:
    if isinstance(completed_by, dict):
        known = [completed_by.get(key) for key in ("id", "email", "username")]
        return next((text_of(name) for name in known if name is not None), None)
    return None if completed_by in (None, "") else text_of(completed_by)
