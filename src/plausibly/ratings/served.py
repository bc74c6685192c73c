"""A study as it is served: plan, form, and what is shown for each item."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import StudyError
from plausibly.io import read_table
from plausibly.measures.checks import EXPECTED_QUESTION, passed
from plausibly.ratings.answers import Answer
from plausibly.ratings.collection import Plan
from plausibly.ratings.expected import question_checked, refuse_impossible
from plausibly.ratings.forms import SEPARATOR, Form
from plausibly.ratings.seen import Seen, seen_of
from plausibly.tables import ITEMS

GROUP = "item_group"  # column whose items nobody sees two of
LANGUAGE = "language"
FILLER = "filler"  # shown with every batch, expects nothing, and is not part of the data
KINDS = ("item", "check", "gold", "attention", FILLER)


@dataclass(frozen=True, slots=True)
class Content:
    """One item as people see it, and what the server knows about it besides."""

    text: str
    kind: str = "item"
    expected: str | None = None
    more: Mapping[str, str] = field(default_factory=dict)
    later: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()
    translations: tuple[str, ...] = ()
    condition: str | None = None
    group: str | None = None
    candidates: tuple[tuple[str, str], ...] = ()
    sort: str | None = None  # of item, for guides
    asked: str | None = None  # the question whose answer is expected; None for the form's choice
    language: str | None = None  # of the item, where items say it

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the candidates."""
        return tuple(name for name, _ in self.candidates)

    def shown_at(self, step: int) -> dict[str, str]:
        """Return the columns that are shown in a step of the item."""
        columns = [self.more, *(self.later[n] for n in sorted(self.later) if n <= step)]
        return {name: text for column in columns for name, text in column.items()}

    def as_json(self, step: int = 1) -> dict[str, Any]:
        """Return what may be shown in a step: neither kind nor condition nor what is expected."""
        document: dict[str, Any] = {"text": self.text, **self.shown_at(step)}
        if self.sentences:
            document["sentences"] = list(self.sentences)
        if self.translations:
            document["translations"] = list(self.translations)
        if self.candidates:
            document["candidates"] = [{"id": i, "text": t} for i, t in self.candidates]
        return document

    def digest(self) -> str:
        """Return a digest that changes when what is shown changes."""
        shown = self.as_json(max(self.later, default=1))
        return hashlib.sha256(json.dumps(shown).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Served:
    """A study as the server needs it."""

    folder: Path
    name: str
    plan: Plan
    form: Form
    contents: Mapping[str, Content]
    server: Mapping[str, Any]
    surveys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    preview: bool = False  # nothing is stored, and every page says so
    forms: Mapping[str, Form] = field(default_factory=dict)  # by language, where items have one
    desk: Mapping[str, Any] = field(default_factory=dict)  # the section [desk]
    published: tuple[str, ...] = ()  # languages of the protocol's form, none without one

    @cached_property
    def languages(self) -> Mapping[str, str]:
        """From an item to its language, for those that have one."""
        return {item: one.language for item, one in self.contents.items() if one.language}

    def speaking(self, language: str) -> Served:
        """Return the study as it is shown in a language; as it is where that is not one of it."""
        form = self.forms.get(language)
        return self if form is None or form is self.form else replace(self, form=form)

    @cached_property
    def reach(self) -> int:
        """How many items one person can be given in all; nobody gets two of one group."""
        judged = [one for one in self.contents.values() if one.kind == "item"]
        alone = sum(one.group is None for one in judged)
        most = alone + len({one.group for one in judged if one.group is not None})
        return min(most, self.plan.quota or most)

    @cached_property
    def whole_round(self) -> int:
        """How many items a whole first round has."""
        if self.surveys:
            judged = {item for item, one in self.contents.items() if one.kind == "item"}
            return max(sum(item in judged for item in part) for part in self.surveys.values())
        return min(self.plan.batch, self.reach)

    def guide(self, item: str) -> tuple[str, ...]:
        """Return what there is to say about items of this sort."""
        return self.form.guides.get(self.contents[item].sort or "", ())

    @property
    def sorts(self) -> dict[str, str]:
        """From an item to its sort, where the form tells sorts apart."""
        named = {item: one.sort for item, one in self.contents.items() if one.kind == "item"}
        return {item: sort for item, sort in named.items() if sort}

    def seen(self, item: str, annotator: str) -> Seen:
        """Return an item as a person sees it, without the names of its candidates."""
        return seen_of(self.form, self.content(item, annotator), self.contents[item].names)

    def content(self, item: str, annotator: str) -> Content:
        """Return an item with its candidates in the order in which a person sees them.

        The order follows from the seed, the person and the item alone, so that it is the same on
        every page and every worker, and can be found again afterwards.
        """
        content = self.contents[item]
        if self.form.order == "given" or not content.candidates:
            return content

        def rank(candidate: tuple[str, str]) -> bytes:
            drawn_by = json.dumps([self.plan.seed, annotator, item, candidate[0]])
            return hashlib.sha256(drawn_by.encode()).digest()

        return replace(content, candidates=tuple(sorted(content.candidates, key=rank)))


def read_contents(path: Path, form: Form) -> dict[str, Content]:
    """Return what is shown for every item; rows with a candidate belong to their source item."""
    items = read_table(path, ITEMS)
    _check_columns(items, form, path)
    candidates: dict[str, list[tuple[str, str]]] = {}
    if {"source", "candidate"} <= set(items.columns):
        named = items.filter(pl.col("candidate").is_not_null())
        for source, name, text in named.select("source", "candidate", "text").iter_rows():
            candidates.setdefault(source, []).append((name, text))
        items = items.filter(pl.col("candidate").is_null())
    contents = {
        row["item"]: Content(
            text="\n".join(_columns(row, form.lines).values()) or row["text"],
            kind=row["kind"],
            expected=row["expected"],
            sentences=_sentences(row, form.numbered, path),
            translations=_translations(row, form, path),
            condition=row["condition"],
            group=row.get(GROUP),
            more=_columns(row, form.show),
            later={int(step): _columns(row, names) for step, names in form.reveal.items()},
            candidates=tuple(candidates.get(row["item"], ())),
            sort=row.get(form.guided_by),
            asked=row.get(EXPECTED_QUESTION),
            language=row.get(LANGUAGE) or None,
        )
        for row in items.iter_rows(named=True)
    }
    _check_contents(contents, form, path)
    return contents


def _translations(row: Mapping[str, Any], form: Form, path: Path) -> tuple[str, ...]:
    """Return a translation of each sentence of an item, none if it has no translations."""
    if not row.get(form.translated):
        return ()
    lines = _sentences(row, form.translated, path)
    if len(lines) != len(_sentences(row, form.numbered, path)):
        raise StudyError(
            f"{path}: item {row['item']!r}: columns {form.numbered!r} and {form.translated!r} "
            "must be of the same length."
        )
    return lines


def _sentences(row: Mapping[str, Any], column: str, path: Path) -> tuple[str, ...]:
    """Return the sentences of a column, none if the form names no column."""
    if not column:
        return ()
    try:
        sentences = json.loads(row[column] or "")
    except ValueError:
        sentences = None
    if not isinstance(sentences, list) or not all(isinstance(one, str) for one in sentences):
        raise StudyError(
            f"{path}: item {row['item']!r}: column {column!r} must hold a JSON list of texts."
        )
    return tuple(sentences)


def _columns(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, str]:
    return {name: str(row[name]) for name in names if row[name] is not None}


def read_surveys(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the items of every survey in their order; none if there is no such file."""
    if not path.is_file():
        return {}
    rows = pl.read_parquet(path)
    missing = [name for name in ("survey", "position", "item") if name not in rows.columns]
    if missing:
        raise StudyError(f"{path}: no column {missing[0]!r}. Expected survey, position, item.")
    ordered = rows.sort("survey", "position").group_by("survey", maintain_order=True)
    return {str(name): tuple(part["item"]) for (name,), part in ordered}


def _check_columns(items: pl.DataFrame, form: Form, path: Path) -> None:
    numbered = (form.numbered,) if form.numbered else ()
    later = [name for names in form.reveal.values() for name in names]
    for column in (*form.show, *numbered, *form.lines, *later):
        if column not in items.columns:
            columns = ", ".join(items.columns)
            raise StudyError(f"{path}: no column {column!r} to show. Columns found: {columns}.")


def _check_contents(contents: Mapping[str, Content], form: Form, path: Path) -> None:
    for item, content in contents.items():
        names = content.names
        odd = [name for name in names if SEPARATOR in name or not name or names.count(name) > 1]
        if odd:
            raise StudyError(
                f"{path}: item {item!r}: candidate {odd[0]!r} must be named once, without "
                f"{SEPARATOR!r}. Rename it."
            )
        if content.kind not in KINDS:
            known = ", ".join(KINDS)
            raise StudyError(f"{path}: item {item!r} is of kind {content.kind!r}. Known: {known}.")
        if content.kind not in ("item", FILLER) and content.expected is None:
            raise StudyError(f"{path}: {content.kind} {item!r} has no expected answer. Add one.")
        if content.kind not in ("item", FILLER) and content.expected is not None:
            where = f"{path}: {content.kind} {item!r}"
            refuse_impossible(
                content.expected,
                form,
                content.names,
                where=where,
                kind=content.kind,
                asked_of=content.asked,
            )
    bare = [item for item, content in contents.items() if not content.candidates]
    if form.compares and bare:
        raise StudyError(
            f"{path}: the form asks about candidates, but item {bare[0]!r} has none. "
            "Add a row per candidate: the item's name under source, its own under candidate."
        )
    if not any(content.kind == "item" for content in contents.values()):
        raise StudyError(f"{path}: no items to judge.")


def passes(form: Form, content: Content, answers: tuple[Answer, ...]) -> bool:
    """Return whether the answers to a check are as expected: as cleaning would.

    `expected` is an answer to one question, or several separated by commas, semicolons or bars. The
    question is the one in `expected_question`, or the form's first that is not a text.
    """
    asked = question_checked(form, content.asked)
    given = next((a for a in answers if a.question == asked.id and not a.candidate), None)
    if given is None or content.expected is None:
        return False
    kind, sides = content.kind, asked.answer_sides
    return passed(given.answer, content.expected, kind=kind, sides=sides, scale=asked.options)
