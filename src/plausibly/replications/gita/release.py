"""The files of GITA and GITA4CALAMITA: stories, the answers of models, pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from plausibly.datasets.catalogue import find, locate
from plausibly.datasets.gita import FIRST_VERSION, OUTPUTS, STORIES, TASKS
from plausibly.datasets.gita.answers import Answers, read_answers
from plausibly.datasets.gita.scored import read_story_table
from plausibly.evaluation.gita_rules import CLEAN


@dataclass(frozen=True, eq=False)
class GitaRelease:
    """What is in the folder `gita` of a data folder.

    Args:
        folder: The data folder.
        stories: The evaluated stories with corrected groups and their sentences; None without
            their file.
    """

    folder: Path
    stories: pl.DataFrame | None

    def file(self, name: str) -> Path | None:
        """Return where a file lies, whether or not the catalogue of datasets knows it."""
        path = self.folder / "gita" / name
        return path if path.is_file() else None

    @cached_property
    def models(self) -> dict[str, Path]:
        """The folder of each model whose answers are there, by the model's name."""
        found: dict[str, Path] = {}
        for place in OUTPUTS:
            outputs = self.folder / "gita" / place
            for model in sorted(outputs.iterdir()) if outputs.is_dir() else ():
                folders = [folder for folder in (model, *model.glob("*/")) if _holds(folder)]
                if folders:
                    found.setdefault(model.name, folders[0])
        return found

    def answers(self, model: str) -> Answers | None:
        """Return the answers of a model, or None if there are none."""
        return read_answers(self.models[model]) if model in self.models else None


def _holds(folder: Path) -> bool:
    return folder.is_dir() and any(any(folder.glob(f"*{task}*.jsonl*")) for task in TASKS)


def read_release(folder: Path) -> GitaRelease:
    """Return what a data folder holds of GITA; raise if it holds nothing of it."""
    path = find(folder, "gita", STORIES)
    stories = None if path is None else CLEAN.group(read_story_table(path, sentences=True))
    release = GitaRelease(folder, stories)
    if path is None and not release.models and release.file(FIRST_VERSION) is None:
        locate(folder, "gita", STORIES)
    return release
