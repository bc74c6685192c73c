"""Watching: what is told how far a run has come."""

from __future__ import annotations

from typing import Protocol


class Watch(Protocol):
    """Is told how far a run has come."""

    def begin(self, what: str, total: int) -> None:
        """Something begins that goes through so many bytes or characters."""

    def advance(self, size: int) -> None:
        """So many more are done."""


class Silence:
    """Watches and says nothing."""

    def begin(self, what: str, total: int) -> None:
        """Something begins."""

    def advance(self, size: int) -> None:
        """Some is done."""
