"""Archives: .gz and .bz2 as streams that end where the damage begins, and say so."""

from __future__ import annotations

import bz2
import io
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from plausibly.errors import TableError

DAMAGED = "the archive is damaged"

_STEP = 1 << 16
_MOST = 1 << 18


class _Gzip:
    """One member of a .gz archive, unpacked in steps as `bz2.BZ2Decompressor` does it."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    def decompress(self, raw: bytes, most: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + raw, most)

    eof = property(lambda self: self._inner.eof)
    unused_data = property(lambda self: self._inner.unused_data)
    needs_input = property(lambda self: not self._inner.unconsumed_tail)


_KINDS: dict[str, Callable[[], _Gzip | bz2.BZ2Decompressor]] = {
    ".gz": _Gzip,
    ".bz2": bz2.BZ2Decompressor,
}


class _Archive(io.RawIOBase):
    """The unpacked bytes of an archive, all of its members one after the other.

    The standard library's readers lose what a damaged archive held in front of the damage, and
    take what cannot be unpacked behind a .bz2 member for its end; so members are read one by one.
    """

    def __init__(self, path: Path) -> None:
        self.file = path.open("rb")
        self.damage = ""
        self._kind = _KINDS[path.suffix.lower()]
        self._parts = self._unpacked()
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        target = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        while not self._ready:
            part = next(self._parts, None)
            if part is None:
                return 0
            self._ready = memoryview(part)
        size = min(len(target), len(self._ready))
        target[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _unpacked(self) -> Iterator[bytes]:
        raw = self.file.read(_STEP)
        while raw:
            member = self._kind()
            while not member.eof:
                if not raw and member.needs_input:
                    raw = self.file.read(_STEP)
                    if not raw:
                        self.damage = "it ends in the middle"
                        return
                try:
                    part = member.decompress(raw, _MOST)
                except (zlib.error, OSError, ValueError) as error:
                    self.damage = str(error)
                    return
                raw = b""
                yield part
            raw = member.unused_data.lstrip(b"\0") or self.file.read(_STEP).lstrip(b"\0")

    def close(self) -> None:
        self.file.close()
        super().close()


def is_archive(path: Path) -> bool:
    """Return whether a file is packed, by its ending."""
    return path.suffix.lower() in _KINDS


class Opened:
    """A file opened for reading, packed or not; `damage` shows why an archive ended early."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._archive = _Archive(path) if is_archive(path) else None
        self.stream: BinaryIO = io.BufferedReader(
            self._archive or path.open("rb", buffering=0), _MOST
        )

    @property
    def damage(self) -> str:
        """What is wrong with the archive, empty if nothing was found to be."""
        return self._archive.damage if self._archive is not None else ""

    def position(self) -> int:
        """Return how many bytes of the file have been read."""
        return (self._archive.file if self._archive is not None else self.stream).tell()

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stream.close()


def open_file(path: Path) -> Opened:
    """Return a file opened for reading; raise if it is not there or not what its ending says."""
    if not path.is_file():
        raise TableError(f"{path}: no such file.")
    opened = Opened(path)
    if is_archive(path) and not opened.stream.peek(1) and opened.damage:  # type: ignore[attr-defined]
        opened.stream.close()
        raise TableError(f"{path}: not a {path.suffix} archive ({opened.damage}). Fetch it again.")
    return opened
