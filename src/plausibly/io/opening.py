"""Opens a file: its type and its bytes."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
import zlib
from codecs import BOM_UTF8
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from plausibly.errors import StudyError, TableError
from plausibly.io.choices import reading_now
from plausibly.io.decoding import as_utf8
from plausibly.io.failures import reading

_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
STDIN = Path("-")
GZIP = b"\x1f\x8b"
SUFFIXES = (".csv", ".tsv", ".jsonl", ".json", ".parquet")


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong with a text that cannot be read, and on which of its lines."""

    message: str
    line: int = 1


def suffix_of(path: Path) -> str:
    """Return the suffix that names the file type, without `.gz`; raise if it is unknown."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] == [".gz"]:
        suffixes.pop()
    if not suffixes or suffixes[-1] not in SUFFIXES:
        raise TableError(
            f"{path}: unknown file type, judged by the ending. "
            f"Known: {', '.join(SUFFIXES)}, each also with .gz."
        )
    return suffixes[-1]


def kind_of(path: Path, content: bytes) -> str:
    """Return the file type to read: by its ending, or by the content of a pipe or .txt file."""
    if path.suffix.lower() == ".txt" or is_stream(path):
        return _guessed(content)
    if path.suffix.lower() == ".xlsx":
        return ".xlsx"
    return suffix_of(path)


def is_stream(path: Path) -> bool:
    """Check if a path is standard input (`-`) or a pipe of the shell, which have no ending."""
    return path == STDIN or path.is_fifo()


def _guessed(content: bytes) -> str:
    if content.startswith(b"PAR1"):
        return ".parquet"
    first = content.removeprefix(BOM_UTF8).lstrip()[:1]
    return {b"[": ".json", b"{": ".jsonl"}.get(first, ".txt")


def is_packed(path: Path) -> bool:
    """Return whether the name ends in .gz."""
    return path.suffix.lower() == ".gz"


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, unpacked if it ends in .gz.

    A file of ratings is read only once, since it may be a pipe whose format is detected first.
    """
    now = reading_now()
    if now is None:
        return _read_bytes(path)
    if path not in now.contents:
        now.contents[path] = _read_bytes(path)
    return now.contents[path]


def _read_bytes(path: Path) -> bytes:
    with reading(path):
        content = sys.stdin.buffer.read() if path == STDIN else path.read_bytes()
        if not (is_packed(path) or (is_stream(path) and content.startswith(GZIP))):
            return content
        try:
            return gzip.decompress(content)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            what = f"the archive is damaged ({error}). Fetch it again."
            raise TableError(f"{path}: {what}") from error


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, without a byte order mark."""
    content = as_utf8(path, read_bytes(path))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + content.count(b"\n", 0, error.start)
        raise TableError(f"{path}:{line}: not UTF-8. Save the file as UTF-8.") from error


def read_toml(path: Path) -> dict[str, Any]:
    """Return the document a TOML file holds."""
    return parse_toml(read_settings(path), where=path)


def read_settings(path: Path) -> str:
    """Return the text of a settings file."""
    try:
        return read_text(path)
    except TableError as error:
        raise StudyError(str(error)) from error


def packaged_toml(package: str, name: str) -> dict[str, Any]:
    """Return a TOML file that is part of a package, by its path inside it."""
    import tomllib

    return tomllib.loads(files(package).joinpath(*name.split("/")).read_text(encoding="utf-8"))


def parse_toml(text: str, *, where: Path | str) -> dict[str, Any]:
    """Return the document a TOML text holds; `where` names it in an error."""
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise StudyError(f"{where}: not TOML (nested too deeply).") from error
    except ValueError as error:  # also raised for an integer of thousands of digits
        raise StudyError(f"{where}: not TOML ({error}).") from error


def read_json(path: Path) -> Any:
    """Return the one document a JSON file holds."""
    return parse_json(read_text(path), where=path)


def parse_json(text: str | bytes, *, where: Path | str) -> Any:
    """Return the value of a JSON text; `where` names it in an error.

    Raises:
        TableError: Naming the line of what is not JSON, or cannot be held.
    """
    value = json_value(text)
    if isinstance(value, Flaw):
        raise TableError(f"{where}:{value.line}: {value.message}.")
    return value


def json_value(content: str | bytes, *, once: bool = False) -> Any:
    """Return the value of a JSON text, or its flaw with the line.

    Args:
        content: The text.
        once: Whether an object that has a key twice is replaced by this flaw.
    """
    try:
        text = content.decode() if isinstance(content, bytes) else content
        value = json.loads(text, object_pairs_hook=_once if once else None)
        if _HALF_PAIR.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        return Flaw("not UTF-8", line=1 + error.object.count(b"\n", 0, error.start))
    except UnicodeEncodeError:
        return Flaw("half of a surrogate pair (such as \\ud800) is not text")
    except json.JSONDecodeError as error:
        return Flaw(f"not JSON ({error.msg})", line=error.lineno)
    except ValueError:
        return Flaw("a whole number of more than 4300 digits")
    except RecursionError:
        return Flaw("nested too deeply")
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object] | Flaw:
    """Return the object of these pairs, or its flaw if it has a key twice."""
    fields = dict(pairs)
    for value in fields.values():
        flawed = (
            next((one for one in value if isinstance(one, Flaw)), None)
            if isinstance(value, list)
            else value
        )
        if isinstance(flawed, Flaw):
            return flawed
    if len(fields) == len(pairs):
        return fields
    names = [name for name, _ in pairs]
    twice = next(name for name in names if names.count(name) > 1)
    return Flaw(f"the key {twice!r} occurs twice in one object")


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    with reading(path), path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
