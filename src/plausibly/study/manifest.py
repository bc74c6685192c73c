"""The manifest: what each step read, with which parameters, and what came out."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from plausibly.errors import StudyError, TableError
from plausibly.io import file_hash, read_json, suffix_of, write_json

FILE = "manifest.json"
PACKAGES = ("plausibly", "polars", "numpy", "scipy")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder, empty if there is none yet."""
    path = folder / FILE
    if not path.is_file():
        return {"steps": {}}
    try:
        document = read_json(path)
    except TableError as error:
        raise StudyError(f"{error} Remove it to run all steps again.") from error
    steps = document.get("steps") if isinstance(document, dict) else None
    if not isinstance(steps, dict) or not all(map(_is_entry, steps.values())):
        raise StudyError(f"{path}: not a manifest. Remove it to start again.")
    return dict(document)


def _is_entry(entry: object) -> bool:
    """Return whether the record of a step has what a later run compares."""
    if not isinstance(entry, dict) or not {"parameters", "seed"} <= entry.keys():
        return False
    inputs, outputs = entry.get("inputs"), entry.get("outputs")
    return (
        isinstance(inputs, dict)
        and isinstance(outputs, dict)
        and all(isinstance(one, dict) and "sha256" in one for one in outputs.values())
    )


def write_step(folder: Path, name: str, entry: Mapping[str, Any]) -> None:
    """Add one finished step to the manifest, whole or not at all."""
    manifest = read_manifest(folder)
    manifest["steps"][name] = dict(entry)
    failed = {step: one for step, one in manifest.pop("failed", {}).items() if step != name}
    write_json(folder / FILE, {**manifest, "failed": failed} if failed else manifest)


def write_failure(
    folder: Path, name: str, *, inputs: Iterable[str], outputs: Iterable[str]
) -> None:
    """Add what a step read that failed, and which of its files exist; nothing if none does."""
    written = [one for one in outputs if (folder / one).is_file()]
    if not written:
        return
    manifest = read_manifest(folder)
    record = {"inputs": list(inputs), "outputs": written}
    failed = {**manifest.get("failed", {}), name: record}
    write_json(folder / FILE, {**manifest, "failed": failed})


def entry(
    folder: Path,
    *,
    inputs: Iterable[str],
    outputs: Iterable[str],
    parameters: Mapping[str, Any],
    seed: int,
    seconds: float,
) -> dict[str, Any]:
    """Return the record of a finished step: hashes, parameters, seed, versions, row counts."""
    return {
        "inputs": hashes(folder, inputs),
        "outputs": {
            name: {"sha256": digest, "rows": row_count(folder / name)}
            for name, digest in hashes(folder, outputs).items()
        },
        "parameters": dict(parameters),
        "seed": seed,
        "versions": versions(),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
    }


def versions() -> dict[str, str]:
    """Return the versions that can affect a result."""
    return {"python": platform.python_version(), **{name: version_of(name) for name in PACKAGES}}


@cache
def version_of(package: str) -> str:
    """Return the installed version of a package, "unknown" where it runs without being installed.

    >>> version_of("nobody-made-this")
    'unknown'
    """
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def hashes(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of every file that exists; a folder or pattern names those in it.

    `{study}` stands for the name of the folder, for files next to it.
    """
    own = folder.resolve().name
    spelled = [name.replace("{study}", own) for name in names]
    files = dict.fromkeys(file for name in spelled for file in _files(folder, name))
    return {name: file_hash(folder / name) for name in files if not _bare_log(folder / name)}


def _bare_log(path: Path) -> bool:
    """Return whether a file is SQLite's log without entries, which mere reading leaves behind."""
    return path.name.endswith("-wal") and path.stat().st_size == 0


def _files(folder: Path, name: str) -> list[str]:
    path = folder / name
    if path.is_file():
        return [name]
    if path.is_dir():
        found = [one for one in path.rglob("*") if one.is_file()]
        seen = [one for one in found if not one.relative_to(path).as_posix().startswith(".")]
    elif any(mark in name for mark in "*?["):
        root = Path(path.anchor)
        seen = [one for one in root.glob(str(path.relative_to(root))) if one.is_file()]
    else:
        return []
    own = folder.resolve()
    inside = [one.resolve() for one in seen]
    return sorted(
        str(one.relative_to(own)) if one.is_relative_to(own) else str(one) for one in inside
    )


def row_count(path: Path) -> int | None:
    """Return how many rows a table has, None for what is not a table."""
    if path.suffix == ".parquet" and suffix_of(path) == ".parquet":
        import polars as pl

        return int(pl.scan_parquet(path).select(pl.len()).collect().item())
    return None
