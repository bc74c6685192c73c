"""The words in which the authors of GITA4CALAMITA ask, read from the data folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plausibly.datasets.catalogue import locate
from plausibly.datasets.gita import OPTIONS, TASKS
from plausibly.errors import StudyError
from plausibly.io import read_toml

WORDING = "prompts.toml"


def read_wording(folder: Path) -> dict[str, Mapping[str, Any]]:
    """Return description, item and options of every task (section 3.5 of the paper).

    Raises:
        StudyError: If a task is missing, or its options are not those that were scored.
    """
    path = locate(folder, "gita", WORDING)
    document = read_toml(path)
    for task in TASKS:
        fields = document.get(task, {})
        if not {"description", "item", "options"} <= set(fields):
            raise StudyError(f"{path}: no wording for {task}. Expected description, item, options.")
        if tuple(fields["options"]) != OPTIONS[task]:
            raise StudyError(f"{path}: the options of {task} are not the published ones.")
    return {task: document[task] for task in TASKS}
