"""Several models asked about several datasets: one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.asking.subjects import SUBJECTS
from plausibly.backends.language_models import check_model
from plausibly.errors import StudyError, UnknownName, option
from plausibly.evaluation.asked import SCHEMA, headlines
from plausibly.evaluation.in_study import folder_name
from plausibly.study.results import Result, text_table
from plausibly.verbs.ask._asked_form import is_form
from plausibly.verbs.ask._one import ask_one, data_place
from plausibly.verbs.ask._result import Asked, NoAnswer


@dataclass(frozen=True, eq=False, repr=False)
class AskedTable(Result):
    """How several models did on several datasets.

    Args:
        results: dataset, model, metric, mean over ways of asking and its spread, and the languages
            the model was made for.
        notes: What was not answered, by model and dataset.
    """

    results: pl.DataFrame
    notes: tuple[str, ...]

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
        known = dict(self.results.select("model", "made_for").drop_nulls().iter_rows())
        if known:
            rows.append(("", "made for", *(known.get(model) for model in models)))
        return text_table(("dataset", "metric", *models), rows)

    @property
    def talk(self) -> tuple[str, ...]:
        """What was not answered."""
        return self.notes


def ask_several(
    datasets: str,
    *,
    models: Sequence[str],
    output: str | Path | None,
    data: str | Path | None,
    options: Mapping[str, Any],
) -> AskedTable:
    """Ask several models about several datasets, and put how they did into one table.

    Each model and dataset has its folder, DIR/DATASET/MODEL, as for one of each; what is known
    there is not asked again.

    Args:
        datasets: Names separated by commas, or all.
        models: The models.
        output: Folder for the answers and the table.
        data: Folder with the published datasets (default: $PLAUSIBLY_DATA).
        options: Further options of asking one model about one dataset.
    """
    form = is_form(datasets)
    names = [datasets] if form else _datasets(datasets)
    if not models:
        raise StudyError("no model named. Pass one or more.", parameter="model")
    if output is None:
        message = f"several models or datasets need a folder for answers: pass {option('output')}."
        raise StudyError(message, parameter="output")
    for one in models:
        check_model(one)
    place, known = None if form else data_place(data), dict[str, str]()
    tables, notes = dict[str, list[pl.DataFrame]](), dict[str, list[str]]()
    for one, folder in _folders(models).items():
        for name in names:
            own = Path(output) / (Path(name).name if form else name) / folder
            remarks = notes.setdefault(name, [])
            try:
                asked = ask_one(name, model=one, output=own, data=place, **options)
            except NoAnswer as error:
                remarks.append(f"{name}, {one}: {error}")
                continue
            remarks += [f"{name}, {one}: {note}" for note in asked.notes]
            rows = _answers(asked, one) if place is None else headlines(name, own, place, model=one)
            named = ", ".join(asked.made_for) or None
            rows = rows.with_columns(made_for=pl.lit(named, dtype=pl.String))
            tables.setdefault(name, []).append(rows)
            known[one] = asked.about["model"]["name"]
    every = [note for name in names for note in notes[name]]
    if not known:
        raise NoAnswer(every[0])
    every_table = [table for name in names for table in tables.get(name, [])]
    table = pl.concat([pl.DataFrame(schema={**SCHEMA, "made_for": pl.String}), *every_table])
    table = table.with_columns(pl.col("model").replace(_distinct_names(known)))
    result = AskedTable(table, tuple(every))
    result.write(output)
    return result


def _answers(asked: Asked, model: str) -> pl.DataFrame:
    """Return what a model answered to each question of a form: its mean, and what is unread."""
    rows = []
    for question, one in (asked.results or {}).items():
        figures = {"mean": one["mean"], "unread share": one["unread"] / one["samples"]}
        rows += [
            {
                "dataset": asked.dataset,
                "model": model,
                "metric": f"{question}: {name}",
                "value": value,
                "ways": len(set(asked.predictions["prompt"])),
                "items": one["items"],
            }
            for name, value in figures.items()
            if value is not None
        ]
    return pl.DataFrame(rows, schema=SCHEMA)


def _datasets(datasets: str) -> list[str]:
    return list(SUBJECTS) if datasets.strip() == "all" else _names(datasets)


def _names(datasets: str) -> list[str]:
    names = list(dict.fromkeys(part.strip() for part in datasets.split(",") if part.strip()))
    for name in names:
        if name not in SUBJECTS:
            raise UnknownName("dataset", name, [*SUBJECTS, "all"], parameter="dataset")
    if not names:
        message = f"no dataset named. Known: {', '.join(SUBJECTS)}, or all."
        raise StudyError(message, parameter="dataset")
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


def _distinct_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return what the table calls every model: its name, or as it was asked for if two share one.

    >>> _distinct_names({"a:1": "tiny", "b:1": "tiny", "m:1": "m"})
    {'a:1': 'a:1', 'b:1': 'b:1', 'm:1': 'm'}
    """
    shared = Counter(names.values())
    return {asked: name if shared[name] == 1 else asked for asked, name in names.items()}
