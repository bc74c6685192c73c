"""The explorer that is written next to a report."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from plausibly.analysis.explorer import released_explorer
from plausibly.evaluation.in_study import ASKED_FILE, PREDICTIONS_FILE, SCORES_FILE
from plausibly.io import read_table
from plausibly.study.manifest import version_of
from plausibly.study.steps import Work
from plausibly.study.verb import Places
from plausibly.tables import TABLES as TABLES_OF

PEOPLE, EXPLORER = "annotators.parquet", "explorer.html"
OF_STEPS = ("items", "ratings", "labels", "exclusions")


def write_explorer(
    work: Work, places: Places, *, steps: Collection[str], cascade: list[dict[str, Any]]
) -> str:
    """Write the explorer next to the report, and return its name.

    None is written where it would be too large for a browser.

    Args:
        work: The step.
        places: Where the tables of the study are.
        steps: Names of the steps the study has.
        cascade: What cleaning left out.
    """
    predicted = [(PREDICTIONS_FILE, "models_predict"), (ASKED_FILE, "ask")]
    own = [name for name in OF_STEPS if name in places]
    files: dict[str, tuple[str, ...]] = {name: (places[name],) for name in own}
    files["annotators"] = (PEOPLE,)
    files["predictions"] = tuple(file for file, step in predicted if step in steps)
    files["scores"] = (SCORES_FILE,) if {"evaluate", "score_gita"} & set(steps) else ()
    tables = {
        name: read_table(work.path(file), TABLES_OF[name])
        for name, known in files.items()
        for file in [one for one in known if work.has(one)][:1]
    }
    page = released_explorer(
        tables,
        name=work.name or work.folder.resolve().name,
        about={"plausibly": version_of("plausibly"), "seed": str(work.seed)},
        kind="study",
        label_names=work.parameters["label_names"],
        cascade=cascade,
    )
    if page is None:
        work.path(EXPLORER).unlink(missing_ok=True)
        return ""
    work.write_text(EXPLORER, page)
    return EXPLORER
