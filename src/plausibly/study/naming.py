"""A study named in place of its ratings: its tables, and what its section and its form set."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Protocol

from plausibly.errors import StudyError
from plausibly.study.folder import Study
from plausibly.study.sources import is_study, kept_ratings
from plausibly.study.steps import Parameters, Step, Work

RATINGS = "ratings"


class StepVerb(Protocol):
    """What this reads of a declaration."""

    @property
    def reads(self) -> Mapping[str, str]:
        """From an argument to the table of a study it gets."""
        ...

    @property
    def section(self) -> str:
        """The step of a study."""
        ...

    @property
    def signature(self) -> inspect.Signature:
        """The signature of the function."""
        ...

    def arguments_in(
        self, work: Work, places: Mapping[str, str], defaults: Parameters
    ) -> dict[str, Any]:
        """Return the arguments that a study passes."""
        ...


def with_study(
    callee: StepVerb, positions: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a call; a study in place of ratings adds what it passes itself.

    What the caller passes comes first; a value that is the default counts as not passed.
    """
    names = list(callee.signature.parameters)
    passed = {**dict(zip(names, positions, strict=False)), **keywords}
    reads = RATINGS in callee.reads and names[0] == RATINGS
    if not reads or not is_study(passed.get(RATINGS)):
        return positions, keywords
    study = Study(passed.pop(RATINGS))
    step = next((one for one in study.protocol.steps if one.name == callee.section), None)
    if step is None:
        raise StudyError(
            f"{study.folder}: the protocol of this study has no step {callee.section}. Name a "
            f"table: {study.folder / 'ratings.parquet'}"
        )
    own = {name: one for name, one in passed.items() if _chosen(callee, name, one)}
    arguments = callee.arguments_in(_work(study, step, own), step.places, step.parameters)
    if RATINGS not in arguments:
        arguments[RATINGS] = kept_ratings(study.folder)
    return (), {**arguments, **own}


def _work(study: Study, step: Step, own: Parameters) -> Work:
    settings = study.settings
    parameters = {**settings.sections.get(step.name, step.parameters), **own}
    return Work(
        study.folder,
        parameters,
        settings.sections,
        settings.seed,
        settings.name,
        protocol=study.protocol,
    )


def _chosen(callee: StepVerb, name: str, value: Any) -> bool:
    """Return whether a value was chosen by the caller."""
    known = callee.signature.parameters.get(name)
    if value is None or known is None:
        return value is not None
    default = known.default
    return bool(value != (list(default) if isinstance(default, tuple) else default))
