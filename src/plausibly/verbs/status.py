"""Which steps of a study are done."""

from __future__ import annotations

from pathlib import Path

from plausibly.study.arguments import checked
from plausibly.study.folder import Study
from plausibly.study.runner import StepState


@checked
def status(folder: str | Path) -> list[StepState]:
    """Return for every step of a study whether it is done, and if not, why not.

    Args:
        folder: The study folder.

    Examples:
        plausibly status my-study
        plausibly status my-study --json

    >>> import tempfile
    >>> from plausibly import init
    >>> with tempfile.TemporaryDirectory() as place:
    ...     [state.state for state in status(init("custom", Path(place, "otters")).folder)][:1]
    ['to do']
    """
    return Study(folder).status()
