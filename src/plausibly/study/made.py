"""How a result came about: the verb, every argument, what was read, the seed.

Nobody writes this down by hand: it follows from the arguments a verb was called with.
"""

from __future__ import annotations

import hashlib
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

import polars as pl

from plausibly.io import file_hash, frame_hash
from plausibly.io.choices import reporting_guesses
from plausibly.study.manifest import versions

# Arguments that cannot change a result, each with the reason; they are in no manifest.
INERT: Mapping[str, str] = {
    "announce": "names each step while it runs",
    "concurrency": "how many queries are open at once; every answer is the same",
    "data": "where the published datasets are; which of them is read is another argument",
    "force": "allows overwriting; the content is the same",
    "max_wait": "how long to wait for an address",
    "memory": "how much memory a statement may use",
    "output": "where the result is written",
    "say": "shows progress",
    "strict": "turns findings into an error; the result is the same",
    "timeout": "how long to wait for one answer",
    "watch": "shows progress",
    "workers": "how many processes share the work; the rows are the same",
}
# Arguments that hold secrets; a manifest never has them.
SECRETS: Mapping[str, str] = {
    "key": "the secret of the pseudonyms",
    "naming": "holds the secret of the pseudonyms",
}
# Folders of many things: a manifest has their names, and describes what was read of them.
FOLDERS: Mapping[str, str] = {
    "data": "the published datasets, of which a verb reads a few files",
    "folder": "a study, which a verb also writes into",
    "study": "a study, of which a verb reads its tables",
}
SEED = "seed"


@dataclass(frozen=True, eq=False)
class Made:
    """How a result came about.

    Args:
        verb: The words of the command.
        inputs: From an argument to the description of what was read: name and hash.
        parameters: Every other argument, defaults included.
        seed: What random steps were drawn from; None if nothing is drawn.
        paths: The files that were read, which a result never overwrites.
        guesses: One sentence per guess about a file that was read.
    """

    verb: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    paths: tuple[Path, ...] = ()
    guesses: list[str] = field(default_factory=list)

    def reading(self, sources: Mapping[str, object], **parameters: object) -> Made:
        """Return the same with what was read of a folder, by name, and what follows from it."""
        present = {name: one for name, one in sources.items() if one is not None}
        return replace(
            self,
            inputs={**self.inputs, **{name: described(one) for name, one in present.items()}},
            parameters={**self.parameters, **parameters},
            paths=(*self.paths, *files_in(list(present.values()))),
        )

    def as_json(self, rows: Mapping[str, int | None]) -> dict[str, Any]:
        """Return the manifest: inputs with hashes, parameters, seed, versions, rows."""
        return {
            "verb": self.verb,
            "inputs": {name: _settled(one) for name, one in self.inputs.items() if one is not None},
            "parameters": {name: plain(value) for name, value in self.parameters.items()},
            "seed": self.seed,
            "versions": versions(),
            "rows": dict(rows),
        }


def _settled(source: Any) -> Any:
    """Return the description of an input, computed now where it was put off."""
    if isinstance(source, Mapping):
        return source
    if isinstance(source, list) and all(isinstance(one, Mapping) for one in source):
        return source
    late = source if callable(source) else described(source)
    return late() if callable(late) else late


_MAKING: ContextVar[Made | None] = ContextVar("making", default=None)


def is_making() -> bool:
    """Return whether a verb runs now."""
    return _MAKING.get() is not None


def being_made() -> Made:
    """Return how the result of the verb that runs now comes about."""
    return _MAKING.get() or Made()


@contextmanager
def while_making(made: Made) -> Iterator[None]:
    """Let every result of this block carry how it came about, and what was guessed."""
    before = _MAKING.set(made)
    try:
        with reporting_guesses(made.guesses):
            yield
    finally:
        _MAKING.reset(before)


def made_from(
    verb: str,
    arguments: Mapping[str, Any],
    kinds: Mapping[str, Any],
    *,
    sources: Mapping[str, Any] | None = None,
) -> Made:
    """Return how a call came about, from its arguments alone.

    Args:
        verb: The words of the command.
        arguments: Every argument, defaults included.
        kinds: From an argument to its annotation, which tells what may be a file or a table.
        sources: What is read instead of what an argument names; a function describes it late.
    """
    inputs: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    paths: list[Path] = []
    for name, value in arguments.items():
        if name in INERT or name in SECRETS or name == SEED or name in (sources or {}):
            continue
        if name in FOLDERS:
            parameters[name] = None if value is None else Path(value).resolve().name
        elif may_be_source(kinds.get(name, object)) and is_source(value):
            inputs[name] = described(value)
            paths += files_in(value)
        else:
            parameters[name] = value
    for name, source in (sources or {}).items():
        inputs[name] = source if callable(source) else described(source)
        paths += files_in(arguments.get(name) if callable(source) else source)
    return Made(verb, inputs, parameters, arguments.get(SEED), tuple(paths))


def may_be_source(kind: object) -> bool:
    """Return whether an annotation admits a file or a table.

    >>> may_be_source(str | Path), may_be_source(str)
    (True, False)
    """
    return kind in (object, Path, pl.DataFrame, pl.LazyFrame) or any(
        map(may_be_source, get_args(kind))
    )


def is_source(value: object) -> bool:
    """Return whether a value is a table, or names a file or folder that exists."""
    if isinstance(value, str | Path):
        return bool(str(value)) and _exists(Path(value))
    if isinstance(value, list | tuple):
        return any(map(is_source, value))
    return not (value is None or isinstance(value, Mapping | int | float) or callable(value))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a text too long or too odd for a path
        return False


def files_in(value: object) -> list[Path]:
    """Return the files a source names; those of a folder too.

    >>> files_in(["no-such-file.csv"])
    []
    """
    if isinstance(value, list | tuple):
        return [path for one in value for path in files_in(one)]
    if isinstance(value, Mapping):
        return files_in(list(value.values()))
    if not isinstance(value, str | Path) or not _exists(Path(value)):
        return []
    path = Path(value)
    if not path.is_dir():  # a pipe can be read once, and nothing is written over it
        return [path] if path.is_file() else []
    return sorted(one for one in path.iterdir() if one.is_file())


def described(source: object) -> Any:
    """Return name and hash of what is read; that of a table is computed when it is asked for."""
    if isinstance(source, list | tuple):
        return [one() if callable(one) else one for one in map(described, source)]
    if isinstance(source, Mapping):
        return dict(zip(source, described(list(source.values())), strict=True))
    if source is None:
        return None
    if isinstance(source, str | Path):
        return _described_path(Path(source))
    frame = getattr(source, "ratings", source)  # what was read before
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, pl.DataFrame) and hasattr(frame, "__arrow_c_stream__"):
        frame = pl.DataFrame(frame)
    if isinstance(frame, pl.DataFrame):
        table = frame
        return lambda: {"rows": table.height, "sha256": frame_hash(table)}
    return {"kind": type(source).__name__}


def _described_path(path: Path) -> dict[str, Any]:
    if path.is_file():
        return {"file": path.name, "sha256": file_hash(path)}
    if not path.is_dir():
        return {"file": path.name, "sha256": None}
    files = sorted(one for one in path.rglob("*") if one.is_file() and one.name[0] != ".")
    lines = [f"{file_hash(one)}  {one.relative_to(path).as_posix()}\n" for one in files]
    digest = hashlib.sha256("".join(lines).encode()).hexdigest()
    return {"folder": path.resolve().name, "files": len(files), "sha256": digest}


def described_callable(function: Callable[..., object]) -> dict[str, Any]:
    """Return module, name and hash of the source of a function somebody passed.

    >>> described_callable(described_callable)["name"]
    'described_callable'
    """
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):
        source = repr(getattr(function, "__code__", function))
    return {
        "module": getattr(function, "__module__", None),
        "name": getattr(function, "__qualname__", type(function).__name__),
        "sha256": hashlib.sha256(source.encode()).hexdigest(),
    }


def plain(value: object) -> object:
    """Return a parameter as JSON knows it; a path by its name alone, without the machine's."""
    if isinstance(value, Path):
        return value.name
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(inner) for inner in value]
    if value is None or isinstance(value, str | int | bool):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return described_callable(value) if callable(value) else str(value)
