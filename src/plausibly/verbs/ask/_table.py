"""Several models asked about several datasets: one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.asking.answers import Normalisation
from plausibly.asking.subjects import SUBJECTS
from plausibly.backends.language_models import check_model
from plausibly.backends.openai import Api
from plausibly.errors import StudyError, UnknownName
from plausibly.evaluation.asked import SCHEMA, headlines
from plausibly.evaluation.in_study import folder_name
from plausibly.ports import SILENCE, Watch
from plausibly.study.results import Made, Result, text_table
from plausibly.verbs.ask._one import NoAnswer, Style, ask, data_place


@dataclass(frozen=True, eq=False, repr=False)
class AskedTable(Result):
    """How several models did on several datasets.

    Args:
        results: dataset, model, metric, mean over ways of asking and its spread.
        notes: What was not answered, by model and dataset.
        made: How this came about.
    """

    results: pl.DataFrame
    notes: tuple[str, ...]
    made: Made

    def as_json(self) -> dict[str, Any]:
        """Return the rows of the table, and the notes."""
        return {"results": self.results.to_dicts(), "notes": list(self.notes)}

    def text(self) -> str:
        """Return models against metrics, the mean over ways of asking in each cell."""
        models = self.results["model"].unique(maintain_order=True).to_list()
        cells = {
            (dataset, metric, model): value
            for dataset, model, metric, value in self.results.select(
                "dataset", "model", "metric", "value"
            ).iter_rows()
        }
        lines = list(dict.fromkeys((dataset, metric) for dataset, metric, _ in cells))
        rows = [(*line, *(cells.get((*line, model)) for model in models)) for line in lines]
        return text_table(("dataset", "metric", *models), rows)

    @property
    def talk(self) -> tuple[str, ...]:
        """What was not answered."""
        return self.notes


def ask_table(
    datasets: str,
    *,
    model: Sequence[str],
    output: str | Path,
    data: str | Path | None = None,
    prompts: str | None = None,
    shots: str | None = None,
    shot_sets: int = 1,
    limit: int | None = None,
    gated: bool = False,
    normalise: Normalisation = "none",
    style: Style | None = None,
    api: Api = "chat",
    logprobs: bool = False,
    concurrency: int = 4,
    max_wait: float = 300.0,
    timeout: float = 300.0,
    seed: int = 1,
    watch: Watch = SILENCE,
) -> AskedTable:
    """Ask several models about several datasets, and put how they did into one table.

    Each model and dataset has a folder of its own, DIR/DATASET/MODEL, as `ask` writes it; what is
    known there is not asked again.

    Args:
        datasets: Names between commas, or all.
        model: The models, each as `ask` knows it.
        output: Folder for the answers and the table.
        data: Folder with the published datasets (default: $PLAUSIBLY_DATA).
        prompts: Prompts by name between commas, or all (default: the first of each dataset).
        shots: Examples shown before an item (default: each dataset's own).
        shot_sets: Different sets of examples.
        limit: Ask about so many items of each dataset, drawn by the seed.
        gated: Ask a later tier only where the earlier one is right.
        normalise: Which score of an option decides; all are stored.
        style: Ask weights as a text to continue or as a conversation (default: as trained).
        api: Send messages or a text to continue to an address.
        logprobs: Ask an address for log-probabilities.
        concurrency: Queries open at the same time.
        max_wait: Seconds a query may wait because an address asks for patience.
        timeout: Seconds an address may take for one answer.
        seed: What items and examples are drawn from.
        watch: Is told how far asking has come.

    >>> import json, tempfile
    >>> from pathlib import Path
    >>> dog = {"sentence1": "A dog barks.", "sentence2": "A stuffed dog barks."}
    >>> dog |= {"modifier": "stuffed", "noun": "dog", "label": 0, "idx": 8}
    >>> said = {"model": ["constant:impossible", "constant:more likely"], "shots": "0"}
    >>> with tempfile.TemporaryDirectory() as data:
    ...     (Path(data) / "adept").mkdir()
    ...     _ = (Path(data) / "adept" / "val.json").write_text(json.dumps([dog]))
    ...     asked = ask_table("adept", data=data, output=Path(data) / "answers", **said)
    >>> asked.results.filter(metric="adept-5 accuracy").select("model", "value").rows()
    [('constant:impossible', 1.0), ('constant:more likely', 0.0)]
    """
    names = list(SUBJECTS) if datasets.strip() == "all" else _names(datasets)
    if not model:
        raise StudyError("no model named. Pass one or more.")
    for one in model:
        check_model(one)
    place, known = data_place(data), dict[str, str]()
    tables, notes = dict[str, list[pl.DataFrame]](), dict[str, list[str]]()
    for one, folder in _folders(model).items():
        for name in names:
            own = Path(output) / name / folder
            told = notes.setdefault(name, [])
            try:
                asked = ask(
                    name,
                    model=one,
                    output=own,
                    data=place,
                    prompts=prompts,
                    shots=shots,
                    shot_sets=shot_sets,
                    limit=limit,
                    gated=gated,
                    normalise=normalise,
                    style=style,
                    api=api,
                    logprobs=logprobs,
                    concurrency=concurrency,
                    max_wait=max_wait,
                    timeout=timeout,
                    seed=seed,
                    watch=watch,
                )
            except NoAnswer as error:
                told.append(f"{name}, {one}: {error}")
                continue
            told += [f"{name}, {one}: {note}" for note in asked.notes]
            tables.setdefault(name, []).append(headlines(name, own, place, model=one))
            known[one] = asked.about["model"]["name"]
    every = [note for name in names for note in notes[name]]
    if not known:
        raise NoAnswer(every[0])
    parameters = {"datasets": names, "model": list(model), "prompts": prompts, "limit": limit}
    made = Made("ask", {}, {**parameters, "shots": shots, "shot_sets": shot_sets}, seed)
    rows = [table for name in names for table in tables.get(name, [])]
    table = pl.concat([pl.DataFrame(schema=SCHEMA), *rows])
    table = table.with_columns(pl.col("model").replace(_told_apart(known)))
    result = AskedTable(table, tuple(every), made)
    result.write(output)
    return result


def _names(datasets: str) -> list[str]:
    names = list(dict.fromkeys(part.strip() for part in datasets.split(",") if part.strip()))
    for name in names:
        if name not in SUBJECTS:
            raise UnknownName("dataset", name, [*SUBJECTS, "all"])
    if not names:
        raise StudyError(f"no dataset named. Known: {', '.join(SUBJECTS)}, or all.")
    return names


def _folders(models: Sequence[str]) -> dict[str, str]:
    """Return a folder for every model, none for two.

    >>> _folders(["hf:a/b", "hf:a-b", "hf:a/b"])
    {'hf:a/b': 'hf-a-b', 'hf:a-b': 'hf-a-b-2'}
    """
    folders: dict[str, str] = {}
    for model in dict.fromkeys(models):
        name = folder_name(model)
        number = 1 + sum(folder_name(other) == name for other in folders)
        folders[model] = name if number == 1 else f"{name}-{number}"
    return folders


def _told_apart(names: Mapping[str, str]) -> dict[str, str]:
    """Return what the table calls every model: its name, or as it was asked for if two share one.

    >>> _told_apart({"a:1": "tiny", "b:1": "tiny", "m:1": "m"})
    {'a:1': 'a:1', 'b:1': 'b:1', 'm:1': 'm'}
    """
    shared = Counter(names.values())
    return {asked: name if shared[name] == 1 else asked for asked, name in names.items()}
