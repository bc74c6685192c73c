"""Records of a JSON file exactly as written; a bad record does not stop the reading."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plausibly.errors import TableError
from plausibly.io.failures import DEEP
from plausibly.io.opening import read_bytes, suffix_of

_NEXT = re.compile(r"\n\s*\{")


@dataclass(frozen=True, slots=True)
class WrittenRecord:
    """One record of a file.

    Args:
        line: Where it begins, from 1.
        fields: Its fields; None if it is not an object.
        flaw: Why it is not an object.
        key: The key it is stored under, if any.
        repeated: Fields it has more than once; JSON readers keep the last.
    """

    line: int
    fields: dict[str, Any] | None
    flaw: str = ""
    key: str | None = None
    repeated: tuple[str, ...] = field(default=())


class _Pairs:
    """A JSON object as the pairs in the file, which keeps repeated names."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        self.pairs = pairs

    def plain(self) -> dict[str, Any]:
        return {_text(name): _plain(value) for name, value in self.pairs}

    def repeated(self) -> tuple[str, ...]:
        return tuple(n for n, times in Counter(name for name, _ in self.pairs).items() if times > 1)


def _plain(value: object) -> object:
    if isinstance(value, _Pairs):
        return value.plain()
    if isinstance(value, str) and not value.isascii():
        return _text(value)
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _text(written: str) -> str:
    """Return a text that can be written; half of a surrogate pair becomes U+FFFD.

    >>> _text("caff" + chr(0xD800) + "e") == "caff" + chr(0xFFFD) + "e"
    True
    """
    return written.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


# Line breaks inside texts are accepted: papers print long texts that way.
_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs, strict=False)


def written_records(path: Path, *, shown_by: str | None = None) -> list[WrittenRecord]:
    """Return every record of a .jsonl file, of one JSON array, or of objects under keys.

    A line or element that is not an object becomes a record with a flaw. An array that is not
    valid JSON is read element by element, as far as possible.

    Args:
        path: The file.
        shown_by: A field that only records have. If the objects under keys have it, they are the
            records; otherwise the objects inside them are.

    Raises:
        TableError: If a file of objects under keys is not JSON.
    """
    content = read_bytes(path).removeprefix(BOM_UTF8)
    if suffix_of(path) == ".jsonl":
        return list(_lines(content))
    text = _decoded(content)
    if text.lstrip().startswith("["):
        return list(_elements(text))
    try:
        document = _DECODER.decode(text)
    except RecursionError as error:
        raise TableError(f"{path}: {DEEP}") from error
    except ValueError as error:
        lines = list(_lines(text.encode()))
        if sum(one.fields is not None for one in lines) > 1:
            return lines
        raise TableError(f"{path}: not JSON ({error}).") from error
    outer = document.pairs if isinstance(document, _Pairs) else []
    parts = [part for _, part in outer if isinstance(part, _Pairs)]
    bare = any(name == shown_by for part in parts for name, _ in part.pairs)
    pairs = outer if bare else [pair for part in parts for pair in part.pairs]
    return [_record(0, value, key) for key, value in pairs]


def _decoded(content: bytes) -> str:
    """Return the text of a file; invalid bytes become U+FFFD."""
    wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    return content.decode("utf-16" if wide else "utf-8", errors="replace")


def _record(line: int, value: object, key: str | None = None) -> WrittenRecord:
    if isinstance(value, _Pairs):
        return WrittenRecord(line, value.plain(), key=key, repeated=value.repeated())
    return WrittenRecord(line, None, "not a JSON object", key)


def _lines(content: bytes) -> Iterator[WrittenRecord]:
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            yield _record(number, _DECODER.decode(line.decode().strip()))
        except UnicodeDecodeError:
            yield WrittenRecord(number, None, "not UTF-8")
        except RecursionError:
            yield WrittenRecord(number, None, "nested too deeply")
        except ValueError as error:
            what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            yield WrittenRecord(number, None, f"not JSON ({what})")


def _elements(text: str) -> Iterator[WrittenRecord]:
    start, line, counted = text.index("[") + 1, 1, 0
    position = start
    while True:
        between = position
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        follows = between > start and text[position : position + 1] not in ("", "]")
        if follows and "," not in text[between:position]:
            yield WrittenRecord(line, None, "no comma after it, so the rest is not valid JSON")
        line, counted = line + text.count("\n", counted, position), position
        if position >= len(text):
            yield WrittenRecord(line, None, "the array has no end")
            return
        if text[position] == "]":
            return
        try:
            value, position = _DECODER.raw_decode(text, position)
            yield _record(line, value)
        except RecursionError:
            yield WrittenRecord(line, None, "nested too deeply")
            return
        except ValueError as error:
            what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            yield WrittenRecord(line, None, f"not JSON ({what})")
            following = _NEXT.search(text, position + 1)
            if following is None:
                return
            position = following.end() - 1
