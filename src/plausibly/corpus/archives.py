"""Archives: .gz and .bz2 as streams that end where the damage begins, and say so."""

from __future__ import annotations

import bz2
import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from plausibly.errors import TableError

DAMAGED = "the archive is damaged"

_STEP = 1 << 16
_MOST = 1 << 18


class _Gzip:
    """One member of a .gz archive."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    def unpack(self, raw: bytes) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + raw, _MOST)

    def rest(self) -> bytes | None:
        return self._inner.unused_data if self._inner.eof else None

    @property
    def hungry(self) -> bool:
        return not self._inner.unconsumed_tail


class _Bzip2:
    """One stream of a .bz2 archive."""

    def __init__(self) -> None:
        self._inner = bz2.BZ2Decompressor()

    def unpack(self, raw: bytes) -> bytes:
        return self._inner.decompress(raw, _MOST)

    def rest(self) -> bytes | None:
        return self._inner.unused_data if self._inner.eof else None

    @property
    def hungry(self) -> bool:
        return self._inner.needs_input


_KINDS: dict[str, Callable[[], _Gzip | _Bzip2]] = {".gz": _Gzip, ".bz2": _Bzip2}


class Archive(io.RawIOBase):
    """The unpacked bytes of an archive, all of its members one after the other.

    A damaged or truncated archive ends where it can no longer be unpacked; `damage` then says
    what was wrong, and stays empty otherwise.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._new = _KINDS[path.suffix.lower()]
        self._member: _Gzip | _Bzip2 | None = None
        self._raw = b""
        self._ready = memoryview(b"")
        self.damage = ""

    def readable(self) -> bool:
        """Return that bytes can be read."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill the buffer with unpacked bytes and return how many; 0 at the end."""
        target = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        while not self._ready:
            unpacked = self._unpack()
            if unpacked is None:
                return 0
            self._ready = memoryview(unpacked)
        size = min(len(target), len(self._ready))
        target[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _unpack(self) -> bytes | None:
        """Return the next unpacked bytes, None at the end of the archive."""
        if self.damage:
            return None
        if not self._raw and (self._member is None or self._member.hungry):
            self._raw = self._file.read(_STEP)
            if not self._raw:
                self.damage = "it ends in the middle" if self._member is not None else ""
                return None
        if self._member is None:
            self._member = self._new()
        try:
            unpacked = self._member.unpack(self._raw)
        except (zlib.error, OSError, ValueError) as error:
            self.damage = str(error)
            return None
        rest = self._member.rest()
        self._raw = rest.lstrip(b"\0") if rest is not None else b""
        if rest is not None:
            self._member = None
        return unpacked

    def packed(self) -> int:
        """Return how many bytes of the archive have been read."""
        return self._file.tell()

    def close(self) -> None:
        """Close the archive."""
        self._file.close()
        super().close()


def is_archive(path: Path) -> bool:
    """Tell whether a file is packed, by its ending."""
    return path.suffix.lower() in _KINDS


class Opened:
    """A file opened for reading, packed or not; `damage` says why an archive ended early."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._archive = Archive(path) if is_archive(path) else None
        raw = self._archive if self._archive is not None else path.open("rb", buffering=0)
        self.stream: BinaryIO = io.BufferedReader(raw, _MOST)

    @property
    def damage(self) -> str:
        """What is wrong with the archive, empty if nothing was found to be."""
        return self._archive.damage if self._archive is not None else ""

    def position(self) -> int:
        """Return how many bytes of the file have been read."""
        return self._archive.packed() if self._archive is not None else self.stream.tell()

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stream.close()


def open_file(path: Path) -> Opened:
    """Return a file opened for reading; raise if it is not there or not what its ending says."""
    if not path.is_file():
        raise TableError(f"{path}: no such file.")
    opened = Opened(path)
    if is_archive(path) and path.stat().st_size and not opened.stream.peek(1):  # type: ignore[attr-defined]
        damage = opened.damage
        opened.stream.close()
        if damage:
            raise TableError(f"{path}: not a {path.suffix} archive ({damage}). Fetch it again.")
        return Opened(path)
    return opened
