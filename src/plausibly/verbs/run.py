"""Run the steps of a study that are not done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from plausibly.ports import SILENCE, Watch
from plausibly.study.arguments import checked
from plausibly.study.folder import Study
from plausibly.study.runner import StepState


@checked
def run(
    folder: str | Path,
    *,
    first: str | None = None,
    to: str | None = None,
    explain: bool = False,
    announce: Callable[[str], None] | None = None,
    watch: Watch = SILENCE,
) -> list[StepState]:
    """Run every step of a study that is not done, in order, and return what became of each.

    Args:
        folder: The study folder.
        first: Step to start at, even if it is done; the steps before it must be done.
        to: Step to stop after.
        explain: Return what would run and why, and run nothing.
        announce: Called with the name of each step before it runs.
        watch: Receives the progress of a long step.

    Examples:
        plausibly run my-study
        plausibly run my-study --from clean --to agree

    >>> import tempfile
    >>> from plausibly import init
    >>> with tempfile.TemporaryDirectory() as place:
    ...     folder = init("custom", Path(place, "otters"), example=True).folder
    ...     [f"{state.step} {state.state}" for state in run(folder, to="clean")]
    ['ratings run', 'clean run']
    """
    study = Study(folder)
    if explain:
        return study.explain(first=first, to=to)
    return study.run(first=first, to=to, announce=announce, watch=watch)
