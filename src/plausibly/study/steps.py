"""What a study is made of: steps with files in, files out, and declared parameters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from plausibly.io import make_folder, write_json, write_text
from plausibly.ports import SILENCE, Watch

if TYPE_CHECKING:
    import polars as pl

    from plausibly.study.protocol import Protocol
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
        from plausibly.io import read_table

        return read_table(self.path(name), table)

    def write(self, name: str, frame: pl.DataFrame, table: Table) -> None:
        """Write one of the study's tables."""
        from plausibly.io import write_table

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


def inside(
    run: Callable[..., str | None],
    keys: Iterable[str],
    texts: Collection[str],
    work: Work,
    **more: Any,
) -> str | None:
    """Run a step with the files that its section names where they are: in the folder of the study.

    Args:
        run: The step.
        keys: Keys that may name a file, a folder, or several.
        texts: Those of them that may be a plain text instead, which names no file of the study.
        work: What the step gets.
        more: What else it gets.
    """

    def placed(key: str, value: Any) -> Any:
        if isinstance(value, list):
            return [placed(key, one) for one in value]
        named = isinstance(value, str) and value and (key not in texts or work.has(value))
        return work.path(value) if named else value

    found = {key: placed(key, work.parameters[key]) for key in keys if key in work.parameters}
    return run(replace(work, parameters={**work.parameters, **found}), **more)


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
        wanted: From all sections of study.toml, and the defaults of this one, to whether the
            study has this step at all.
        heeds: What else it reads of study.toml: `form`, or one entry as `server.pay`.
        named: Entries of study.toml outside its section that name a file it reads: `people.pilot`.
        begins: What study.toml must set for a study to have the step, where it may not.
        leaves: From all sections of study.toml to the outputs that another step writes instead.
        places: From an argument of the verb to the file of the study it gets.
        make: Makes the step again, from all its parameters and their source.
        usual: From a parameter that is not set to the value that then holds, where there is one.
        explained: From a parameter to what it means.
    """

    name: str
    run: Callable[[Work], str | None]
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    parameters: Parameters = field(default_factory=dict)
    source: str = ""
    external: Callable[[Parameters], tuple[str, ...]] | None = None
    waits: Callable[[Parameters], str | None] | None = None
    wanted: Callable[[Mapping[str, Parameters], Parameters], bool] | None = None
    heeds: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    begins: str = ""
    leaves: Callable[[Mapping[str, Parameters]], tuple[str, ...]] | None = None
    places: Mapping[str, str] = field(default_factory=dict)
    make: Callable[..., Step] | None = field(default=None, compare=False, repr=False)
    usual: Mapping[str, Any] = field(default_factory=dict)
    explained: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))

    def reads(self, sections: Mapping[str, Parameters]) -> tuple[str, ...]:
        """Return every file the step depends on, those that study.toml names included."""
        own = sections.get(self.name, {})
        named = [
            sections.get(s, {}).get(key) for s, _, key in (n.partition(".") for n in self.named)
        ]
        files = (str(name) for name in named if name)
        return (*self.inputs, *(self.external(own) if self.external else ()), *files)

    def is_wanted(self, sections: Mapping[str, Parameters]) -> bool:
        """Return whether a study with these sections has the step."""
        return self.wanted is None or self.wanted(sections, self.parameters)

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
