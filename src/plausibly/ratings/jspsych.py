"""The data of jsPsych, as CSV or JSON, and the result files of JATOS with one run per line.

The item is the column `item` (or `item_id`, `stimulus_id`, …); where sliders, Likert scales and
choices are the only trials with a response, it may be the stimulus itself, or the name of a
question that is asked once. `--columns item=COLUMN`
names another. The answer is `response`; a page of several questions holds one answer for each. The
person is `PROLIFIC_PID`, `participant`, `subject` or the like, else the number of the run.

`rt` becomes `seconds`, `trial_index` the `order`. Practice trials, trials without an item and
trials without a response are counted and left out; trials that check attention are kept as checks.
A second run of a person is stored as a retest.
Answers to `survey-text` are comments of the person.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import TableError
from plausibly.io import Flaw, json_value, read_bytes, read_rows, text_rows
from plausibly.io.choices import dropping, noting
from plausibly.io.decoding import as_utf8
from plausibly.io.imported import QUESTION, Imported, check_names
from plausibly.io.layout import Role
from plausibly.io.missing import MISSING, Missing
from plausibly.io.opening import kind_of
from plausibly.ratings.expanding import Expansion, annotators_table, text_of
from plausibly.ratings.trials import (
    check_columns,
    field_roles,
    is_check,
    is_practice,
    item_column,
    named,
    no_item,
    person_column,
    without_tags,
)

MAPPED = ("item", "annotator", "question", "answer", "text", "condition")
ROLES: Mapping[str, Role] = {
    "rt": "time",
    "time_elapsed": "time",
    "trial_index": "order",
    "response": "answer",
    "responses": "answer",
    "button_pressed": "answer",
    "stimulus": "item",
}
ANSWERS = ("response", "responses", "button_pressed", "key_press")
# Trials whose response can only be a rating; buttons and keys also turn pages.
SURE = ("slider-response", "survey-likert", "survey-multi-choice", "survey-multi-select")
STIMULUS, WRITTEN = "stimulus", "survey-text"
PAGE = ""  # the name of no column: each question of a page is an item

Trial = Mapping[str, Any]


def read_jspsych(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings, items and annotators from the trials of one or several runs."""
    check_names(names, form="jspsych", known=MAPPED)
    runs = _runs(path)
    columns = [*dict.fromkeys(name for run in runs for _, trial in run for name in trial)]
    who = named(names, "annotator", columns, path) or person_column(columns)
    others = [name for name in columns if name != STIMULUS]
    what = named(names, "item", columns, path) or item_column(others) or _stimulus(runs, columns)
    if what is None and not _are_pages(runs):
        raise no_item(path, columns)
    found = Expansion(path, roles=field_roles(columns, ROLES))
    found.roles |= dict.fromkeys(check_columns(trial for run in runs for _, trial in run), "check")
    found.roles.update({what: "item"} if what else {})
    found.roles.update({who: "annotator"} if who else {})
    facts = [names.get("text", STIMULUS), names.get("condition", "condition")]
    found.tables = {name: "items" for name in facts if name in columns and name != what}
    used = {what, who, names.get("answer"), names.get("question", "question"), "rt", "trial_index"}
    found.unstored = {*columns} - {*used, *ANSWERS, *found.tables}
    comments: dict[str, dict[str, Any]] = {}
    people = Counter(_person(run, who, number) for number, run in enumerate(runs, start=1))
    for number, run in enumerate(runs, start=1):
        person = _person(run, who, number)
        again = {"run": str(number)} if person and people[person] > 1 else {}
        for line, trial in run:
            found.seen(trial)
            own = text_of(trial[who]) if who and trial.get(who) is not None else person
            if own is None:
                found.problem(line, f"no {who}")
            else:
                _trial(found, line, trial, {**names, "item": what or PAGE, **again}, own, comments)
    imported = found.imported(missing)
    of_people = {name: comments.get(name, {}) for name in imported.ratings["annotator"].unique()}
    schema = {"comment": pl.String()} if comments else {}
    return replace(imported, annotators=annotators_table(of_people, schema))


def _stimulus(runs: Sequence[Sequence[tuple[int, Trial]]], columns: Sequence[str]) -> str | None:
    """Return the column of the stimulus, if every trial with a response must be a rating."""
    answered = [
        str(trial.get("trial_type"))
        for run in runs
        for _, trial in run
        if _response(trial) is not None and WRITTEN not in str(trial.get("trial_type"))
    ]
    sure = answered and all(any(kind.endswith(one) for one in SURE) for kind in answered)
    return STIMULUS if sure and STIMULUS in columns else None


def _are_pages(runs: Sequence[Sequence[tuple[int, Trial]]]) -> bool:
    """Return whether each question on pages of questions is asked once, so that it is the item."""
    asked = 0
    for run in runs:
        pages = [_questions(trial.get("response")) for _, trial in run if _is_page(trial)]
        names = [name for page in pages for name in page]
        asked += len(names)
        if len({*names}) < len(names):
            return False
    return asked > 1


def _is_page(trial: Trial) -> bool:
    kind = str(trial.get("trial_type"))
    return any(kind.endswith(one) for one in SURE[1:]) and _response(trial) is not None


def _runs(path: Path) -> list[list[tuple[int, Trial]]]:
    """Return the trials of each run, each with its line."""
    content = as_utf8(path, read_bytes(path))
    text = content.decode(errors="replace").lstrip("\ufeff")
    if text.lstrip()[:1] not in ("[", "{"):
        if kind_of(path, content) not in (".csv", ".tsv", ".txt", ".xlsx", ".parquet"):
            raise TableError(f"{path}: expected a table, or JSON as jsPsych writes it.")
        rows = text_rows(read_rows(path))
        rows.reject([])
        lines = rows.locate(range(rows.frame.height))
        return [list(zip(lines, rows.frame.iter_rows(named=True), strict=True))]
    runs = [_trials(line, value) for line, value in _values(path, text)]
    if len(runs) > 1:
        noting(tool="JATOS", evidence=f"{len(runs)} results of jsPsych, one after the other")
    whole = [run for run in _of_trials(runs) if run]
    single = [trial for run in whole if len(run) == 1 for trial in run]
    return [single] if len(single) == len(whole) and len(whole) > 1 else whole


def _of_trials(runs: list[list[tuple[int, Trial]]]) -> list[list[tuple[int, Trial]]]:
    """Return the runs without results that are not trials, such as those of a consent page."""
    trials = [[one for one in run if "trial_type" in one[1]] for run in runs]
    others = sum(map(len, runs)) - sum(map(len, trials))
    if not any(trials) or not others:
        return runs
    dropping("results that are not trials", others)
    return trials


def _values(path: Path, text: str) -> Iterator[tuple[int, Any]]:
    """Yield every JSON value of a text and its line; JATOS writes one after the other."""
    decoder, place, line, counted = json.JSONDecoder(), 0, 1, 0
    while True:
        while place < len(text) and text[place] in " \t\r\n,":
            place += 1
        line, counted = line + text.count("\n", counted, place), place
        if place >= len(text):
            return
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise TableError(f"{path}:{line}: not JSON ({error}). Nothing was written.") from error
        yield line, value


def _trials(line: int, value: Any) -> list[tuple[int, Trial]]:
    if isinstance(value, dict):
        inner = next((value[key] for key in ("data", "trials") if key in value), None)
        return _trials(line, inner) if isinstance(inner, list) else [(line, value)]
    return (
        [trial for one in value for trial in _trials(line, one)] if isinstance(value, list) else []
    )


def _person(run: Sequence[tuple[int, Trial]], who: str | None, number: int) -> str | None:
    """Return the person of a run, who may be named in one trial alone; None for several."""
    if who is None:
        return str(number)
    people = [*dict.fromkeys(trial[who] for _, trial in run if trial.get(who) is not None)]
    if len(people) > 1:
        return None
    return text_of(people[0]) if people else str(number)


def _trial(
    found: Expansion,
    line: int,
    trial: Trial,
    names: Mapping[str, str],
    person: str,
    comments: dict[str, dict[str, Any]],
) -> None:
    kind, item = str(trial.get("trial_type")), trial.get(names["item"])
    response = trial.get(names["answer"]) if "answer" in names else _response(trial)
    if kind.endswith(WRITTEN) and response is not None:
        said = [text_of(one) for one in _questions(response).values() if one not in (None, "")]
        before = comments.get(person, {}).get("comment")
        comments[person] = {"comment": " / ".join([*([before] if before else []), *said]) or None}
        return
    if names["item"] == PAGE and _is_page(trial):
        for name, answer in _questions(response).items():
            _rate(found, line, {**trial, "question": None}, names, (person, name, answer))
    elif item is None or text_of(item).strip() == "":
        dropping("trials without an item", 1)
    elif is_practice(trial):
        dropping("practice trials", 1)
    elif response is None or text_of(response).strip() in ("", "null", '""'):
        dropping("trials without a response", 1)
    else:
        _rate(found, line, trial, names, (person, without_tags(text_of(item)), response))


def _rate(
    found: Expansion,
    line: int,
    trial: Trial,
    names: Mapping[str, str],
    rating: tuple[str, str, Any],
) -> None:
    """Add the ratings of one trial: person, item, and a response to one or several questions."""
    person, item, response = rating
    found.examples.append(trial)
    kind = "check" if is_check(trial) else "item"
    text = trial.get(names.get("text", STIMULUS))
    condition = trial.get(names.get("condition", "condition"))
    shown = without_tags(text) if isinstance(text, str) and text.strip() else None
    found.item(line, item, text=shown, condition=condition, kind=kind)
    answers = _questions(response)
    asked = trial.get(names.get("question", "question"))
    rt = trial.get("rt")
    for question, answer in answers.items():
        if answer is None:
            continue
        alone = text_of(asked) if asked is not None else QUESTION
        found.rating(
            line,
            item=item,
            annotator=person,
            question=alone if len(answers) == 1 else question,
            answer=text_of(answer),
            seconds=_seconds(rt),
            order=trial.get("trial_index"),
            kind=kind,
            batch=names.get("run"),
        )


def _response(trial: Trial) -> Any:
    return next((trial[key] for key in ANSWERS if trial.get(key) not in (None, "", "null")), None)


def _questions(response: Any) -> dict[str, Any]:
    """Return the answers of a response by question; one answer alone has no name."""
    if isinstance(response, str) and response[:1] == "{":
        value = json_value(response)
        response = response if isinstance(value, Flaw) else value
    if isinstance(response, dict):
        return {
            name: ";".join(map(text_of, one)) if isinstance(one, list) else one
            for name, one in response.items()
        }
    return {QUESTION: response}


def _seconds(rt: Any) -> float | None:
    try:
        return None if rt is None else float(rt) / 1000
    except (TypeError, ValueError):
        return None
