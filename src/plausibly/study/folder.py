"""A study: a folder with its study.toml, its tables and the manifest of what was done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path

from plausibly.ports import SILENCE, Watch
from plausibly.registry import PROTOCOLS as PLACES
from plausibly.registry import Registry
from plausibly.study.protocol import Protocol
from plausibly.study.protocol_folder import protocol_of_folder
from plausibly.study.results import Result
from plausibly.study.runner import StepState, explain, run, status
from plausibly.study.settings import Settings, read_head, read_settings

PROTOCOLS: Registry[Protocol] = Registry("protocol", PLACES)
REPORT = "plausibly.verbs.report"  # above this floor, so both are named and not imported
RELEASE = "plausibly.verbs.release"


def protocol_named(name: str, study: Path = Path()) -> Protocol:
    """Return the protocol of a name, or of a folder: what has a `/` in it is a folder.

    Args:
        name: What was said.
        study: The folder that a relative path starts from.
    """
    return protocol_of_folder(study / name) if is_folder(name) else PROTOCOLS[name]


def is_folder(protocol: str) -> bool:
    """Return whether a protocol is said as the path of a folder."""
    return "/" in protocol


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

    @property
    def settings(self) -> Settings:
        """What study.toml says now, over the protocol's defaults."""
        return read_settings(self.folder, self.protocol)

    @property
    def active(self) -> Protocol:
        """The protocol with the steps this study has."""
        return self.protocol.active(self.settings.sections)

    def status(self) -> list[StepState]:
        """Return for every step whether it is done, and if not, why not."""
        return status(self.active, self.folder)

    def explain(self, *, first: str | None = None, to: str | None = None) -> list[StepState]:
        """Return what `run` would do with each step and why, and run nothing.

        Args:
            first: Step to start at, even if it is done.
            to: Step to stop after.
        """
        return explain(self.active, self.folder, first=first, last=to)

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
        """Return the report of the study, after running what it needs that is not done."""
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
