"""Questions to language models as a folder that another harness runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plausibly.asking.bridges import document_sets, inspect_folder, lm_eval_folder
from plausibly.asking.inquiries import AskChoices, inquiry
from plausibly.asking.subjects import SUBJECTS
from plausibly.errors import StudyError, UnknownName
from plausibly.study.folder import PROTOCOLS
from plausibly.study.results import Made, Result, text_table

FOLDERS = {"lm-eval": lm_eval_folder, "inspect": inspect_folder}


@dataclass(frozen=True, eq=False, repr=False)
class Exported(Result):
    """The files of a folder for another harness.

    Args:
        harness: lm-eval or inspect.
        files: From a name to what it holds.
        sizes: From a task there to how many documents it has.
        made: How this came about.
    """

    harness: str
    files: Mapping[str, str]
    sizes: Mapping[str, int]
    made: Made

    def as_json(self) -> dict[str, Any]:
        """Return the tasks and their sizes."""
        return {"harness": self.harness, "tasks": dict(self.sizes)}

    def text(self) -> str:
        """Return the same as a table for people."""
        return text_table(("task", "documents"), list(self.sizes.items()))

    @property
    def documents(self) -> Mapping[str, object]:
        """The files."""
        return self.files


def export_lm_eval(
    dataset: str,
    *,
    output: str | Path | None = None,
    data: str | Path | None = None,
    prompts: str | None = None,
    shots: str | None = None,
    shot_sets: int = 1,
    tasks: str | None = None,
    limit: int | None = None,
    seed: int = 1,
) -> Exported:
    """Write the questions of a dataset as tasks of the lm-evaluation-harness.

    Every document holds its whole prompt, so that both ask the same of a model.

    Args:
        dataset: adept, gita, pap or sp10k.
        output: Folder to write.
        data: Folder with the published datasets (default: $PLAUSIBLY_DATA).
        prompts: Prompts by name between commas, or all (default: the first).
        shots: Examples shown before an item, or coverage (default: the dataset's own number).
        shot_sets: Different sets of examples.
        tasks: Tasks by name between commas (default: the dataset's own).
        limit: So many items, drawn by the seed.
        seed: What items and examples are drawn from.

    >>> export_lm_eval("gitta")
    Traceback (most recent call last):
    plausibly.errors.UnknownName: unknown dataset 'gitta'. Did you mean 'gita'? \
Known: adept, gita, pap, sp10k.
    """
    chosen = AskChoices(prompts, shots, shot_sets, tasks=tasks, limit=limit, seed=seed)
    return _exported("lm-eval", dataset, chosen, data=data, output=output)


def export_inspect(
    dataset: str,
    *,
    output: str | Path | None = None,
    data: str | Path | None = None,
    prompts: str | None = None,
    shots: str | None = None,
    shot_sets: int = 1,
    tasks: str | None = None,
    limit: int | None = None,
    seed: int = 1,
) -> Exported:
    """Write the questions of a dataset as tasks of inspect_ai.

    Every document holds its whole prompt, so that both ask the same of a model.

    Args:
        dataset: adept, gita, pap or sp10k.
        output: Folder to write.
        data: Folder with the published datasets (default: $PLAUSIBLY_DATA).
        prompts: Prompts by name between commas, or all (default: the first).
        shots: Examples shown before an item, or coverage (default: the dataset's own number).
        shot_sets: Different sets of examples.
        tasks: Tasks by name between commas (default: the dataset's own).
        limit: So many items, drawn by the seed.
        seed: What items and examples are drawn from.

    >>> export_inspect("gitta")
    Traceback (most recent call last):
    plausibly.errors.UnknownName: unknown dataset 'gitta'. Did you mean 'gita'? \
Known: adept, gita, pap, sp10k.
    """
    chosen = AskChoices(prompts, shots, shot_sets, tasks=tasks, limit=limit, seed=seed)
    return _exported("inspect", dataset, chosen, data=data, output=output)


def _exported(
    harness: str,
    dataset: str,
    chosen: AskChoices,
    *,
    data: str | Path | None,
    output: str | Path | None,
) -> Exported:
    if dataset not in SUBJECTS:
        raise UnknownName("dataset", dataset, SUBJECTS)
    named = data or os.environ.get("PLAUSIBLY_DATA")
    if not named:
        raise StudyError(
            "where the published datasets lie is not said. Pass --data DIR, or set PLAUSIBLY_DATA."
        )
    wording = PROTOCOLS[dataset].prompts
    sets = document_sets(inquiry(SUBJECTS[dataset], Path(named), chosen, wording=wording))
    asked = ("prompts", "shots", "shot_sets", "tasks", "limit")
    made = Made(
        f"export {harness}",
        {},
        {"dataset": dataset, **{name: getattr(chosen, name) for name in asked}},
        chosen.seed,
    )
    sizes = {name: len(documents) for name, documents in sets.items()}
    result = Exported(harness, FOLDERS[harness](sets), sizes, made)
    if output is not None:
        result.write(output)
    return result
