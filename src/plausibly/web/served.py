"""What a study folder says about collecting: plan, form, and what is shown for each item."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.domain import as_number
from plausibly.errors import StudyError
from plausibly.io import read_table
from plausibly.protocols import PROTOCOLS
from plausibly.ratings.answers import Answer
from plausibly.ratings.collection import COLLECTION, Plan, collection_form, plan_of, server_of
from plausibly.ratings.forms import Form, Question
from plausibly.study import Study, read_head, read_settings
from plausibly.study.settings import FILE
from plausibly.tables import ITEMS
from plausibly.web.expected import parts_of, refuse_impossible

KINDS = ("item", "check", "gold", "attention")


@dataclass(frozen=True, slots=True)
class Content:
    """One item as people see it, and what the server knows about it besides."""

    text: str
    kind: str = "item"
    expected: str | None = None
    more: Mapping[str, str] = field(default_factory=dict)
    candidates: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the candidates."""
        return tuple(name for name, _ in self.candidates)

    def as_json(self) -> dict[str, Any]:
        """Return what may be shown: neither kind nor condition nor the expected answer."""
        document: dict[str, Any] = {"text": self.text, **self.more}
        if self.candidates:
            document["candidates"] = [{"id": i, "text": t} for i, t in self.candidates]
        return document

    def digest(self) -> str:
        """Return a digest that changes when what is shown changes."""
        return hashlib.sha256(json.dumps(self.as_json()).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Served:
    """A study as the server needs it."""

    folder: Path
    name: str
    plan: Plan
    form: Form
    contents: Mapping[str, Content]
    server: Mapping[str, Any]

    def content(self, item: str, annotator: str) -> Content:
        """Return an item as a person sees it: its candidates in an order of their own.

        The order follows from the seed, the person and the item alone, so that it is the same on
        every page and every worker, and can be found again afterwards.
        """
        content = self.contents[item]
        if self.form.order == "given":
            return content

        def rank(candidate: tuple[str, str]) -> bytes:
            told = json.dumps([self.plan.seed, annotator, item, candidate[0]])
            return hashlib.sha256(told.encode()).digest()

        return replace(content, candidates=tuple(sorted(content.candidates, key=rank)))


def read_study(folder: Path, protocol: Study | None = None) -> Served:
    """Return the study in a folder.

    Args:
        folder: Holds study.toml and items.parquet.
        protocol: The protocol, if it is not the one study.toml names.
    """
    name = read_head(folder)["protocol"]
    study = protocol or PROTOCOLS[name]
    if study.name not in COLLECTION:
        known = ", ".join(sorted(COLLECTION))
        raise StudyError(f"{folder}: no form is known for {study.name!r}. Known: {known}.")
    settings = read_settings(folder, study)
    where = str(folder / FILE)
    form = collection_form(study.name, settings.sections["form"], where=where)
    return Served(
        folder=folder,
        name=settings.name,
        plan=plan_of(settings.sections["ratings"], seed=settings.seed, where=where),
        form=form,
        contents=read_contents(folder / "items.parquet", form),
        server=server_of(settings.sections["server"], where=where),
    )


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
            text=row["text"],
            kind=row["kind"],
            expected=row["expected"],
            more={column: str(row[column]) for column in form.show if row[column] is not None},
            candidates=tuple(candidates.get(row["item"], ())),
        )
        for row in items.iter_rows(named=True)
    }
    _check_contents(contents, form, path)
    return contents


def _check_columns(items: pl.DataFrame, form: Form, path: Path) -> None:
    for column in form.show:
        if column not in items.columns:
            columns = ", ".join(items.columns)
            raise StudyError(f"{path}: no column {column!r} to show. Columns found: {columns}.")


def _check_contents(contents: Mapping[str, Content], form: Form, path: Path) -> None:
    for item, content in contents.items():
        if content.kind not in KINDS:
            known = ", ".join(KINDS)
            raise StudyError(f"{path}: item {item!r} is a {content.kind!r}. Known: {known}.")
        if content.kind != "item" and content.expected is None:
            raise StudyError(f"{path}: {content.kind} {item!r} has no expected answer. Add one.")
        if content.kind != "item" and content.expected is not None:
            where = f"{path}: {content.kind} {item!r}"
            refuse_impossible(content.expected, form, content.names, where=where)
    bare = [item for item, content in contents.items() if not content.candidates]
    if form.compares and bare:
        raise StudyError(
            f"{path}: the form asks about candidates and item {bare[0]!r} has none. "
            "Add rows with its name as source and a candidate."
        )
    if not any(content.kind == "item" for content in contents.values()):
        raise StudyError(f"{path}: no items to judge.")


def passes(form: Form, content: Content, answers: tuple[Answer, ...]) -> bool:
    """Tell whether the answers to a check are as expected.

    `expected` is an answer to the form's first question, or several between commas, semicolons
    or bars. On a slider an answer on the same side of its start is as good, and the label of an
    end stands for its side.
    """
    asked = form.questions[0]
    given = next((a for a in answers if a.question == asked.id and not a.candidate), None)
    if given is None or content.expected is None:
        return False
    wanted = [content.expected, *parts_of(content.expected)]
    numbers = {as_number(one) for one in wanted} - {None}
    if given.answer in wanted or given.value in numbers:
        return True
    if asked.type != "slider" or given.value is None:
        return False
    sides = {_side(asked, one) for one in wanted} - {0}
    return _side(asked, given.answer) in sides


def _side(asked: Question, answer: str) -> int:
    """Return on which side of a slider's start an answer lies: -1, 0 or 1."""
    if answer in asked.labels:
        return 1 if answer == asked.labels[-1] else -1
    number, start = as_number(answer), asked.start or 0
    return 0 if number is None else (number > start) - (number < start)
