"""A model's answers to GITA's three tasks, read from a folder of per-sample files.

Every task is multiple choice by summed log-likelihood; a file holds one line per story. Three
formats are known, distinguished by their fields: the output of `ask` (all tasks and ways of asking
in one file), the trimmed one (`loglik` next to the story's fields) and the sample log of the
lm-evaluation-harness (`doc`, `filtered_resps`). To read another format, add a `SampleForm` to
`FORMS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.gita import ASKED, OPTIONS, TASKS
from plausibly.datasets.gita.scored import STORY_FIELDS, story_fields
from plausibly.datasets.gita.values import shown
from plausibly.domain import as_number
from plausibly.errors import Problem, TableError
from plausibly.io import Flaw, Rows, json_value, read_rows, read_text

ANSWERS = {
    **STORY_FIELDS,
    "answer": pl.String(),
    "best": pl.List(pl.String()),
    "tied": pl.Int64(),
    "logged": pl.Float64(),
}

_STRUCTURED = frozenset(
    {"doc", "filtered_resps", "arguments", "loglik", "options", "official_acc", "acc"}
    | {"row", "sentences", "plausible", "breakpoint", "confl_sents", "scores"}
)
UNREADABLE = "none"

Cells = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of one model: a table per task, and notes on the files.

    Args:
        tasks: Per task the story's fields; `best`, the options with the highest log-likelihood;
            `tied`, how many there are; `answer`, the first of them; and `logged`, the accuracy
            stated in the file.
        notes: What is missing, and which of several files was used.
    """

    tasks: Mapping[str, pl.DataFrame]
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class SampleForm:
    """One format of sample file.

    Args:
        name: Its name in messages.
        needs: Fields that identify the format.
        doc: Returns the story's fields of a line.
        logliks: Returns the log-likelihood of each option of a line, in order.
        options: Returns the options of a line, if it names them.
        logged: Field with the accuracy stated in the file.
    """

    name: str
    needs: tuple[str, ...]
    doc: Callable[[Cells], Cells]
    logliks: Callable[[Cells], Sequence[object]]
    options: Callable[[Cells], Sequence[str]]
    logged: str


def _harness_options(cells: Cells) -> list[str]:
    """Return the options a document names, or else the requested continuations."""
    doc = cells.get("doc")
    named = doc.get("options") if isinstance(doc, dict) else None
    if isinstance(named, list):
        return [str(option) for option in named]
    parts = [_members(pair) for pair in _members(cells.get("arguments"))]
    return [str(part[1]).strip().lower() for part in parts if len(part) > 1]


def _members(value: object) -> list[object]:
    """Return the members of a list or an object; other values have none."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


TRIMMED = SampleForm(
    "trimmed",
    ("loglik",),
    lambda cells: cells,
    lambda cells: cells.get("loglik") or [],
    lambda cells: [str(option) for option in _members(cells.get("options"))],
    "official_acc",
)
HARNESS = SampleForm(
    "lm-evaluation-harness",
    ("doc", "filtered_resps"),
    lambda cells: cells["doc"] if isinstance(cells.get("doc"), dict) else {},
    lambda cells: cells.get("filtered_resps") or [],
    _harness_options,
    "acc",
)


def _decisive(cells: Cells) -> Sequence[object]:
    """Return the scores that decided an asked model's answer; none if the model wrote it."""
    decided, scores = cells.get("decided_by"), cells.get("scores")
    if decided == "none":
        return cells.get("loglik") or []
    return scores.get(str(decided)) or [] if isinstance(scores, dict) else []


WRITTEN = SampleForm(
    "ask",
    ("decided_by", "shot_set"),
    lambda cells: cells,
    _decisive,
    lambda cells: [str(option) for option in _members(cells.get("options"))],
    "logged",
)
FORMS = (WRITTEN, TRIMMED, HARNESS)


def read_ways(folder: Path) -> dict[str, Answers] | None:
    """Return the output of `ask` in a folder, by prompt and examples; None if there is none.

    Logs of the lm-evaluation-harness from an exported folder are read, too.

    Raises:
        TableError: If a line cannot be used, or no line is about GITA's tasks.
    """
    path = folder / ASKED
    if not path.is_file():
        return _exported_ways(folder)
    rows = read_rows(path)
    missing = [
        name for name in (*WRITTEN.needs, "task", "prompt") if name not in rows.frame.columns
    ]
    if missing:
        raise TableError(f"{path}: no field {missing[0]!r}. Expected the output of `ask`.")
    ways: dict[str, dict[str, list[dict[str, object]]]] = {}
    problems: list[Problem] = []
    for number, cells in enumerate(rows.frame.iter_rows(named=True)):
        task = cells["task"]
        if task not in TASKS:
            continue
        row = _answer({n: _value(n, cell) for n, cell in cells.items()}, WRITTEN, str(task))
        if isinstance(row, str):
            problems.append(Problem(number, row))
        else:
            way = ways.setdefault(f"{cells['prompt']}/{cells['shot_set']}", {})
            way.setdefault(str(task), []).append(row)
    rows.reject(problems)
    if not ways:
        raise TableError(f"{path}: no answers to GITA's tasks ({', '.join(TASKS)}).")
    gated = _gated_tasks(folder)
    for tasks in ways.values():
        for task in gated:
            tasks.setdefault(task, [])
    return {name: _answers_of(tasks) for name, tasks in sorted(ways.items())}


def _gated_tasks(folder: Path) -> list[str]:
    """Return the tasks that were only asked about stories an earlier one got right."""
    chosen = _in_manifest(folder, "parameters")
    if not isinstance(chosen, dict) or not (chosen.get("gated") or chosen.get("protocol")):
        return []
    named = str(chosen["tasks"]).split(",") if chosen.get("tasks") else list(TASKS)
    asked = [task for task in TASKS if task in {name.strip() for name in named}]
    return asked[1:]


def made_for(folder: Path) -> tuple[str, ...]:
    """Return the languages the model was made for, if `ask` wrote the folder and knew them."""
    model = _in_manifest(folder, "model")
    languages = model.get("made_for") if isinstance(model, dict) else None
    return tuple(map(str, languages)) if isinstance(languages, list) else ()


def _in_manifest(folder: Path, name: str) -> object:
    path = folder / "manifest.json"
    document = json_value(read_text(path)) if path.is_file() else None
    return document.get(name) if isinstance(document, dict) else None


def _exported_ways(folder: Path) -> dict[str, Answers] | None:
    """Return the harness's logs of tasks we exported; the last of several runs counts."""
    ways: dict[str, dict[str, list[dict[str, object]]]] = {}
    for path in _logs(folder, ""):
        rows = read_rows(path)
        if not all(name in rows.frame.columns for name in HARNESS.needs):
            return None
        parsed: list[dict[str, object]] = []
        problems: list[Problem] = []
        way = task = ""
        for number, cells in enumerate(rows.frame.iter_rows(named=True)):
            values = {name: _value(name, cell) for name, cell in cells.items()}
            doc = HARNESS.doc(values)
            way, task = f"{doc.get('prompt')}/{doc.get('shot_set')}", str(doc.get("task"))
            if "prompt" not in doc or task not in TASKS:
                return None
            row = _answer(values, HARNESS, task)
            problems += [Problem(number, row)] if isinstance(row, str) else []
            parsed += [] if isinstance(row, str) else [row]
        rows.reject(problems)
        ways.setdefault(way, {})[task] = parsed
    return {name: _answers_of(tasks) for name, tasks in sorted(ways.items())} or None


def _logs(folder: Path, task: str) -> list[Path]:
    """Return the harness's sample logs by name, the oldest first.

    The harness writes into a subfolder named after the model.
    """
    name = f"samples_*{task}*" if task else "samples_*"
    kinds = [f"{name}.jsonl", f"{name}.jsonl.gz"]
    logs = [path for kind in kinds for path in folder.glob(kind)]
    logs = logs or [path for kind in kinds for path in folder.glob(f"*/{kind}")]
    models = sorted({path.parent.name for path in logs})
    if len(models) > 1:
        raise TableError(f"{folder}: answers of {len(models)} models. Name one: {models[0]}, …")
    return sorted(logs)


def _answers_of(tasks: Mapping[str, list[dict[str, object]]]) -> Answers:
    frames = {
        task: pl.DataFrame(tasks[task], schema=dict(ANSWERS), orient="row")
        for task in TASKS
        if task in tasks
    }
    absent = [task for task in TASKS if task not in tasks]
    return Answers(
        frames, tuple(f"no answers for {t}: scores that need it are null." for t in absent)
    )


def read_answers(folder: Path) -> Answers:
    """Return the answers of the three tasks; a task without a file is left out with a note.

    Raises:
        TableError: If no task has a file, or a line cannot be used.
    """
    if not folder.is_dir():
        raise TableError(f"{folder}: no such folder. Expected {', '.join(TASKS)} as .jsonl[.gz].")
    tasks: dict[str, pl.DataFrame] = {}
    notes: list[str] = []
    for task in TASKS:
        files = _files(folder, task)
        if not files:
            notes.append(f"no file for {task}: scores that need it are null.")
            continue
        if len(files) > 1:
            notes.append(f"{len(files)} files for {task}: used the last by name, {files[-1].name}.")
        tasks[task] = read_task(files[-1], task)
    if not tasks:
        raise TableError(
            f"{folder}: no answers. Expected {', '.join(f'{task}.jsonl[.gz]' for task in TASKS)}, "
            f"or samples_TASK_*.jsonl of the lm-evaluation-harness."
        )
    return Answers(tasks, tuple(notes))


def _files(folder: Path, task: str) -> list[Path]:
    """Return the task's file, or else its sample logs by name, the oldest first."""
    own = [folder / f"{task}.jsonl", folder / f"{task}.jsonl.gz"]
    present = [path for path in own if path.is_file()]
    return present or _logs(folder, task)


def read_task(path: Path, task: str) -> pl.DataFrame:
    """Return the answers of one task's file, one row per line."""
    rows = read_rows(path)
    if rows.frame.height == 0:
        rows.reject([])
        return pl.DataFrame(schema=ANSWERS)
    form = next((f for f in FORMS if all(name in rows.frame.columns for name in f.needs)), None)
    if form is None:
        known = "; ".join(f"{f.name}: {', '.join(f.needs)}" for f in FORMS)
        raise TableError(f"{path}: not a sample file. Expected the fields of one format ({known}).")
    return _table(rows, ANSWERS, lambda cells: _answer(cells, form, task))


def _table(
    rows: Rows,
    schema: Mapping[str, pl.DataType],
    parse: Callable[[Cells], dict[str, object] | str],
) -> pl.DataFrame:
    parsed: list[dict[str, object]] = []
    problems: list[Problem] = []
    for number, cells in enumerate(rows.frame.iter_rows(named=True)):
        found = parse({name: _value(name, cell) for name, cell in cells.items()})
        if isinstance(found, str):
            problems.append(Problem(number, found))
        else:
            parsed.append(found)
    rows.reject(problems)
    return pl.DataFrame(parsed, schema=dict(schema), orient="row")


def _value(name: str, cell: object) -> object:
    """Return the value of a cell; text fields stay text."""
    if name not in _STRUCTURED or not isinstance(cell, str):
        return cell
    value = json_value(cell)
    return cell if isinstance(value, Flaw) else value


def _answer(cells: Cells, form: SampleForm, task: str) -> dict[str, object] | str:
    """Return the row of one line, or its problem."""
    story = story_fields(form.doc(cells))
    if isinstance(story, str):
        return story
    if form is WRITTEN and cells.get("decided_by") == "text":
        return {**story, **_written(cells, task)}
    given = form.logliks(cells)
    logliks = [_loglik(value) for value in given] if isinstance(given, list) else []
    known = [number for number in logliks if number is not None]
    options = tuple(form.options(cells)) or OPTIONS[task]
    if sorted(options) != sorted(OPTIONS[task]):
        return f"options {shown(list(options))} are not those of {task}"
    if len(known) != len(options):
        return f"{len(known)} log-likelihoods, {task} has {len(options)} options"
    highest = max(known)
    best = [option for option, number in zip(options, known, strict=True) if number == highest]
    logged = _loglik(cells.get(form.logged))
    return {**story, "answer": best[0], "best": best, "tied": len(best), "logged": logged}


def _written(cells: Cells, task: str) -> dict[str, object]:
    """Return the answer a model wrote; if it is not an option, it is unread and has no best."""
    answer = cells.get("answer")
    best = [answer] if answer in OPTIONS[task] else []
    said = best[0] if best else UNREADABLE
    return {"answer": said, "best": best, "tied": len(best), "logged": None}


def _loglik(value: object) -> float | None:
    """Return the number of `-1.5`, `"-1.5"` or `[["-1.5", "False"]]`; None if there is none."""
    while isinstance(value, list):
        value = value[0] if value else None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if -inf <= number < inf else None


def read_sample_lines(path: Path) -> pl.DataFrame:
    """Return the lines of one task's file unchanged, nested fields as JSON text."""
    rows = read_rows(path)
    rows.reject([])
    return rows.frame


def read_metrics(path: Path) -> dict[str, float]:
    """Return the metrics printed by the authors' script: the last cell of each row, by name."""
    cells = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in read_text(path).splitlines()
    ]
    numbers = {row[0]: as_number(row[-1]) for row in cells if len(row) > 1}
    return {name: number for name, number in numbers.items() if number is not None}
