"""Questions to language models as a folder that another harness runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plausibly.asking.bridges import divided, document_sets, inspect_folder, lm_eval_folder
from plausibly.asking.inquiries import AskChoices, inquiry
from plausibly.asking.subjects import SUBJECTS
from plausibly.datasets.catalogue import find
from plausibly.errors import UnknownName
from plausibly.study.folder import PROTOCOLS
from plausibly.study.made import being_made, described
from plausibly.study.results import Result, text_table
from plausibly.study.settings import FILE
from plausibly.study.verb import Output, verb
from plausibly.verbs.ask._export_form import form_documents
from plausibly.verbs.ask._one import data_place

FOLDERS = {"lm-eval": lm_eval_folder, "inspect": inspect_folder}
DECLARED: dict[str, Any] = {
    "output": Output(help="Folder to write.", required=True),
}


@dataclass(frozen=True, eq=False, repr=False)
class Exported(Result):
    """The files of a folder for another harness.

    Args:
        harness: lm-eval or inspect.
        files: The content of each file, by name.
        sizes: Number of documents of each task.
        divided: For each task, how many items are left out because people disagree about them.
        items: How many items there are.
        notes: Which questions are left out, and why.
    """

    harness: str
    files: Mapping[str, str]
    sizes: Mapping[str, int]
    divided: Mapping[str, int]
    items: int
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the tasks and their sizes, and what is left out."""
        return {
            "harness": self.harness,
            "tasks": dict(self.sizes),
            "items": self.items,
            "divided": dict(self.divided),
            "notes": list(self.notes),
        }

    def text(self) -> str:
        """Return the same as a table for people."""
        return text_table(("task", "documents"), list(self.sizes.items()))

    @property
    def talk(self) -> tuple[str, ...]:
        """What is left out, and why."""
        divided = (
            f"{task}: {number} of {self.items} items are left out. No answer about them has more "
            "than half of the people's votes, so a harness cannot count what is right."
            for task, number in self.divided.items()
        )
        return (*divided, *self.notes)

    @property
    def documents(self) -> Mapping[str, object]:
        """The files."""
        return self.files


@verb("export lm-eval", **DECLARED)
def export_lm_eval(
    dataset: str,
    *,
    data: str | Path | None = None,
    prompts: str | None = None,
    shots: str | None = None,
    shot_sets: int = 1,
    tasks: str | None = None,
    limit: int | None = None,
    seed: int = 1,
) -> Exported:
    """Write the questions of a dataset or a study as tasks of the lm-evaluation-harness.

    Every example contains its full prompt, so models are asked exactly what `plausibly ask` asks.
    A study needs people's ratings, and only the first question of its form is exported, because
    later ones follow the model's answer to it.
    Run the tasks with: lm_eval --include_path DIR --tasks NAME --log_samples --output_path OUT;
    `plausibly score gita OUT` reads the samples.

    Args:
        dataset: adept, gita, pap or sp10k, or the folder of your study.
        data: Folder with the published datasets (default: $PLAUSIBLY_DATA).
        prompts: Names of prompts, separated by commas, or all (default: the first); for a study,
            a file of wordings (default: the form).
        shots: Examples shown before an item, or coverage (default: the dataset's number).
        shot_sets: Number of different sets of examples.
        tasks: Names of tasks, separated by commas (default: the dataset's usual tasks).
        limit: Number of items, drawn at random with the seed (default: all).
        seed: Seed for everything drawn at random.

    Examples:
        plausibly export lm-eval gita -o tasks
        plausibly export lm-eval my-study --prompts wordings.toml -o tasks

    >>> export_lm_eval("gitta")
    Traceback (most recent call last):
    plausibly.errors.UnknownName: unknown dataset 'gitta'. Did you mean 'gita'? \
Known: adept, gita, pap, sp10k.
    """
    chosen = AskChoices(prompts, shots, shot_sets, tasks=tasks, limit=limit, seed=seed)
    return _exported("lm-eval", dataset, chosen, data=data)


@verb(**DECLARED)
def export_inspect(
    dataset: str,
    *,
    data: str | Path | None = None,
    prompts: str | None = None,
    shots: str | None = None,
    shot_sets: int = 1,
    tasks: str | None = None,
    limit: int | None = None,
    seed: int = 1,
) -> Exported:
    """Write the questions of a dataset or a study as tasks of inspect_ai.

    Every example contains its full prompt, so models are asked exactly what `plausibly ask` asks.
    A study needs people's ratings, and only the first question of its form is exported, because
    later ones follow the model's answer to it.
    Run the tasks with: inspect eval DIR/tasks.py

    Args:
        dataset: adept, gita, pap or sp10k, or the folder of your study.
        data: Folder with the published datasets (default: $PLAUSIBLY_DATA).
        prompts: Names of prompts, separated by commas, or all (default: the first); for a study,
            a file of wordings (default: the form).
        shots: Examples shown before an item, or coverage (default: the dataset's number).
        shot_sets: Number of different sets of examples.
        tasks: Names of tasks, separated by commas (default: the dataset's usual tasks).
        limit: Number of items, drawn at random with the seed (default: all).
        seed: Seed for everything drawn at random.

    Examples:
        plausibly export inspect gita -o tasks
        plausibly export inspect my-study -o tasks

    >>> export_inspect("gitta")
    Traceback (most recent call last):
    plausibly.errors.UnknownName: unknown dataset 'gitta'. Did you mean 'gita'? \
Known: adept, gita, pap, sp10k.
    """
    chosen = AskChoices(prompts, shots, shot_sets, tasks=tasks, limit=limit, seed=seed)
    return _exported("inspect", dataset, chosen, data=data)


def _exported(
    harness: str, dataset: str, chosen: AskChoices, *, data: str | Path | None
) -> Exported:
    if (Path(dataset) / FILE).is_file():
        return _exported_form(harness, dataset, chosen)
    if dataset not in SUBJECTS:
        raise UnknownName("dataset", dataset, SUBJECTS, parameter="dataset")
    subject, folder = SUBJECTS[dataset], data_place(data)
    wording = PROTOCOLS[dataset].prompts
    plan = inquiry(subject, folder, chosen, wording=wording)
    sets = document_sets(plan)
    sizes = {name: len(documents) for name, documents in sets.items()}
    files = {name: find(folder, dataset, name) for name in subject.files}
    inputs = {name: described(place) for name, place in files.items() if place is not None}
    made = replace(being_made(), inputs=inputs)
    found = FOLDERS[harness](sets)
    return Exported(harness, found, sizes, divided(plan), len(plan.cases), made=made)


def _exported_form(harness: str, source: str, chosen: AskChoices) -> Exported:
    form = form_documents(source, chosen)
    sizes = {name: len(documents) for name, documents in form.sets.items()}
    made = replace(being_made(), inputs={form.file.name: described(form.file)})
    folder = FOLDERS[harness](form.sets)
    return Exported(harness, folder, sizes, form.divided, form.items, form.notes, made=made)
