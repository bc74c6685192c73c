"""A form put to a language model: the same words, steps and checks as for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import StudyError, option
from plausibly.io import read_table
from plausibly.ratings.collection import collection_form, form_texts
from plausibly.ratings.forms import Form, Question
from plausibly.ratings.served import Content, read_contents
from plausibly.ratings.server import interface_of
from plausibly.study.folder import PROTOCOLS, Study, is_folder, protocol_named
from plausibly.study.protocol import Protocol
from plausibly.study.settings import FILE, read_settings
from plausibly.tables import ITEMS

ITEMS_FILE = "items.parquet"
MOST_GRADES = 101
"""Places of a slider that a model may be offered one by one; with more, it writes the number."""


@dataclass(frozen=True)
class FormSet:
    """Items with the form people answer about them, in every language they are in.

    Args:
        name: What it is called.
        items: The file of items.
        forms: From a language to the form in it; the form of items without one is under ``.
        contents: From an item to what is shown for it.
        languages: From an item to its language, empty if it has none.
        seed: Seed for the orders of candidates.
    """

    name: str
    items: Path
    forms: Mapping[str, Form]
    contents: Mapping[str, Content]
    languages: Mapping[str, str]
    seed: int

    def form(self, item: str) -> Form:
        """Return the form an item is judged with."""
        return self.forms[self.languages[item]]

    @property
    def most_questions(self) -> int:
        """Return how many questions an item has at most, candidates counted one by one."""
        return max(
            (
                sum(1 for _ in questions_of(self.form(item), one))
                for item, one in self.contents.items()
            ),
            default=0,
        )


def form_set(source: str, items: str | Path | None) -> FormSet:
    """Return what a study, a protocol or a folder with one asks about its items.

    Args:
        source: A folder with study.toml, a protocol's folder, or a protocol's name.
        items: The items; None for the study's own.

    Raises:
        StudyError: If there is no form or there are no items.
    """
    folder = Path(source)
    if (folder / FILE).is_file():
        study = Study(folder)
        settings = read_settings(folder, study.protocol)
        section, seed = settings.sections["form"], settings.seed
        language = interface_of(study.protocol, settings.sections, folder)
        place = Path(items) if items is not None else folder / ITEMS_FILE
        if items is None and not place.is_file():
            raise StudyError(
                f"{source}: the study has no items yet. Build them (plausibly run {source} --to "
                f"build), or pass {option('items')}.",
                parameter="items",
            )
        about = settings.name, language, seed, str(folder / FILE)
        return _read(study.protocol, section, place, about)
    protocol = _protocol(source)
    if items is None:
        raise StudyError(
            f"{source} has no items of its own. Pass {option('items')}.", parameter="items"
        )
    section = protocol.declared().get("form", {})
    return _read(protocol, section, Path(items), (protocol.name, "", 0, source))


def _protocol(source: str) -> Protocol:
    """Return the protocol of a folder or of a name."""
    if is_folder(source) or Path(source).is_dir():
        return protocol_named(source if is_folder(source) else f"./{source}")
    return PROTOCOLS[source]


def _read(
    protocol: Protocol, section: Mapping[str, Any], items: Path, about: tuple[str, str, int, str]
) -> FormSet:
    name, interface, seed, where = about
    if not protocol.form and not section.get("questions"):
        raise StudyError(f"{where}: has no form, so nothing can be asked.")
    table = read_table(items, ITEMS)
    spoken = _languages(table)
    forms = {
        language: collection_form(
            protocol,
            section,
            where=where,
            language=language or interface,
            texts=_texts(Path(where), language),
        )
        for language in sorted(set(spoken.values()))
    }
    first = next(iter(forms.values()))
    contents = {
        item: content
        for item, content in read_contents(items, first).items()
        if content.kind == "item"
    }
    return FormSet(name, items, forms, contents, spoken, seed)


def _texts(settings: Path, language: str) -> dict[str, Any]:
    """Return what people read about items of a language: form.LANGUAGE.toml of a study."""
    if not language or settings.name != FILE:
        return {}
    return {"language": language, **form_texts(settings.with_name(f"form.{language}.toml"))}


def _languages(items: pl.DataFrame) -> dict[str, str]:
    if "language" not in items.columns:
        return dict.fromkeys(items["item"], "")
    return dict(items.select("item", pl.col("language").fill_null("")).iter_rows())


def offered_grades(question: Question) -> tuple[str, ...]:
    """Return the answers of a scale one by one; none if a slider has too many."""
    if question.type != "slider":
        return question.options
    low, high = float(question.min or 0), float(question.max or 0)
    count = round((high - low) / question.step) + 1
    if count > MOST_GRADES:
        return ()
    grades = (low + n * question.step for n in range(count))
    unmeant = question.start if question.middle == "refuse" else None
    return tuple(f"{one:g}" for one in grades if one != unmeant)


def questions_of(form: Form, content: Content) -> Iterator[tuple[Question, str]]:
    """Yield every question with the candidate it is about; texts are not asked for."""
    for question in form.questions:
        if question.type == "text":
            continue
        for candidate in content.names if question.per == "candidate" else ("",):
            yield question, candidate
