"""The words in which the authors of GITA4CALAMITA ask, read from the data folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plausibly.datasets.catalogue import locate
from plausibly.datasets.gita import OPTIONS, STATE, TASKS
from plausibly.errors import StudyError, option
from plausibly.io import read_toml

WORDING = "prompts.toml"
PLACEHOLDER = re.compile(r"\(The 14 descriptions follow[^)]*\)")
LEADING = "These are the descriptions of each physical state:"


def read_wording(folder: Path) -> dict[str, Mapping[str, Any]]:
    """Return description, item and options of every task (section 3.5 of the paper).

    The descriptions of the 14 physical states are in a table of their own, if they are there.

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
    return {task: _described(document[task]) for task in TASKS}


def _described(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the wording with the descriptions of the states in their place."""
    states = fields.get("descriptions")
    if not isinstance(states, Mapping) or not set(OPTIONS[STATE]) <= set(states):
        return fields
    listed = " ".join(f"{state.capitalize()}: {states[state]}" for state in OPTIONS[STATE])
    whole = PLACEHOLDER.sub(lambda _: f"{LEADING} {listed}", str(fields["description"]))
    return {**fields, "description": whole}


def check_wording(folder: Path) -> None:
    """Raise if the descriptions of the physical states, which the authors send, are missing.

    Raises:
        StudyError: If there is only a note where they belong.
    """
    description = str(read_wording(folder)[STATE]["description"])
    if PLACEHOLDER.search(description) is None:
        return
    path = locate(folder, "gita", WORDING)
    known = read_toml(path)[STATE].get("descriptions", {})
    missing = [state for state in OPTIONS[STATE] if state not in known]
    raise StudyError(
        f"{path}: {len(missing)} of the {len(OPTIONS[STATE])} descriptions that the authors send "
        f"with {STATE} are missing ({', '.join(missing)}). Copy them from section 3.5 of the "
        f"paper into [{STATE}.descriptions], or leave {STATE} out of {option('tasks')}."
    )
