"""The progress bar of all commands: on a terminal, with speed and time left; else lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from plausibly.ports import Watch


@contextmanager
def progress(*, in_bytes: bool = False, lines: int = 0) -> Iterator[Watch]:
    """Yield what draws a bar for everything that begins while the block runs.

    Args:
        in_bytes: Steps are bytes.
        lines: Without a terminal, a line for each tenth of what takes at least so many steps;
            0 for none.
    """
    from plausibly.ports import SILENCE

    if not sys.stderr.isatty():
        yield _Lines(lines) if lines else SILENCE
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    sizes = (DownloadColumn(), TransferSpeedColumn()) if in_bytes else (MofNCompleteColumn(),)
    columns = (TextColumn("{task.description}"), BarColumn(), *sizes, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars:
        yield _Bars(bars)


class _Lines:
    """Says each tenth of what takes long in a line of its own."""

    def __init__(self, least: int) -> None:
        self._least, self._what, self._total, self._done = least, "", 0, 0

    def begin(self, what: str, total: int | None = None) -> None:
        """Say what begins, where it takes long."""
        self._what, self._total, self._done = what, total or 0, 0
        if self._total >= self._least:
            click.echo(f"{self._total} {what} …", err=True)

    def advance(self, size: int = 1) -> None:
        """Say a tenth that is reached."""
        tenth, self._done = self._done * 10 // max(self._total, 1), self._done + size
        if self._total >= self._least and self._done * 10 // self._total > tenth:
            click.echo(f"{self._done} of {self._total} {self._what}", err=True)


class _Bars:
    """Draws one bar after the other."""

    def __init__(self, bars: Any) -> None:
        self._bars = bars
        self._task: Any = None

    def begin(self, what: str, total: int | None = None) -> None:
        """Begin a new bar."""
        self._task = self._bars.add_task(what, total=total)

    def advance(self, size: int = 1) -> None:
        """Move the newest bar on."""
        self._bars.advance(self._task, size)
