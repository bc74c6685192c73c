"""Files whose rows or objects hold several ratings: which line each rating came from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.io import Rows
from plausibly.io.answers import NoAnswers, imported_answers
from plausibly.io.choices import dropping
from plausibly.io.dialect import spelling
from plausibly.io.imported import Imported
from plausibly.io.layout import Role, note_columns
from plausibly.io.missing import MISSING, Missing
from plausibly.measures.timed import TOGETHER
from plausibly.ratings.headers import word_in
from plausibly.tables import ANNOTATORS, ITEMS, RATINGS

CONDITION = "condition"
FEWEST_WORDS = 3  # of what somebody wrote, as opposed to an option
OWN = {
    CONDITION,
    "batch",
    "started",
    "submitted",
    "comment",
    "status",
    "form",
    "order",
    "kind",
    TOGETHER,
}


@dataclass(slots=True)
class Expansion:
    """Ratings and items taken out of a file, each with its line, and what was wrong with it."""

    path: Path
    ratings: list[dict[str, Any]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    items: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    showing: dict[str, str] = field(default_factory=dict)
    broken: list[tuple[int, str]] = field(default_factory=list)
    cells: list[Mapping[str, Any]] = field(default_factory=list)
    roles: dict[str, Role] = field(default_factory=dict)
    unstored: Collection[str] = ()
    tables: dict[str, str] = field(default_factory=dict)
    examples: list[Mapping[str, Any]] = field(default_factory=list)

    def seen(self, cells: Mapping[str, Any]) -> None:
        """Add the cells of one record as the file has them, by the name of their field."""
        self.cells.append(cells)

    def rating(self, line: int, **cells: Any) -> None:
        """Add one rating found on a line, of the item as it was described last."""
        self.ratings.append({**cells, CONDITION: self.showing.get(cells["item"])})
        self.lines.append(line)

    def item(self, line: int, item: str, **facts: Any) -> None:
        """Add what a line says about an item; what two lines say must not differ.

        An item may be shown in several conditions.
        """
        fields = {name: fact for name, fact in facts.items() if fact is not None}
        self.showing[item] = text_of(fields.get(CONDITION, ""))
        known = self.items.setdefault((item, self.showing[item]), fields)
        for name, fact in fields.items():
            if known.setdefault(name, fact) != fact:
                what = f"item {item!r} has {name} {fact!r} here and {known[name]!r} before"
                self.broken.append((line, what))

    def problem(self, line: int, what: str) -> None:
        """Add something wrong with a line."""
        self.broken.append((line, what))

    def imported(self, missing: Missing = MISSING, *, empty: bool = False) -> Imported:
        """Return the checked ratings and items; raise naming every line that is wrong."""
        notes = self._part_conditions()
        self._part_comments()
        self.note_fields()
        if not (self.ratings or self.broken):
            raise NoAnswers(f"{self.path}: there are no answers in it.")
        columns = dict.fromkeys((*RATINGS.schema, *RATINGS.optional, *sorted(OWN)))
        texts = [{name: _cell(cell) for name, cell in row.items()} for row in self.ratings]
        frame = pl.DataFrame(texts, schema=dict.fromkeys(columns, pl.String()))
        blank = [c for c in frame.columns if c not in RATINGS.schema and _empty(frame[c])]
        frame = frame.drop("value", *blank)
        if "order" in frame.columns:
            frame = frame.with_columns(pl.col("order").cast(pl.Int64, strict=False))
        rows = Rows(self.path, frame, tuple(self.broken), self._locate)
        imported = imported_answers(rows, missing, empty=empty)
        notes = (*notes, *imported.notes)
        return replace(imported, items=self.items_table(), notes=notes)

    def _part_conditions(self) -> tuple[str, ...]:
        """Decide what an item is that was shown in several conditions, and return a note of it.

        Where its text differs by condition, each text is an item; where it does not, the condition
        is a fact about the rating.
        """
        versions: dict[str, list[dict[str, Any]]] = {}
        for (item, _), facts in self.items.items():
            versions.setdefault(item, []).append(facts)
        several = {item for item, own in versions.items() if len(own) > 1}
        apart = {i for i in several if len({facts.get("text") for facts in versions[i]}) > 1}
        if several - apart:
            self.tables |= {name: "ratings" for name in self.tables if spelling(name) == CONDITION}
        for row in self.ratings:
            condition = row.pop(CONDITION, None)
            if row["item"] in apart:
                row["item"] = f"{row['item']}/{condition}"
            elif several:
                row[CONDITION] = condition or None
        self.items = {
            (f"{item}/{condition}" if item in apart else item, condition): {
                name: fact
                for name, fact in facts.items()
                if name != CONDITION or item not in several - apart
            }
            for (item, condition), facts in self.items.items()
        }
        if apart:
            items = "1 item has" if len(apart) == 1 else f"{len(apart)} items have"
            what = f"{items} a different text in each condition"
            return (f"{self.path}: {what}: each text is an item (ITEM/CONDITION).",)
        return ()

    def _part_comments(self) -> None:
        """Turn what people wrote freely next to other answers into comments on those."""
        answers: dict[str, list[str]] = {}
        for row in self.ratings:
            answers.setdefault(str(row.get("question")), []).append(_cell(row["answer"]) or "")
        boxes = comment_boxes(answers)
        if not boxes:
            return
        self.roles |= {box: "comment" for box in boxes if box in self.roles}
        texts: dict[tuple[object, object], list[str]] = {}
        for row in self.ratings:
            if str(row.get("question")) in boxes:
                texts.setdefault(_whose(row), []).append(_cell(row["answer"]) or "")
        kept = [n for n, row in enumerate(self.ratings) if str(row.get("question")) not in boxes]
        self.lines = [self.lines[n] for n in kept]
        self.ratings = [self.ratings[n] for n in kept]
        for row in self.ratings:
            own = texts.get(_whose(row), [])
            row["comment"] = "\n".join(filter(None, (row.get("comment"), *own))) or None
        rated = {_whose(row) for row in self.ratings}
        dropping("comments without a rating", sum(one not in rated for one in texts))

    def note_fields(self) -> None:
        """Keep what each field of the file is; examples are from records that gave a rating."""
        rated = {id(record) for record in self.examples}
        cells = sorted(self.cells, key=lambda record: id(record) not in rated)
        names = dict.fromkeys(name for record in self.cells for name in record)
        columns = [
            pl.Series(name, [_cell(record.get(name)) for record in cells], dtype=pl.String)
            for name in names
        ]
        note_columns(pl.DataFrame(columns), self.roles, unstored=self.unstored, tables=self.tables)

    def items_table(self) -> pl.DataFrame:
        """Return the items table."""
        facts: dict[str, dict[str, Any]] = {}
        for (item, _), known in self.items.items():
            facts.setdefault(item, {}).update(known)
        rows = [{"item": item, "text": item, **known} for item, known in facts.items()]
        names = dict.fromkeys(name for row in rows for name in row)
        frame = pl.DataFrame(rows, schema={**ITEMS.schema, **dict.fromkeys(names, pl.String())})
        frame = frame.with_columns(pl.col("kind").fill_null("item"))
        return ITEMS.sort(ITEMS.check(frame))

    def _locate(self, rows: Sequence[int]) -> list[int]:
        return [self.lines[row] for row in rows]


def comment_boxes(answers: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the questions that are comment boxes next to others: by name, or by what they hold.

    Args:
        answers: From a question to what was answered.

    >>> comment_boxes({"plausible": ["1", "2"], "comment": ["odd"]})
    {'comment'}
    >>> comment_boxes({"comment": ["odd"]})
    set()
    """
    boxes = {q for q, given in answers.items() if _is_box(q, given)}
    return boxes if len(boxes) < len(answers) else set()


def _is_box(question: str, given: Sequence[str]) -> bool:
    word = word_in(question)
    if word is not None and word.role == "comment":
        return True
    sentences = sum(len(one.split()) >= FEWEST_WORDS for one in given)
    return 2 * sentences > len(given) and 2 * len({*given}) > len(given) > 1


def _whose(rating: Mapping[str, Any]) -> tuple[object, object]:
    return rating["item"], rating["annotator"]


def _cell(value: object) -> str | None:
    return None if value is None else text_of(value)


def _empty(series: pl.Series) -> bool:
    return series.null_count() == len(series)


def annotators_table(
    people: Mapping[str, Mapping[str, Any]], schema: Mapping[str, Any]
) -> pl.DataFrame:
    """Return the annotators table of what is known about each person."""
    rows = [{"annotator": name, **facts} for name, facts in people.items()]
    frame = pl.DataFrame(rows, schema={"annotator": pl.String(), **schema})
    return ANNOTATORS.sort(ANNOTATORS.check(frame))


def text_of(value: object) -> str:
    """Return an answer as text: whole numbers without a point, true and false in lower case.

    >>> text_of(4), text_of(4.0), text_of(True), text_of("so")
    ('4', '4', 'true', 'so')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
