"""Which columns of a Mechanical Turk batch hold an item, its facts and its answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from plausibly.errors import StudyError, option
from plausibly.io import Flaw, json_value
from plausibly.io.dialect import spelling
from plausibly.ratings.expanding import Expansion, text_of
from plausibly.ratings.headers import exact_word, word_in

INPUT, ANSWER = "Input.", "Answer."
TASK_ANSWERS = "Answer.taskAnswers"
NUMBERED = "{n}"
COMMENTS = ("Answer.comment", "Answer.comments", "Answer.feedback")
ITEM_COLUMNS = ("Input.item", "Input.id", "Input.item_id")
ITEM_FACTS = ("text", "condition", "kind", "expected", "start")

CHECK = "check"
TYPE = "Input.type"  # often says which HITs are gold
_GOLD = re.compile(r"\b(gold|check|attention|catch|control question|honeypot)\b", re.I)
_ID = re.compile(r"(^|[._])(id|nr|code|number|key)$")
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
    if NUMBERED in names.get("answer", ""):
        return _mapped_places(columns, names)
    if not {"item", "answer"} & {*names} and (several := _numbered_places(columns, names)):
        return several
    item = names.get("item") or _item_column(columns)
    facts = {f: names.get(f, INPUT + f) for f in ITEM_FACTS}
    if TYPE in columns and facts["kind"] not in columns:
        facts["kind"] = TYPE
    known = {f: column for f, column in facts.items() if column in columns and column != item}
    text = _text_column([c for c in _inputs(columns) if c not in {item, *known.values()}])
    described = {"text": text} if text and "text" not in known and item != "HITId" else {}
    return [SheetPlace(item, {**known, **described}, _questions(columns, names))]


def kind_of_type(value: str | None) -> str:
    """Return the kind of an item from its type: a check if it is gold.

    >>> kind_of_type("gold"), kind_of_type("target"), kind_of_type(None)
    ('check', 'item', 'item')
    """
    return CHECK if value is not None and _GOLD.search(value) else "item"


def _mapped_places(columns: list[str], names: Mapping[str, str]) -> list[SheetPlace]:
    """Return one place for each number that fits the columns as they are mapped."""
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


def _numbered_places(columns: list[str], names: Mapping[str, str]) -> list[SheetPlace]:
    """Return one place per number where inputs and questions have the same numbers, else none."""
    inputs = _by_number({column: (column,) for column in _inputs(columns)}, INPUT)
    asked = {f"{ANSWER}{name}": own for name, own in _questions(columns, names).items()}
    questions = _by_number(asked, ANSWER)
    numbers = next((own.keys() for own in questions.values() if len(own) > 1), None)
    if numbers is None or any(own.keys() != numbers for own in questions.values()):
        return []
    fitting = {stem: own for stem, own in inputs.items() if own.keys() == numbers}
    item = _item_column([f"{INPUT}{stem}" for stem in fitting]) if fitting else "HITId"
    stem = item.removeprefix(INPUT) if item != "HITId" else next(iter(fitting), None)
    if stem is None:
        return []
    others = {f"{INPUT}{one}": one for one in fitting if one != stem}
    facts = {fact: fact for fact in ITEM_FACTS if fact in others.values()}
    text = _text_column([*others])
    facts = ({"text": others[text]} if text else {}) | facts
    return [
        SheetPlace(
            item=fitting[stem][number][0],
            facts={fact: fitting[own][number][0] for fact, own in facts.items()},
            questions={name or "rating": own[number] for name, own in questions.items()},
        )
        for number in sorted(numbers)
    ]


def _by_number(
    columns: Mapping[str, tuple[str, ...]], start: str
) -> dict[str, dict[int, tuple[str, ...]]]:
    """Return the columns that are numbered: by their name without the number, then by it.

    >>> _by_number({"Input.s1": ("Input.s1",), "Input.s2": ("Input.s2",)}, "Input.")
    {'s': {1: ('Input.s1',), 2: ('Input.s2',)}}
    """
    numbered: dict[str, dict[int, tuple[str, ...]]] = {}
    for name, own in columns.items():
        match = re.fullmatch(r"(\D*)(\d+)(\D*)", name.removeprefix(start))
        if match:
            stem = f"{match[1].strip('._-')}{match[3]}".strip("._-")
            numbered.setdefault(stem, {})[int(match[2])] = own
    return numbered


def _inputs(columns: Sequence[str]) -> list[str]:
    return [column for column in columns if column.startswith(INPUT)]


def _item_column(columns: Sequence[str]) -> str:
    """Return the input that names the item: an id, else a sentence, else the only input."""
    inputs = _inputs(columns)
    named = [column for column in inputs if column in ITEM_COLUMNS]
    ids = [column for column in inputs if _ID.search(spelling(column))]
    texts = [column for column in inputs if _is_text(column)]
    for candidates in (named[:1], ids, texts, inputs):
        if len(candidates) == 1:
            return candidates[0]
    return "HITId"


def _text_column(inputs: Sequence[str]) -> str | None:
    texts = [column for column in inputs if _is_text(column)]
    return texts[0] if len(texts) == 1 else None


def _is_text(column: str) -> bool:
    name = column.removeprefix(INPUT)
    word = exact_word(name)
    return spelling(name) == "text" or (word is not None and word.role == "item")


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
    about = {question: word_in(question) for question in found}
    asked = {q: own for q, own in found.items() if (word := about[q]) is None or word.role == CHECK}
    return asked or found


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
