"""Shards: the pieces of the input that are worked on one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from plausibly.corpus._archives import DAMAGED, Opened, is_archive, open_file
from plausibly.corpus._report import ShardReport
from plausibly.io.conllu import blocks, blocks_of, to_blank_line

SHARD = 1 << 24
BLOCK = 1 << 22
MANY_ARCHIVES = 64


@dataclass(frozen=True, slots=True)
class Shard:
    """One piece of the input.

    Args:
        key: Number of the file and of the piece in it; names what is written.
        file: The input the piece is of.
        path: Where its bytes lie: in the input itself, or in a file staged for it.
        start: First byte.
        end: Byte after the last; None for all there is.
        size: Bytes of the input it stands for, as they lie on disk.
        before: Bytes of the unpacked file in front of it.
    """

    key: str
    file: Path
    path: Path
    start: int = 0
    end: int | None = None
    size: int = 0
    before: int = 0

    @property
    def staged(self) -> bool:
        """Whether its bytes are in a file made for it alone."""
        return self.path != self.file

    def result(self, state: Path) -> Path:
        """Return the file that holds what came of the shard once it is done."""
        return state / f"{self.key}.parquet"


def key_of(file: int, piece: int) -> str:
    """Return the key of a piece; keys sort in the order of the input."""
    return f"{file:06}-{piece:08}"


class Cuts:
    """Cuts a parsed corpus into shards, on blank lines only; the cuts depend on content alone.

    A plain file is read where it lies. An archive is unpacked piece by piece, each piece staged
    for the worker that takes it; of 64 archives or more each is one shard, unpacked by its worker.

    Args:
        files: The files, in order.
        state: Folder for staged pieces; a piece whose result is there already is not staged.
    """

    def __init__(self, files: Sequence[Path], state: Path) -> None:
        self.report = ShardReport()
        self._files = files
        self._state = state
        self._whole = sum(map(is_archive, files)) >= MANY_ARCHIVES

    def __iter__(self) -> Iterator[Shard]:
        for number, file in enumerate(self._files):
            if not is_archive(file):
                yield from self._ranges(number, file)
            elif self._whole:
                yield Shard(key_of(number, 0), file, file, size=file.stat().st_size)
            else:
                yield from self._unpacked(number, file)

    def _ranges(self, number: int, file: Path) -> Iterator[Shard]:
        total = file.stat().st_size
        start = piece = 0
        with file.open("rb") as stream:
            while start < total:
                stream.seek(start + SHARD)
                end = start + SHARD + sum(map(len, to_blank_line(stream)))
                end = min(end, total)
                yield Shard(key_of(number, piece), file, file, start, end, end - start, start)
                start, piece = end, piece + 1

    def _unpacked(self, number: int, file: Path) -> Iterator[Shard]:
        with open_file(file) as opened:
            read = unpacked = 0
            for piece, block in enumerate(whole_sentences(opened, SHARD)):
                key = key_of(number, piece)
                size, read = opened.position() - read, opened.position()
                staged = self._state / f"{key}.staged"
                shard = Shard(key, file, staged, size=size, before=unpacked)
                unpacked += len(block)
                if not shard.result(self._state).exists():
                    shard.path.write_bytes(block)
                yield shard
            if opened.damage:
                self.report.damage[str(file)] = f"{DAMAGED} ({opened.damage})"


def shard_blocks(shard: Shard) -> Iterator[bytes]:
    """Yield the bytes of a shard in blocks that end on a blank line."""
    with shard.path.open("rb") as stream:
        stream.seek(shard.start)
        content = stream.read(-1 if shard.end is None else shard.end - shard.start)
    yield from blocks_of(content, BLOCK)


def whole_sentences(opened: Opened, size: int) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks, without the sentence a damaged archive breaks off in."""
    for block in blocks(opened.stream, size):
        kept = block
        if opened.damage:
            kept = block[: max(block.rfind(b"\n\n"), block.rfind(b"\n\r\n")) + 1]
        if kept:
            yield kept
