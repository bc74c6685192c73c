"""The JSONL of doccano: one object per text, with its labels.

doccano writes one file per annotator, named after them (`anna.jsonl`), or one file in which each
annotation has its `user`. The item is the field `item`, else `id`. Labels of a category project are
the answer; several labels are a set. Texts without a label are counted; spans are not answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plausibly.io import read_records
from plausibly.io.choices import dropping
from plausibly.io.imported import QUESTION, Imported, check_names
from plausibly.io.layout import Role
from plausibly.io.missing import MISSING, Missing
from plausibly.ratings.expanding import Expansion, text_of

ROLES: Mapping[str, Role] = {
    "id": "item",
    "item": "item",
    "text": "item",
    "data": "item",
    "label": "answer",
    "labels": "answer",
    "cats": "answer",
    "annotations": "answer",
    "annotation_approver": "ignored",
    "annotations.label": "answer",
    "annotations.user": "annotator",
    "file name": "annotator",
    "Comments": "comment",
    "comments": "comment",
}
LABELS = ("label", "labels", "cats")
_SPAN = "a span in the text is not an answer. Export a project of document classification"


def read_doccano(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings and items; the person is named by the file or by each annotation."""
    check_names(names, form="doccano")
    found = Expansion(path, roles=dict(ROLES), tables={"text": "items", "data": "items"})
    person = path.name.partition(".")[0]
    for line, record in zip(*read_records(path), strict=True):
        _seen(found, record, person)
        _text(found, line, record, person)
    return found.imported(missing)


def _seen(found: Expansion, record: Mapping[str, Any], person: str) -> None:
    """Add the cells of a text, once for each annotation with its user."""
    cells = {name: one for name, one in record.items() if one not in (None, [], {})}
    found.unstored = {*found.unstored, *({"id"} if "item" in cells else ())}
    annotations = record.get("annotations")
    if not isinstance(annotations, list):
        labels = {key: one for key, one in cells.items() if key in LABELS}
        shown = {key: ";".join(map(text_of, one)) for key, one in labels.items() if _is_set(one)}
        found.seen({**cells, **shown, **({"file name": person} if labels else {})})
        return
    cells.pop("annotations", None)
    for one in annotations or [{}]:
        own = one if isinstance(one, dict) else {}
        known = {f"annotations.{name}": own.get(name) for name in ("label", "user")}
        found.seen({**cells, **known})


def _is_set(labels: object) -> bool:
    return isinstance(labels, list) and not any(isinstance(one, list | dict) for one in labels)


def _text(found: Expansion, line: int, record: Mapping[str, Any], person: str) -> None:
    item = record.get("item", record.get("id"))
    if item is None:
        found.problem(line, "no id")
        return
    name = text_of(item)
    found.item(line, name, text=record.get("text", record.get("data")))
    comments = record.get("Comments", record.get("comments")) or []
    comment = "\n".join(map(text_of, comments)) if isinstance(comments, list) else str(comments)
    answers = _answers(record, person)
    if answers is None:
        found.problem(line, _SPAN)
        return
    dropping("texts without a label", int(not answers))
    for annotator, labels in answers.items():
        found.rating(
            line,
            item=name,
            annotator=annotator,
            question=QUESTION,
            answer=";".join(labels),
            comment=comment or None,
        )


def _answers(record: Mapping[str, Any], person: str) -> dict[str, list[str]] | None:
    """Return the labels by annotator; None if they are spans."""
    if isinstance(record.get("annotations"), list):
        by_user: dict[str, list[str]] = {}
        for one in record["annotations"]:
            if not isinstance(one, dict) or "start_offset" in one or "label" not in one:
                return None
            by_user.setdefault(text_of(one.get("user", person)), []).append(text_of(one["label"]))
        return by_user
    labels: Any = next((record[key] for key in LABELS if key in record), [])
    labels = [labels] if isinstance(labels, str | int | float) else labels or []
    if not _is_set(labels):
        return None
    return {person: [text_of(label) for label in labels]} if labels else {}
