"""Which type a file is, and its bytes."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from plausibly.errors import TableError

SUFFIXES = (".csv", ".tsv", ".jsonl", ".json", ".parquet")


def suffix_of(path: Path) -> str:
    """Return the suffix that says the file type, without `.gz`; raise if it is none of ours."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] == [".gz"]:
        suffixes.pop()
    if not suffixes or suffixes[-1] not in SUFFIXES:
        raise TableError(
            f"{path}: the file type is told by its ending, and this one is unknown. "
            f"Known: {', '.join(SUFFIXES)}, each also with .gz."
        )
    return suffixes[-1]


def is_packed(path: Path) -> bool:
    """Tell whether the name ends in .gz."""
    return path.suffix.lower() == ".gz"


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, unpacked if it ends in .gz."""
    if not path.is_file():
        raise TableError(f"{path}: no such file.")
    content = path.read_bytes()
    if not is_packed(path):
        return content
    try:
        return gzip.decompress(content)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise TableError(f"{path}: the archive is damaged ({error}). Fetch it again.") from error
