"""Names: inputs under the names a person gave them, wherever the work on them is done."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Names:
    """Inputs as they were named, and where they lie for whoever works in another folder.

    Args:
        named: The files as a person named them.
    """

    named: tuple[Path, ...]

    @property
    def files(self) -> list[Path]:
        """The same files, whatever folder one is in."""
        return [file.absolute() for file in self.named]

    def shown(self, file: str) -> str:
        """Return the name a person gave a file, be it that an earlier run was given another."""
        places = {file.resolve(): file for file in self.named}
        return str(places.get(Path(file).resolve(), file))


def common_folder(files: Sequence[Path]) -> str:
    """Return the folder all files are in, however they are spelled.

    >>> common_folder([Path("/data/a/x.txt"), Path("/data/a/../b/y.txt")])
    '/data'
    """
    return os.path.commonpath([os.path.normpath(file.absolute().parent) for file in files])


def short_name(file: str, folder: str) -> str:
    """Return the name of a file as seen from a folder.

    >>> short_name("/data/a/x.txt", "/data")
    'a/x.txt'
    """
    return os.path.relpath(file, folder) if folder else file
