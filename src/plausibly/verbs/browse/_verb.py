"""The explorer of a study, a release, a dataset or a file of ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from plausibly.analysis.explorer import (
    MOST_BYTES,
    ExplorerMaterial,
    are_people,
    explorer_page,
    explorer_rows,
    model_names,
    unwritten_page,
)
from plausibly.datasets.catalogue import catalogue, present
from plausibly.errors import StudyError, UnknownName, option
from plausibly.io.frames import Source
from plausibly.io.wording import plural
from plausibly.labels import METHODS
from plausibly.ratings.sources import Ratings
from plausibly.stimuli.source_sentences import KEPT
from plausibly.study.hooks import Named
from plausibly.study.made import being_made
from plausibly.study.results import Result, put_document, text_table
from plausibly.study.sources import is_study
from plausibly.study.steps import Parameters, Work
from plausibly.study.verb import InStudy, Output, Places, verb
from plausibly.tables import LABELS
from plausibly.verbs.browse._material import (
    CASCADE,
    PLACES,
    RELEASE,
    Reading,
    declared_texts,
    gathered,
    labelled,
    labelled_questions,
    study_files,
    study_ways,
)

PAGE, DOCUMENT = "explorer.html", "browse.json"
# What decides which tables a study has, and what they are called.
HEEDED = (
    *("study.name", "report.label_names", "label.scheme", "form.questions", "models_predict"),
    *("ask.model", "evaluate", "score_gita"),
)


@dataclass(frozen=True, eq=False, repr=False)
class Browsed(Result):
    """Everything there is to see about each item.

    Args:
        rows: One row for each item and question: columns of the item, number, mean, deviation and
            entropy of its ratings, labels by each method, and what each model predicts.
        material: The tables behind it.
        items_only: Whether people and single ratings are omitted from the page.
    """

    rows: pl.DataFrame
    material: ExplorerMaterial
    items_only: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return what the explorer shows, in numbers."""
        rated = self.material.collected
        known = not self.items_only and are_people(rated)
        return {
            "name": self.material.name,
            "kind": self.material.kind,
            "items": self.rows["item"].n_unique(),
            "questions": self.rows["question"].unique().sort().to_list(),
            "ratings": rated.height,
            "kept": self.material.kept.height,
            "people": rated["annotator"].n_unique() if known else 0,
            "methods": self.material.labels["method"].unique().sort().to_list(),
            "models": model_names(self.material.predictions),
            "items_only": self.items_only,
        }

    def text(self) -> str:
        """Return what the explorer shows, in numbers."""
        shown = self.as_json().items()
        rows = [(name, ", ".join(one) if isinstance(one, list) else one) for name, one in shown]
        return text_table(("shown", "value"), rows)

    @cached_property
    def page(self) -> str:
        """The page, one HTML file that loads nothing else.

        Raises:
            StudyError: If it has more than 10 MB.
        """
        if self._size > MOST_BYTES:
            smaller = (
                "browse a part of the items"
                if self.items_only
                else f"omit single ratings with {option('items_only')}"
            )
            raise StudyError(f"{self.too_large[:-1]}; {smaller}.", parameter="items_only")
        return self._written

    @cached_property
    def _written(self) -> str:
        return explorer_page(self.material, items_only=self.items_only)

    @property
    def _size(self) -> int:
        return len(self._written.encode())

    @property
    def too_large(self) -> str:
        """A sentence that the page is too large, empty if it is not."""
        if self._size <= MOST_BYTES:
            return ""
        return (
            f"the explorer would have {self._size / 1e6:.1f} MB, and {MOST_BYTES / 1e6:.0f} MB is "
            "the most a browser opens with ease."
        )

    @property
    def documents(self) -> Mapping[str, object]:
        """The page."""
        return MappingProxyType({PAGE: self.page})

    def put_one(self, name: str, path: Path) -> None:
        """Write the page to a file."""
        del name
        put_document(self.page, path)

    def counted(self, name: str) -> str:
        """Return in words what the page holds."""
        del name
        size = len(self.page.encode()) / 1e6
        return f"{plural(self.rows['item'].n_unique(), 'item')}, {size:.2f} MB"


def _sources(arguments: Parameters) -> dict[str, Any]:
    """Return what is read where a study is named."""
    source = arguments.get("source")
    return {"source": study_files(Path(str(source)))} if is_study(source) else {}


def _in_study(work: Work, places: Places) -> None:
    """Write the explorer next to the report; without single ratings if it would be too large."""
    del places
    chosen = {name: one for name, one in work.parameters.items() if one is not None}
    for name in ("labels", "predictions"):
        if name in chosen:
            chosen[name] = work.path(str(chosen[name]))
    result = browse(work.folder, **chosen)
    reason = result.too_large
    if reason and not result.items_only:
        result = replace(result, items_only=True)
        work.notes.append(f"Single ratings are left out: {reason} Set items_only in [browse].")
        reason = result.too_large
    if reason:
        work.notes.append(f"There is none: {reason} Browse a part of the items.")
    work.write_text(PAGE, unwritten_page(result.material, reason) if reason else result.page)
    work.write_json(DOCUMENT, {**result.as_json(), "page": None if reason else PAGE})


@verb(
    texts=("source",),
    output=Output("page", help="File for the page (default: explorer.html)."),
    sources=_sources,
    study=InStudy(
        run=_in_study,
        keys={"labels": None, "predictions": None, "methods": None, "items_only": False},
        inputs=(
            *dict.fromkeys(file for files in PLACES.values() for file in files),
            *(CASCADE, KEPT, RELEASE),
        ),
        outputs=(PAGE, DOCUMENT),
        external=Named(("labels", "predictions")),
        heeds=HEEDED,
    ),
)
def browse(
    source: Ratings,
    *,
    items: Source | None = None,
    labels: Source | None = None,
    predictions: Source | None = None,
    methods: str | Sequence[str] | None = None,
    items_only: bool = False,
    data: str | Path | None = None,
    format: str = "long",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> Browsed:
    """Write an explorer: one page to search, filter and read every item, person and model.

    The page is one file that opens from disk and loads nothing else. The explorer of a study has
    all of its columns, was not checked for personal data, and is meant for its owner; publish that
    of a release. Building it runs no code from outside plausibly, not even that of a study's
    protocol.

    Args:
        source: A study, a release, the name of a published dataset, or a file or table of ratings.
        items: Items table of a file of ratings, for texts and conditions; its check items are
            left out.
        labels: Labels table to show instead of the source's.
        predictions: Predictions table to show instead of the source's.
        methods: Further label methods to show, by name, separated by commas, each for the questions
            whose answers it can label.
        items_only: Omit people and their single ratings; distributions stay.
        data: Folder with the published datasets (default: $PLAUSIBLY_DATA).
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas.

    Examples:
        plausibly browse my-study -o explorer.html --open
        plausibly browse ratings.csv --items items.csv --methods mean,mace -o explorer.html

    >>> table = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": ["a", "b"] * 2,
    ...                       "answer": [1, 2, 4, 4]})
    >>> browse(table).rows.select("item", "mean", "entropy", "label:plurality").rows()
    [('t1', 1.5, 1.0, '1'), ('t2', 4.0, 0.0, '4')]
    """
    added = _listed(methods)
    reading = Reading(items, labels, predictions, format, columns, missing, added)
    material = gathered(source, reading, data)
    ways = study_ways(source)
    questions = labelled_questions(material.kept, declared_texts(source)) if added else []
    further = [_labels(questions or [material.kept], name, ways) for name in added]
    material = replace(material, labels=pl.concat([material.labels, *further], how="diagonal"))
    folder = being_made()
    known = data and material.kind == "dataset" and material.name in catalogue()
    read = present(Path(str(data)), [material.name]) if known else {}
    return Browsed(explorer_rows(material), material, items_only, made=folder.reading(read))


def _listed(names: str | Sequence[str] | None) -> tuple[str, ...]:
    parts = names.split(",") if isinstance(names, str) else names or ()
    return tuple(str(name).strip() for name in parts if str(name).strip())


def _labels(
    questions: Sequence[pl.DataFrame], method: str, ways: Mapping[str, Any]
) -> pl.DataFrame:
    """Return the labels of a method of ours for the questions whose answers it can label."""
    if not METHODS.is_ours(method):
        ours = [name for name in METHODS if METHODS.is_ours(name)]
        raise UnknownName("label method", method, ours, parameter="methods")
    made: list[pl.DataFrame] = []
    refusals: list[StudyError] = []
    for ratings in questions:
        try:
            made.append(labelled(ratings, method, **ways))
        except StudyError as refusal:
            refusals.append(refusal)
    if refusals and not made:
        raise refusals[0]
    return pl.concat([LABELS.empty(), *made], how="diagonal")
