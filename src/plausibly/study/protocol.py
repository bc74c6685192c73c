"""A protocol: the steps of a study in order, and everything its folder says about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from plausibly.errors import StudyError, UnknownName
from plausibly.io import parse_toml
from plausibly.study.collection import EXPLAINED
from plausibly.study.exhibits import Exhibit
from plausibly.study.steps import Parameters, Step

if TYPE_CHECKING:
    import polars as pl

Sections = Mapping[str, Parameters]
ReleaseFiles: TypeAlias = "Mapping[str, pl.DataFrame | str]"


@dataclass(frozen=True, eq=False)
class TomlFile(Mapping[str, Any]):
    """What a TOML file says, read on first use."""

    place: Traversable

    @cached_property
    def content(self) -> dict[str, Any]:
        """The document."""
        return parse_toml(self.place.read_text(encoding="utf-8"), where=str(self.place))

    def __getitem__(self, key: str) -> Any:
        return self.content[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.content)

    def __len__(self) -> int:
        return len(self.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A finished study, for the files and the exhibits of a paper."""

    folder: Path
    items: pl.DataFrame
    ratings: pl.DataFrame
    labels: pl.DataFrame
    seed: int


@dataclass(frozen=True)
class Protocol:
    """A protocol as a list a reader can check against the paper.

    Args:
        name: Name of the protocol.
        steps: In the order they run.
        seed: Default seed of every random step.
        sections: Further sections of study.toml with their defaults, such as the server's.
        example: Writes the example of a protocol into a folder, from a seed; returns what
            study.toml must say for it.
        shared: From a key of a section to the one whose value it has where it is not set itself,
            each as (section, key).
        check: Raises where values of the sections make no sense: gets the protocol, the sections,
            and the file they are in.
        absent: Steps of the protocol that a study does not have.
        languages: Languages the form is written in; the first is the one of `form`.
        conditions: Conditions the items have.
        form: The form as data; empty where study.toml writes it in [form].
        translations: From a language to what participants read in it.
        words: What the protocol measures, in words: `measured` for the methods section of a
            report, `datasheet` for the uses of a release.
        split_by: Columns of items whose values must stay in one split.
        released: Returns the files of a release in the paper's format, and notes about them.
        exhibits: Returns the figures and tables of the paper, drawn from a study's data; one
            that the data do not support has a reason.
        rules: From a variant to the cleaning rules of the paper; the variant "" is the main one.
        prompts: How language models are asked, in words.
        sample: Items and settings of the example.
        authored: Whether authors write the items on pages of the server.
        checks: Check items, added to those a study builds.
        folder: Where a study keeps the protocol, from the study folder; empty where its name
            is known.
        place: The folder its files were read from, where that is all there is to it.
    """

    name: str
    steps: tuple[Step, ...]
    seed: int = 1
    sections: Mapping[str, Parameters] = field(default_factory=dict)
    example: Callable[[Protocol, Path, int], Sections] | None = None
    shared: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    check: Callable[[Protocol, Sections, str], None] | None = None
    absent: tuple[Step, ...] = ()
    languages: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    form: Mapping[str, Any] = field(default_factory=dict)
    translations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    split_by: tuple[str, ...] = ("text",)
    released: Callable[[Finished], tuple[ReleaseFiles, tuple[str, ...]]] | None = None
    exhibits: Callable[[Finished], tuple[Exhibit, ...]] | None = None
    rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    prompts: Mapping[str, Any] = field(default_factory=dict)
    sample: Mapping[str, Any] = field(default_factory=dict)
    authored: bool = False
    checks: Mapping[str, Any] = field(default_factory=dict)
    folder: str = ""
    place: Path | None = None

    def step(self, name: str) -> Step:
        """Return the step of that name."""
        for step in self.steps:
            if step.name == name:
                return step
        begins = next((one.begins for one in self.absent if one.name == name), "")
        if begins:
            raise StudyError(f"this study has no step {name!r}: {begins} is not set in study.toml.")
        known = ", ".join(step.name for step in self.steps)
        raise StudyError(f"protocol {self.name!r} has no step {name!r}. Steps: {known}.")

    def active(self, sections: Sections) -> Protocol:
        """Return the protocol with the steps a study has; what else it may set stays declared."""
        absent = tuple(one for one in self.steps if not one.is_wanted(sections))
        steps = tuple(one.settled(sections) for one in self.steps if one not in absent)
        rest = {one.name: {**self.sections.get(one.name, {}), **one.parameters} for one in absent}
        return replace(self, steps=steps, sections={**rest, **self.sections}, absent=absent)

    def declared(self) -> dict[str, dict[str, Any]]:
        """Return every section study.toml may have, with its defaults."""
        sections = {name: dict(defaults) for name, defaults in self.sections.items()}
        for step in self.steps:
            sections[step.name] = {**sections.get(step.name, {}), **step.parameters}
        return sections

    def explained(self) -> dict[str, dict[str, str]]:
        """Return what each key of each section means."""
        texts = {name: dict(keys) for name, keys in EXPLAINED.items()}
        for name, step in {one.name: one for one in (*self.absent, *self.steps)}.items():
            texts[name] = {**texts.get(name, {}), **step.explained}
        return texts

    def form_in(self, language: str = "") -> dict[str, Any]:
        """Return the form as data, in a language.

        Args:
            language: Of what participants read; where there is no such text, as it was written.
        """
        return translated(
            self.form, self.translations.get(language, {}), where=f"form.{language}.toml"
        )


def translated(form: Mapping[str, Any], texts: Mapping[str, Any], *, where: str) -> dict[str, Any]:
    """Return a form as data with what participants read replaced.

    Args:
        form: The form.
        texts: What replaces entries of it; under `questions`, those of questions by their ids.
        where: The file, for errors.

    >>> form = {"questions": [{"id": "fits", "text": "Does it fit?"}]}
    >>> translated(form, {"questions": {"fits": {"text": "Va bene?"}}}, where="x")["questions"]
    [{'id': 'fits', 'text': 'Va bene?'}]
    """
    if not texts:
        return dict(form)
    said = texts.get("questions", {})
    ids = [one["id"] for one in form["questions"]]
    for name in said:
        if name not in ids:
            raise StudyError(f"{where}: {UnknownName('question', name, ids)}")
    questions = [{**one, **said.get(one["id"], {})} for one in form["questions"]]
    return {**form, **texts, "questions": questions}
