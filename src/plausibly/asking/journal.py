"""Answers as they come in: one line each, on disk before the next query is sent.

The name of a line is the hash of what was asked of whom, so the same query is never sent twice,
whatever command asks it. A line that a killed process left half written is cut off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from plausibly.errors import StudyError
from plausibly.io import make_folder, reading, writing
from plausibly.io.locks import claim
from plausibly.ports import Query, Reply

FILE = "answers.jsonl"


def key_of(identity: str, query: Query) -> str:
    """Return the name of a query put to a model: the hash of all its answer depends on.

    >>> key_of("m", Query("Is tea wet?")) == key_of("m", Query("Is tea wet? "))
    False
    """
    parts = [identity, query.context, query.messages, query.options, query.max_tokens]
    parts += [query.repeat] if query.repeat else []
    return sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """One answer: where it came from and how long it took."""

    reply: Reply
    source: str
    seconds: float


class Journal:
    """The answers of one folder, for one process at a time; threads may share it."""

    def __init__(self, path: Path, descriptor: int, entries: dict[str, KeptAnswer]) -> None:
        self._path = path
        self._descriptor = descriptor
        self._entries = entries
        self._lock = Lock()

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __getitem__(self, key: str) -> KeptAnswer:
        return self._entries[key]

    def add(self, key: str, entry: KeptAnswer) -> None:
        """Keep an answer: when this returns, it is on disk."""
        document = {
            "key": key,
            "source": entry.source,
            "seconds": round(entry.seconds, 4),
            "reply": {k: value for k, value in asdict(entry.reply).items() if value is not None},
        }
        line = json.dumps(document).encode() + b"\n"
        with self._lock, writing(self._path):
            end = os.lseek(self._descriptor, 0, os.SEEK_END)
            try:
                while line:
                    line = line[os.write(self._descriptor, line) :]
                os.fsync(self._descriptor)
            except OSError:
                os.ftruncate(self._descriptor, end)
                raise
            self._entries[key] = entry


@contextmanager
def journal(folder: Path) -> Iterator[Journal]:
    """Yield the answers a folder holds, open for more.

    Raises:
        StudyError: If another process is asking into the same folder, or a line is not an answer.
    """
    make_folder(folder)
    path = folder / FILE
    with writing(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        _claim(descriptor, path)
        yield Journal(path, descriptor, _entries(descriptor, path))
    finally:
        os.close(descriptor)


def _claim(descriptor: int, path: Path) -> None:
    if not claim(descriptor):
        raise StudyError(
            f"{path}: another process is asking into this folder. Wait for it, or name another."
        )


def _entries(descriptor: int, path: Path) -> dict[str, KeptAnswer]:
    with reading(path):
        content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.ftruncate(descriptor, whole)
    lines = content[:whole].split(b"\n")[:-1]
    return dict(_entry(line, f"{path}:{number}") for number, line in enumerate(lines, start=1))


def _entry(line: bytes, place: str) -> tuple[str, KeptAnswer]:
    try:
        document = json.loads(line)
        reply = Reply(**_tuples(document["reply"]))
        return str(document["key"]), KeptAnswer(reply, document["source"], document["seconds"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StudyError(
            f"{place}: not an answer that `ask` wrote. Remove the line, and the question is asked "
            "again."
        ) from error


def _tuples(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
