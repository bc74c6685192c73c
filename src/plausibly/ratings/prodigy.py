"""The JSONL of Prodigy (`prodigy db-out`): one object per annotated task.

The item is the field `item` or `id` of the task or of its `meta`, else `_input_hash`; the person is
`_annotator_id`, else `_session_id`. A task with options is one question, "rating", answered by what
was accepted; a task with a `label` asks whether it applies, which the answer accept or reject
decides. Ignored tasks are counted; where a person answered a task again, the last answer counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plausibly.io import read_records
from plausibly.io.choices import dropping
from plausibly.io.imported import QUESTION, Imported, check_names
from plausibly.io.layout import Role
from plausibly.io.missing import MISSING, Missing
from plausibly.ratings.expanding import Expansion, text_of

ROLES: Mapping[str, Role] = {
    "_annotator_id": "annotator",
    "_session_id": "annotator",
    "_timestamp": "time",
    "_input_hash": "item",
    "item": "item",
    "id": "item",
    "text": "item",
    "label": "question",
    "accept": "answer",
    "answer": "answer",
    "comment": "comment",
}
_IDS = ("item", "id")
ACCEPT, REJECT, IGNORE = "accept", "reject", "ignore"


def read_prodigy(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings and items from what Prodigy exports."""
    check_names(names, form="prodigy")
    found = Expansion(path, roles=dict(ROLES), tables={"text": "items"})
    lines, tasks = read_records(path)
    found.unstored = {"_session_id"} if any("_annotator_id" in task for task in tasks) else set()
    last = _last(tasks)
    dropping("earlier answers of the same person", len(tasks) - len(last))
    for line, task in ((lines[place], tasks[place]) for place in last):
        found.seen(_cells(found, task))
        _task(found, line, task)
    return found.imported(missing)


def _last(tasks: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the places of tasks without those that a person answered again later."""
    last: dict[object, int] = {}
    for place in sorted(range(len(tasks)), key=lambda place: _stamp(tasks[place])):
        task = tasks[place]
        person = task.get("_annotator_id") or task.get("_session_id")
        key = tuple(map(text_of, (task.get("_task_hash"), _item(task), person)))
        last[key if task.get("_task_hash") is not None and person else place] = place
    return sorted(last.values())


def _stamp(task: Mapping[str, Any]) -> float:
    stamp = task.get("_timestamp")
    return float(stamp) if isinstance(stamp, int | float) else 0.0


def _item(task: Mapping[str, Any]) -> object:
    """Return what names the item of a task."""
    meta = task.get("meta")
    places = (task, meta if isinstance(meta, dict) else {})
    known = (place.get(name) for place in places for name in _IDS)
    return next((one for one in (*known, task.get("_input_hash")) if one is not None), None)


def _cells(found: Expansion, task: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a task; what was accepted is the answer where options are offered."""
    cells = {name: one for name, one in task.items() if not isinstance(one, dict | list)}
    meta = task.get("meta")
    named = (
        {f"meta.{one}": meta[one] for one in _IDS if one in meta} if isinstance(meta, dict) else {}
    )
    found.roles |= dict.fromkeys(named, "item")
    unused = {"_input_hash"} if named or {*_IDS} & {*task} else set()
    if isinstance(task.get("accept"), list):
        cells["accept"] = ";".join(map(text_of, task["accept"]))
        unused.add("answer")
    found.unstored = {*found.unstored, *unused}
    return {**cells, **named}


def _task(found: Expansion, line: int, task: Mapping[str, Any]) -> None:
    verdict = task.get("answer")
    if verdict == IGNORE:
        dropping("ignored tasks", 1)
        return
    meta = task.get("meta") if isinstance(task.get("meta"), dict) else {}
    item = _item(task)
    person = task.get("_annotator_id") or task.get("_session_id")
    if item is None or person is None:
        found.problem(line, "no _input_hash" if item is None else "no _annotator_id")
        return
    given = _answers(task, verdict)
    if given is None:
        found.problem(
            line,
            f"answer {verdict!r} is not accept, reject or ignore, or nothing is listed as accepted",
        )
        return
    found.item(line, text_of(item), text=task.get("text"), condition=(meta or {}).get("condition"))
    if not given:
        dropping("tasks without an answer", 1)
    for question, answer in given.items():
        found.rating(
            line,
            item=text_of(item),
            annotator=text_of(person),
            question=question,
            answer=answer,
            submitted=task.get("_timestamp"),
            comment=task.get("comment") or None,
        )


def _answers(task: Mapping[str, Any], verdict: object) -> dict[str, str] | None:
    """Return question and answer of a task; None if it is neither accepted nor rejected."""
    if verdict not in (ACCEPT, REJECT):
        return None
    if "options" in task or "accept" in task:
        chosen = task.get("accept") or []
        if not isinstance(chosen, list):
            return None
        return {QUESTION: ";".join(map(text_of, chosen))} if chosen and verdict == ACCEPT else {}
    label = task.get("label")
    return {text_of(label) if label is not None else QUESTION: str(verdict)}
