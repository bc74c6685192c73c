"""Errors of file systems and libraries in one line: where, what is wrong, and what to do."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plausibly.errors import PlausiblyError, StudyError, TableError

READING = {
    errno.ENOENT: "no such file.",
    errno.ENOTDIR: "no such file: a part of its path is a file, not a folder.",
    errno.EISDIR: "a folder. Name a file in it.",
    errno.EACCES: "no permission to read it. Ask for permission, or copy it.",
    errno.EPERM: "no permission to read it. Ask for permission, or copy it.",
    errno.ELOOP: "a link that leads back to itself. Name the file itself.",
    errno.ENAMETOOLONG: "no such file: the name is too long.",
    errno.EIO: "the disk failed while it was being read. Fetch the file again.",
}
WRITING = {
    errno.ENOENT: "no such folder to write into. Create it.",
    errno.ENOTDIR: "a file is in the way of a folder to write into. Choose another place.",
    errno.EEXIST: "a file is in the way of the folder to write. Choose another place.",
    errno.EISDIR: "a folder is in the way of the file to write. Name a file.",
    errno.EACCES: "no permission to write there. Ask for permission, or choose another place.",
    errno.EPERM: "no permission to write there. Ask for permission, or choose another place.",
    errno.EROFS: "the disk is read-only. Choose another place.",
    errno.ENOSPC: "the disk is full; nothing was written. Free some space and run again.",
    errno.EDQUOT: "your disk quota is used up; nothing was written. Free some space.",
    errno.EFBIG: "the file would be too large for that disk. Choose another place.",
    errno.ELOOP: "a link that leads back to itself. Choose another name.",
    errno.ENAMETOOLONG: "the name is too long. Choose a shorter one.",
    errno.EIO: "the disk failed during writing; nothing was kept. Choose another place.",
}
MEMORY = "it does not fit into memory. Split the file, or use a machine with more memory."
DEEP = "nested more deeply than any table of ours. Is this the right file?"
NUL = "a file name cannot contain a NUL. Choose another name."
SURROGATE = "half of a surrogate pair, which is not text. Save the file as UTF-8."
_OS_ERROR = re.compile(r"\(os error (\d+)\)")  # as Polars writes errors of the system


@contextmanager
def reading(where: Path | str) -> Iterator[None]:
    """Turn errors while `where` is read into a `TableError` that names it."""
    if "\0" in str(where):
        raise TableError(f"{str(where)!r}: {NUL}")
    try:
        yield
    except PlausiblyError:
        raise
    except _expected() as error:
        raise TableError(f"{where}: {reason(error, READING)}") from error


@contextmanager
def writing(where: Path | str) -> Iterator[None]:
    """Turn errors while `where` is written into a `StudyError` that names it."""
    if "\0" in str(where):
        raise StudyError(f"{str(where)!r}: {NUL}")
    try:
        yield
    except PlausiblyError:
        raise
    except _expected() as error:
        raise StudyError(f"{where}: {reason(error, WRITING)}") from error


def _expected() -> tuple[type[BaseException], ...]:
    import pyarrow as pa
    from polars.exceptions import PanicException, PolarsError

    libraries = (PolarsError, PanicException, pa.ArrowException)
    return (OSError, MemoryError, RecursionError, UnicodeError, *libraries)


def reason(error: BaseException, messages: dict[int, str]) -> str:
    """Return why something failed and what to do, in one line."""
    number = _OS_ERROR.search(str(error))
    code = int(number[1]) if number else getattr(error, "errno", None)
    if code is not None:
        return messages.get(code, f"{os.strerror(code)}.")
    if isinstance(error, MemoryError):
        return MEMORY
    if isinstance(error, RecursionError):
        return DEEP
    if isinstance(error, UnicodeEncodeError):
        return SURROGATE
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8. Save the file as UTF-8."
    first = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
    return f"{first.strip().rstrip('.')}."
