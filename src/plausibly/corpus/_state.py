"""State: what a run that is not finished leaves behind, so that the same command goes on."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from plausibly.errors import StudyError
from plausibly.io import write_json
from plausibly.io.locks import claim

FOLDER = ".shards"
PLAN = "plan.json"
LOCK = "lock"
MADE = "made"
PLANNED = frozenset({"plausibly", "inputs", "source", "patterns", "parser"})

# The files a run may be without a plan, and all that it may leave; no other file is touched.
_FIRST = re.compile(rf"{LOCK}|{MADE}|\.plan\.json\.[0-9]+\.tmp")
_PIECE = "[0-9]{6}-[0-9]{8}"
_OURS = re.compile(
    rf"{_FIRST.pattern}|plan\.json|finished|sample\.parquet|statement-[0-9]+|duckdb_temp_.*"
    rf"|{_PIECE}\.(parquet|staged|examples)|{_PIECE}(\.[0-9a-f]*)?\.trail|\..+\.[0-9]+\.tmp"
)


@contextmanager
def held_state(output: Path, plan: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the folder of an unfinished run of the same plan, or a new one, and hold it.

    What another plan left there is removed. The folder stays when the block ends, however it
    ends; whoever finishes removes it with `forget`.

    Args:
        output: The folder the run writes into; made if it is not there.
        plan: All that bears on what comes of a shard.

    Raises:
        StudyError: Another process is at work on the same folder, or it cannot be written into.
    """
    state = output / FOLDER
    with naming_output(output):
        made = not output.exists()
        state.mkdir(parents=True, exist_ok=True)
        if made:
            (state / MADE).touch()
        lock = (state / LOCK).open("w")
    with lock:
        if not claim(lock.fileno()):
            raise StudyError(
                f"{output}: another process is writing into this folder. Wait for it to end, "
                "or choose another folder with -o."
            )
        if _document(state / PLAN) != plan:
            _clear(state, but=(LOCK, MADE, PLAN))
            try:
                write_json(state / PLAN, plan)
            except OSError:
                forget(output)
                raise
        yield state


def forget(output: Path) -> None:
    """Remove what a run left behind, and the output folder if the run made it and it is empty."""
    state = output / FOLDER
    made = (state / MADE).exists()
    _clear(state, but=(PLAN, MADE, LOCK))
    for name in (PLAN, MADE, LOCK):
        (state / name).unlink(missing_ok=True)
    with suppress(OSError):
        state.rmdir()
        if made:
            output.rmdir()


def refuse_foreign(output: Path, writes: Sequence[str], manifest: str) -> None:
    """Raise if a folder holds files that a run would replace or remove but no run wrote.

    Args:
        output: The folder to write into; nothing in it is touched.
        writes: Names of the files a run writes.
        manifest: The one of them that shows who wrote the others.
    """
    state = output / FOLDER
    elsewhere = "Move it away, or choose another folder with -o. Nothing was touched."
    with naming_output(output):
        ours = not os.path.lexists(state) or _is_ours(state)
    if not ours:
        raise StudyError(f"{state}: not what an unfinished extract leaves behind. {elsewhere}")
    present = [output / name for name in writes if os.path.lexists(output / name)]
    for path in present:
        if path.is_dir():
            raise StudyError(f"{path}: a folder is in the way of the file to write. {elsewhere}")
    if output / manifest in present:
        wrote = _document(output / manifest)
        if not (isinstance(wrote, dict) and wrote.get("command") == "extract"):
            raise StudyError(f"{output / manifest}: not a manifest of extract. {elsewhere}")
    elif present and not (state / PLAN).exists():
        raise StudyError(
            f"{present[0]}: not written by extract: there is no {manifest} next to it. {elsewhere}"
        )
    if output.is_dir() and not os.access(output, os.W_OK | os.X_OK):
        raise StudyError(f"{output}: cannot be written into. Change its permissions.")


@contextmanager
def naming_output(output: Path) -> Iterator[None]:
    """Turn what the system refuses, such as more room on a disk, into one of our errors."""
    try:
        yield
    except OSError as error:
        raise StudyError(
            f"{output}: cannot be written into ({error.strerror or error}"
            f"{f': {error.filename}' if error.filename else ''}). Fix this and run the same "
            "command again: what was finished is kept."
        ) from error


def _is_ours(state: Path) -> bool:
    """Check if a folder is what an unfinished run leaves behind, be it that it had no plan."""
    if state.is_symlink() or not state.is_dir():
        return False
    plan = _document(state / PLAN)
    if isinstance(plan, dict):
        return plan.keys() >= PLANNED
    return all(_FIRST.fullmatch(path.name) and _is_empty(path) for path in state.iterdir())


def _is_empty(path: Path) -> bool:
    return path.name not in (LOCK, MADE) or (path.is_file() and not path.stat().st_size)


def _document(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _clear(state: Path, *, but: Sequence[str]) -> None:
    """Remove what runs of ours leave in their folder, and nothing else."""
    for path in state.iterdir() if state.is_dir() else ():
        if path.name in but or not _OURS.fullmatch(path.name):
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
