"""The step of a study in which people answer, or a file of answers is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plausibly.ratings.formats import import_ratings
from plausibly.study import Step, Work
from plausibly.tables import ANNOTATORS, RATINGS

SERVE = "serve"


def collect(*, source: str = "") -> Step:
    """Return the step that fills ratings.parquet.

    `[ratings] source` says where from: "serve" (people answer in the browser, the study waits),
    or a file of the study folder in the form `[ratings] format`.
    """
    return Step(
        "ratings",
        _collect,
        inputs=("items.parquet",),
        outputs=("ratings.parquet",),
        parameters={"source": SERVE, "format": "long"},
        source=source,
        external=_source_file,
    )


def _source_file(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    return () if parameters["source"] == SERVE else (parameters["source"],)


def _collect(work: Work) -> str | None:
    source = work.parameters["source"]
    if source == SERVE:
        return (
            f"People answer now. Start the server with: plausibly serve {work.folder}\n"
            "Or name a file of answers in study.toml: [ratings] source."
        )
    imported = import_ratings(work.path(source), form=work.parameters["format"])
    work.write("ratings.parquet", imported.ratings, RATINGS)
    if imported.annotators is not None and not work.has("annotators.parquet"):
        work.write("annotators.parquet", imported.annotators, ANNOTATORS)
    return None
