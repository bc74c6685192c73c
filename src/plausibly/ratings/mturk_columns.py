"""Which columns of a Mechanical Turk batch hold an item, its facts and its answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plausibly.errors import StudyError, option
from plausibly.io import Flaw, json_value
from plausibly.ratings.expanding import Expansion, text_of

INPUT, ANSWER = "Input.", "Answer."
TASK_ANSWERS = "Answer.taskAnswers"
NUMBERED = "{n}"
COMMENTS = ("Answer.comment", "Answer.comments", "Answer.feedback")
ITEM_COLUMNS = ("Input.item", "Input.id", "Input.item_id")
ITEM_FACTS = ("text", "condition", "kind", "expected", "start")

_TRUTH = {"true": True, "on": True, "false": False, "off": False}

Record = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """Where in a row the parts of one item stand."""

    item: str
    facts: Mapping[str, str]
    questions: Mapping[str, tuple[str, ...]]


def places_of(columns: list[str], names: Mapping[str, str]) -> list[SheetPlace]:
    """Return where items stand: one place, or one per number where columns are numbered."""
    if NUMBERED not in names.get("answer", ""):
        item = names.get("item") or _item_column(columns)
        facts = {f: names.get(f, INPUT + f) for f in ITEM_FACTS}
        known = {f: column for f, column in facts.items() if column in columns}
        return [SheetPlace(item, known, _questions(columns, names))]
    pattern = re.escape(names["answer"]).replace(re.escape(NUMBERED), r"(\d+)")
    numbers = [m.group(1) for c in columns if (m := re.fullmatch(pattern, c))]
    if not numbers or NUMBERED not in names.get("item", ""):
        raise StudyError(
            f"{option('columns')}: answer={names['answer']} fits no column, or item has no {{n}}. "
            "Number both: item=Input.id{n} and answer=Answer.rating{n}."
        )
    question = names["answer"].removeprefix(ANSWER).replace(NUMBERED, "").strip("._-") or "rating"
    return [
        SheetPlace(
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


def answers_of(
    place: SheetPlace, record: Record, found: Expansion, line: int
) -> Iterator[tuple[str, str]]:
    """Yield question and answer of what one place of a row holds."""
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
    written = json_value(cell)
    if isinstance(written, Flaw):
        found.problem(line, f"{TASK_ANSWERS}: {written.message}")
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
