"""State: what a run that is not finished leaves behind, so that the same command goes on."""

from __future__ import annotations

import fcntl
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plausibly.errors import StudyError
from plausibly.io import write_json

FOLDER = ".shards"
PLAN = "plan.json"
LOCK = "lock"


@contextmanager
def held_state(output: Path, plan: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the folder of an unfinished run of the same plan, or a new one, and hold it.

    What another plan left there is removed. The folder stays when the block ends, however it
    ends; whoever finishes removes it with `forget`.

    Args:
        output: The folder the run writes into; made if it is not there.
        plan: All that bears on what comes of a shard.

    Raises:
        StudyError: Another process is at work on the same folder.
    """
    state = output / FOLDER
    try:
        state.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyError(f"{output}: cannot be written into ({error.strerror}).") from error
    with (state / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StudyError(
                f"{output}: another process is writing into this folder. Wait for it to end, "
                "or choose another folder with -o."
            ) from error
        if _read(state / PLAN) != plan:
            _empty(state)
            write_json(state / PLAN, plan)
        yield state


def forget(output: Path) -> None:
    """Remove what a run left behind, and the output folder itself if nothing else is in it."""
    shutil.rmtree(output / FOLDER, ignore_errors=True)
    if output.is_dir() and not any(output.iterdir()):
        output.rmdir()


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _empty(state: Path) -> None:
    for path in state.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != LOCK:
            path.unlink()
