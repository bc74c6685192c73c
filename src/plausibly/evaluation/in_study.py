"""Models in a study: where what they say lies, and what of the study it is held against."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from plausibly.errors import StudyError

PREDICTIONS_FILE = "predictions.parquet"
ASKED_FILE = "ask/predictions.parquet"
COMPARED_FILE = "ask/compared.parquet"
"""What models that were asked say, as the scheme of the study compares it."""
WITH_PEOPLE_FILE = "evaluate_ratings.json"
LABELS_FILE, ITEMS_FILE = "labels.parquet", "items.parquet"
SCORES_FILE = "scores.parquet"
ASKED_FOLDER, ASKED_DOCUMENT = "ask", "ask.json"
GENERATED_FOLDER, SENTENCES_FILE = "generate", "candidates.csv"

Sections = Mapping[str, Mapping[str, Any]]


def judges(sections: Sections) -> tuple[str, ...]:
    """Return whose predictions a study has: named and fitted models, files, a model that is asked.

    >>> judges({"models_predict": {"models": ["majority"], "files": ["theirs.csv"]}})
    ('majority', 'theirs.csv')
    """
    own = sections.get("models_predict", {})
    listed = [*texts(own, "models"), *texts(own, "files")]
    return (*listed, *([ASKED_FILE] if sections.get("ask", {}).get("model") else []))


def texts(section: Mapping[str, Any], key: str, *, of: str = "models_predict") -> list[str]:
    """Return a list of texts that a section holds; raise where it is something else."""
    values = section.get(key) or []
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise StudyError(f"[{of}] {key} must be a list of texts; got {values!r}.")
    odd = next((one for one in values if not isinstance(one, str) or not one), None)
    if odd is not None:
        raise StudyError(f"[{of}] {key} must be a list of texts; {odd!r} is none.")
    return list(values)


def folder_name(model: str) -> str:
    """Return a model's name as a folder can bear it.

    >>> folder_name("openai:http://127.0.0.1:8000/v1#tiny")
    'openai-http-127.0.0.1-8000-v1-tiny'
    """
    return re.sub(r"[^\w.-]+", "-", model).strip("-")


def sentence_files(sections: Sections) -> list[str]:
    """Return the files of sentences that the models of `[generate]` write, in their order.

    >>> sentence_files({"generate": {"model": ["mock:1"]}})
    ['generate/mock-1/candidates.csv']
    """
    models = dict.fromkeys(texts(sections.get("generate", {}), "model", of="generate"))
    return [f"{GENERATED_FOLDER}/{folder_name(model)}/{SENTENCES_FILE}" for model in models]


def study_files(scheme: str, *, kept: str) -> dict[str, str]:
    """Return which files of a study a scheme is evaluated against: what is said, and the items.

    Args:
        scheme: Name of the scheme.
        kept: The ratings left after cleaning.

    >>> study_files("pap-binary", kept="clean/ratings.parquet")
    {'against': 'labels.parquet', 'items': 'items.parquet'}
    """
    if scheme == "pap-perturbed":
        return {"against": ITEMS_FILE}
    return {"against": kept if scheme == "pap-soft" else LABELS_FILE, "items": ITEMS_FILE}
