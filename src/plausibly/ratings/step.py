"""The step of a study in which people answer, or a file of answers is read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plausibly.ratings.formats import import_ratings
from plausibly.study import Step, Work
from plausibly.tables import ANNOTATORS, RATINGS

SERVE = "serve"
ANSWERS = "answers"
COLLECTED = "answers.sqlite"


def collect(*, source: str = "") -> Step:
    """Return the step that fills ratings.parquet.

    `[ratings] source` says where from: "serve" (people answer in the browser, the study waits),
    or a file of the study folder in the form `[ratings] format`; the server's own file needs none.
    """
    return Step(
        "ratings",
        _collect,
        inputs=("items.parquet",),
        outputs=("ratings.parquet",),
        parameters={"source": SERVE, "format": "long"},
        source=source,
        external=_source_files,
    )


def _source_files(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files to read; the latest answers of a server lie in the log beside its file."""
    source = parameters["source"]
    if source == SERVE:
        return ()
    return (source, f"{source}-wal") if _form(parameters) == ANSWERS else (source,)


def _form(parameters: Mapping[str, Any]) -> str:
    of_server = Path(parameters["source"]).suffix == ".sqlite"
    return ANSWERS if of_server else str(parameters["format"])


def _collect(work: Work) -> str | None:
    source = work.parameters["source"]
    if source == SERVE:
        return _waiting(work)
    imported = import_ratings(work.path(source), form=_form(work.parameters))
    work.write("ratings.parquet", imported.ratings, RATINGS)
    if imported.annotators is not None and not work.has("annotators.parquet"):
        work.write("annotators.parquet", imported.annotators, ANNOTATORS)
    return None


def _waiting(work: Work) -> str:
    start = f"People answer now. Start the server with: plausibly serve {work.folder}\n"
    if not work.has(COLLECTED):
        return f"{start}Or name a file of answers in study.toml: [ratings] source."
    ratings = import_ratings(work.path(COLLECTED), form=ANSWERS).ratings
    people = ratings["annotator"].n_unique()
    return (
        f"{start}So far: {ratings.height} answers, {people} people. To go on with them, set "
        f'source = "{COLLECTED}" under [ratings] in study.toml and run again.'
    )
