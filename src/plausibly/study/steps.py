"""What a study is made of: steps with files in, files out, and declared parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from plausibly.errors import StudyError
from plausibly.io import make_folder, read_table, write_json, write_table, write_text
from plausibly.ports import SILENCE, Watch
from plausibly.tables import Table

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class Work:
    """What a step gets to work with: its folder, its parameters, the seed.

    Args:
        folder: The study folder; file names are relative to it.
        parameters: The step's section of study.toml over its declared defaults.
        settings: All sections, for a step that reads another one's.
        seed: The study's seed.
        name: The study's name.
        watch: Is told how far a long step has come.
        notes: What a person should know about what was done; a step adds to it.
    """

    folder: Path
    parameters: Parameters
    settings: Mapping[str, Parameters]
    seed: int
    name: str = ""
    watch: Watch = SILENCE
    notes: list[str] = field(default_factory=list)

    def path(self, name: str) -> Path:
        """Return where a file of the study lies."""
        return self.folder / name

    def has(self, name: str) -> bool:
        """Tell whether the study has a file."""
        return self.path(name).is_file()

    def read(self, name: str, table: Table) -> pl.DataFrame:
        """Return one of the study's tables."""
        return read_table(self.path(name), table)

    def write(self, name: str, frame: pl.DataFrame, table: Table) -> None:
        """Write one of the study's tables."""
        make_folder(self.path(name).parent)
        write_table(frame, self.path(name), table)

    def write_json(self, name: str, document: object) -> None:
        """Write a JSON document into the study."""
        make_folder(self.path(name).parent)
        write_json(self.path(name), document)

    def write_text(self, name: str, text: str) -> None:
        """Write a text into the study."""
        make_folder(self.path(name).parent)
        write_text(self.path(name), text)


@dataclass(frozen=True)
class Step:
    """One step of a study.

    Args:
        name: The command's verb; also its section in study.toml.
        run: Does the work; a returned sentence means that people must act first.
        inputs: Files it reads; those that do not exist are left out of the manifest.
        outputs: Files it writes.
        parameters: What study.toml may override, with defaults.
        source: Where the defaults are published.
        external: From the parameters to further files the step reads.
        waits: From the parameters to whom the step would wait for, None if for nobody.
        wanted: From all sections of study.toml to whether the study has this step at all.
        heeds: What else it reads of study.toml: `form`, or one entry as `server.pay`.
        begins: What study.toml must set for a study to have the step, where it may not.
        leaves: From all sections of study.toml to the outputs that another step writes instead.
        places: From an argument of the verb to the file of the study it gets.
        usual: From a parameter that is not set to the value that then holds, where there is one.
    """

    name: str
    run: Callable[[Work], str | None]
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    parameters: Parameters = field(default_factory=dict)
    source: str = ""
    external: Callable[[Parameters], tuple[str, ...]] | None = None
    waits: Callable[[Parameters], str | None] | None = None
    wanted: Callable[[Mapping[str, Parameters]], bool] | None = None
    heeds: tuple[str, ...] = ()
    begins: str = ""
    leaves: Callable[[Mapping[str, Parameters]], tuple[str, ...]] | None = None
    places: Mapping[str, str] = field(default_factory=dict)
    usual: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))

    def reads(self, parameters: Parameters) -> tuple[str, ...]:
        """Return every file the step depends on, those named by parameters included."""
        return (*self.inputs, *(self.external(parameters) if self.external else ()))

    def settled(self, sections: Mapping[str, Parameters]) -> Step:
        """Return the step as a study has it: without the outputs it leaves to another."""
        left = self.leaves(sections) if self.leaves else ()
        kept = tuple(name for name in self.outputs if name not in left)
        return replace(self, outputs=kept) if left else self


@dataclass(frozen=True)
class Protocol:
    """A protocol as a list a reader can check against the paper.

    Args:
        name: Name of the protocol.
        steps: In the order they run.
        seed: Default seed of every random step.
        sections: Further sections of study.toml with their defaults, such as the server's.
        example: Writes an example into a folder, and returns what study.toml must say for it.
        shared: From a key of a section to the one whose value it has where study.toml does not
            set it, each as (section, key).
        check: Raises where values of the sections make no sense: gets the name of the protocol,
            the sections, and where they stand.
        absent: Steps of the protocol that a study does not have.
    """

    name: str
    steps: tuple[Step, ...]
    seed: int = 1
    sections: Mapping[str, Parameters] = field(default_factory=dict)
    example: Callable[[Path, int], Mapping[str, Parameters]] | None = None
    shared: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    check: Callable[[str, Mapping[str, Parameters], str], None] | None = None
    absent: tuple[Step, ...] = ()

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

    def active(self, sections: Mapping[str, Parameters]) -> Protocol:
        """Return the protocol with the steps a study has; what else it may set stays declared."""
        absent = tuple(one for one in self.steps if one.wanted and not one.wanted(sections))
        steps = tuple(one.settled(sections) for one in self.steps if one not in absent)
        rest = {one.name: {**self.sections.get(one.name, {}), **one.parameters} for one in absent}
        return replace(self, steps=steps, sections={**rest, **self.sections}, absent=absent)

    def declared(self) -> dict[str, dict[str, Any]]:
        """Return every section study.toml may have, with its defaults."""
        sections = {name: dict(defaults) for name, defaults in self.sections.items()}
        for step in self.steps:
            sections[step.name] = {**sections.get(step.name, {}), **step.parameters}
        return sections
