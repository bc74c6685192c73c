"""`plausibly browse`: the derived command, with `--open` and a usual name for the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.derived import command_of
from plausibly.verbs.browse import PAGE, browse

command = command_of(browse.declaration)
_write = command.callback


def _then_open(*, open_page: bool, output: Path | None, **options: Any) -> None:
    target = Path(PAGE) if output is None else output
    if _write is not None:
        _write(output=target, **options)
    if open_page:
        click.launch(str(target))


command.callback = _then_open
command.params.append(
    click.Option(["--open", "open_page"], is_flag=True, help="Open the page in the browser.")
)
