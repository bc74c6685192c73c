"""Values that tests need for what a registry or a signature lists."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


class TestValues(dict[str, Any]):
    """Values by name; where one is missing, the error says in which file to add it.

    >>> TestValues("tests/laws/test_options.py", "VALUES", {"seed": 7})["seed"]
    7
    """

    __test__ = False

    def __init__(self, file: str, table: str, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.place = place(file, table)

    def __missing__(self, name: str) -> Any:
        raise AssertionError(f"no test value for {name!r}. Add one to {self.place}.")

    def require(self, names: Collection[str]) -> None:
        """Raise at the first name without a value."""
        for name in sorted(set(names) - set(self)):
            self.__missing__(name)


def place(file: str, table: str) -> str:
    """Return how a message names a table of a test's file."""
    path = Path(file).resolve()
    return f"{table} in {path.relative_to(ROOT) if path.is_relative_to(ROOT) else file}"
