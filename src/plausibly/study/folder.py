"""A study: a folder with its study.toml, its tables and the manifest of what was done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from plausibly.errors import StudyError
from plausibly.io import make_folder
from plausibly.ports import SILENCE, Watch
from plausibly.registry import PROTOCOLS as PLACES
from plausibly.registry import Registry
from plausibly.study.runner import StepState, explain, run, status
from plausibly.study.settings import FILE, Settings, read_head, read_settings, write_settings
from plausibly.study.steps import Protocol

PROTOCOLS: Registry[Protocol] = Registry("protocol", PLACES)


@dataclass(frozen=True)
class Study:
    """A study: the folder its tables, settings and manifest lie in.

    Args:
        folder: Where study.toml lies.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = start("custom", Path(place, "otters"), example=True)
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
        """The protocol study.toml names."""
        return PROTOCOLS[read_head(self.folder)["protocol"]]

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
            watch: Is told how far a long step has come.
        """
        return run(self.active, self.folder, first=first, last=to, announce=announce, watch=watch)


def start(
    protocol: str, folder: str | Path, *, example: bool = False, seed: int | None = None
) -> Study:
    """Start a study folder: a study.toml with every parameter it may set.

    Args:
        protocol: Name of the protocol.
        folder: The folder to start, made if it is not there.
        example: Fill it with an example: items and their ratings.
        seed: Seed of the study (default: the protocol's).

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     [state.step for state in start("custom", Path(place, "otters")).status()][:2]
    ['ratings', 'clean']
    """
    declared = PROTOCOLS[protocol]
    declared = declared if seed is None else replace(declared, seed=seed)
    target = Path(folder)
    if seed is not None and seed < 0:
        raise StudyError(f"seed must be 0 or more; got {seed}.")
    if (target / FILE).exists():
        raise StudyError(f"{target}: a study is there already. Choose another folder.")
    if example and declared.example is None:
        raise StudyError(f"protocol {protocol!r} has no example yet. Leave --example away.")
    make_folder(target)
    overrides = declared.example(target, declared.seed) if example and declared.example else {}
    write_settings(target, declared, name=target.resolve().name, overrides=overrides)
    return Study(target)
