"""The JSON exports of Label Studio: the full form and the min form.

Full (JSON): one object per task with `data` and `annotations`; each annotation is by one person
and holds results, one per control (`from_name`), which is the question. Min (JSON-MIN): one flat
object per annotation, in which the fields of the task stand before `id` and the answers between
`id` and `annotator`, as Label Studio writes them.

The item is the field `item` of the task's data, or else the task's id; text, condition, kind and
expected answer are fields of the same names. `--columns text=sentence` names other fields,
`--columns answer=plausible` reads one control only. Skipped tasks and predictions are no ratings.
People are known by their number in Label Studio.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import StudyError, option
from plausibly.io import read_records, write_json
from plausibly.io.imported import Imported
from plausibly.io.missing import MISSING, Missing
from plausibly.ratings.expanding import Expansion, text_of
from plausibly.tables import ITEMS, RATINGS

ITEM_FACTS = ("text", "condition", "kind", "expected", "start")
MAPPED = ("item", "answer", *ITEM_FACTS)
# From the type of a result to the key of its value.
ANSWERS = ("choices", "rating", "number", "text", "taxonomy", "datetime")
AFTER = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")

Json = Mapping[str, Any]
CHOOSE = f"Choose one with {option('columns')} (answer=CONTROL)"


def read_labelstudio(
    path: Path, *, names: Mapping[str, str], missing: Missing = MISSING
) -> Imported:
    """Return ratings and items from an export of either form."""
    unknown = [ours for ours in names if ours not in MAPPED]
    if unknown:
        raise StudyError(
            f"the labelstudio form has no {unknown[0]!r} to map. Known: {', '.join(MAPPED)}."
        )
    found = Expansion(path)
    for line, record in zip(*read_records(path), strict=True):
        if "annotations" in record or "completions" in record:
            _task(found, line, record, names)
        else:
            _flat(found, line, record, names)
    return found.imported(missing)


def _task(found: Expansion, line: int, task: Json, names: Mapping[str, str]) -> None:
    data = task.get("data")
    if not isinstance(data, dict):
        found.problem(line, "a task without data")
        return
    item = _tell(found, line, data, task.get("id"), names)
    annotations = task.get("annotations", task.get("completions")) or []
    if not _are_objects(annotations):
        found.problem(line, "annotations is not a list of objects")
        return
    for annotation in annotations:
        if annotation.get("was_cancelled") or annotation.get("skipped"):
            continue
        annotator = _person(annotation.get("completed_by"))
        if item is None or annotator is None:
            found.problem(line, "an annotation without completed_by" if item else "no task id")
            continue
        when = {
            "seconds": annotation.get("lead_time"),
            "started": None,
            "submitted": annotation.get("updated_at") or annotation.get("created_at"),
        }
        for question, answer in _results(found, line, annotation.get("result") or [], names):
            cells = {"item": item, "annotator": annotator, "question": question, "answer": answer}
            found.rating(line, **cells, **when)


def _results(
    found: Expansion, line: int, results: Sequence[Json], names: Mapping[str, str]
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
        answers = _answers(result.get("value"))
        if answers is None:
            what = f"{question}: a result of type {result.get('type')!r} is no answer to a question"
            found.problem(line, f"{what}. {CHOOSE}")
        else:
            by_question.setdefault(question, []).extend(answers)
    for question, answers in by_question.items():
        if answers:
            yield question, ";".join(answers)


def _are_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _answers(value: object) -> list[str] | None:
    """Return the answers a value holds, or None if it is none of the kinds known."""
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


def _flat(found: Expansion, line: int, record: Json, names: Mapping[str, str]) -> None:
    annotator = _person(record.get("annotator"))
    if annotator is None:
        found.problem(line, "neither annotations nor an annotator: not an export of Label Studio")
        return
    keys = list(record)
    first = keys.index("id") + 1 if "id" in keys else 0
    between = [key for key in keys[first : keys.index("annotator")] if key not in AFTER]
    questions = [names["answer"]] if "answer" in names else between
    data = {key: value for key, value in record.items() if key not in (*between, *AFTER, "id")}
    item = _tell(found, line, data, record.get("id"), names)
    if item is None:
        found.problem(line, "no task id")
        return
    for question in questions:
        answers = _answers(record.get(question)) if record.get(question) is not None else []
        if answers is None:
            found.problem(line, f"{question}: not an answer. {CHOOSE}")
        elif answers:
            found.rating(
                line,
                item=item,
                annotator=annotator,
                question=question,
                answer=";".join(answers),
                seconds=record.get("lead_time"),
                submitted=record.get("updated_at") or record.get("created_at"),
            )


def _tell(
    found: Expansion, line: int, data: Json, number: object, names: Mapping[str, str]
) -> str | None:
    """Note what the task says about its item and return the item's name."""
    named = data.get(names.get("item", "item"), number)
    if named is None:
        return None
    facts = {fact: data.get(names.get(fact, fact)) for fact in ITEM_FACTS}
    told = {fact: text_of(value) for fact, value in facts.items() if value is not None}
    found.item(line, text_of(named), **told)
    return text_of(named)


def _person(completed_by: object) -> str | None:
    if isinstance(completed_by, dict):
        known = [completed_by.get(key) for key in ("id", "email", "username")]
        return next((text_of(name) for name in known if name is not None), None)
    return None if completed_by in (None, "") else text_of(completed_by)


def write_labelstudio(
    ratings: pl.DataFrame, path: Path, *, items: pl.DataFrame | None = None
) -> None:
    """Write tasks with annotations in the full form; answers become choices.

    Sets between semicolons become several choices. The file can be imported into Label Studio.
    """
    ratings = RATINGS.sort(RATINGS.check(ratings))
    told = {} if items is None else {row["item"]: row for row in _facts(items)}
    tasks: dict[str, dict[str, Any]] = {}
    for row in ratings.iter_rows(named=True):
        item = row["item"]
        data = told.get(item, {"item": item, "text": item})
        task = tasks.setdefault(item, {"id": len(tasks) + 1, "data": data, "annotations": {}})
        annotation = task["annotations"].setdefault(
            row["annotator"],
            {
                "completed_by": row["annotator"],
                "was_cancelled": False,
                "lead_time": row.get("seconds"),
                "created_at": row.get("submitted"),
                "result": [],
            },
        )
        annotation["result"].append(
            {
                "from_name": row["question"],
                "to_name": "text",
                "type": "choices",
                "value": {"choices": row["answer"].split(";")},
            }
        )
    whole = [{**task, "annotations": [*task["annotations"].values()]} for task in tasks.values()]
    write_json(path, json.loads(json.dumps(whole)))


def _facts(items: pl.DataFrame) -> Iterator[dict[str, Any]]:
    for row in ITEMS.check(items).iter_rows(named=True):
        yield {name: value for name, value in row.items() if value is not None}
