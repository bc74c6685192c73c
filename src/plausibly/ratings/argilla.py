"""The JSON of Argilla: one record per item, with the responses of people to its questions.

Version 2 (`dataset.records.to_json`) has responses by question, version 1 (feedback datasets) by
person; flat records (`to_list(flatten=True)`, as they are shared on the Hub) have one field per
question (`QUESTION.responses`, `QUESTION.responses.users`, `QUESTION.responses.status`). Only
submitted responses are ratings; drafts and discarded ones are counted. Suggestions of models are
not ratings. The item is `external_id`, else `id`; its text is the only field, or the field `text`,
`sentence` or the like. A text question is a comment where other questions are answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.io import read_records
from plausibly.io.choices import dropping
from plausibly.io.imported import Imported, check_names
from plausibly.io.layout import Role
from plausibly.io.missing import MISSING, Missing
from plausibly.ratings.expanding import Expansion, text_of
from plausibly.ratings.headers import exact_word, word_in
from plausibly.ratings.wide_columns import is_closed

SUBMITTED = "submitted"
ANSWERED = ".responses"
NOT_FIELDS = ("id", "external_id", "status", "_server_id", "inserted_at", "updated_at")
ROLES: Mapping[str, Role] = {
    "id": "item",
    "external_id": "item",
    "user_id": "annotator",
    "updated_at": "time",
    "inserted_at": "time",
}


def read_argilla(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings and items from records with their responses."""
    check_names(names, form="argilla")
    found = Expansion(path, roles=dict(ROLES))
    lines, records = read_records(path)
    boxes = _text_boxes(records)
    for line, record in zip(lines, records, strict=True):
        _record(found, line, record, boxes)
    return found.imported(missing)


def _text_boxes(records: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the questions in which people wrote freely, where others have a scale or options."""
    answers: dict[str, list[str]] = {}
    for record in records:
        for _, status, given in _responses(_nested(record).get("responses")):
            for question, value in given.items():
                said = [text_of(value)] if status == SUBMITTED and value is not None else []
                answers.setdefault(question, []).extend(said)
    words = {question: word_in(question) for question in answers}
    closed = {
        question
        for question, given in answers.items()
        if is_closed(pl.Series(given, dtype=pl.String))
        and not ((word := words[question]) and word.role == "comment")
    }
    return {*answers} - closed if closed else set()


def _text_fields(fields: Mapping[str, Any]) -> list[str]:
    """Return the field with the text of the item: `text`, the only one, or the only one like it."""
    if "text" in fields or len(fields) == 1:
        return ["text"] if "text" in fields else [*fields]
    words = {name: exact_word(name) for name in fields}
    texts = [name for name, word in words.items() if word is not None and word.role == "item"]
    return texts if len(texts) == 1 and isinstance(fields[texts[0]], str) else []


def _record(found: Expansion, line: int, record: Mapping[str, Any], boxes: set[str]) -> None:
    others = {name: one for name, one in record.items() if not isinstance(one, dict | list)}
    flat = "fields" not in record
    record = _nested(record)
    item = record.get("external_id") or record.get("id")
    fields = record.get("fields")
    if item is None or not isinstance(fields, dict):
        found.problem(line, "no id" if item is None else "no fields")
        return
    entries = _text_fields(fields)
    found.item(line, text_of(item), text=fields[entries[0]] if entries else None)
    prefix = "" if flat else "fields."
    found.tables |= {f"{prefix}{name}": "items" for name in entries}
    found.unstored = {f"{prefix}{name}" for name in fields if name not in entries}
    found.unstored |= {"id"} if record.get("external_id") else set()
    own = {name: record[name] for name in ("id", "external_id") if name in record}
    own |= {name: one for name, one in others.items() if name not in {*own, *fields}}
    own |= {f"{prefix}{name}": one for name, one in fields.items()}
    found.roles |= {f"{prefix}{name}": "item" for name in entries}
    people: dict[str, dict[str, Any]] = {}
    refused: set[tuple[str, str]] = set()
    for person, status, answers in _responses(record.get("responses")):
        if status != SUBMITTED:
            refused.add((person, status))
        else:
            people.setdefault(person, {}).update(answers)
    for _, status in refused:
        dropping(f"{status} responses", 1)
    dropping("records without a response", int(not people))
    for person, answers in people.items():
        found.seen({**own, **_cells(found, person, answers, boxes, flat=flat)})
        _rate(found, line, (text_of(item), person), answers, boxes)


def _cells(
    found: Expansion, person: str, answers: Mapping[str, Any], boxes: set[str], *, flat: bool
) -> dict[str, Any]:
    """Return the cells of one response under the names the file has for them."""
    if not flat:
        return {"user_id": person, **answers}
    people = {f"{question}{ANSWERED}.users": person for question in answers}
    for question in answers:
        found.roles[f"{question}{ANSWERED}"] = "comment" if question in boxes else "answer"
    found.roles |= dict.fromkeys(people, "annotator")
    return {**{f"{question}{ANSWERED}": one for question, one in answers.items()}, **people}


def _nested(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a flat record as the nested one it was made of.

    >>> _nested({"id": 1, "text": "So.", "q.responses": [4], "q.responses.users": ["a"]})["fields"]
    {'text': 'So.'}
    """
    questions = [name.removesuffix(ANSWERED) for name in record if name.endswith(ANSWERED)]
    if not questions or "fields" in record:
        return record
    responses = {question: _flat(record, f"{question}{ANSWERED}") for question in questions}
    fields = {
        name: one for name, one in record.items() if "." not in name and name not in NOT_FIELDS
    }
    known = {name: one for name, one in record.items() if name in NOT_FIELDS}
    return {**known, "fields": fields, "responses": responses}


def _flat(record: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the responses to a question from its lists of values, people and statuses."""
    values, people = record.get(name) or [], record.get(f"{name}.users") or []
    statuses = record.get(f"{name}.status") or [SUBMITTED] * len(values)
    if not all(isinstance(one, list) for one in (values, people, statuses)):
        return []
    together = zip(values, people, statuses, strict=False)
    return [{"value": one, "user_id": who, "status": status} for one, who, status in together]


def _rate(
    found: Expansion,
    line: int,
    who: tuple[str, str],
    answers: Mapping[str, Any],
    boxes: set[str],
) -> None:
    item, person = who
    said = [text_of(answers[box]) for box in answers if box in boxes and answers[box] is not None]
    comment = "\n".join(said) or None
    found.roles |= {one: "comment" if one in boxes else "answer" for one in answers}
    for question, value in answers.items():
        if question in boxes or value is None:
            continue
        several = isinstance(value, list)
        if isinstance(value, dict) or (several and any(isinstance(one, dict) for one in value)):
            found.problem(line, f"{question}: a ranking or a span is not an answer")
            continue
        answer = ";".join(map(text_of, value)) if several else text_of(value)
        cells = {"item": item, "annotator": person, "question": question, "answer": answer}
        found.rating(line, **cells, comment=comment)


def _responses(responses: object) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield person, status and answers of each response, whichever version wrote it."""
    if isinstance(responses, dict):
        for question, given in responses.items():
            for one in _objects(given):
                yield *_sender(one), {question: one.get("value")}
    for one in _objects(responses):
        values = one.get("values")
        values = values if isinstance(values, dict) else {}
        answers = {q: v.get("value") if isinstance(v, dict) else v for q, v in values.items()}
        yield *_sender(one), answers


def _objects(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _sender(response: Mapping[str, Any]) -> tuple[str, str]:
    return text_of(response.get("user_id")), str(response.get("status") or SUBMITTED)
