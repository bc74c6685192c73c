"""A study: a folder with its study.toml, its tables and the manifest of what was done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from plausibly.errors import StudyError, about
from plausibly.ports import SILENCE, Watch
from plausibly.registry import PROTOCOLS as PLACES
from plausibly.registry import Registry
from plausibly.study.outline import outline_of, outline_of_folder
from plausibly.study.protocol import Protocol
from plausibly.study.protocol_folder import protocol_of_folder
from plausibly.study.runner import StepState, explain, run, status
from plausibly.study.settings import Settings, read_head, read_settings

if TYPE_CHECKING:
    from plausibly.study.results import Result

PROTOCOLS: Registry[Protocol] = Registry("protocol", PLACES)
INSTALLED: Registry[object] = Registry("protocol", PLACES, group="plausibly.protocols")
"""Our protocols and those of installed packages; a study is started with them, never run."""
REPORT = "plausibly.verbs.report"  # above this floor, so both are named and not imported
RELEASE = "plausibly.verbs.release"


def protocol_named(name: str, study: Path = Path()) -> Protocol:
    """Return the protocol of a name, or of a folder: what has a `/` in it is a folder.

    Args:
        name: What was said.
        study: The folder that a relative path starts from.
    """
    if is_folder(name):
        return protocol_of_folder(study / name)
    with about("protocol"):
        return PROTOCOLS[name]


def outline_named(name: str, study: Path = Path()) -> Protocol:
    """Return the outline of the protocol of a name or of a folder: no code that its steps run.

    Args:
        name: As for `protocol_named`.
        study: The folder that a relative path starts from.
    """
    if is_folder(name):
        return outline_of_folder(study / name)
    with about("protocol"):
        return outline_of(name) if name in PLACES else PROTOCOLS[name]


def is_folder(protocol: str) -> bool:
    """Return whether a protocol is given as the path of a folder."""
    return "/" in protocol


def is_declared(folder: Path) -> bool:
    """Return whether what the protocol of a study declares can be read without its code.

    Args:
        folder: The study folder.
    """
    protocol = str(read_head(folder)["protocol"])
    return protocol in PLACES or is_folder(protocol)


def folder_named(protocol: str) -> Path | None:
    """Return the folder of a protocol that is not one of ours, None for one of ours.

    Imports the package that `package.module:NAME` or an entry point is about.

    Args:
        protocol: A path with a `/`, the name of an entry point in the group
            `plausibly.protocols`, or `package.module:NAME`; a name of ours comes first.
    """
    if protocol in PLACES:
        return None
    if is_folder(protocol):
        return Path(protocol)
    named = INSTALLED[protocol]
    if isinstance(named, Protocol) and named.place is not None:
        return named.place
    if not isinstance(named, str | Path):
        raise StudyError(
            f"protocol {protocol!r} is not a folder of TOML files, so a study cannot keep a copy "
            "of it. Register the path of a folder under this name."
        )
    return INSTALLED.file_of(protocol).parent / named


@dataclass(frozen=True)
class Study:
    """A study: the folder its tables, settings and manifest are in.

    Args:
        folder: Where study.toml lies.

    >>> import tempfile
    >>> from plausibly import init
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = init("custom", Path(place, "otters"), example=True)
    ...     [f"{state.step} {state.state}" for state in study.run(to="clean")]
    ['ratings run', 'clean run']
    >>> Study("no-such-folder").protocol
    Traceback (most recent call last):
    plausibly.errors.StudyError: no-such-folder/study.toml: no such file. Start a study with: \
plausibly init PROTOCOL DIR
    """

    folder: Path

    def __init__(self, folder: str | Path) -> None:
        object.__setattr__(self, "folder", Path(folder))

    @cached_property
    def protocol(self) -> Protocol:
        """The protocol study.toml names, or the one in the folder it names."""
        return protocol_named(read_head(self.folder)["protocol"], self.folder)

    @cached_property
    def outline(self) -> Protocol:
        """The same protocol without the code that its steps run, which is read in no time."""
        return outline_named(read_head(self.folder)["protocol"], self.folder)

    @property
    def settings(self) -> Settings:
        """What study.toml says now, over the protocol's defaults."""
        return read_settings(self.folder, self.outline)

    @property
    def active(self) -> Protocol:
        """The protocol with the steps this study has."""
        return self.protocol.active(self.settings.sections)

    def status(self) -> list[StepState]:
        """Return for every step whether it is done, and if not, why not."""
        return status(self.outline.active(self.settings.sections), self.folder)

    def explain(self, *, first: str | None = None, to: str | None = None) -> list[StepState]:
        """Return what `run` would do with each step and why, and run nothing.

        Args:
            first: Step to start at, even if it is done.
            to: Step to stop after.
        """
        outline = self.outline.active(self.settings.sections)
        return explain(outline, self.folder, first=first, last=to)

    def run(
        self,
        *,
        first: str | None = None,
        to: str | None = None,
        announce: Callable[[str], None] | None = None,
        watch: Watch = SILENCE,
    ) -> list[StepState]:
        """Run every step that is not done, in order, and return what became of each.

        Args:
            first: Step to start at, even if it is done; the steps before it must be done.
            to: Step to stop after.
            announce: Called with the name of each step before it runs.
            watch: Receives the progress of a long step.
        """
        return run(self.active, self.folder, first=first, last=to, announce=announce, watch=watch)

    def report(self) -> Result:
        """Return the report of the study, after running the steps it needs that are not done."""
        made: Result = import_module(REPORT).report(self.folder)
        return made

    def release(
        self,
        *,
        splits: str | None = None,
        split_by: str | None = None,
        since: str | Path | None = None,
        seed: int | None = None,
    ) -> Result:
        """Return a release of the study, ready to be written to a folder.

        Args:
            splits: Shares of the splits, such as `train=0.8,dev=0.1,test=0.1` (default: none).
            split_by: Columns of items whose values must stay in one split, separated by commas.
            since: An earlier release, to list what has changed.
            seed: Seed of the splits (default: the study's).
        """
        made: Result = import_module(RELEASE).release(
            self.folder, splits=splits, split_by=split_by, since=since, seed=seed
        )
        return made
