"""Which columns of a survey's export are items, and which say something about the response."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import polars as pl

from plausibly.errors import TableError, option
from plausibly.io.duplicates import ROW_NAMES
from plausibly.io.layout import Role
from plausibly.io.missing import MISSING
from plausibly.ratings.grids import in_grids, whole_grids
from plausibly.ratings.headers import exact_word, word_in
from plausibly.ratings.tool_columns import (
    GOOGLE_FORMS,
    LIMESURVEY,
    PERSON,
    RESPONSE_IDS,
    SIGNED_IN,
    SOSCI,
    SOSCI_CASE,
    WHO,
    bare_name,
    question_times,
    tool_role,
)

MOST_OPTIONS = 25
FEWEST_ITEMS = 2
FEWEST_ALIKE = 3
MOST_POINTS = 11
SHOWN = 3
_NUMBERED = {LIMESURVEY: RESPONSE_IDS, SOSCI: (SOSCI_CASE,)}  # the columns of responses
_PROLIFIC_ID = r"^\s*[0-9a-f]{24}\s*$"


@dataclass(frozen=True, slots=True)
class Columns:
    """What each column of a wide table is.

    Args:
        items: Columns that hold answers, in the order of the file; those of checks too.
        annotator: The column that says whose row it is, None for the number of the row.
        of_person: From our column (started, submitted, seconds) to the file's.
        left: Columns that were taken neither for items nor for what a tool adds.
        proposal: How `columns` would name items of this file, where they were guessed.
        checks: The columns among `items` that check attention.
        roles: From every column to its role.
        signed_in: Whether `annotator` holds mail addresses, which are not stored: people go by the
            number of their first row.
    """

    items: list[str]
    annotator: str | None
    of_person: Mapping[str, str]
    left: tuple[str, ...]
    proposal: str = ""
    checks: tuple[str, ...] = ()
    roles: Mapping[str, Role] = field(default_factory=dict)
    signed_in: bool = False

    @property
    def comments(self) -> list[str]:
        """The columns in which people wrote what they wanted."""
        return [name for name, role in self.roles.items() if role == "comment"]

    def sentence(self, path: Path) -> str:
        """Return a sentence about the columns of items and of annotators."""
        items = [name for name in self.items if name not in self.checks]
        ends = items if len(items) < 4 else [items[0], "…", items[-1]]
        who = f"column {self.annotator}" if self.annotator else "the number of the row"
        if self.signed_in:
            who = f"the number of their first row (column {self.annotator} is not stored)"
        checks = f" Checks: {', '.join(self.checks)}." if self.checks else ""
        others = [name for name in self.left if self.roles.get(name) != "comment"]
        left = f" Left out: {', '.join(others)}." if others else ""
        choose = f" To choose others, map their columns, as in {self.proposal}."
        return (
            f"{path}: {len(items)} columns are items ({', '.join(ends)}), people are named by "
            f"{who}.{checks}{left}{choose if self.proposal else ''}"
        )


@dataclass(frozen=True, slots=True)
class SurveyFacts:
    """What a survey tool says about the columns of its export.

    Args:
        questions: The columns that are questions, where the file says so; no other is an item.
        labels: From a column to the text of its question.
        tool: The name of the tool, None if unknown.
    """

    questions: Collection[str] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    tool: str | None = None


UNKNOWN = SurveyFacts()


def chosen_columns(
    frame: pl.DataFrame, names: Mapping[str, str], path: Path, *, asked: SurveyFacts = UNKNOWN
) -> Columns:
    """Return what each column is, as mapped in `names` or else guessed.

    Args:
        frame: The rows of people.
        names: From our column to the file's.
        path: The file, for messages.
        asked: What the survey tool says about the columns.
    """
    columns = frame.columns
    strangers = [c for ours, c in names.items() if ours != "item" and c not in columns]
    if strangers:
        raise TableError(f"{path}: no column {strangers[0]!r}. Columns found: {_listed(columns)}.")
    spelled = {bare_name(name): name for name in reversed(columns)}
    annotator = names.get("annotator") or _annotator(frame, spelled, asked)
    person = {
        ours: names.get(ours) or next((spelled[word] for word in words if word in spelled), None)
        for ours, words in PERSON.items()
    }
    known = {ours: theirs for ours, theirs in person.items() if theirs is not None}
    timed = question_times(columns) if asked.tool == LIMESURVEY else set()
    free = frame.select(c for c in columns if c not in {annotator, *known.values(), *timed})
    checks: list[str] = []
    proposal = ""
    if "item" in names:
        patterns = [part.strip() for part in names["item"].split(",") if part.strip()]
        items, left = _named_items(free.columns, patterns, path, asked)
    else:
        items, checks, left = _guessed_items(free, path, asked)
        proposal = "" if checks else _proposal(items, free.columns, asked)
    chosen: dict[str, Role] = {
        **dict.fromkeys((*known.values(), *timed), "time"),
        **dict.fromkeys(items, "item"),
        **dict.fromkeys(checks, "check"),
    }
    if annotator is not None:
        chosen[annotator] = "annotator"
    roles = {name: chosen.get(name) or _role(name, asked) for name in columns}
    both = [name for name in columns if name in {*items, *checks}]
    signed_in = "annotator" not in names and bare_name(annotator or "") in SIGNED_IN
    return Columns(both, annotator, known, tuple(left), proposal, tuple(checks), roles, signed_in)


def _annotator(frame: pl.DataFrame, spelled: Mapping[str, str], asked: SurveyFacts) -> str | None:
    """Return the column that names people, None if there is none."""
    known = [spelled[word] for word in WHO if word in spelled]
    known = [name for name in known if frame[name].null_count() < frame.height]
    asked_for = [
        name
        for name in frame.columns
        if "prolific" in f"{name} {asked.labels.get(name, '')}".casefold()
        and frame[name].drop_nulls().str.contains(_PROLIFIC_ID).all()
        and frame[name].null_count() < frame.height
    ]
    if asked_for:
        return asked_for[0]
    if known:
        return known[0]
    if asked.tool in _NUMBERED:
        return next((spelled[word] for word in _NUMBERED[asked.tool] if word in spelled), None)
    for name in frame.columns:
        word = exact_word(name)
        if word is not None and word.role == "annotator" and _names_people(frame[name]):
            return name
    if asked.tool == GOOGLE_FORMS:
        mails = [spelled[word] for word in SIGNED_IN if word in spelled]
        return next((name for name in mails if frame[name].null_count() == 0), None)
    return None


def _names_people(cells: pl.Series) -> bool:
    """Return whether every row has a name, and most rows one of their own: few respond twice."""
    return cells.null_count() == 0 and 2 * cells.n_unique() > len(cells)


def _role(name: str, asked: SurveyFacts) -> Role:
    """Return the role of a column that is neither an item nor says whose row it is."""
    role = tool_role(name)
    if role is not None:
        return role
    word = _word(name, asked)
    return "ignored" if word is None else word


def _word(name: str, asked: SurveyFacts) -> Role | None:
    """Return what the header of a column, or else its label, says that it is."""
    word = word_in(name) or word_in(asked.labels.get(name, ""))
    return None if word is None else word.role


def _named_items(
    columns: Sequence[str], patterns: Sequence[str], path: Path, asked: SurveyFacts
) -> tuple[list[str], list[str]]:
    """Return the items that names and patterns choose, and what they match that is not an item."""
    if not patterns:
        raise TableError(f"{path}: no item is named. Columns found: {_listed(columns)}.")
    chosen: set[str] = set()
    others: set[str] = set()
    for pattern in patterns:
        matches = _matches(columns, pattern)
        questions = _questions(matches, pattern, asked)
        if not matches:
            raise TableError(f"{path}: no column {pattern!r}. Columns found: {_listed(columns)}.")
        if not questions:
            raise TableError(
                f"{path}: {matches[0]!r} is not a question: its import id does not begin with "
                f"QID. Questions: {_listed([c for c in columns if c in (asked.questions or ())])}."
            )
        chosen.update(questions)
        others.update(matches)
    return [c for c in columns if c in chosen], [c for c in columns if c in others - chosen]


def _matches(columns: Sequence[str], pattern: str) -> list[str]:
    return [pattern] if pattern in columns else [c for c in columns if fnmatchcase(c, pattern)]


def _questions(matches: Sequence[str], pattern: str, asked: SurveyFacts) -> list[str]:
    """Return what may be an item: a pattern takes what a tool adds only where it fits no other.

    Nor does it take a comment box.
    """
    questions = [c for c in matches if asked.questions is None or c in asked.questions]
    others = [c for c in questions if tool_role(c) is None and _word(c, asked) != "comment"]
    return [c for c in questions if c == pattern or c in others] or questions


def _proposal(items: Sequence[str], columns: Sequence[str], asked: SurveyFacts) -> str:
    """Return how to name all items by one pattern, or else the first ones.

    It chooses these columns and no others.
    """
    start = f"{_literal(_shared_start(items))}*"
    if _questions(_matches(columns, start), start, asked) == items and len(start) > 1:
        return f"item={start}"
    names = {item: _literal(item.strip()) for item in items}
    sure = [p for item, p in names.items() if _matches(columns, p) == [item]]
    return f"item={','.join(sure[:SHOWN]) or 'NAME'}"


def _guessed_items(
    frame: pl.DataFrame, path: Path, asked: SurveyFacts
) -> tuple[list[str], list[str], list[str]]:
    """Return the columns that look like items, those of checks, and others no tool adds."""
    free = [c for c in frame.columns if tool_role(c) is None and c not in ROW_NAMES]
    questions = free if asked.questions is None else [c for c in free if c in asked.questions]
    closed = [c for c in questions if is_closed(frame[c])]
    wordless = [c for c in closed if _word(c, asked) is None]
    items = whole_grids(wordless, _on_one_scale(frame, wordless), asked.labels)
    items = _of_grids(frame, items, asked.labels)
    checks = [c for c in closed if _word(c, asked) == "check"]
    if not items:
        raise TableError(
            f"{path}: no column looks like an item. Name them with {option('columns')} "
            f"(item=NAME,NAME). Columns found: {_listed(frame.columns)}."
        )
    return items, checks, [c for c in free if c not in {*items, *checks}]


def _of_grids(frame: pl.DataFrame, items: list[str], labels: Mapping[str, str]) -> list[str]:
    """Return the items without what is asked outside the matrices that hold most of them.

    Another column stays if it has several answers, all of which occur in the matrices.
    """
    inside = in_grids(items, labels, fewest=FEWEST_ALIKE)
    if 2 * len(inside) < len(items):
        return items
    answers = {c: {*frame[c].drop_nulls().str.strip_chars()} for c in items}
    shared = {answer for c in inside for answer in answers[c]}
    return [c for c in items if c in inside or (len(answers[c]) > 1 and answers[c] <= shared)]


def _on_one_scale(frame: pl.DataFrame, columns: list[str]) -> list[str]:
    """Return the columns answered like most others; a fact about the person often is not.

    Where numbers are the rule, a few columns of words are not items, and the other way round. Nor
    is a column of larger numbers only, where others have a scale of a few points.
    """
    cells = {c: frame[c].drop_nulls().str.strip_chars() for c in columns}
    numeric = {
        c: one.str.replace(",", ".").cast(pl.Float64, strict=False) for c, one in cells.items()
    }
    numbers = [c for c in columns if 2 * numeric[c].null_count() < len(numeric[c])]
    words = [c for c in columns if c not in numbers]
    if len(numbers) >= FEWEST_ALIKE and FEWEST_ALIKE * len(words) <= len(numbers):
        words = []
    elif len(words) >= FEWEST_ALIKE and FEWEST_ALIKE * len(numbers) <= len(words):
        numbers = []
    kept = {*_shared_words(cells, words), *_within(numeric, numbers)}
    return [c for c in columns if c in kept]


def _shared_words(cells: Mapping[str, pl.Series], columns: Sequence[str]) -> list[str]:
    """Return the columns without those whose answers all differ from what others share."""
    answers = {c: {one.casefold() for one in cells[c].unique()} for c in columns}
    alike = {
        c: any(answers[c] & answers[other] for other in columns if other != c) for c in columns
    }
    if sum(alike.values()) < FEWEST_ALIKE:
        return [*columns]
    unanimous = [c for c in columns if len(answers[c]) == 1 < len(cells[c])]
    return [c for c in columns if alike[c] or c in unanimous]


def _within(numeric: Mapping[str, pl.Series], columns: Sequence[str]) -> list[str]:
    """Return the columns without those of ages or years next to a scale of a few numbers."""
    small = [c for c in columns if (numeric[c].drop_nulls() <= MOST_POINTS).all()]
    if len(small) < FEWEST_ALIKE:
        return [*columns]
    return [c for c in columns if not (numeric[c].drop_nulls() > MOST_POINTS).all()]


def _shared_start(names: Sequence[str]) -> str:
    first, last = min(names), max(names)
    pairs = enumerate(zip(first, last, strict=False))
    return first[: next((n for n, (a, b) in pairs if a != b), len(first))]


def _literal(name: str) -> str:
    """Return a pattern for exactly one name; a comma would end it.

    >>> _literal("Is it hot, or [not]?")
    'Is it hot? or [[]not][?]'
    """
    if not re.search(r"[\[*?,]", name):
        return name
    return re.sub(r"[\[*?]", r"[\g<0>]", name).replace(",", "?")


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(columns)


def looks_like_item(name: str, answers: pl.Series) -> bool:
    """Return whether a column holds answers to an item, not facts of a tool or about a person."""
    return tool_role(name) is None and word_in(name) is None and is_closed(answers)


def looks_wide(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    names: Mapping[str, str] = MappingProxyType({}),
) -> bool:
    """Return whether a table has one row per person and one column per item.

    Args:
        header: The names of its columns.
        rows: Its first rows.
        names: From our column to the file's, as chosen.
    """
    width = len(header)
    whole = [row for row in rows if len(row) == width]
    cells = [pl.Series([row[n] for row in whole], dtype=pl.String) for n in range(width)]
    columns = [column.filter(~MISSING.marks(column)) for column in cells]
    words = {name: exact_word(name) for name in header}
    items = [
        column
        for name, column in zip(header, columns, strict=True)
        if name and words[name] is None and looks_like_item(name, column)
    ]
    roles = {word.role for word in words.values() if word is not None}
    spelled = {bare_name(name) for name in header}
    who = "annotator" in roles or "annotator" in names or bool(spelled & {"id", "responseid"})
    return who and len(items) >= FEWEST_ITEMS and not roles & {"item", "answer"} and _alike(items)


def _alike(items: Sequence[pl.Series]) -> bool:
    """Return whether items have one scale: all answers are numbers, or neighbours share one."""
    answers = [{*column.drop_nulls()} for column in items]
    numbers = all(re.fullmatch(r"\s*[+-]?\d+([.,]\d+)?\s*", one) for own in answers for one in own)
    return numbers or all(one & other for one, other in pairwise(answers))


def is_closed(answers: pl.Series) -> bool:
    """Return whether a column holds numbers or a few options, not free text or nothing."""
    given = answers.drop_nulls().str.strip_chars()
    if given.is_empty():
        return False
    numeric = given.str.contains(r"^[+-]?\d+([.,]\d+)?$")
    if 2 * int(numeric.sum()) > len(given):
        return True
    distinct = given.n_unique()
    short = int(given.str.len_chars().sum()) <= 40 * len(given)
    return short and distinct <= MOST_OPTIONS and (distinct < len(given) or len(given) <= 5)
