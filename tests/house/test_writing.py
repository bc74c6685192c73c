"""Every file is written by `io`: whole or not at all, and never over what is being read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import plausibly

PACKAGE = Path(plausibly.__file__ or "").parent
WRITERS = frozenset(
    {"write_bytes", "write_csv", "write_ipc", "write_ndjson", "write_parquet", "write_text"}
)
OPENERS = ("fdopen", "open")
READING = frozenset("rbtU")
OURS = frozenset({"io", "work"})  # `io.write_text`, `work.write_text` of a step

# Files that may write for themselves, each with its reason.
ALLOWED = {
    "analysis/showing.py": "a table as bytes in memory, for a link of the page",
    "backends/weights.py": "a download, streamed inside io.replacing",
    "corpus/_work.py": "a log of documents that a parser died on, appended line by line",
    "corpus/_examples.py": "scratch shards of a run, merged through io",
    "corpus/_shards.py": "scratch shards of a run, merged through io",
    "corpus/_state.py": "a lock file, which holds nothing",
    "corpus/_tally.py": "scratch shards of a run, merged through io",
    "models/stored.py": "a model, streamed inside io.replacing",
    "ratings/people.py": "a secret, readable by its owner alone from the first byte",
    "web/addresses.py": "a secret, readable by its owner alone from the first byte",
    "web/keys.py": "a secret, readable by its owner alone from the first byte",
}


def _mode(call: ast.Call, place: int) -> str | None:
    """Return the mode a file is opened with; None where it is not a plain text."""
    named = next((one.value for one in call.keywords if one.arg == "mode"), None)
    given = named or (call.args[place] if len(call.args) > place else ast.Constant("r"))
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None


def _writes(call: ast.Call) -> bool:
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "open" and not READING.issuperset(_mode(call, 1) or "?")
    if not isinstance(function, ast.Attribute):
        return False
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    if function.attr in WRITERS or function.attr.startswith("sink_"):
        in_memory = not call.args and not call.keywords  # frame.write_csv() returns a text
        return owner not in OURS and not in_memory
    if function.attr not in OPENERS:
        return False
    place = 1 if owner in ("os", "gzip", "bz2", "lzma", "io") else 0
    mode = _mode(call, place)
    return mode is not None and not READING.issuperset(mode) and len(mode) <= len("w+b")


def offences(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of every call that writes a file."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _writes(node):
            yield node.lineno, ast.unparse(node.func)


def test_only_io_writes_files() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {what}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] != "io"
        and path.relative_to(PACKAGE).as_posix() not in ALLOWED
        for line, what in offences(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_an_exception_is_still_needed(name: str) -> None:
    assert list(offences((PACKAGE / name).read_text(encoding="utf-8"))), "take it off the list"


@pytest.mark.parametrize(
    "line",
    [
        "frame.write_csv(path)",
        "frame.write_parquet(folder / 'a.parquet')",
        "path.write_text('a', encoding='utf-8')",
        "path.write_bytes(b'')",
        "lazy.sink_parquet(path)",
        "open(path, 'w')",
        "open(path, mode='a')",
        "path.open('wb')",
        "gzip.open(path, 'wt')",
        "os.fdopen(descriptor, 'w')",
    ],
)
def test_a_call_that_writes_is_found(line: str) -> None:
    assert len(list(offences(line))) == 1


@pytest.mark.parametrize(
    "line",
    [
        "open(path)",
        "path.open('rb')",
        "gzip.open(path, 'rt')",
        "frame.write_csv()",
        "work.write_text('report.html', page)",
        "write_text(path, text)",
    ],
)
def test_a_call_that_reads_or_goes_through_io_is_not(line: str) -> None:
    assert list(offences(line)) == []
