"""The progress bar of all commands: on a terminal only, with speed and time left."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plausibly.ports import Watch


@contextmanager
def progress(*, in_bytes: bool = False) -> Iterator[Watch]:
    """Yield what draws a bar for everything that begins while the block runs."""
    from plausibly.ports import SILENCE

    if not sys.stderr.isatty():
        yield SILENCE
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
