"""Options that take one of several names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

from plausibly.errors import UnknownName


class Name(click.ParamType[str]):
    """One of several names; a wrong one draws the nearest, and the shell completes them."""

    name = "name"

    def __init__(self, names: Iterable[str], *, unless: str | None = None) -> None:
        """Keep the names; a value with one of the signs in `unless` is something of one's own."""
        self._names = names
        self.unless = unless or ""

    @property
    def names(self) -> list[str]:
        """The names, looked up when they are needed: entry points are files on the disk."""
        return sorted(self._names)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return the names, for the help."""
        del param, ctx
        return f"[{'|'.join(self.names)}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name if there is one of that kind."""
        if any(sign in str(value) for sign in self.unless):
            return str(value)
        if value not in self.names:
            kind = param.human_readable_name if param else "name"
            self.fail(str(UnknownName(kind, str(value), self.names)), param, ctx)
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin so."""
        del ctx, param
        return [CompletionItem(name) for name in self.names if name.startswith(incomplete)]
