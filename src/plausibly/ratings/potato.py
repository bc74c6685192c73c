"""The output of Potato: a folder with one folder per user, a JSONL file or a table of annotations.

A user's folder holds `annotated_instances.jsonl` (version 1) or `user_state.json` (version 2),
and the user is named after it unless the file says otherwise. A JSONL file has one object per user
and instance, with the instance under `id` or `instance_id`, the user under `user_id` or `user`,
the answers under `label_annotations`, `labels` or `annotation`. A table has the columns user and
instance_id, and one column `scheme:::option` per option.

Each scheme is a question. An option that is "true", or repeats its own name, is the answer; the
single value of a slider, number or text box is; several chosen options are joined by semicolons;
several values of one scheme are questions of their own, `scheme.row`. Spans are no answers. Pages
of the survey flow (ids that end in .html) are no items.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import TableError
from plausibly.io import read_json, read_records, read_rows, write_bytes
from plausibly.io.answers import merged
from plausibly.io.imported import Imported, check_names
from plausibly.io.layout import Role
from plausibly.io.missing import MISSING, Missing
from plausibly.io.rows import text_rows
from plausibly.ratings.expanding import Expansion, text_of
from plausibly.tables import ITEMS, RATINGS

INSTANCES = "annotated_instances.jsonl"
STATE = "user_state.json"
MARK = ":::"  # between a scheme and its option in the header of a table
TABLE: Mapping[str, Role] = {
    "user": "annotator",
    "user_id": "annotator",
    "instance_id": "item",
    "id": "item",
    "displayed_text": "item",
}
_TIME = re.compile(r"(\d+)d\s+(\d+)h\s+(\d+)m\s+(\d+)s")
_CHOSEN = ("true", "on")
_EMPTY = ("", "false")

Json = Mapping[str, Any]


def read_potato(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings, and items where texts are given, from a folder or a JSONL file."""
    check_names(names, form="potato")
    found = [_file(one) for one in _files(path)]
    whole = Expansion(path)
    for expansion in found:
        for (item, _), facts in expansion.items.items():
            whole.item(1, item, **facts)
    parts = [
        expansion.imported(missing, empty=True)
        for expansion in found
        if expansion.ratings or expansion.broken
    ]
    joined = merged(path, parts)
    ratings = RATINGS.sort(RATINGS.check(joined.ratings))
    return replace(joined, ratings=ratings, items=whole.items_table())


def is_potato(folder: Path) -> bool:
    """Return whether a folder is one of Potato's output."""
    return any(True for name in (INSTANCES, STATE) for _ in folder.rglob(name))


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    folders = sorted({p.parent for name in (INSTANCES, STATE) for p in path.rglob(name)})
    files = [
        next(folder / name for name in (INSTANCES, STATE) if (folder / name).is_file())
        for folder in folders
    ]
    if not files:
        raise TableError(
            f"{path}: no {INSTANCES} or {STATE} in it. Pass Potato's output_annotation_dir."
        )
    return files


def _file(path: Path) -> Expansion:
    found = Expansion(path)
    if path.name == STATE:
        for record in _state(path):
            _record(found, 1, record)
        return found
    if path.suffix.lower() in (".tsv", ".csv"):
        rows = text_rows(read_rows(path))
        found.broken.extend(rows.broken)
        lines = rows.locate(range(rows.frame.height))
        for line, cells in zip(lines, rows.frame.iter_rows(named=True), strict=True):
            _record(found, line, _of_cells(cells))
        found.cells = [*rows.frame.iter_rows(named=True)]
        found.roles = {name: _column_role(name) for name in rows.frame.columns}
        return found
    user = path.parent.name if path.name == INSTANCES else path.name.split(".")[0]
    for line, record in zip(*read_records(path), strict=True):
        _record(found, line, {"user_id": user, **record})
    return found


def _column_role(name: str) -> Role:
    """Return what a column of a table is."""
    return "answer" if MARK in name else TABLE.get(name, "ignored")


def _of_cells(cells: Json) -> Json:
    """Return the record of a row of a table."""
    labels: dict[str, dict[str, Any]] = {}
    for name, value in cells.items():
        scheme, mark, given = name.partition(MARK)
        if mark:
            labels.setdefault(scheme, {})[given] = value
    known = {name: value for name, value in cells.items() if MARK not in name}
    return {**known, "label_annotations": labels}


def _state(path: Path) -> Iterator[Json]:
    """Yield one record per instance of a user's state."""
    state = read_json(path)
    answers = state.get("instance_id_to_label_to_value") if isinstance(state, dict) else None
    if not isinstance(answers, dict):
        raise TableError(
            f"{path}: not a user's state of Potato: no key instance_id_to_label_to_value."
        )
    behaviour = state.get("instance_id_to_behavioral_data") or {}
    for instance, labels in answers.items():
        yield {
            "id": instance,
            "user_id": state.get("user_id") or path.parent.name,
            "labels": _paired(labels) if isinstance(labels, list) else labels,
            "behavioral_data": behaviour.get(instance),
        }


def _paired(pairs: list[Any]) -> dict[str, dict[str, Any]]:
    """Return {scheme: {option: value}} from the pairs in which version 2 stores it."""
    labels: dict[str, dict[str, Any]] = {}
    for label, value in (pair for pair in pairs if isinstance(pair, list) and len(pair) == 2):
        if isinstance(label, dict):
            labels.setdefault(label.get("schema", ""), {})[label.get("name", "")] = value
    return labels


def _record(found: Expansion, line: int, record: Json) -> None:
    instance = record.get("instance_id", record.get("id"))
    if instance is None:
        found.problem(line, "no id")
        return
    if text_of(instance).endswith(".html"):
        return
    keys = ("label_annotations", "labels", "annotation")
    labels = next((record[key] for key in keys if key in record), None)
    if not isinstance(labels, dict):
        found.problem(line, "no label_annotations")
        return
    user = text_of(record.get("user_id") or record.get("user") or "").split("&")[0]
    seconds = _seconds(record.get("behavioral_data"))
    item = text_of(instance)
    found.item(line, item, text=record.get("displayed_text"))
    found.tables["displayed_text"] = "items"
    found.roles.update({"id": "item", "displayed_text": "item", "user_id": "annotator"})
    found.roles.update({"seconds": "time", **dict.fromkeys(labels, "answer")})
    answers = {scheme: dict(_answers(scheme, options)) for scheme, options in labels.items()}
    shown = {scheme: ";".join(given.values()) or None for scheme, given in answers.items()}
    text = record.get("displayed_text")
    found.seen({"id": item, "displayed_text": text, "user_id": user, "seconds": seconds, **shown})
    for scheme, options in labels.items():
        for question, answer in _answers(scheme, options):
            cells = {"question": question, "answer": answer, "seconds": seconds}
            found.rating(line, item=item, annotator=user, **cells)


def _answers(scheme: str, options: object) -> Iterator[tuple[str, str]]:
    if (
        isinstance(options, dict)
        and set(options) == {"labels"}
        and isinstance(options["labels"], dict)
    ):
        options = options["labels"]
    if isinstance(options, list):
        options = {text_of(option): True for option in options}
    if not isinstance(options, dict):
        options = {"": options}
    given = {n: v for n, v in options.items() if v is not None and text_of(v).lower() not in _EMPTY}
    chosen = [name for name, value in given.items() if _is_chosen(name, value)]
    values = {name: value for name, value in given.items() if name not in chosen}
    if chosen:
        yield scheme, ";".join(chosen)
    if len(values) == 1 and not chosen:
        yield scheme, text_of(next(iter(values.values())))
    else:
        yield from ((f"{scheme}.{name}", text_of(value)) for name, value in values.items())


def _is_chosen(name: str, value: object) -> bool:
    """Return whether an option was ticked: "true", its own name, or "scheme:::name"."""
    written = text_of(value)
    return written.lower() in _CHOSEN or written.rpartition(":::")[2] == name


def _seconds(behaviour: object) -> float | None:
    if not isinstance(behaviour, dict):
        return None
    if isinstance(behaviour.get("total_time_ms"), int | float):
        return float(behaviour["total_time_ms"]) / 1000
    match = _TIME.search(str(behaviour.get("time_string", "")))
    if match is None:
        return None
    days, hours, minutes, seconds = map(int, match.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)


def write_potato(ratings: pl.DataFrame, path: Path, *, items: pl.DataFrame | None = None) -> None:
    """Write a JSONL file, one object per user and instance; answers become chosen options."""
    ratings = RATINGS.sort(RATINGS.check(ratings))
    texts = {} if items is None else dict(ITEMS.check(items).select("item", "text").iter_rows())
    records: dict[tuple[str, str], dict[str, Any]] = {}
    for row in ratings.iter_rows(named=True):
        record = records.setdefault(
            (row["item"], row["annotator"]),
            {
                "id": row["item"],
                "user_id": row["annotator"],
                "displayed_text": texts.get(row["item"], row["item"]),
                "label_annotations": {},
                "span_annotations": {},
                "behavioral_data": {},
            },
        )
        record["label_annotations"][row["question"]] = dict.fromkeys(
            row["answer"].split(";"), "true"
        )
        if row.get("seconds") is not None:
            record["behavioral_data"]["total_time_ms"] = row["seconds"] * 1000
    lines = [json.dumps(record, ensure_ascii=False) for record in records.values()]
    write_bytes(path, "".join(line + "\n" for line in lines).encode())
