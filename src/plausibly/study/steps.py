"""What a study is made of: steps with files in, files out, and declared parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import polars as pl

from plausibly.io import make_folder, read_table, write_json, write_table, write_text
from plausibly.ports import SILENCE, Watch
from plausibly.tables import Table

if TYPE_CHECKING:
    from plausibly.study.protocol import Protocol

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
        watch: Receives the progress of a long step.
        notes: What a person should know about what was done; a step adds to it.
        protocol: What the study follows.
    """

    folder: Path
    parameters: Parameters
    settings: Mapping[str, Parameters]
    seed: int
    name: str = ""
    watch: Watch = SILENCE
    notes: list[str] = field(default_factory=list)
    protocol: Protocol | None = None

    def path(self, name: str) -> Path:
        """Return where a file of the study lies."""
        return self.folder / name

    def has(self, name: str) -> bool:
        """Return whether the study has a file."""
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
        make: Makes the step again, from all its parameters and their source.
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
    make: Callable[..., Step] | None = field(default=None, compare=False, repr=False)
    usual: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))

    def reads(self, parameters: Parameters) -> tuple[str, ...]:
        """Return every file the step depends on, those named by parameters included."""
        return (*self.inputs, *(self.external(parameters) if self.external else ()))

    def with_defaults(self, parameters: Parameters, *, source: str = "") -> Step:
        """Return the step with a protocol's defaults, and where they are published."""
        defaults, cited = {**self.parameters, **parameters}, source or self.source
        if self.make is None:
            return replace(self, parameters=defaults, source=cited)
        return self.make(defaults, source=cited)

    def settled(self, sections: Mapping[str, Parameters]) -> Step:
        """Return the step as a study has it: without the outputs it leaves to another."""
        left = self.leaves(sections) if self.leaves else ()
        kept = tuple(name for name in self.outputs if name not in left)
        return replace(self, outputs=kept) if left else self
